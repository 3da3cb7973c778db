//! The surface of a set of particles as a triangle mesh: its own faces if it has some, else one that is
//! reconstructed.
//!
//! splashsurf evaluates the smoothed indicator function `Σ V_p W(x − x_p)` on a lattice and cuts it
//! by marching cubes. It cuts the lattice into parts for its threads and numbers vertices as the
//! parts come along, so the mesh is put into an order of its own (`mesh.rs`), then smoothed. Where
//! parts meet, both have a copy of each vertex and either may win. Everything therefore happens in
//! units of a lattice cube, in which corners of cubes are whole numbers: both copies then have the
//! same bits. Vector instructions would round differently in different parts, so they stay off.

mod mesh;
mod obj;
mod own;
mod ply;
pub(crate) mod smooth;
mod voids;
mod vtk;

use splashsurf_lib::nalgebra::{Vector3, Vector4};
use splashsurf_lib::sph_interpolation::SphInterpolator;
use splashsurf_lib::{
    GridDecompositionParameters, Parameters, SpatialDecomposition, reconstruct_surface,
};
use thixo_core::PointSet;

use crate::frames::Format;
use crate::{Error, Result, usd};

pub use mesh::Mesh;

/// All surface formats, one line each.
pub const FORMATS: &[Format<Mesh>] = &[
    Format {
        name: "obj",
        extension: "obj",
        doc: "Wavefront OBJ text with normals, which every modeller reads.",
        write: obj::write,
    },
    Format {
        name: "ply",
        extension: "ply",
        doc: "Binary PLY with normals and velocities, for Blender, MeshLab, Open3D.",
        write: ply::write,
    },
    Format {
        name: "vtk",
        extension: "vtp",
        doc: "VTK PolyData and a .pvd series that ParaView opens as an animation.",
        write: vtk::write,
    },
    Format {
        name: "usd",
        extension: "usda",
        doc: "USD mesh as text, for Houdini, Blender, Omniverse and usdview.",
        write: usd::write_mesh,
    },
];

/// How a surface is made. Lengths are in distances between neighbouring particles at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surfacing {
    /// Edge of a lattice cube: smaller ones make more triangles.
    pub cube: f64,
    /// Distance that a particle reaches. Below 2 the surface has holes where particles are unevenly
    /// spread, as they are in MPM; above 3 details are lost.
    pub reach: f64,
    /// Value of the indicator function at the surface, between 0 outside and 1 inside.
    pub level: f64,
    /// Bubbles that hold less than this many particles would are filled: they are gaps between
    /// unevenly spread particles. 8 particles are a cell.
    pub bubble: f64,
    /// Rounds of smoothing; the body keeps its volume.
    pub smoothing: usize,
}

impl Default for Surfacing {
    /// The volume of a randomly filled cube and that of a lone drop come out right within a tenth.
    fn default() -> Self {
        Self {
            cube: 0.5,
            reach: 2.5,
            level: 0.65,
            bubble: 8.0,
            smoothing: 15,
        }
    }
}

/// Lattice cubes along an edge of the part of the lattice that one thread works on.
const PART: u32 = 64;

/// Lattice cubes that a body may extend over: 32-bit numbers then still tell sixteenths of a cube.
const FARTHEST: f64 = (1 << 20) as f64;

/// The surface of a set of three-dimensional points, with the velocity of the points near it. No
/// points, no triangles. A set that has faces keeps them.
pub fn surface(set: &PointSet, how: &Surfacing) -> Result<Mesh> {
    in_parts(set, how, PART)
}

/// The same with another size of the parts, on which nothing depends but the time.
fn in_parts(set: &PointSet, how: &Surfacing, part: u32) -> Result<Mesh> {
    let refuse = |what: &str| Err(Error::Invalid(format!("surface of `{}`: {what}", set.name)));
    let mut mesh = Mesh::named(set);
    if set.dimension != 3 {
        return refuse("it has two dimensions, a surface needs three");
    }
    let sound = |x: f64| x.is_finite() && x > 0.0;
    let level = how.level > 0.0 && how.level < 1.0;
    if !(sound(how.cube) && sound(how.reach) && level && how.bubble >= 0.0) {
        return refuse("cube and reach must be positive, the level between 0 and 1");
    }
    if set.position.is_empty() {
        return Ok(mesh);
    }
    if !set.faces.is_empty() {
        return own::own(set);
    }
    // A set that does not know its spacing has eight points per cell.
    let spacing = if sound(set.spacing) {
        set.spacing
    } else {
        0.5 * set.cell
    };
    if !sound(spacing) {
        return refuse("neither its spacing nor its cell is known");
    }
    if !set.velocity.is_empty() && set.velocity.len() != set.position.len() {
        return refuse("there are not as many velocities as positions");
    }
    if set.position.iter().flatten().any(|c| !c.is_finite()) {
        return refuse("a position is not finite");
    }

    let unit = how.cube * spacing;
    let end = |pick: fn(f64, f64) -> f64, start: f64| -> [f64; 3] {
        std::array::from_fn(|i| set.position.iter().map(|x| x[i]).fold(start, pick))
    };
    let (low, high) = (end(f64::min, f64::MAX), end(f64::max, f64::MIN));
    let origin = low.map(|c| (c / unit).floor() * unit); // a lattice that rests in the world
    if (0..3).any(|i| high[i] - origin[i] > FARTHEST * unit) {
        return refuse("it extends over more than a million cubes; is a particle lost?");
    }
    let local = |x: &[f64; 3]| Vector3::from_fn(|i, _| ((x[i] - origin[i]) / unit) as f32);
    let points: Vec<_> = set.position.iter().map(local).collect();

    let side = (1.0 / how.cube) as f32;
    let reach = (how.reach / how.cube) as f32;
    let mut parameters = Parameters::new(0.5 * side, reach, 1.0);
    parameters.iso_surface_threshold = how.level as f32;
    parameters.enable_simd = false;
    parameters.spatial_decomposition =
        SpatialDecomposition::UniformGrid(GridDecompositionParameters {
            subdomain_num_cubes_per_dim: part,
            auto_disable: false,
        });
    let made = reconstruct_surface::<i64, f32>(&points, &parameters)
        .map_err(|e| Error::Invalid(format!("surface of `{}`: {e}", set.name)))?;
    let bubble = how.bubble * f64::from(side).powi(3);
    let (vertices, triangles) = mesh::ordered(&made.mesh.vertices, &made.mesh.triangles, bubble)?;
    mesh.triangle = triangles;

    // Before smoothing every vertex is within reach of a particle.
    let Some(density) = made.particle_densities else {
        return refuse("no densities came with it");
    };
    let near = Near::of(&points, &density, &parameters, &set.velocity, &vertices);
    mesh.velocity = near.velocity;
    let vertices = vertices.iter().map(|v| [v.x, v.y, v.z].map(f64::from));
    let vertices = smooth::smooth(
        vertices.collect(),
        &mesh.triangle,
        &near.weight,
        how.smoothing,
    );
    let world = |x: &[f64; 3]| std::array::from_fn(|i| origin[i] + unit * x[i]);
    mesh.position = vertices.iter().map(world).collect();
    mesh.normal = smooth::normals(&vertices, &mesh.triangle);
    Ok(mesh)
}

/// What the particles near vertices say of them.
struct Near {
    velocity: Vec<[f32; 3]>,
    weight: Vec<f64>,
}

impl Near {
    /// Means over the particles within reach. The weight goes from 0 where these are as lonely as in
    /// a thread one particle thick to 1 where they are as crowded as in a layer.
    fn of(
        points: &[Vector3<f32>],
        density: &[f32],
        parameters: &Parameters<f32>,
        velocity: &[[f32; 3]],
        vertices: &[Vector3<f32>],
    ) -> Self {
        let side = 2.0 * parameters.particle_radius;
        let mass = parameters.rest_density * side.powi(3);
        let reach = parameters.compact_support_radius;
        let rest = parameters.rest_density;
        let still = [0.0; 3];
        let quantity: Vec<_> = (0..points.len())
            .map(|k| {
                let [x, y, z] = *velocity.get(k).unwrap_or(&still);
                Vector4::new(x, y, z, density[k] / rest)
            })
            .collect();
        let tree = SphInterpolator::new(points, density, mass, reach);
        let at = tree.interpolate_vector_quantity(&quantity, vertices, true);
        let weight = |q: &Vector4<f32>| ((f64::from(q.w) - 0.3) / 0.3).clamp(0.0, 1.0);
        Self {
            velocity: at.iter().map(|q| [q.x, q.y, q.z]).collect(),
            weight: at.iter().map(weight).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
