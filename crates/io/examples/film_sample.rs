//! Writes the same frames as PNG pictures, GIF and MP4, for `film.py`:
//! `cargo run --release --example film_sample -- FOLDER`.

use std::path::PathBuf;
use std::time::Instant;

use thixo_io::film::Film;
use thixo_io::picture::{Bounds, Coloring, Surface, View, render};
use thixo_io::sample::{from_positions, torus};

const FRAMES: usize = 25;
const FPS: f64 = 30.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or("films".into()));
    thixo_io::atomic::folder(&folder)?;
    let mut bounds = Bounds::default();
    bounds.include([-1.0, 0.0, -1.0]);
    bounds.include([1.0, 1.2, 1.0]);
    // An odd height: MP4 has even ones.
    let (width, height) = (640, 361);
    let films = Film::EXTENSIONS.iter().map(|e| {
        let path = folder.join("film").with_extension(e);
        Film::create(&path, width, height, FPS)
    });
    let mut films = films.collect::<Result<Vec<_>, _>>()?;
    let mut spent = vec![0.0; films.len()];
    for k in 0..FRAMES {
        let time = k as f64 / FPS;
        let fall = 0.9 - 0.9 * time * time;
        let n = 20;
        let at = |i: usize| {
            let x = [i % n, i / n % n, i / n / n].map(|c| (c as f64 + 0.5) / n as f64 - 0.5);
            [0.6 * x[0], 0.6 * x[1] + fall, 0.6 * x[2]]
        };
        let mut set = from_positions("block", 3, 0.03, (0..n * n * n).map(at).collect());
        for (v, x) in set.velocity.iter_mut().zip(&set.position) {
            *v = [0.0, (-1.8 * time) as f32, x[0] as f32];
        }
        let ring = torus([0.0, 0.15, 0.0], 0.7, 0.15, 100);
        let sets = [set];
        let view = View {
            width,
            height,
            ground: Some(0.0),
            surfaces: vec![Surface {
                color: [0.9, 0.6, 0.12],
                gloss: 0.9,
                opacity: 0.8,
                ..Surface::new(&ring.0, &ring.1, &ring.2)
            }],
            coloring: Coloring::Speed(Some([0.0, 2.0])),
            caption: View::caption(time, &sets),
            ..View::new(bounds)
        };
        let image = render(&sets, &view);
        image.write_png(&folder.join(format!("frame_{k:04}.png")))?;
        for (film, spent) in films.iter_mut().zip(&mut spent) {
            let start = Instant::now();
            film.push(&image)?;
            *spent += start.elapsed().as_secs_f64();
        }
    }
    for ((film, spent), extension) in films.into_iter().zip(spent).zip(Film::EXTENSIONS) {
        film.finish()?;
        let bytes = std::fs::metadata(folder.join("film").with_extension(extension))?.len();
        println!(
            "film.{extension}: {FRAMES} frames of {width}×{height}, {} kB, {:.1} ms a frame",
            bytes / 1000,
            1e3 * spent / FRAMES as f64
        );
    }
    Ok(())
}
