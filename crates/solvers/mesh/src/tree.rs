//! A tree of boxes around things that move: built once, fitted to where they are.

use thixo_math::Vector;

/// Things in one leaf.
const LEAF: usize = 4;

#[derive(Clone, Debug)]
struct Box_<const D: usize> {
    low: Vector<f64, D>,
    high: Vector<f64, D>,
    /// Things of a leaf, from and to; or, if there are none, the number of the second child.
    items: [u32; 2],
    second: u32,
}

/// The tree. A node's first child follows it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree<const D: usize> {
    nodes: Vec<Box_<D>>,
    items: Vec<u32>,
}

impl<const D: usize> Tree<D> {
    /// Of things with these middles.
    pub fn new(middles: &[Vector<f64, D>]) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            items: (0..middles.len() as u32).collect(),
        };
        if !middles.is_empty() {
            tree.build(middles, 0, middles.len());
        }
        tree
    }
    fn build(&mut self, middles: &[Vector<f64, D>], from: usize, to: usize) {
        let number = self.nodes.len();
        self.nodes.push(Box_ {
            low: Vector::zero(),
            high: Vector::zero(),
            items: [from as u32, to as u32],
            second: 0,
        });
        if to - from <= LEAF {
            return;
        }
        let at = |i: &u32| middles[*i as usize];
        let range = |a: usize| {
            let all = self.items[from..to].iter().map(|i| at(i)[a]);
            let ends = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
                (l.min(x), h.max(x))
            });
            ends.1 - ends.0
        };
        let longest = (1..D).fold(0, |b, a| if range(a) > range(b) { a } else { b });
        let middle = (from + to) / 2;
        let order = |i: &u32, j: &u32| at(i)[longest].total_cmp(&at(j)[longest]).then(i.cmp(j));
        self.items[from..to].select_nth_unstable_by(middle - from, order);
        self.build(middles, from, middle);
        self.nodes[number].second = self.nodes.len() as u32;
        self.build(middles, middle, to);
    }
    /// Fits the boxes to where things are: `bounds` gives lowest and highest corner of each.
    pub fn fit(&mut self, bounds: impl Fn(usize) -> (Vector<f64, D>, Vector<f64, D>)) {
        for n in (0..self.nodes.len()).rev() {
            let node = &self.nodes[n];
            let (low, high) = if node.second == 0 {
                let [from, to] = node.items.map(|i| i as usize);
                let all = self.items[from..to].iter().map(|i| bounds(*i as usize));
                union(all)
            } else {
                let both = [n + 1, node.second as usize].map(|c| {
                    let c = &self.nodes[c];
                    (c.low, c.high)
                });
                union(both.into_iter())
            };
            (self.nodes[n].low, self.nodes[n].high) = (low, high);
        }
    }
    /// Calls `f` with the things whose boxes contain `x`, until it says that this is enough.
    pub fn around(&self, x: &Vector<f64, D>, mut f: impl FnMut(usize) -> bool) {
        let mut stack = vec![0];
        while let Some(n) = stack.pop() {
            let Some(node) = self.nodes.get(n) else {
                return;
            };
            if (0..D).any(|a| x[a] < node.low[a] || x[a] > node.high[a]) {
                continue;
            }
            if node.second == 0 {
                let [from, to] = node.items.map(|i| i as usize);
                for i in &self.items[from..to] {
                    if f(*i as usize) {
                        return;
                    }
                }
            } else {
                stack.push(node.second as usize);
                stack.push(n + 1);
            }
        }
    }
    /// The least of what `f` gives, and whose it is: nothing is nearer to `x` than its box, in squared distance.
    pub fn nearest(
        &self,
        x: &Vector<f64, D>,
        mut f: impl FnMut(usize) -> Option<f64>,
    ) -> Option<usize> {
        let mut best: (f64, Option<usize>) = (f64::INFINITY, None);
        let far = |n: usize| {
            let node = &self.nodes[n];
            let off = Vector::<f64, D>::from_fn(|a| {
                (node.low[a] - x[a]).max(x[a] - node.high[a]).max(0.0)
            });
            off.norm2()
        };
        let mut stack = if self.nodes.is_empty() {
            Vec::new()
        } else {
            vec![(far(0), 0)]
        };
        while let Some((d, n)) = stack.pop() {
            if d > best.0 {
                continue;
            }
            let node = &self.nodes[n];
            if node.second == 0 {
                let [from, to] = node.items.map(|i| i as usize);
                for i in self.items[from..to].iter().map(|i| *i as usize) {
                    // Of equals the first by number.
                    if let Some(d) = f(i)
                        && (d < best.0 || (d == best.0 && best.1.is_some_and(|b| i < b)))
                    {
                        best = (d, Some(i));
                    }
                }
            } else {
                let (a, b) = (n + 1, node.second as usize);
                let (da, db) = (far(a), far(b));
                // The nearer one is looked at first.
                let [first, last] = if da <= db {
                    [(da, a), (db, b)]
                } else {
                    [(db, b), (da, a)]
                };
                stack.push(last);
                stack.push(first);
            }
        }
        best.1
    }
}

fn union<const D: usize>(
    all: impl Iterator<Item = (Vector<f64, D>, Vector<f64, D>)>,
) -> (Vector<f64, D>, Vector<f64, D>) {
    let none = (
        Vector::splat(f64::INFINITY),
        Vector::splat(f64::NEG_INFINITY),
    );
    all.fold(none, |(l, h), (a, b)| {
        (
            Vector::from_fn(|k| f64::min(l[k], a[k])),
            Vector::from_fn(|k| f64::max(h[k], b[k])),
        )
    })
}
