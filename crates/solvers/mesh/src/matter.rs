//! What depends on the law: energy, stress, stiffness and flow of elements. The only part that is compiled once per
//! law; the rest sees it through [`Matter`].
//!
//! The energy of an element is V⁰ψ(F), F = D_s B, where the columns of D_s are the edges from the first corner and B is
//! the inverse of the same at rest, plastic deformation undone. A law is asked from the undeformed state, F = I and
//! H = D_s B − I, and not from the last one: that may be flat or inverted. A step that takes for ever has no rates, so
//! viscosity is apart: H = (D_s − D_sⁿ) (D_sⁿ)⁻¹ where that is.

use thixo_material::{Build, Kin, Law, Motion, Numbers, Tangent, Trial};
use thixo_math::{Lane, Level, Mask, Matrix, Pack, Real, Simd, Task};

/// Elements side by side: one number of each.
pub type Line<T> = [T; WIDTH];
/// A matrix of each.
pub type Square<T, const D: usize> = [[Line<T>; D]; D];
/// How many elements are side by side.
pub const WIDTH: usize = 16;

/// Numbers of the second derivative of an element's energy: the upper triangle of the symmetric matrix of D² rows.
pub(crate) const fn tangent_count(dimension: usize) -> usize {
    let n = dimension * dimension;
    n * (n + 1) / 2
}

/// Some chunks of elements as their law sees them.
#[derive(Clone, Copy)]
pub struct Group<'a, T, const D: usize> {
    /// D_s.
    pub edges: &'a [Square<T, D>],
    /// D_s at the start of the step, for laws with a viscosity; else empty.
    pub before: &'a [Square<T, D>],
    /// B by rows, then the numbers of the state.
    pub shape: &'a [Line<T>],
    /// Rest volumes, 0 in places without an element.
    pub volume: &'a [Line<T>],
    /// Length of the step \[s\].
    pub dt: T,
}

/// A law, compiled for every level of vector instructions.
pub trait Matter<T: Real, const D: usize>: Send + Sync {
    /// Its name.
    fn law(&self) -> &'static str;
    /// Names of the numbers in its state.
    fn names(&self) -> &'static [&'static str];
    /// The state of untouched matter.
    fn start(&self) -> Vec<T>;
    /// Whether it has a viscosity.
    fn viscous(&self) -> bool;
    /// ∂(V⁰ψ)/∂D_s of each element, and the energy of each chunk \[J\].
    fn respond(&self, group: Group<'_, T, D>, to: &mut [Matrix<T, D>], energy: &mut [f64]);
    /// ∂²(V⁰ψ)/∂D_s² of each element: the upper triangle row by row, (D_s)_ia number i D + a. Nowhere negative, if it is
    /// to be `definite`.
    fn tangent(&self, group: Group<'_, T, D>, definite: bool, to: &mut [T]);
    /// Flows: the next B and state, like [`Group::shape`]. What does not flow keeps its bits. The first element that
    /// must not be is told.
    fn flow(&self, group: Group<'_, T, D>, to: &mut [Line<T>]) -> Option<usize>;
    /// What forbids this, or `None`.
    fn fault(&self, F: &Matrix<T, D>, a: &[T]) -> Option<&'static str>;
    /// ψ and J.
    fn energy_and_ratio(&self, F: &Matrix<T, D>, a: &[T]) -> (f64, f64);
    /// Without viscosity: mean pressure and equivalent stress √(3/2 s:s) of the Cauchy stress \[Pa\].
    fn pressure_and_shear(&self, F: &Matrix<T, D>, a: &[T]) -> [f64; 2];
}

/// Matter of a law.
pub fn matter<T: Real, const D: usize, L: Law<T, D>>(law: L) -> Box<dyn Matter<T, D>> {
    Box::new(law)
}

/// Makes [`Matter`] of a law that is known by name.
pub struct MakeMatter;

impl<T: Real, const D: usize> Build<T, D> for MakeMatter {
    type Out = Box<dyn Matter<T, D>>;
    fn build<L: Law<T, D>>(self, law: L) -> Self::Out {
        matter(law)
    }
}

impl<T: Real, const D: usize, L: Law<T, D>> Matter<T, D> for L {
    fn law(&self) -> &'static str {
        L::INFO.name
    }
    fn names(&self) -> &'static [&'static str] {
        L::state_names()
    }
    fn start(&self) -> Vec<T> {
        Law::start(self).all().to_vec()
    }
    fn viscous(&self) -> bool {
        L::VISCOUS
    }
    fn respond(&self, group: Group<'_, T, D>, to: &mut [Matrix<T, D>], energy: &mut [f64]) {
        let law = self;
        Level::in_use().dispatch_narrow(Respond {
            law,
            group,
            to,
            energy,
        });
    }
    fn tangent(&self, group: Group<'_, T, D>, definite: bool, to: &mut [T]) {
        let law = self;
        Level::in_use().dispatch_narrow(Tangents {
            law,
            group,
            definite,
            to,
        });
    }
    fn flow(&self, group: Group<'_, T, D>, to: &mut [Line<T>]) -> Option<usize> {
        let law = self;
        Level::in_use().dispatch_narrow(Flow { law, group, to })
    }
    fn fault(&self, F: &Matrix<T, D>, a: &[T]) -> Option<&'static str> {
        let a = L::State::from_fn(|n| a[n]);
        let sound = a.all().iter().all(|x| x.finite());
        let why = Law::fault(self, &Kin::at(*F), &a);
        why.or((!sound).then_some("state is not finite"))
    }
    fn energy_and_ratio(&self, F: &Matrix<T, D>, a: &[T]) -> (f64, f64) {
        let (k, a) = (Kin::at(*F), L::State::from_fn(|n| a[n]));
        (self.psi(&k, &a).wide(), self.volume_ratio(&k, &a).wide())
    }
    fn pressure_and_shear(&self, F: &Matrix<T, D>, a: &[T]) -> [f64; 2] {
        let (k, a) = (Kin::at(*F), L::State::from_fn(|n| a[n]));
        let sigma = self.kirchhoff(&k, &a).0.wide() / self.volume_ratio(&k, &a).wide();
        let p = -sigma.trace() / D as f64;
        let s = sigma + Matrix::identity() * p;
        [p, (1.5 * s.norm2()).sqrt()]
    }
}

/// One number of the elements of a register.
#[inline(always)]
fn load<T: Real, S: Simd>(s: S, line: &Line<T>, lane: usize) -> Pack<T, S> {
    Pack::load(s, &line[lane..])
}
#[inline(always)]
fn load_square<T: Real, S: Simd, const D: usize>(
    s: S,
    from: &Square<T, D>,
    lane: usize,
) -> Matrix<Pack<T, S>, D> {
    Matrix::from_fn(
        #[inline(always)]
        |i, j| load(s, &from[i][j], lane),
    )
}

/// The state of elements in lanes.
type StateIn<T, S, L, const D: usize> =
    <<L as Law<T, D>>::In<Pack<T, S>> as Motion<Pack<T, S>, D>>::State;

/// The elements of one register.
struct At<T: Real, S: Simd, St, const D: usize> {
    Ds: Matrix<Pack<T, S>, D>,
    B: Matrix<Pack<T, S>, D>,
    a: St,
    V0: Pack<T, S>,
    /// D_s B − I from the undeformed state, in a step without rates.
    k: Trial<Pack<T, S>, D>,
}

#[inline(always)]
fn at<T: Real, S: Simd, L: Law<T, D>, const D: usize>(
    s: S,
    g: &Group<'_, T, D>,
    chunk: usize,
    lane: usize,
) -> At<T, S, StateIn<T, S, L, D>, D> {
    let lines = lines::<T, L, D>();
    let shape = &g.shape[chunk * lines..][..lines];
    let Ds = load_square(s, &g.edges[chunk], lane);
    let B = Matrix::from_fn(
        #[inline(always)]
        |i, j| load(s, &shape[i * D + j], lane),
    );
    let a = StateIn::<T, S, L, D>::from_fn(
        #[inline(always)]
        |n| load(s, &shape[D * D + n], lane),
    );
    let V0 = load(s, &g.volume[chunk], lane);
    let one = Matrix::scalar(V0.fill(1.0));
    let k = Trial::elastic(one, Ds * B - one, V0.fill(f64::INFINITY));
    At { Ds, B, a, V0, k }
}

/// Lines of B and the state.
const fn lines<T: Real, L: Law<T, D>, const D: usize>() -> usize {
    D * D + <<L as Motion<T, D>>::State as Numbers<T>>::COUNT
}

/// The step as viscosity sees it, and (D_sⁿ)⁻¹: 0 where there is none.
#[inline(always)]
fn rate<T: Real, S: Simd, const D: usize>(
    s: S,
    g: &Group<'_, T, D>,
    (chunk, lane): (usize, usize),
    Ds: &Matrix<Pack<T, S>, D>,
    B: &Matrix<Pack<T, S>, D>,
) -> (Trial<Pack<T, S>, D>, Matrix<Pack<T, S>, D>) {
    let before = load_square(s, &g.before[chunk], lane);
    let inverse = before.inverse();
    let there = inverse.norm2().finite();
    let zero = Ds[(0, 0)].fill(0.0);
    let inverse = inverse.map(
        #[inline(always)]
        |x| Pack::select(there, x, zero),
    );
    let H = (*Ds - before) * inverse;
    let k = Trial::elastic(before * *B, H, Pack::splat(s, g.dt));
    (k, inverse)
}

/// [`Matter::respond`] at one level.
struct Respond<'a, T, L, const D: usize> {
    law: &'a L,
    group: Group<'a, T, D>,
    to: &'a mut [Matrix<T, D>],
    energy: &'a mut [f64],
}

impl<T: Real, L: Law<T, D>, const D: usize> Task for Respond<'_, T, L, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let g = &self.group;
        let law = self.law.lanes(Pack::<T, S>::splat(s, T::zero()));
        for chunk in 0..g.edges.len() {
            let mut sum = 0.0;
            for lane in (0..WIDTH).step_by(Pack::<T, S>::COUNT) {
                let e = at::<T, S, L, D>(s, g, chunk, lane);
                let (mut psi, P) = law.respond(&e.k, &e.a);
                let mut G = P.times_transpose(&e.B);
                if L::VISCOUS {
                    let (k, inverse) = rate(s, g, (chunk, lane), &e.Ds, &e.B);
                    let (more, S) = law.respond_viscous(&k, &e.a);
                    psi += more;
                    G += S.times_transpose(&inverse);
                }
                let there = e.V0.fill(0.0).lt(e.V0);
                let G = G * e.V0;
                for l in 0..Pack::<T, S>::COUNT {
                    if there.at(l) {
                        sum += psi.at(l).wide() * e.V0.at(l).wide();
                    }
                    self.to[chunk * WIDTH + lane + l] = Matrix::from_fn(
                        #[inline(always)]
                        |i, j| G[(i, j)].at(l),
                    );
                }
            }
            self.energy[chunk] = sum;
        }
    }
}

/// [`Matter::tangent`] at one level.
struct Tangents<'a, T, L, const D: usize> {
    law: &'a L,
    group: Group<'a, T, D>,
    definite: bool,
    to: &'a mut [T],
}

impl<T: Real, L: Law<T, D>, const D: usize> Task for Tangents<'_, T, L, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let g = &self.group;
        let law = self.law.lanes(Pack::<T, S>::splat(s, T::zero()));
        let count = tangent_count(D);
        let mut line = [T::zero(); WIDTH];
        for chunk in 0..g.edges.len() {
            for lane in (0..WIDTH).step_by(Pack::<T, S>::COUNT) {
                let e = at::<T, S, L, D>(s, g, chunk, lane);
                let mut K = pull::<_, D>(&law.tangent(&e.k, &e.a, self.definite), &e.B);
                if L::VISCOUS {
                    let (k, inverse) = rate(s, g, (chunk, lane), &e.Ds, &e.B);
                    let mut viscous = Tangent::zero(e.V0);
                    viscous.add_viscous::<D>(law.viscosity(&k.start(), &e.a) / k.dt);
                    let more = pull::<_, D>(&viscous, &inverse);
                    for n in 0..count {
                        K[n] += more[n];
                    }
                }
                for n in 0..count {
                    (K[n] * e.V0).store(&mut line);
                    for l in 0..Pack::<T, S>::COUNT {
                        self.to[(chunk * WIDTH + lane + l) * count + n] = line[l];
                    }
                }
            }
        }
    }
}

/// From derivatives in F to those in D_s, F = D_s B: K_(ia)(kb) = Σ B_aj T_(ij)(kl) B_bl.
#[inline(always)]
fn pull<L: Lane, const D: usize>(t: &Tangent<L>, B: &Matrix<L, D>) -> [L; 45] {
    let zero = B[(0, 0)].fill(0.0);
    let at = |p: usize, q: usize| t.0[Tangent::<L>::place::<D>(p.min(q), p.max(q))];
    let mut half = [[zero; 9]; 9];
    for p in 0..D * D {
        for k in 0..D {
            for b in 0..D {
                let mut sum = at(p, k * D) * B[(b, 0)];
                for l in 1..D {
                    sum = at(p, k * D + l).mul_add(B[(b, l)], sum);
                }
                half[p][k * D + b] = sum;
            }
        }
    }
    let mut K = [zero; 45];
    for i in 0..D {
        for a in 0..D {
            for q in i * D + a..D * D {
                let mut sum = half[i * D][q] * B[(a, 0)];
                for j in 1..D {
                    sum = half[i * D + j][q].mul_add(B[(a, j)], sum);
                }
                K[Tangent::<L>::place::<D>(i * D + a, q)] = sum;
            }
        }
    }
    K
}

/// [`Matter::flow`] at one level.
struct Flow<'a, T, L, const D: usize> {
    law: &'a L,
    group: Group<'a, T, D>,
    to: &'a mut [Line<T>],
}

impl<T: Real, L: Law<T, D>, const D: usize> Task for Flow<'_, T, L, D> {
    type Out = Option<usize>;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Option<usize> {
        let g = &self.group;
        let law = self.law.lanes(Pack::<T, S>::splat(s, T::zero()));
        let lines = lines::<T, L, D>();
        let mut bad = None;
        for chunk in 0..g.edges.len() {
            for lane in (0..WIDTH).step_by(Pack::<T, S>::COUNT) {
                let e = at::<T, S, L, D>(s, g, chunk, lane);
                let mut a = e.a;
                let F = e.Ds * e.B;
                let k = Kin {
                    F,
                    H: e.k.H,
                    dt: Pack::splat(s, g.dt),
                };
                let elastic = law.flow(&k, &mut a);
                // What has not flowed keeps its B; what has takes B = D_s⁻¹ F_E, [Jiang15] §3.2.1.
                let zero = e.V0.fill(0.0);
                let same = (elastic - F).norm2().le(zero);
                let next = if same.all() {
                    e.B
                } else {
                    let flowed = e.Ds.inverse() * elastic;
                    Matrix::from_fn(
                        #[inline(always)]
                        |i, j| Pack::select(same, e.B[(i, j)], flowed[(i, j)]),
                    )
                };
                let to = &mut self.to[chunk * lines..][..lines];
                let mut size = next.norm2();
                for i in 0..D {
                    for j in 0..D {
                        next[(i, j)].store(&mut to[i * D + j][lane..]);
                    }
                }
                for (n, x) in a.all().iter().enumerate() {
                    x.store(&mut to[D * D + n][lane..]);
                    size += x.abs();
                }
                let sound = law.allows(&elastic) & size.finite();
                if !sound.all() && bad.is_none() {
                    let lane_of = |l: &usize| !sound.at(*l) && zero.lt(e.V0).at(*l);
                    bad = (0..Pack::<T, S>::COUNT)
                        .find(lane_of)
                        .map(|l| chunk * WIDTH + lane + l);
                }
            }
        }
        bad
    }
}
