//! Regular bodies: a box of cubes cut into simplices, a rectangle of cloth.

use thixo_math::Vector;

/// Points and corners of simplices, D + 1 each.
pub type Simplices<const D: usize> = (Vec<Vector<f64, D>>, Vec<Vec<u32>>);

/// A box from `low`, of `cells` cubes of size `h` \[m\] along each axis, each cut into D! simplices along its diagonal.
///
/// All of them have the same shape up to reflections, and neighbours fit.
pub fn lattice<const D: usize>(low: Vector<f64, D>, cells: [usize; D], h: f64) -> Simplices<D> {
    let count = |a: usize| cells[a] + 1;
    let total: usize = (0..D).map(count).product();
    let split = |mut n: usize, size: &dyn Fn(usize) -> usize| {
        let mut at = [0; D];
        for a in (0..D).rev() {
            at[a] = n % size(a);
            n /= size(a);
        }
        at
    };
    let number = |at: &[usize; D]| (0..D).fold(0, |n, a| n * count(a) + at[a]) as u32;
    let points = (0..total).map(|n| {
        let at = split(n, &count);
        low + Vector::from_fn(|a| at[a] as f64 * h)
    });
    // The ways along the edges of a cube from one corner to the opposite one.
    let ways: &[&[usize]] = match D {
        2 => &[&[0, 1], &[1, 0]],
        _ => &[
            &[0, 1, 2],
            &[1, 2, 0],
            &[2, 0, 1],
            &[0, 2, 1],
            &[2, 1, 0],
            &[1, 0, 2],
        ],
    };
    let boxes: usize = cells.iter().product();
    let of_box = |n: usize| {
        let from = split(n, &|a| cells[a]);
        ways.iter().map(move |way| {
            let mut at = from;
            let mut corners = vec![number(&at)];
            for a in way.iter() {
                at[*a] += 1;
                corners.push(number(&at));
            }
            corners
        })
    };
    let mut simplices = Vec::new();
    for n in 0..boxes {
        simplices.extend(of_box(n));
    }
    (points.collect(), simplices)
}
