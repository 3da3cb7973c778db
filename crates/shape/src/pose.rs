//! Where a rigid body is and how fast it moves.

use thixo_math::{Matrix, Vector};

use crate::error::{Result, direction};

/// A rigid placement: x = R X + c.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<const D: usize> {
    /// R, a rotation.
    pub rotation: Matrix<f64, D>,
    /// c \[m\], where the body's origin is.
    pub translation: Vector<f64, D>,
}

/// A rigid velocity: ẋ = ċ + W (x − c).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist<const D: usize> {
    /// ċ \[m/s\], the velocity of the body's origin.
    pub linear: Vector<f64, D>,
    /// W \[rad/s\], skew: W y = ω × y.
    pub spin: Matrix<f64, D>,
}

/// The skew matrix of a turning rate in the plane \[rad/s\], counter-clockwise.
pub fn spin_2d(omega: f64) -> Matrix<f64, 2> {
    Matrix([[0.0, -omega], [omega, 0.0]])
}

/// The skew matrix of an angular velocity \[rad/s\].
pub fn spin_3d(omega: Vector<f64, 3>) -> Matrix<f64, 3> {
    let [x, y, z] = omega.0;
    Matrix([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
}

/// The angle \[rad\] of a skew matrix, or the rate of a spin: √½ ‖W‖.
pub fn spin_rate<const D: usize>(w: &Matrix<f64, D>) -> f64 {
    (0.5 * w.norm2()).sqrt()
}

/// exp W = I + sin θ/θ W + (1 − cos θ)/θ² W², in two and three dimensions alike.
pub fn rotation_of<const D: usize>(w: &Matrix<f64, D>) -> Matrix<f64, D> {
    let theta = spin_rate(w);
    let (a, b) = if theta > 1e-4 {
        let half = (0.5 * theta).sin();
        (theta.sin() / theta, 2.0 * half * half / (theta * theta))
    } else {
        let t = theta * theta;
        (1.0 - t / 6.0, 0.5 - t / 24.0)
    };
    Matrix::identity() + *w * a + *w * *w * b
}

/// log R, the skew matrix of the shortest turn, θ ≤ π.
pub fn turn_of<const D: usize>(r: &Matrix<f64, D>) -> Matrix<f64, D> {
    let skew = r.skew();
    let sin = spin_rate(&skew);
    let cos = 0.5 * (r.trace() - (D as f64 - 2.0));
    let theta = sin.atan2(cos);
    if sin > 1e-6 {
        return skew * (theta / sin);
    }
    if cos > 0.0 {
        return skew;
    }
    // Half a turn: no skew part is left. In the plane either way round; in space about a, where
    // (R + Rᵀ)/2 = 2 a aᵀ − I.
    let a = if D == 2 {
        Vector::zero()
    } else {
        let s = (r.sym() + Matrix::identity()) * 0.5;
        let k = (0..D).fold(0, |m, i| if s[(i, i)] > s[(m, m)] { i } else { m });
        s.column(k).unit().unwrap_or_else(Vector::zero)
    };
    let w = Matrix::from_fn(|i, j| match (D, i, j) {
        (_, i, j) if i == j => 0.0,
        (2, i, j) => f64::from(i > j) - f64::from(j > i),
        (_, i, j) => {
            let k = 3 - i - j;
            if (i + 1) % 3 == j { -a[k] } else { a[k] }
        }
    });
    let sign = if w.dot(&skew) < 0.0 { -1.0 } else { 1.0 };
    w * (theta * sign)
}

impl<const D: usize> Pose<D> {
    /// Nothing turned, nothing moved.
    pub fn identity() -> Self {
        Self::at(Vector::zero())
    }
    /// Moved, not turned.
    pub fn at(translation: Vector<f64, D>) -> Self {
        Self {
            rotation: Matrix::identity(),
            translation,
        }
    }
    /// Moved on by `d`.
    pub fn moved(self, d: Vector<f64, D>) -> Self {
        Self {
            translation: self.translation + d,
            ..self
        }
    }
    /// From the body to the world.
    pub fn apply(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        self.rotation * *x + self.translation
    }
    /// From the world to the body.
    pub fn back(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        let p = *x - self.translation;
        Vector::from_fn(|i| self.rotation.column(i).dot(&p))
    }
    /// First `first`, then this.
    pub fn after(&self, first: &Self) -> Self {
        Self {
            rotation: self.rotation * first.rotation,
            translation: self.apply(&first.translation),
        }
    }
    /// Finite, and a rotation to rounding.
    pub fn is_rigid(&self) -> bool {
        let e = self.rotation.transpose_times(&self.rotation) - Matrix::identity();
        self.translation.finite() && e.max_abs() < 1e-6 && self.rotation.det() > 0.0
    }
}

impl Pose<2> {
    /// Turned about the origin by `angle` \[rad\], counter-clockwise.
    pub fn turned(angle: f64) -> Self {
        Self {
            rotation: rotation_of(&spin_2d(angle)),
            translation: Vector::zero(),
        }
    }
}

impl Pose<3> {
    /// Turned about an axis (of any length) through the origin by `angle` \[rad\].
    pub fn turned(axis: Vector<f64, 3>, angle: f64) -> Result<Self> {
        let axis = direction("axis of the rotation", axis)?;
        let angle = crate::error::finite("angle of the rotation", angle)?;
        Ok(Self {
            rotation: rotation_of(&spin_3d(axis * angle)),
            translation: Vector::zero(),
        })
    }
}

impl<const D: usize> Twist<D> {
    /// At rest.
    pub fn zero() -> Self {
        Self {
            linear: Vector::zero(),
            spin: Matrix::zero(),
        }
    }
    /// The velocity at `x` of a body in `pose`.
    pub fn at(&self, pose: &Pose<D>, x: &Vector<f64, D>) -> Vector<f64, D> {
        self.linear + self.spin * (*x - pose.translation)
    }
}
