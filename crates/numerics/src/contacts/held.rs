//! A point that touches obstacles: what may not move, and what rubs.

use thixo_math::{Matrix, Vector};
use thixo_shape::{Active, Contact, MOST_CONTACTS, Touch, nearest_allowed};

/// Coulomb friction of a point: the potential k ‖s‖ of its sliding s = T (v − w). It has a kink where nothing slides.
///
/// As in orthant-wise methods for such kinks (Andrew and Gao 2007), an iteration keeps to the side of the kink that it
/// starts on: what would turn round stops, and stays there if the forces along the surface are no more than k.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rub<const D: usize> {
    /// μ p: the largest impulse of friction, p the impulse along the normal \[kg m/s\].
    pub k: f64,
    /// The velocity of the surface.
    w: Vector<f64, D>,
    /// T: the projector along all surfaces that act.
    along: Matrix<f64, D>,
    /// Where it slides to; `None` while it sticks.
    heading: Option<Vector<f64, D>>,
}

impl<const D: usize> Rub<D> {
    /// T (v − w)
    fn slide(&self, v: &Vector<f64, D>) -> Vector<f64, D> {
        self.along * (*v - self.w)
    }
    /// The potential \[J\].
    pub fn energy(&self, v: &Vector<f64, D>) -> f64 {
        self.k * self.slide(v).norm()
    }
    /// Its slope; on the kink that of the side where it slides to.
    pub fn slope(&self, v: &Vector<f64, D>) -> Vector<f64, D> {
        self.direction(v).map_or(Vector::zero(), |h| h * self.k)
    }
    /// Its second derivative k (T − ŝ ŝᵀ)/‖s‖; next to the kink that of the speed `slow`.
    pub fn curvature(&self, v: &Vector<f64, D>, slow: f64) -> Matrix<f64, D> {
        match self.direction(v) {
            Some(h) => (self.along - h.outer(&h)) * (self.k / self.slide(v).norm().max(slow)),
            None => Matrix::zero(),
        }
    }
    /// Where it slides to; what sticks differs from the surface by rounding at most.
    fn direction(&self, v: &Vector<f64, D>) -> Option<Vector<f64, D>> {
        let heading = self.heading?;
        Some(self.slide(v).unit().unwrap_or(heading))
    }
    /// Whether something that moves at `v` has turned round.
    fn turned(&self, v: &Vector<f64, D>) -> bool {
        let turned = |h: Vector<f64, D>| self.slide(v).dot(&h) <= 0.0;
        self.heading.is_some_and(turned)
    }
}

/// A point that touches something.
#[derive(Clone, Debug)]
pub struct Held<const D: usize> {
    pub(super) point: usize,
    touches: Vec<Touch<D>>,
    sticky: Option<Vector<f64, D>>,
    /// Which of the surfaces act.
    active: [bool; MOST_CONTACTS],
    /// What may not move: an orthonormal basis, the first `rank` of them.
    basis: [Vector<f64, D>; D],
    rank: usize,
    pub(super) rub: Option<Rub<D>>,
}

impl<const D: usize> Held<D> {
    /// A point that touches these.
    pub fn new(point: usize, mut touches: Vec<Touch<D>>) -> Self {
        touches.truncate(MOST_CONTACTS);
        let sticky = touches.iter().find(|t| t.contact == Contact::Sticky);
        let sticky = sticky.map(|t| t.velocity);
        let all = std::array::from_fn(Vector::axis);
        Self {
            point,
            touches,
            sticky,
            active: [false; MOST_CONTACTS],
            basis: all,
            rank: if sticky.is_some() { D } else { 0 },
            rub: None,
        }
    }
    /// Whether something may not move.
    pub(super) fn is_held(&self) -> bool {
        self.rank > 0
    }
    /// The projector onto what may not move.
    pub(super) fn hold(&self) -> Matrix<f64, D> {
        let span = self.basis[..self.rank].iter();
        span.fold(Matrix::zero(), |m, n| m + n.outer(n))
    }
    /// Takes out of `x` what may not move.
    pub(super) fn restrict(&self, x: &mut Vector<f64, D>) {
        if self.rank == D {
            *x = Vector::zero();
        }
        for n in &self.basis[..self.rank.min(D - 1)] {
            *x -= *n * x.dot(n);
        }
    }
    /// Holds these normals.
    fn hold_normals(&mut self, pushing: &Active<D>, touches: &[Touch<D>]) {
        self.rank = 0;
        for (i, _) in pushing.iter().flatten() {
            let n = touches[*i].normal;
            let n = self.basis[..self.rank]
                .iter()
                .fold(n, |n, b| n - *b * n.dot(b));
            if let Some(n) = n.unit() {
                self.basis[self.rank] = n;
                self.rank += 1;
            }
        }
    }
    /// Moves a velocity to the nearest that all surfaces allow, active ones not left, and takes what moved out of `d`.
    /// Whether anything did.
    pub(super) fn project(&self, v: &mut Vector<f64, D>, d: &mut Vector<f64, D>) -> bool {
        if let Some(fixed) = self.sticky {
            (*v, *d) = (fixed, Vector::zero());
            return true;
        }
        let mut list: [Touch<D>; MOST_CONTACTS] = [self.touches[0]; MOST_CONTACTS];
        for (i, (to, t)) in list.iter_mut().zip(&self.touches).enumerate() {
            *to = *t;
            if self.active[i] {
                to.contact = Contact::Slip;
            }
        }
        let (allowed, pushing) = nearest_allowed(&list[..self.touches.len()], v);
        let mut moved = false;
        if pushing.iter().flatten().next().is_some() {
            *v = allowed;
            let mut held = self.clone();
            held.hold_normals(&pushing, &self.touches);
            held.restrict(d);
            moved = true;
        }
        if let Some(rub) = self.rub.filter(|r| r.turned(v)) {
            *v -= rub.slide(v);
            *d -= rub.along * *d;
            moved = true;
        }
        moved
    }
    /// Registers what acts at `v`, where the slope of the energy is `slope`: surfaces that are touched and that
    /// downhill leads into, [Jiang15] §A.3.2. Friction goes by their new multipliers, which changes slope and energy;
    /// what the energy gains is returned, and what is held is taken out of the slope. A millionth of the velocity, or of
    /// the speed `slow`, is none: what has been stopped differs from the surface by rounding.
    pub(super) fn register(
        &mut self,
        v: &Vector<f64, D>,
        slope: &mut Vector<f64, D>,
        slow: f64,
    ) -> f64 {
        if self.sticky.is_some() {
            *slope = Vector::zero();
            return 0.0;
        }
        let mut gain = 0.0;
        if let Some(rub) = self.rub.take() {
            *slope -= rub.slope(v);
            gain -= rub.energy(v);
        }
        // Of the surfaces that are touched, which take from the direction downhill?
        let mut list: [Touch<D>; MOST_CONTACTS] = [self.touches[0]; MOST_CONTACTS];
        let mut number = [0; MOST_CONTACTS];
        let mut n = 0;
        for (i, t) in self.touches.iter().enumerate() {
            let rel = *v - t.velocity;
            let near = 1e-6 * (v.norm() + t.velocity.norm() + slow);
            if t.contact == Contact::Slip || rel.dot(&t.normal) <= near {
                (list[n], number[n]) = (*t, i);
                list[n].velocity = Vector::zero();
                n += 1;
            }
        }
        self.active = [false; MOST_CONTACTS];
        let (_, pushing) = nearest_allowed(&list[..n], &-*slope);
        self.hold_normals(&pushing, &list);
        // Friction of all that press, against their mean velocity.
        let (mut k, mut w) = (0.0, Vector::zero());
        for (i, press) in pushing.iter().flatten() {
            let t = &self.touches[number[*i]];
            self.active[number[*i]] = true;
            if let Contact::Separating { friction } = t.contact {
                k += friction * press.max(0.0);
                w += t.velocity * (friction * press.max(0.0));
            }
        }
        if k > 0.0 && self.rank < D {
            gain += self.rub_at(v, slope, (k, w / k), slow);
        }
        self.restrict(slope);
        gain
    }
    /// Friction of at most `k` against a surface that moves at `w`: sliding on, beginning to slide, or sticking.
    fn rub_at(
        &mut self,
        v: &Vector<f64, D>,
        slope: &mut Vector<f64, D>,
        (k, w): (f64, Vector<f64, D>),
        slow: f64,
    ) -> f64 {
        let along = Matrix::identity() - self.hold();
        let mut rub = Rub {
            k,
            w,
            along,
            heading: None,
        };
        let s = rub.slide(v);
        let slides = s.norm() > 1e-6 * (v.norm() + w.norm() + slow);
        let pull = -(along * *slope);
        rub.heading = match slides {
            true => s.unit(),
            false if pull.norm() > k => pull.unit(),
            false => None,
        };
        match rub.heading {
            None => {
                (self.basis, self.rank) = (std::array::from_fn(Vector::axis), D);
                *slope = Vector::zero();
            }
            Some(h) => *slope += h * k,
        }
        self.rub = Some(rub);
        rub.energy(v)
    }
}
