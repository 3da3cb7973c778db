//! How work is spread over threads. What is computed, and in which order sums are taken, depends on
//! the blocks alone; threads only decide who does it.

use std::sync::{Arc, Mutex, PoisonError};

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

/// Something that can be cut in two after `n` slots, e.g. a mutable slice or a tuple of them.
pub trait Split: Sized {
    /// Cuts off and gives what comes after the first `n` slots.
    fn split_off(&mut self, n: usize) -> Self;
}

impl Split for () {
    fn split_off(&mut self, _: usize) -> Self {}
}
impl<X> Split for &mut [X] {
    #[inline(always)]
    fn split_off(&mut self, n: usize) -> Self {
        let all = std::mem::take(self);
        // An absent column is empty and stays so.
        let (low, high) = all.split_at_mut(n.min(all.len()));
        *self = low;
        high
    }
}
impl<A: Split, B: Split, C: Split, E: Split, G: Split> Split for (A, B, C, E, G) {
    #[inline(always)]
    fn split_off(&mut self, n: usize) -> Self {
        let (a, b, c, e, g) = self;
        (
            a.split_off(n),
            b.split_off(n),
            c.split_off(n),
            e.split_off(n),
            g.split_off(n),
        )
    }
}

/// Room to work in, kept from one use to the next. Never part of a result.
#[derive(Debug, Default)]
pub struct Rooms<W>(Mutex<Vec<W>>);

impl<W: Default> Rooms<W> {
    /// Does `f` in a room that nobody else is in.
    pub(crate) fn within<R>(&self, f: impl FnOnce(&mut W) -> R) -> R {
        let rooms = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let free = rooms().pop();
        let mut room = free.unwrap_or_default();
        let out = f(&mut room);
        rooms().push(room);
        out
    }
}

/// Fewer particles than this are not worth another thread.
const WORTH: usize = 2048;

/// Runs `work` once per range, in parallel, each with its own part of `columns` and one of `rooms` to work in, and
/// merges the results along a tree whose shape depends on the number of ranges only. `None` for no ranges.
pub fn fold_blocks<const D: usize, V, W, R>(
    ranges: &[Range<D>],
    columns: V,
    rooms: &Rooms<W>,
    work: &(impl Fn(usize, &Range<D>, V, &mut W) -> R + Sync),
    merge: &(impl Fn(R, R) -> R + Sync),
) -> Option<R>
where
    V: Split + Send,
    W: Default + Send,
    R: Send,
{
    let whole = (ranges, 0, columns);
    (!ranges.is_empty()).then(|| fold(whole, rooms, work, merge))
}

/// Ranges, the number of the first, and their columns.
type Part<'a, const D: usize, V> = (&'a [Range<D>], usize, V);

/// Both halves of a part.
#[inline(always)]
fn halves<const D: usize, V: Split>(
    (ranges, first, mut columns): Part<'_, D, V>,
) -> [Part<'_, D, V>; 2] {
    let mid = ranges.len() / 2;
    let (low, high) = ranges.split_at(mid);
    let rest = columns.split_off(high[0].start - low[0].start);
    [(low, first, columns), (high, first + mid, rest)]
}

fn fold<const D: usize, V: Split + Send, W: Default + Send, R: Send>(
    part: Part<'_, D, V>,
    rooms: &Rooms<W>,
    work: &(impl Fn(usize, &Range<D>, V, &mut W) -> R + Sync),
    merge: &(impl Fn(R, R) -> R + Sync),
) -> R {
    let ranges = part.0;
    let particles = ranges[ranges.len() - 1].end - ranges[0].start;
    if ranges.len() == 1 || particles <= WORTH {
        return rooms.within(|room| fold_here(part, room, work, merge));
    }
    let [low, high] = halves(part);
    let (a, b) = rayon::join(
        || fold(low, rooms, work, merge),
        || fold(high, rooms, work, merge),
    );
    merge(a, b)
}

/// The same tree on one thread.
fn fold_here<const D: usize, V: Split, W, R>(
    part: Part<'_, D, V>,
    room: &mut W,
    work: &impl Fn(usize, &Range<D>, V, &mut W) -> R,
    merge: &impl Fn(R, R) -> R,
) -> R {
    if let ([one], first, mut columns) = part {
        // Columns may be longer than there are particles.
        columns.split_off(one.len());
        return work(first, one, columns, room);
    }
    let [low, high] = halves(part);
    let a = fold_here(low, room, work, merge);
    let b = fold_here(high, room, work, merge);
    merge(a, b)
}
