//! The conformance test of a shape: one call says whether a new shape keeps the contract of
//! [`Shape`].

use std::sync::Arc;

use thixo_math::Vector;

use crate::{Bounds, Pose, Shape, Transformed};

/// What is known about a shape, apart from itself.
pub struct Known<'a, const D: usize> {
    /// Whether a point is inside, by other means.
    pub inside: &'a dyn Fn(&Vector<f64, D>) -> bool,
    /// How far from the surface the distance must be the true one \[m\]; beyond, a lower bound.
    pub exact: f64,
    /// How fast the distance may change with place: 1.
    pub slope: f64,
    /// A turn to test invariance with.
    pub pose: Pose<D>,
}

/// A small generator for the points that are tried.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
    fn point<const D: usize>(&mut self, b: &Bounds<D>) -> Vector<f64, D> {
        Vector::from_fn(|a| b.low[a] + self.next() * (b.high[a] - b.low[a]))
    }
}

/// Checks a shape on random points of a region: the slope of the distance, its sign, that it is no
/// more than the true distance and (as far as `known.exact` says) no less, that normals are unit
/// vectors and the gradient, that the box holds the shape, and that a turn changes nothing. Says
/// what is wrong first.
pub fn check_shape<const D: usize>(
    shape: Arc<dyn Shape<D>>,
    region: &Bounds<D>,
    known: &Known<D>,
) -> Result<(), String> {
    let size = region.size().max_abs();
    let mut random = Random(1);
    let surface = surface(region, known, &mut random);
    let turned = Transformed::new(shape.clone(), known.pose);
    for i in 0..2000 {
        let mut x = random.point(region);
        if i % 2 == 1 && !surface.is_empty() {
            // Every other one near the surface.
            let k = (random.next() * surface.len() as f64) as usize;
            let d = random.point(region) - random.point(region);
            x = surface[k.min(surface.len() - 1)] + d * (0.1 * random.next());
        }
        let phi = shape.distance(&x);
        let fail = |what: String| Err(format!("at {:?}, distance {phi}: {what}", x.0));
        if !phi.is_finite() {
            return fail("not finite".into());
        }
        // Slope, over steps long and short.
        for _ in 0..8 {
            let step = random.point(region) - random.point(region);
            let y = x + step * 10f64.powf(-4.0 * random.next());
            let change = (shape.distance(&y) - phi).abs();
            if change > known.slope * (y - x).norm() * (1.0 + 1e-9) + 1e-12 * size {
                return fail(format!("changes by {change} over {}", (y - x).norm()));
            }
        }
        // Sign.
        if phi.abs() > 1e-9 * size && (known.inside)(&x) != (phi < 0.0) {
            return fail("wrong sign".into());
        }
        // The box.
        if let Some(b) = shape.bounds()
            && phi < 0.0
            && !b.grow(1e-9 * size).contains(&x)
        {
            return fail("inside, but outside the box".into());
        }
        // No more than the true distance.
        let nearest = surface
            .iter()
            .fold(f64::INFINITY, |m, p| m.min((*p - x).norm2()));
        if phi.abs() > nearest.sqrt() + 1e-9 * size {
            return fail(format!("the surface is {} away", nearest.sqrt()));
        }
        // Normal.
        let n = shape.normal(&x);
        if (n.norm() - 1.0).abs() > 1e-9 {
            return fail(format!("normal {:?} is no unit vector", n.0));
        }
        check_gradient(&*shape, &x, &n, size).or_else(fail)?;
        // No less than the true distance: one step leads to the surface.
        let foot = x - n * phi;
        let e = n * (1e-6 * size);
        let there = (known.inside)(&(foot - e)) && !(known.inside)(&(foot + e));
        if phi.abs() < known.exact && !there {
            return fail(format!("{:?} is not on the surface", foot.0));
        }
        // Turned.
        let z = known.pose.apply(&x);
        let same = (turned.distance(&z) - phi).abs() <= 1e-9 * size;
        let m = turned.normal(&z) - known.pose.rotation * n;
        if !same || (m.norm() > 1e-3 && phi.abs() > 1e-3 * size && is_smooth(&*shape, &x, size)) {
            return fail("changes when turned".into());
        }
    }
    Ok(())
}

/// Points of the surface, by halving between points inside and outside.
fn surface<const D: usize>(
    region: &Bounds<D>,
    known: &Known<D>,
    random: &mut Random,
) -> Vec<Vector<f64, D>> {
    let mut found = Vec::new();
    let mut pool: [Vec<Vector<f64, D>>; 2] = [vec![], vec![]];
    for _ in 0..20_000 {
        let x = random.point(region);
        pool[usize::from((known.inside)(&x))].push(x);
    }
    if pool.iter().any(Vec::is_empty) {
        return found;
    }
    for i in 0..4000 {
        let mut out = pool[0][i * 7 % pool[0].len()];
        let mut inner = pool[1][i * 13 % pool[1].len()];
        for _ in 0..60 {
            let middle = (out + inner) * 0.5;
            if (known.inside)(&middle) {
                inner = middle;
            } else {
                out = middle;
            }
        }
        found.push((out + inner) * 0.5);
    }
    found
}

fn gradient<const D: usize>(shape: &dyn Shape<D>, x: &Vector<f64, D>, h: f64) -> Vector<f64, D> {
    Vector::from_fn(|a| {
        let e = Vector::axis(a) * h;
        (shape.distance(&(*x + e)) - shape.distance(&(*x - e))) / (2.0 * h)
    })
}

/// Whether the gradient is the same at two scales and to both sides.
fn is_smooth<const D: usize>(shape: &dyn Shape<D>, x: &Vector<f64, D>, size: f64) -> bool {
    let g = gradient(shape, x, 1e-5 * size);
    let at = |e: Vector<f64, D>| (gradient(shape, &(*x + e), 1e-6 * size) - g).norm() < 1e-3;
    (0..D).all(|a| {
        let e = Vector::axis(a) * (1e-5 * size);
        at(e) && at(-e)
    })
}

fn check_gradient<const D: usize>(
    shape: &dyn Shape<D>,
    x: &Vector<f64, D>,
    n: &Vector<f64, D>,
    size: f64,
) -> Result<(), String> {
    let Some(g) = gradient(shape, x, 1e-6 * size).unit() else {
        return Ok(());
    };
    if is_smooth(shape, x, size) && (g - *n).norm() > 2e-3 {
        return Err(format!("normal {:?}, but gradient {:?}", n.0, g.0));
    }
    Ok(())
}
