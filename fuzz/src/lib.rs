//! Inputs that nobody would write: mutated files, and random scenes that are valid.
//!
//! `thixo-fuzz` feeds mutated scene files, settings, checkpoints and meshes to their readers and to
//! what comes after them. A case is a seed and a number: it can be made again at any time. Cases run
//! in worker processes, so that one that ends its process is noticed like any other.
//!
//! `random-scenes` runs random valid scenes and checks what must hold in every run.

pub mod corpus;
pub mod mutate;
pub mod play;
pub mod rng;
pub mod scenes;
pub mod supervise;
pub mod target;
pub mod text;
pub mod worker;
