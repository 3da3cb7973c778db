//! `thixo render`: pictures and films of a run.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use thixo::Look;
use thixo::io::atomic;
use thixo::io::film::Film;

use crate::frames::{FrameArgs, Frames};
use crate::report::Failure;
use crate::scene::Settings;

/// What to draw and how.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    from: FrameArgs,
    #[command(flatten)]
    settings: Settings,
    /// Folder for pictures and films [default: DIR/render]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    size: [usize; 2],
    /// What colours tell: material, speed, density, pressure, stress, or a state of a law
    #[arg(long, value_name = "NAME")]
    color: Option<String>,
    /// Values at the ends of the colours [default: those of the run]
    #[arg(long, value_name = "LOW,HIGH", value_parser = ends)]
    range: Option<[f32; 2]>,
    /// Draw the surfaces of bodies instead of their particles
    #[arg(long)]
    surface: bool,
    /// Turn of the camera about the vertical, in degrees
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    around: Option<f64>,
    /// Height of the camera above the horizon, in degrees
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    above: Option<f64>,
    /// Films to make of the pictures
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_value = "mp4", value_parser = ["mp4", "gif", "none"])]
    film: Vec<String>,
    /// Frames per second of the films [default: those of the scene, so that it runs in real time]
    #[arg(long, value_name = "N", value_parser = positive)]
    fps: Option<f64>,
}

const EXAMPLES: &str = "Examples:
  thixo render out/snowball                              pictures and a film, into out/snowball/render
  thixo render out/water-block --surface --film mp4,gif
  thixo render out/my --color speed --frames 10..20 --size 1920x1080 --fps 12
  thixo render out/my --set 'picture.from=[-1, 0, -1]' --set 'picture.to=[1, 1, 1]'";

/// Frames that are looked at for the ends of the colours.
const LOOKS: usize = 8;

fn size(text: &str) -> Result<[usize; 2], String> {
    let wrong = || "write width and height such as 1280x720, from 16 to 16384".to_string();
    let (w, h) = text.split_once('x').ok_or_else(wrong)?;
    let number = |s: &str| s.parse().ok().filter(|n| (16..=16384).contains(n));
    Ok([number(w).ok_or_else(wrong)?, number(h).ok_or_else(wrong)?])
}

fn ends(text: &str) -> Result<[f32; 2], String> {
    let number = |s: &str| s.trim().parse::<f32>().ok().filter(|x| x.is_finite());
    let pair = text
        .split_once(',')
        .and_then(|(a, b)| Some([number(a)?, number(b)?]));
    pair.filter(|[a, b]| a < b)
        .ok_or("write two numbers such as 0,5".into())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|x: &f64| *x > 0.0 && x.is_finite());
    number.ok_or("write a number above 0".into())
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    // What has happened stays as it was.
    let shown =
        |keys: &[&str]| keys[0] == "picture" || matches!(keys.last(), Some(&("color" | "opacity")));
    if let Some(other) = args.settings.set.iter().find(|s| !shown(&s.keys())) {
        return Err(Failure::Request(format!(
            "--set {}: a picture of a run can change `picture`, `color` and `opacity` only; \
             to change the run, use `thixo resume --from`",
            other.text
        )));
    }
    let mut frames = Frames::of(&args.from)?;
    frames.show_with(&args.settings.set)?;
    let mut look = Look {
        color: args.color.clone(),
        range: args.range,
        around: args.around,
        above: args.above,
        surface: args.surface && frames.run.scene().dimension == 3,
        ..Look::new(args.size[0], args.size[1])
    };
    if args.surface && !look.surface {
        return Err(Failure::Request(
            "a scene of 2 dimensions has no surfaces to draw".into(),
        ));
    }
    colors(&mut frames, &mut look)?;
    let out = args.out.unwrap_or_else(|| args.from.dir.join("render"));
    atomic::folder(&out)?;
    // Every picture stands for the time between two of them.
    let fps = args.fps.unwrap_or(frames.run.scene().fps / frames.stride());
    let name = frames.run.scene().name.clone();
    let mut films = Vec::new();
    for end in args.film.iter().filter(|f| *f != "none") {
        let path = out.join(format!("{name}.{end}"));
        films.push((Film::create(&path, look.size[0], look.size[1], fps)?, path));
    }
    for (i, frame) in frames.frames.clone().into_iter().enumerate() {
        let sets = frames.open(frame)?;
        let image = frames.run.picture(&sets, &look)?;
        image.write_png(&out.join(format!("frame_{frame:04}.png")))?;
        for (film, _) in &mut films {
            film.push(&image)?;
        }
        say!("picture {} of {}", i + 1, frames.frames.len());
    }
    let mut made = vec![format!(
        "{} pictures in {}",
        frames.frames.len(),
        out.display()
    )];
    for (film, path) in films {
        film.finish()?;
        made.push(path.display().to_string());
    }
    writeln!(std::io::stdout(), "{}", made.join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses a quantity that nothing has, and finds ends of the colours that hold for the whole film.
fn colors(frames: &mut Frames, look: &mut Look) -> Result<(), Failure> {
    let count = frames.frames.len();
    let picked: Vec<u64> = (0..count.min(LOOKS))
        .map(|i| frames.frames[i * (count - 1) / (count.min(LOOKS) - 1).max(1)])
        .collect();
    let mut range: Option<[f32; 2]> = None;
    for frame in picked {
        let sets = frames.open(frame)?;
        if let Some(name) = look.color.as_deref() {
            let own = sets
                .iter()
                .flat_map(|s| s.scalars.iter().map(|(n, _)| n.as_str()));
            let known: Vec<&str> = ["material", "speed", "density"]
                .into_iter()
                .chain(own)
                .collect();
            if !known.contains(&name) && sets.iter().any(|s| !s.id.is_empty()) {
                let mut unique: Vec<&str> = Vec::new();
                known.into_iter().for_each(|k| {
                    if !unique.contains(&k) {
                        unique.push(k)
                    }
                });
                return Err(Failure::Request(format!(
                    "nothing here has `{name}`; there are {}",
                    unique.join(", ")
                )));
            }
        }
        let [low, high] = frames.run.color_range(&sets, look);
        range = Some(range.map_or([low, high], |[a, b]| [a.min(low), b.max(high)]));
        if look.range.is_some() {
            return Ok(());
        }
    }
    look.range = range;
    Ok(())
}
