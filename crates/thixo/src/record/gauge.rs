//! What probes measure.

use thixo_core::PointSet;
use thixo_scene::Probe;

/// The columns of a probe's table.
pub(super) const NAMES: [&str; 13] = [
    "frame",
    "time",
    "particles",
    "mass",
    "volume",
    "x",
    "y",
    "z",
    "velocity_x",
    "velocity_y",
    "velocity_z",
    "pressure",
    "fastest",
];

/// What is in a region now: sums, and means weighted with mass (pressure with volume).
pub(super) fn row(probe: &Probe, sets: &[PointSet], frame: u64, time: f64) -> Vec<f64> {
    let mut count = 0.0;
    let (mut mass, mut volume, mut pressure, mut fastest) = (0.0, 0.0, 0.0, 0.0f64);
    let (mut x, mut v) = ([0.0; 3], [0.0; 3]);
    for set in sets {
        if probe.material.as_ref().is_some_and(|m| *m != set.material) {
            continue;
        }
        let stress = set.scalars.iter().find(|(name, _)| name == "pressure");
        for i in 0..set.position.len() {
            if !(probe.holds)(&set.position[i]) {
                continue;
            }
            let (m, vol) = (f64::from(set.mass[i]), f64::from(set.volume[i]));
            let speed = set.velocity[i].map(f64::from);
            count += 1.0;
            mass += m;
            volume += vol;
            pressure += vol * stress.map_or(0.0, |(_, p)| f64::from(p[i]));
            fastest = fastest.max(speed.iter().map(|c| c * c).sum::<f64>().sqrt());
            for a in 0..3 {
                x[a] += m * set.position[i][a];
                v[a] += m * speed[a];
            }
        }
    }
    let mean = |sum: f64, weight: f64| if weight > 0.0 { sum / weight } else { 0.0 };
    let (x, v) = (x.map(|s| mean(s, mass)), v.map(|s| mean(s, mass)));
    let p = mean(pressure, volume);
    let first = [frame as f64, time, count, mass, volume];
    let rest = [x[0], x[1], x[2], v[0], v[1], v[2], p, fastest];
    first.into_iter().chain(rest).collect()
}
