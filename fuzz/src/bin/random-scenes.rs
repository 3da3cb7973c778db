//! `random-scenes [--count N] [--seed S] [--from K] [--linear 1]` runs random valid scenes and prints what came of
//! each; scenes with findings are printed whole.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use thixo_fuzz::play::{Play, play};
use thixo_fuzz::rng::Rng;
use thixo_fuzz::scenes::{Wish, random};

fn main() -> ExitCode {
    let (mut count, mut seed, mut from) = (200u64, 1u64, 0u64);
    let mut wish = Wish::run();
    let words: Vec<String> = std::env::args().skip(1).collect();
    for pair in words.chunks(2) {
        let number = pair.get(1).and_then(|w| w.parse().ok());
        match (pair[0].as_str(), number) {
            ("--count", Some(n)) => count = n,
            ("--seed", Some(n)) => seed = n,
            ("--from", Some(n)) => from = n,
            ("--linear", Some(n)) => wish.linear = n != 0,
            _ => {
                eprintln!("write random-scenes --count N --seed S --from K --linear 1");
                return ExitCode::from(2);
            }
        }
    }
    let begun = Instant::now();
    let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut steps, mut rejected, mut particles) = (0, 0, 0);
    let (mut depth, mut mass) = (0.0f64, 0.0f64);
    for i in from..from + count {
        let made = random(&mut Rng::new(seed, i), &wish);
        let how = Play {
            patience: Duration::from_secs(5),
            threads: i % 8 == 0,
            halves: i % 8 == 4,
        };
        let clock = Instant::now();
        let played = play(&made.text, &how);
        steps += played.steps;
        rejected += played.rejected;
        particles += played.particles;
        (depth, mass) = (depth.min(played.depth), mass.max(played.mass));
        let outcome = played.findings.first().map_or("sound", |f| f.0);
        *outcomes.entry(outcome).or_default() += 1;
        println!(
            "{i:>5} {outcome:<10} {:>6} particles {:>6} steps {:>4} rejected {:>3} frames {:>7.3} cells deep {:.1} s",
            played.particles,
            played.steps,
            played.rejected,
            played.frames,
            -played.depth,
            clock.elapsed().as_secs_f64()
        );
        for (kind, what) in &played.findings {
            println!(
                "FINDING {kind} in scene {i} of seed {seed}: {what}\n{}\n",
                made.text
            );
        }
    }
    println!("outcomes: {outcomes:?}");
    println!(
        "{count} scenes, {particles} particles, {steps} steps, {rejected} rejected, at most {:.4} cells deep, \
         mass within {mass:.1e}, {:.0} s",
        -depth,
        begun.elapsed().as_secs_f64()
    );
    match outcomes.keys().all(|k| *k == "sound") {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    }
}
