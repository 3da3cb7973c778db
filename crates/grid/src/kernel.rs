//! Interpolation kernels: B-splines of order 1, 2 and 3. [Course16] §7.

use thixo_math::Lane;

/// A tensor-product B-spline.
///
/// A particle at x has an *anchor* node and an offset `f` from it in cells; it touches the `WIDTH`
/// nodes from `anchor + LOW` on, along each axis.
pub trait Kernel: Copy + Default + Send + Sync + 'static {
    /// Nodes touched along an axis.
    const WIDTH: usize;
    /// First node touched, relative to the anchor.
    const LOW: i32;
    /// The anchor is the nearest node (f in [−½, ½)); else the next lower one (f in [0, 1)).
    const NEAREST: bool;
    /// dx² D_p⁻¹, with D_p = Σ w (x_i − x_p)(x_i − x_p)ᵀ: constant except for the multilinear
    /// kernel, whose D_p may be singular. [Course16] §8 after (174).
    const D_INV: Option<f64>;
    /// Nodes along an edge of a tile: a block, the kernel's reach, and one cell of slack on each
    /// side that particles may stray before they are sorted again.
    const TILE: usize = 4 + Self::WIDTH - 1 + 2;
    /// First node of a tile, relative to its block.
    const TILE_LOW: i32 = Self::LOW - 1;
    /// Nodes in the memory of a tile: some more than it has, since rows are taken four nodes at a time.
    fn tile_size(dimension: usize) -> usize {
        Self::TILE.pow(dimension as u32) + 4
    }
    /// w(x_i − x_p) along one axis, padded with zeros.
    fn weights<L: Lane>(f: L) -> [L; 4];
    /// dx ∂w/∂x_p … the derivative of the weight with respect to the particle's place, in cells.
    fn slopes<L: Lane>(f: L) -> [L; 4];
}

/// Multilinear: two nodes along an axis.
#[derive(Clone, Copy, Debug, Default)]
pub struct Linear;
/// Quadratic: three nodes along an axis. The default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quadratic;
/// Cubic: four nodes along an axis.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cubic;

/// The kernel as a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KernelKind {
    /// [`Linear`].
    Linear,
    /// [`Quadratic`].
    #[default]
    Quadratic,
    /// [`Cubic`].
    Cubic,
}

impl KernelKind {
    /// First and last node that a particle touches along an axis, relative to its anchor.
    pub fn reach(self) -> [i32; 2] {
        fn of<K: Kernel>() -> [i32; 2] {
            [K::LOW, K::LOW + K::WIDTH as i32 - 1]
        }
        match self {
            Self::Linear => of::<Linear>(),
            Self::Quadratic => of::<Quadratic>(),
            Self::Cubic => of::<Cubic>(),
        }
    }
}

impl Kernel for Linear {
    const WIDTH: usize = 2;
    const LOW: i32 = 0;
    const NEAREST: bool = false;
    const D_INV: Option<f64> = None;
    #[inline(always)]
    fn weights<L: Lane>(f: L) -> [L; 4] {
        let zero = f.fill(0.0);
        [f.fill(1.0) - f, f, zero, zero]
    }
    #[inline(always)]
    fn slopes<L: Lane>(f: L) -> [L; 4] {
        [f.fill(-1.0), f.fill(1.0), f.fill(0.0), f.fill(0.0)]
    }
}

impl Kernel for Quadratic {
    const WIDTH: usize = 3;
    const LOW: i32 = -1;
    const NEAREST: bool = true;
    const D_INV: Option<f64> = Some(4.0);
    #[inline(always)]
    fn weights<L: Lane>(f: L) -> [L; 4] {
        let h = f.fill(0.5);
        let (a, b) = (h - f, h + f);
        [h * a * a, f.fill(0.75) - f * f, h * b * b, f.fill(0.0)]
    }
    #[inline(always)]
    fn slopes<L: Lane>(f: L) -> [L; 4] {
        let h = f.fill(0.5);
        [f - h, -(f + f), f + h, f.fill(0.0)]
    }
}

impl Kernel for Cubic {
    const WIDTH: usize = 4;
    const LOW: i32 = -1;
    const NEAREST: bool = false;
    const D_INV: Option<f64> = Some(3.0);
    #[inline(always)]
    fn weights<L: Lane>(f: L) -> [L; 4] {
        let s = f.fill(1.0 / 6.0);
        let g = f.fill(1.0) - f;
        let (f2, g2) = (f * f, g * g);
        let inner = |t2: L, t3: L| f.fill(2.0 / 3.0) - t2 + f.fill(0.5) * t3;
        [s * g2 * g, inner(f2, f2 * f), inner(g2, g2 * g), s * f2 * f]
    }
    #[inline(always)]
    fn slopes<L: Lane>(f: L) -> [L; 4] {
        let h = f.fill(0.5);
        let g = f.fill(1.0) - f;
        let inner = |t: L| t * (f.fill(1.5) * t - f.fill(2.0));
        [-(h * g * g), inner(f), -inner(g), h * f * f]
    }
}
