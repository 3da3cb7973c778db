//! `thixo plot`: curves of ledgers and probes, as SVG.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plotters::coord::Shift;
use plotters::prelude::*;
use thixo::io::atomic;
use thixo::record::{Table, unit};

use crate::report::Failure;

/// What to draw.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Folders of runs, or CSV files such as out/NAME/probes/GATE.csv
    #[arg(required = true)]
    from: Vec<PathBuf>,
    /// Columns to draw, each in a panel of its own; `+` puts several into one
    #[arg(long, value_name = "A,B+C", value_delimiter = ',')]
    columns: Vec<String>,
    /// The picture [default: plot.svg in the first folder]
    #[arg(long, value_name = "FILE.svg")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  thixo plot out/snowball
  thixo plot out/soft out/stiff --columns kinetic_energy,fastest
  thixo plot out/my/probes/gate.csv --columns mass,velocity_x+velocity_y";

/// Panels that are drawn if nothing is said: as many of them as have columns.
const USUAL: [&str; 8] = [
    "kinetic_energy+elastic_energy+potential_energy+total_energy",
    "momentum_x+momentum_y+momentum_z",
    "fastest",
    "mean_step",
    "mass",
    "x+y+z",
    "velocity_x+velocity_y+velocity_z",
    "pressure",
];
/// Panels at most, if nothing is said.
const MOST: usize = 4;
/// Colours that can be told apart, for dark on white.
const COLORS: [RGBColor; 10] = [
    RGBColor(31, 99, 173),
    RGBColor(204, 88, 34),
    RGBColor(46, 133, 64),
    RGBColor(140, 60, 140),
    RGBColor(120, 94, 20),
    RGBColor(70, 70, 70),
    RGBColor(0, 150, 160),
    RGBColor(200, 40, 90),
    RGBColor(130, 160, 30),
    RGBColor(150, 150, 160),
];

struct Source {
    name: String,
    table: Table,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let mut sources = Vec::new();
    for path in &args.from {
        let file = if path.is_dir() {
            path.join("ledger.csv")
        } else {
            path.clone()
        };
        let table = Table::read(&file)?;
        if table.rows.is_empty() || table.column("time").is_none() {
            return Err(Failure::Request(format!(
                "{} has no rows to draw",
                file.display()
            )));
        }
        let name = path.with_extension("");
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        sources.push(Source {
            name: name.into_owned(),
            table,
        });
    }
    let panels = panels(&args.columns, &sources)?;
    let out = args.out.unwrap_or_else(|| {
        let first = &args.from[0];
        let folder = if first.is_dir() {
            first.as_path()
        } else {
            first.parent().unwrap_or(Path::new(""))
        };
        folder.join("plot.svg")
    });
    let svg = draw(&sources, &panels).map_err(|e| Failure::Request(format!("cannot draw: {e}")))?;
    atomic::write(&out, |w| w.write_all(svg.as_bytes()))?;
    writeln!(std::io::stdout(), "{}", out.display())?;
    Ok(ExitCode::SUCCESS)
}

/// The columns of each panel.
fn panels(typed: &[String], sources: &[Source]) -> Result<Vec<Vec<String>>, Failure> {
    let known = &sources[0].table.names;
    let split = |panel: &str| -> Vec<String> { panel.split('+').map(str::to_string).collect() };
    if typed.is_empty() {
        let has = |panel: &Vec<String>| panel.iter().all(|c| known.contains(c));
        return Ok(USUAL
            .iter()
            .map(|p| split(p))
            .filter(has)
            .take(MOST)
            .collect());
    }
    let panels: Vec<Vec<String>> = typed.iter().map(|p| split(p)).collect();
    for source in sources {
        for column in panels.iter().flatten() {
            if !source.table.names.contains(column) {
                return Err(Failure::Request(format!(
                    "{} has no column `{column}`; there are {}",
                    source.name,
                    source.table.names.join(", ")
                )));
            }
        }
    }
    Ok(panels)
}

type Drawn<T> = Result<T, Box<dyn std::error::Error>>;

fn draw(sources: &[Source], panels: &[Vec<String>]) -> Drawn<String> {
    let across = if panels.len() > 1 { 2 } else { 1 };
    let down = panels.len().div_ceil(across);
    let size = (560 * across as u32, 360 * down as u32);
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        for (area, panel) in root.split_evenly((down, across)).iter().zip(panels) {
            draw_panel(area, sources, panel)?;
        }
        root.present()?;
    }
    Ok(svg)
}

fn draw_panel(
    area: &DrawingArea<SVGBackend, Shift>,
    sources: &[Source],
    panel: &[String],
) -> Drawn<()> {
    let mut curves = Vec::new();
    for source in sources {
        let time = source.table.column("time").unwrap_or_default();
        for column in panel {
            let values = source.table.column(column).unwrap_or_default();
            let name = match (sources.len(), panel.len()) {
                (1, _) => column.replace('_', " "),
                (_, 1) => source.name.clone(),
                _ => format!("{}: {}", source.name, column.replace('_', " ")),
            };
            // Frame 0 has no step before it.
            let has = |p: &(f64, f64)| column != "mean_step" || p.1 > 0.0;
            let points: Vec<(f64, f64)> = time.iter().copied().zip(values).filter(has).collect();
            curves.push((name, points));
        }
    }
    let all = || curves.iter().flat_map(|(_, points)| points.iter().copied());
    let (t0, t1) = range(all().map(|p| p.0));
    let (low, high) = range(all().map(|p| p.1));
    let room = 0.05 * (high - low);
    let unit = panel.first().and_then(|c| unit(c)).unwrap_or("");
    let what = match panel {
        [one] => one.replace('_', " "),
        [first, ..] => first.split('_').next_back().unwrap_or(first).to_string(),
        [] => String::new(),
    };
    let what = if panel.len() > 1 && unit != "J" {
        panel[0].split('_').next().unwrap_or(&what).to_string()
    } else {
        what
    };
    let title = if unit.is_empty() {
        what
    } else {
        format!("{what} [{unit}]")
    };
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(70)
        .build_cartesian_2d(t0..t1, (low - room)..(high + room))?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("time [s]")
        .y_label_formatter(&|y| short(*y, high - low))
        .label_style(("sans-serif", 13))
        .draw()?;
    for (i, (name, points)) in curves.into_iter().enumerate() {
        let color = COLORS[i % COLORS.len()];
        let line = LineSeries::new(points, color.stroke_width(2));
        chart
            .draw_series(line)?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    if panel.len() * sources.len() > 1 {
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK.mix(0.2))
            .label_font(("sans-serif", 13))
            .draw()?;
    }
    Ok(())
}

/// Smallest and largest finite value; never empty.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|x| x.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
        (a.min(x), b.max(x))
    });
    if low > high {
        return (0.0, 1.0);
    }
    // A constant keeps its rounding noise out of the picture.
    let least = 1e-6 * low.abs().max(high.abs()).max(1e-300);
    if high - low > least {
        (low, high)
    } else {
        (low - 0.5 * least.max(1e-12), high + 0.5 * least.max(1e-12))
    }
}

/// A number that is short on an axis of this length, but not the same as its neighbours'.
fn short(x: f64, length: f64) -> String {
    let digits = (10.0 * x.abs() / length).log10().ceil().clamp(1.0, 8.0);
    if x == 0.0 || (1e-2..1e5).contains(&x.abs()) {
        let after = (digits - x.abs().max(1e-300).log10().floor()).clamp(0.0, 12.0);
        let text = format!("{x:.*}", after as usize);
        return match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').into(),
            false => text,
        };
    }
    format!("{x:.*e}", digits as usize)
}
