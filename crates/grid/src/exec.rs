//! How work is spread over threads. What is computed, and in which order sums are taken, depends on
//! the blocks alone; threads only decide who does it.

use std::sync::Arc;

use crate::Range;

/// The threads that a run may use.
#[derive(Clone)]
pub struct Exec {
    pool: Arc<rayon::ThreadPool>,
}

impl Exec {
    /// A pool of `threads`; 0 takes one per core.
    pub fn new(threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        Ok(Self {
            pool: Arc::new(pool),
        })
    }
    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }
    /// Runs `f` with these threads at hand.
    pub fn run<R: Send>(&self, f: impl FnOnce() -> R + Send) -> R {
        self.pool.install(f)
    }
}

/// Something that can be cut in two after `n` elements, e.g. a mutable slice or a tuple of them.
pub trait Split: Sized {
    /// Both parts.
    fn split(self, n: usize) -> (Self, Self);
}

impl Split for () {
    fn split(self, _: usize) -> (Self, Self) {
        ((), ())
    }
}
impl<X> Split for &mut [X] {
    fn split(self, n: usize) -> (Self, Self) {
        // An absent column is empty and stays so.
        let n = n.min(self.len());
        self.split_at_mut(n)
    }
}

macro_rules! split_tuple {
    ($($name:ident),*) => {
        impl<$($name: Split),*> Split for ($($name,)*) {
            #[allow(non_snake_case)]
            fn split(self, n: usize) -> (Self, Self) {
                let ($($name,)*) = self;
                $(let $name = $name.split(n);)*
                (($($name.0,)*), ($($name.1,)*))
            }
        }
    };
}
split_tuple!(A, B);
split_tuple!(A, B, C);
split_tuple!(A, B, C, E);
split_tuple!(A, B, C, E, G);
split_tuple!(A, B, C, E, G, H);

/// Runs `work` once per block, in parallel, each with its own tile (of `size` nodes; 0 for none) and
/// its own part of `columns`, and merges the results along a tree whose shape depends on the number
/// of blocks only. `None` for no blocks.
pub fn fold_blocks<const D: usize, X, V, R>(
    ranges: &[Range<D>],
    (tiles, size): (&mut [X], usize),
    columns: V,
    work: &(impl Fn(usize, &Range<D>, &mut [X], V) -> R + Sync),
    merge: &(impl Fn(R, R) -> R + Sync),
) -> Option<R>
where
    X: Send,
    V: Split + Send,
    R: Send,
{
    if ranges.is_empty() {
        None
    } else {
        Some(fold(ranges, 0, tiles, size, columns, work, merge))
    }
}

fn fold<const D: usize, X: Send, V: Split + Send, R: Send>(
    ranges: &[Range<D>],
    first: usize,
    tiles: &mut [X],
    size: usize,
    columns: V,
    work: &(impl Fn(usize, &Range<D>, &mut [X], V) -> R + Sync),
    merge: &(impl Fn(R, R) -> R + Sync),
) -> R {
    if let [one] = ranges {
        return work(first, one, tiles, columns);
    }
    let mid = ranges.len() / 2;
    let (low, high) = ranges.split_at(mid);
    let (a, b) = columns.split(high[0].start - low[0].start);
    let (s, t) = tiles.split_at_mut(mid * size);
    let (a, b) = rayon::join(
        || fold(low, first, s, size, a, work, merge),
        || fold(high, first + mid, t, size, b, work, merge),
    );
    merge(a, b)
}
