//! Pictures of particles and surfaces, without a graphics card: shaded spheres (discs in two
//! dimensions) and triangles with soft shadows and ambient occlusion, obstacles, a ground, a legend.
//! The same pixels for any number of threads.
//!
//! In order: project, draw into a depth buffer of 2×2 samples per pixel, trace obstacles, find how
//! much of sun and sky arrives, shade every sample, average in linear light, lay clear surfaces over
//! it, write on it.

mod area;
mod body;
mod camera;
mod clear;
mod color;
mod ground;
mod image;
mod legend;
mod light;
mod overlay;
mod paint;
mod shade;
mod solid;
mod splat;
mod surface;
mod text;
mod vec;

use thixo_core::PointSet;

pub use camera::{Bounds, Camera, Projection};
pub use color::Coloring;
pub use image::Image;
pub use solid::{Obstacle, Shape};
pub use surface::Surface;

use body::Body;
use camera::Lens;
use legend::Legend;
use paint::Frame;
use vec::V;

/// How to look at a run.
#[derive(Clone)]
pub struct View<'a> {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// What the picture must show: the bounds of the whole run, so that nothing jumps.
    pub bounds: Bounds,
    /// The camera. If none is given it is fitted to `bounds`, beside the legend. Not used in two
    /// dimensions.
    pub camera: Option<Camera>,
    /// The direction of a camera that is fitted: around `up`, and above the horizon \[degrees\].
    pub angles: [f64; 2],
    /// The direction opposite to gravity.
    pub up: [f64; 3],
    /// A ground at this height along `up` \[m\].
    pub ground: Option<f64>,
    /// Obstacles.
    pub obstacles: Vec<Obstacle<'a>>,
    /// Triangle meshes, e.g. the skin of water.
    pub surfaces: Vec<Surface<'a>>,
    /// What colours tell.
    pub coloring: Coloring,
    /// A line at the lower left.
    pub caption: String,
    /// Scales the radii of particles; 1 is a ball of a particle's volume.
    pub radius: f32,
}

impl View<'_> {
    /// A view of 1280×720 pixels on `bounds`, up being y.
    pub fn new(bounds: Bounds) -> Self {
        Self {
            width: 1280,
            height: 720,
            bounds: bounds.or_unit(),
            camera: None,
            angles: [28.0, 19.0],
            up: [0.0, 1.0, 0.0],
            ground: None,
            obstacles: Vec::new(),
            surfaces: Vec::new(),
            coloring: Coloring::Material,
            caption: String::new(),
            radius: 1.0,
        }
    }
    /// The usual caption: time and number of particles.
    pub fn caption(time: f64, sets: &[PointSet]) -> String {
        let n: usize = sets.iter().map(|s| s.position.len()).sum();
        let digits = n.to_string();
        let mut grouped = String::new();
        for (k, c) in digits.chars().enumerate() {
            if k > 0 && (digits.len() - k).is_multiple_of(3) {
                grouped.push(' ');
            }
            grouped.push(c);
        }
        format!("t = {time:.3} s    {grouped} particles")
    }
}

/// The box that is shown, with the matter up to its diagonal beside it: it casts shadows too.
fn filled(bounds: &Bounds, balls: &Balls, view: &View) -> Bounds {
    let near = bounds.grown(bounds.diagonal());
    let inside = |x: &[f64; 3]| (0..3).all(|a| (near.min[a]..=near.max[a]).contains(&x[a]));
    let surfaces = view.surfaces.iter();
    let corners = surfaces.flat_map(|s| s.positions.iter().map(|x| s.place(x)));
    let mut all = *bounds;
    let places = balls.position.iter().copied().chain(corners);
    places.filter(inside).for_each(|x| all.include(x));
    all
}

/// Bytes that drawing a picture of this size takes for a moment, about: colour, depth, normal, what is seen and
/// light of 2 × 2 samples to a pixel.
pub fn memory(width: usize, height: usize) -> f64 {
    4.0 * 36.0 * width as f64 * height as f64
}

/// Draws point sets: as grains, or those that have faces as surfaces (in two dimensions areas or lines).
/// A set's dimension decides: if all are two-dimensional, so is the picture.
pub fn render(sets: &[PointSet], view: &View) -> Image {
    let bodies = Body::of(sets, &view.coloring);
    let mut view = view.clone();
    view.surfaces.extend(bodies.iter().map(Body::surface));
    let view = &view;
    let flat =
        !sets.is_empty() && sets.iter().all(|s| s.dimension == 2) && view.surfaces.is_empty();
    let (width, height) = (view.width.clamp(16, 16384), view.height.clamp(16, 16384));
    let range = view.coloring.range(sets);
    let balls = Balls::new(sets, view, range, flat);
    let bounds = view.bounds.or_unit();
    let legend = Legend::new(sets, view, range);
    let beside = legend.width(height).min(0.4 * width as f32);
    let lens = if flat {
        flat_lens(view, &bounds, beside)
    } else {
        deep_lens(view, &bounds, width, height, beside)
    };

    let fine = lens.finer(2.0);
    let splats = splat::project(&fine, 2 * width, 2 * height, &balls.position, &balls.radius);
    let seen = splat::draw(2 * width, 2 * height, &splats);
    let frame = Frame {
        flat,
        lens,
        fine,
        bounds,
        filled: filled(&bounds, &balls, view),
        view,
        balls: &balls,
        range,
    };
    let mut canvas = frame.paint(&seen, &splats);

    if flat {
        frame.areas(&mut canvas, sets);
        frame.flat_obstacles(&mut canvas);
        overlay::axes(&mut canvas, &lens, &bounds);
    }
    legend.draw(&mut canvas);
    overlay::caption(&mut canvas, &view.caption);
    canvas.finish()
}

/// All particles of sets without faces as balls.
struct Balls {
    position: Vec<[f64; 3]>,
    radius: Vec<f32>,
    color: Vec<V>,
}

impl Balls {
    fn new(sets: &[PointSet], view: &View, range: [f32; 2], flat: bool) -> Self {
        let (mut position, mut radius, mut color) = (Vec::new(), Vec::new(), Vec::new());
        // In a picture of depth there are no areas: what is flat keeps its grains.
        let grains = |s: &&PointSet| !body::has_faces(s) || (s.dimension == 2 && !flat);
        for set in sets.iter().filter(grains) {
            position.extend_from_slice(&set.position);
            let round = if set.dimension == 2 { 0.8 } else { 0.62 }; // discs close the gaps
            let rest = set.spacing as f32;
            let of = |p: usize| {
                let volume = set.volume.get(p).copied().unwrap_or(0.0);
                let side = if set.dimension == 2 {
                    volume.sqrt()
                } else {
                    volume.cbrt()
                };
                // Loose matter has more room than it fills: its grains do not grow.
                let side = match (side.is_finite() && side > 0.0, rest > 0.0) {
                    (true, true) => side.min(1.2 * rest),
                    (true, false) => side,
                    (false, _) => rest,
                };
                view.radius * round * side
            };
            radius.extend((0..set.position.len()).map(of));
            color.extend(view.coloring.colors(set, range));
        }
        Self {
            position,
            radius,
            color,
        }
    }
}

fn flat_lens(view: &View, b: &Bounds, legend: f32) -> Lens {
    let [x0, y0, x1, y1] =
        overlay::plot_area(view.width, view.height, legend, !view.caption.is_empty());
    let (w, h) = (
        (b.max[0] - b.min[0]).max(1e-9),
        (b.max[1] - b.min[1]).max(1e-9),
    );
    let focal = (f64::from(x1 - x0) / w).min(f64::from(y1 - y0) / h) as f32;
    let c = b.center();
    let distance = 2.0 * b.diagonal();
    Lens {
        eye: [c[0], c[1], c[2] + distance],
        axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
        center: [0.5 * (x0 + x1), 0.5 * (y0 + y1)],
        focal,
        perspective: false,
    }
}

/// A camera that is fitted keeps the scene beside the legend.
fn deep_lens(view: &View, b: &Bounds, width: usize, height: usize, legend: f32) -> Lens {
    if let Some(camera) = &view.camera {
        return Lens::new(camera, width, height);
    }
    let room = width as f32 - legend;
    let aspect = f64::from(room) / height as f64;
    let [around, above] = view.angles;
    let mut lens = Lens::new(
        &Camera::fit(b, view.up, around, above, aspect),
        width,
        height,
    );
    lens.center[0] = 0.5 * room;
    lens
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod tests_faces;
