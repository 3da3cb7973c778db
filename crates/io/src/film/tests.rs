//! Films are whole, the same on every run, and refuse what they cannot be.

use super::*;

/// A bright square moves over a gradient.
fn frame(k: usize, width: usize, height: usize) -> Image {
    let mut rgb = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let inside = x.abs_diff(10 + 3 * k) < 6 && y.abs_diff(height / 2) < 6;
            let t = (255 * y / height) as u8;
            rgb.extend(if inside {
                [230, 60, 20]
            } else {
                [t / 2, t, 200]
            });
        }
    }
    Image { width, height, rgb }
}

fn film(path: &Path, frames: usize, fps: f64) -> Vec<u8> {
    let mut film = Film::create(path, 65, 48, fps).unwrap();
    for k in 0..frames {
        film.push(&frame(k, 65, 48)).unwrap();
        assert!(!path.exists(), "not under its name before it is finished");
    }
    film.finish().unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn the_same_film_is_the_same_file() {
    let dir = tempfile::tempdir().unwrap();
    for extension in Film::EXTENSIONS {
        let make = |name: &str, n| film(&dir.path().join(name).with_extension(extension), n, 25.0);
        let one = make("a", 5);
        assert_eq!(one, make("b", 5));
        assert_ne!(one, make("c", 6));
    }
}

#[test]
fn a_film_that_is_not_finished_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for extension in Film::EXTENSIONS {
        let path = dir.path().join("a").with_extension(extension);
        let mut film = Film::create(&path, 64, 48, 25.0).unwrap();
        film.push(&frame(0, 64, 48)).unwrap();
        drop(film);
        let empty = Film::create(&path, 64, 48, 25.0).unwrap();
        let e = empty.finish().unwrap_err().to_string();
        assert!(e.contains("without frames"), "{e}");
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn what_cannot_be_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let fails = |name: &str, size: [usize; 2], fps: f64, part: &str| {
        let e = Film::create(&dir.path().join(name), size[0], size[1], fps).err();
        let e = e.unwrap().to_string();
        assert!(e.contains(part) && e.contains(name), "{e}");
    };
    fails("a.avi", [64, 48], 25.0, "must end in");
    fails("a.gif", [64, 48], 60.0, "60 frames a second");
    fails("a.gif", [64, 48], f64::NAN, "frames a second");
    fails("a.gif", [70_000, 48], 25.0, "70000×48");
    let mut film = Film::create(&dir.path().join("a.gif"), 64, 48, 25.0).unwrap();
    let e = film.push(&frame(0, 65, 48)).unwrap_err().to_string();
    assert!(e.contains("65×48") && e.contains("64×48"), "{e}");
    if cfg!(feature = "mp4") {
        fails("a.mp4", [64, 8], 25.0, "64×8");
        fails("a.mp4", [5000, 48], 25.0, "5000×48");
    }
}

fn decoded(bytes: &[u8]) -> Vec<(u16, Vec<u8>)> {
    let mut options = ::gif::DecodeOptions::new();
    options.set_color_output(::gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let (width, height) = (decoder.width() as usize, decoder.height() as usize);
    let (mut canvas, mut all) = (vec![0; 3 * width * height], Vec::new());
    while let Some(f) = decoder.read_next_frame().unwrap() {
        let (left, top) = (f.left as usize, f.top as usize);
        for (k, p) in f
            .buffer
            .chunks_exact(4)
            .enumerate()
            .filter(|(_, p)| p[3] > 0)
        {
            let (x, y) = (left + k % f.width as usize, top + k / f.width as usize);
            canvas[3 * (y * width + x)..][..3].copy_from_slice(&p[..3]);
        }
        all.push((f.delay, canvas.clone()));
    }
    all
}

fn difference(a: &[u8], b: &[u8]) -> f64 {
    let sum: u64 = a
        .iter()
        .zip(b)
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    sum as f64 / a.len() as f64
}

#[test]
fn a_gif_shows_its_frames_at_their_speed() {
    let dir = tempfile::tempdir().unwrap();
    let shown = decoded(&film(&dir.path().join("a.gif"), 15, 30.0));
    let delays: Vec<u16> = shown.iter().map(|f| f.0).collect();
    assert_eq!(
        delays.iter().sum::<u16>(),
        50,
        "15 frames at 30 a second: {delays:?}"
    );
    assert!(delays.iter().all(|d| (3..=4).contains(d)), "{delays:?}");
    for (k, (_, rgb)) in shown.iter().enumerate() {
        let mean = difference(rgb, &frame(k, 65, 48).rgb);
        assert!(mean < 2.0, "frame {k}: {mean}");
        // Control: the next frame is another picture.
        let other = difference(rgb, &frame(k + 1, 65, 48).rgb);
        assert!(other > mean + 0.5, "frame {k}: {mean} {other}");
    }
}

#[test]
fn a_still_in_a_gif_lasts() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.gif");
    let mut film = Film::create(&path, 64, 48, 10.0).unwrap();
    (0..4).for_each(|_| film.push(&frame(0, 64, 48)).unwrap());
    film.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let shown = decoded(&bytes);
    assert_eq!(shown.len(), 4);
    assert!(shown.iter().all(|f| f.0 == 10 && f.1 == shown[0].1));
}
