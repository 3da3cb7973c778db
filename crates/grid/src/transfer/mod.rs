//! Transfers between particles and nodes.
//!
//! Two kernels serve every scheme. A particle gives `w q + Σ_d u_d a_d` to each node and takes
//! `Σ w v` and `Σ v ⊗ u` from them, where `w` are the weights and `u` is either the first moment
//! `w (x_i − x_p)/dx` (affine transfers and the moving-least-squares force) or the slope `dx ∇w`
//! (the classical force). PIC, FLIP, RPIC and APIC differ in what they put into `q` and `a` and in
//! what they keep: see [`Scheme`].

mod forms;
mod scheme;
mod stencil;

pub use forms::{Form, scatter_forms};
pub use scheme::Scheme;
pub use stencil::{LANES, Room, gather, gather_slopes, scatter, scatter_slopes};
