//! Which vector instructions are used: the best that the processor has, or what `THIXO_SIMD` says.
//!
//! Kernels are compiled once per level in the same binary and are the same lines for all of them. The
//! levels differ in how often a product and a sum are rounded: with AVX2, AVX-512 and NEON once, with
//! scalars twice. Each level gives the same bits on any machine that has it.

use std::sync::OnceLock;

use fearless_simd::Simd;

/// A set of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// No more than every processor of its kind has: on x86-64 SSE2, on 64-bit ARM NEON, else scalars.
    Scalar,
    /// x86-64 with AVX2 and fused products: 256 bits.
    Avx2,
    /// x86-64 with the AVX-512 of Ice Lake and later: 512 bits.
    Avx512,
    /// 64-bit ARM: 128 bits.
    Neon,
}

/// Work that is compiled for every level.
pub trait Task {
    /// What it gives.
    type Out;
    /// Does it; all that is hot must be inlined into it.
    fn run<S: Simd>(self, s: S) -> Self::Out;
}

impl Level {
    /// All levels, the best last.
    pub const ALL: [Level; 4] = [Level::Scalar, Level::Neon, Level::Avx2, Level::Avx512];

    /// Its name, as `THIXO_SIMD` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        }
    }
    /// Whether this processor has it.
    pub fn is_there(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => fearless_simd::Level::new().as_avx2().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => fearless_simd::Level::new().as_avx512().is_some(),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => fearless_simd::Level::new().as_neon().is_some(),
            #[allow(unreachable_patterns)]
            _ => false,
        }
    }
    /// The best level that this processor has.
    pub fn best() -> Self {
        let there = Self::ALL.into_iter().rev().find(|l| l.is_there());
        there.unwrap_or(Self::Scalar)
    }
    /// What `THIXO_SIMD` asks for, or the best; an error says what it could be.
    pub fn asked() -> Result<Self, String> {
        let Ok(name) = std::env::var("THIXO_SIMD") else {
            return Ok(Self::best());
        };
        let there: Vec<Self> = Self::ALL.into_iter().filter(|l| l.is_there()).collect();
        there
            .iter()
            .find(|l| l.name() == name)
            .copied()
            .ok_or_else(|| {
                let names: Vec<_> = there.iter().map(|l| l.name()).collect();
                let names = names.join(", ");
                format!("THIXO_SIMD is `{name}`; this processor has {names}")
            })
    }
    /// The level in use: [`asked`](Self::asked) for once; what cannot be had is not used.
    pub fn in_use() -> Self {
        static LEVEL: OnceLock<Level> = OnceLock::new();
        *LEVEL.get_or_init(|| Self::asked().unwrap_or_else(|_| Self::best()))
    }
    /// Does the task with this level; with the next below if the processor does not have it.
    #[inline(always)]
    pub fn dispatch<K: Task>(self, task: K) -> K::Out {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Avx512
            && let Some(s) = fearless_simd::Level::new().as_avx512()
        {
            return vectorized(s, task);
        }
        self.dispatch_narrow(task)
    }
    /// Does the task with at most 256 bits: for what is long to compile and is not called in the innermost loop.
    #[inline(always)]
    pub fn dispatch_narrow<K: Task>(self, task: K) -> K::Out {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 | Self::Avx512 => {
                if let Some(s) = fearless_simd::Level::new().as_avx2() {
                    return vectorized(s, task);
                }
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => {
                if let Some(s) = fearless_simd::Level::new().as_neon() {
                    return vectorized(s, task);
                }
            }
            _ => {}
        }
        vectorized(baseline(), task)
    }
}

/// What every processor of its kind has.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn baseline() -> impl Simd {
    match fearless_simd::Level::baseline().as_sse2() {
        Some(s) => s,
        None => unreachable!("SSE2 is part of x86-64"),
    }
}
#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn baseline() -> impl Simd {
    match fearless_simd::Level::baseline().as_neon() {
        Some(s) => s,
        None => unreachable!("NEON is part of 64-bit ARM"),
    }
}
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline(always)]
fn baseline() -> impl Simd {
    fearless_simd::Fallback::new()
}

#[inline(always)]
fn vectorized<S: Simd, K: Task>(s: S, task: K) -> K::Out {
    s.vectorize(
        #[inline(always)]
        || task.run(s),
    )
}

/// Does the task with the level in use.
#[inline(always)]
pub fn dispatch<K: Task>(task: K) -> K::Out {
    Level::in_use().dispatch(task)
}
