//! Geometry in metres: shapes as signed distances, obstacles that move, contact laws, and samplers
//! that fill shapes with points. Always in `f64`: geometry is asked for near surfaces only, and
//! there it must be right.

pub mod check;
mod collider;
mod constrain;
mod contact;
mod deforming;
mod error;
mod known;
mod lattice;
mod motion;
mod pose;
mod resolve;
mod sample;
mod shape;
mod shapes;
mod solid;
mod trace;

pub use collider::{Collider, Obstacle, Rigid, Still};
pub use constrain::{
    Active, MOST as MOST_CONTACTS, Touch, constrain_velocity, meet, nearest_allowed, touches,
};
pub use contact::Contact;
pub use deforming::{Deforming, LevelSetKey, VelocityField};
pub use error::{Result, ShapeError};
pub use lattice::Lattice;
pub use motion::{Keys, Motion, PathFunction};
pub use pose::{Pose, Twist, rotation_of, spin_2d, spin_3d, spin_rate, turn_of};
pub use resolve::{Resolution, is_clear, resolve};
pub use sample::{Drain, Emitted, Method, Sample, Stream, fill, volume};
pub use shape::{Bounds, Shape};
pub use shapes::{
    Capsule, Cuboid, Cylinder, Difference, HalfSpace, HeightField, Intersection, LevelSet, Mesh,
    MeshData, Polygon, Shell, Sphere, Torus, Transformed, Union, read_mesh,
};
pub use solid::{Quality, SheetMesh, Skipped, SolidFile, SolidMesh, read_solid};
pub use trace::{Hit, sweep};
