//! The common grid: sparse blocks of 4^D nodes over an unbounded domain, particles laid out by
//! block, transfers between the two, and the medium in which systems meet.
//!
//! Every sum has a fixed order that follows from the blocks alone, so results have the same bits
//! for any number of threads. Nothing here is `unsafe`: a block's particles write to a
//! tile, which is added to the nodes in the turn of its block.

mod block;
mod domain;
mod exec;
mod kernel;
mod layout;
mod link;
mod medium;
pub mod transfer;

pub use block::{BLOCK, Coord, neighbour_count, neighbours};
pub use domain::{Domain, DomainError};
pub use exec::{Exec, Rooms, Split, fold_blocks};
pub use kernel::{Cubic, Kernel, KernelKind, Linear, Quadratic};
pub use layout::{ALIGN, Layout, Place, Range, Sorted, stencil_start};
pub use link::Link;
pub use medium::{Layer, LayerId, Medium, Node};
