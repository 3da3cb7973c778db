//! Three-vectors of the rasteriser.

pub(super) type V = [f32; 3];

pub(super) fn dot(a: V, b: V) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
pub(super) fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
pub(super) fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
pub(super) fn cross(a: V, b: V) -> V {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
pub(super) fn scale(a: V, s: f32) -> V {
    a.map(|x| x * s)
}
pub(super) fn mix(a: V, b: V, t: f32) -> V {
    [
        a[0] + (b[0] - a[0]) * t,
        a[1] + (b[1] - a[1]) * t,
        a[2] + (b[2] - a[2]) * t,
    ]
}
pub(super) fn unit(a: V) -> V {
    scale(a, 1.0 / dot(a, a).sqrt().max(1e-20))
}

/// The same in double precision, for positions.
pub(super) mod wide {
    pub(in super::super) type W = [f64; 3];

    pub(in super::super) fn dot(a: W, b: W) -> f64 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }
    pub(in super::super) fn cross(a: W, b: W) -> W {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    }
    pub(in super::super) fn sub(a: W, b: W) -> W {
        [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
    }
    /// a + s b
    pub(in super::super) fn along(a: W, b: W, s: f64) -> W {
        [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
    }
    pub(in super::super) fn unit(a: W) -> W {
        let n = dot(a, a).sqrt();
        if n > 0.0 {
            a.map(|x| x / n)
        } else {
            [0.0, 1.0, 0.0]
        }
    }
}
