//! Changes of scene texts that know lines, keys, values and brackets.

use crate::mutate::NASTY;
use crate::rng::Rng;

/// One random change of a text of TOML; `others` lend lines and tables.
pub fn change(text: &str, others: &[Vec<u8>], rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let n = lines.len();
    let (at, to) = (rng.below(n), rng.below(n));
    if n == 0 {
        return "resolution = 1\n".into();
    }
    match rng.below(14) {
        0 => {
            lines.remove(at);
        }
        1 => {
            let line = lines[at].clone();
            lines.insert(to, line);
        }
        2 => lines.swap(at, to),
        3 => {
            // A whole table twice, or elsewhere.
            let end = (at + 1..n)
                .find(|&i| lines[i].starts_with('['))
                .unwrap_or(n);
            let table: Vec<String> = lines[at..end].to_vec();
            lines.splice(to..to, table);
        }
        4 => {
            // The values of two keys change places.
            let split = |l: &String| {
                l.split_once('=')
                    .map(|(k, v)| (k.to_string(), v.to_string()))
            };
            if let (Some((a, x)), Some((b, y))) = (split(&lines[at]), split(&lines[to])) {
                lines[at] = format!("{a}={y}");
                lines[to] = format!("{b}={x}");
            }
        }
        5 => {
            // A key of another line, a value of its own.
            if let (Some((a, _)), Some((_, y))) =
                (lines[at].split_once('='), lines[to].split_once('='))
            {
                lines[at] = format!("{a}={y}");
            }
        }
        6 => {
            if let Some((key, _)) = lines[at].split_once('=') {
                lines[at] = format!("{key}= {}", value(rng));
            }
        }
        7 => lines[at] = nested(&lines[at], rng),
        8 => {
            // A line or a table of another text.
            if let Some(other) = rng.pick(others) {
                let other = String::from_utf8_lossy(other).into_owned();
                let all: Vec<&str> = other.lines().collect();
                let from = rng.below(all.len());
                let long = if rng.chance(0.5) { 1 } else { 8 };
                let piece = all.iter().skip(from).take(long).map(|l| l.to_string());
                lines.splice(to..to, piece.collect::<Vec<_>>());
            }
        }
        9 => lines.insert(to, key_line(rng)),
        10 => lines[at] = shaped(rng),
        11 => tables(&mut lines, to, rng),
        _ => lines[at] = token(&lines[at], rng),
    }
    let mut out = lines.join("\n");
    out.push('\n');
    out
}

/// One number or word of a line becomes another one.
fn token(line: &str, rng: &mut Rng) -> String {
    let letter = |c: char| c.is_alphanumeric() || "._-+".contains(c);
    let mut starts = Vec::new();
    let mut inside = false;
    for (i, c) in line.char_indices() {
        if letter(c) && !inside {
            starts.push(i);
        }
        inside = letter(c);
    }
    let Some(&start) = rng.pick(&starts) else {
        return value(rng);
    };
    let rest = &line[start..];
    let end = start + rest.find(|c| !letter(c)).unwrap_or(rest.len());
    let is_number = line[start..end].parse::<f64>().is_ok();
    let new = match (is_number, rng.below(4)) {
        (true, 0) => format!("{:.4}", rng.between(-2.0, 2.0)),
        (true, 1) => format!("{:e}", rng.scale(1e-9, 1e9)),
        (true, _) => rng.word(NASTY).to_string(),
        (false, _) => rng.word(WORDS).to_string(),
    };
    format!("{}{new}{}", &line[..start], &line[end..])
}

/// A value of any kind.
fn value(rng: &mut Rng) -> String {
    match rng.below(7) {
        0 => rng.word(NASTY).to_string(),
        1 => format!("\"{} {}\"", rng.word(NASTY), rng.word(UNITS)),
        2 => format!("[{}, {}]", rng.word(NASTY), rng.word(NASTY)),
        3 => format!(
            "[{}, {}, {}]",
            rng.word(NASTY),
            rng.word(NASTY),
            rng.word(NASTY)
        ),
        4 => format!("\"{}\"", rng.word(WORDS)),
        5 => format!("\"{}\"", rng.word(FORMULAS)),
        _ => rng
            .word(&["true", "[]", "{}", "\"\"", "1979-05-27", "''", "[[]]"])
            .into(),
    }
}

/// A line with something nested far too deep.
fn nested(line: &str, rng: &mut Rng) -> String {
    let deep = [3, 20, 90, 300, 3000][rng.below(5)];
    let key = line.split_once('=').map_or("title", |(k, _)| k);
    match rng.below(5) {
        0 => format!("{key}= {}{}", "[".repeat(deep), "]".repeat(deep)),
        1 => format!("{key}= {}1{}", "{a=".repeat(deep), "}".repeat(deep)),
        2 => format!("[{}a]", "a.".repeat(deep)),
        3 => {
            let (open, close) = ("{ union = [".repeat(deep), "] }".repeat(deep));
            format!("shape = {open}{{ sphere = {{ radius = 1 }} }}{close}")
        }
        _ => format!(
            "velocity = [\"{}x{}\", 0]",
            "(".repeat(deep),
            ")".repeat(deep)
        ),
    }
}

/// A line with a known key and any value.
fn key_line(rng: &mut Rng) -> String {
    format!("{} = {}", rng.word(KEYS), value(rng))
}

/// A shape with numbers that may fit.
fn shaped(rng: &mut Rng) -> String {
    let mut x = || match rng.below(4) {
        0 => rng.word(NASTY).to_string(),
        _ => format!("{:.3}", rng.between(-1.0, 1.0)),
    };
    let (a, b, c) = (x(), x(), x());
    let shape = match rng.below(11) {
        0 => format!("{{ sphere = {{ center = [{a}, {b}], radius = {c} }} }}"),
        1 => format!("{{ box = {{ from = [{a}, {b}], to = [{c}, 1] }} }}"),
        2 => format!("{{ box = {{ size = [{a}, {b}, {c}] }}, rotate = [{c}, {b}, {a}] }}"),
        3 => format!("{{ capsule = {{ from = [{a}, {b}], to = [0, {c}], radius = 0.2 }} }}"),
        4 => format!("{{ polygon = {{ corners = [[{a}, 0], [1, {b}], [{c}, 1], [0, 0]] }} }}"),
        5 => format!(
            "{{ height_field = {{ from = [-1, 0], to = [1, 0], spacing = {a}, height = \"{}\" }} }}",
            rng.word(FORMULAS)
        ),
        6 => format!("{{ torus = {{ radius = {a}, tube = {b}, axis = [0, {c}, 1] }} }}"),
        7 => format!("{{ cylinder = {{ radius = {a}, height = {b}, axis = [{c}, 1, 0] }} }}"),
        8 => format!("{{ shell = {{ of = {{ sphere = {{ radius = {a} }} }}, thickness = {b} }} }}"),
        9 => format!("{{ mesh = {{ file = \"{}\" }} }}", rng.word(FILES)),
        _ => format!("{{ half_space = {{ normal = [{a}, {b}], point = [0, {c}] }} }}"),
    };
    format!("shape = {shape}")
}

/// A whole table more.
fn tables(lines: &mut Vec<String>, to: usize, rng: &mut Rng) {
    let table = match rng.below(8) {
        0 => "[[forces]]\npoint = { at = [0, 0], acceleration = 1e9, radius = 1e-9 }".to_string(),
        1 => format!("[[forces]]\nacceleration = [\"{}\", 0]", rng.word(FORMULAS)),
        2 => format!("[[drains]]\n{}", shaped(rng)),
        3 => format!(
            "[[colliders]]\ncontact = \"{}\"\n{}",
            rng.word(WORDS),
            shaped(rng)
        ),
        4 => format!(
            "[[emitters]]\nmaterial = \"a\"\nvelocity = [{}, -1]\n{}",
            rng.word(NASTY),
            shaped(rng)
        ),
        5 => format!(
            "[[probes]]\nname = \"{}\"\n{}",
            rng.word(WORDS),
            shaped(rng)
        ),
        6 => format!(
            "[[colliders]]\ncontact = \"slip\"\nmotion = {{ path = {{ translate = [\"{}\", 0] }} }}\n{}",
            rng.word(FORMULAS),
            shaped(rng)
        ),
        _ => format!("[numerics]\n{}", key_line(rng)),
    };
    lines.splice(to..to, table.lines().map(String::from).collect::<Vec<_>>());
}

/// Words that scenes know, and some that they do not.
pub const WORDS: &[&str] = &[
    "snow",
    "sand",
    "clamp-sand",
    "liquid",
    "neo-hookean",
    "fixed-corotated",
    "hencky",
    "von-mises",
    "sticky",
    "slip",
    "separating",
    "friction",
    "apic",
    "rpic",
    "pic",
    "flip",
    "apic_rpic",
    "apic_flip",
    "quadratic",
    "cubic",
    "linear",
    "least-squares",
    "gradient",
    "jittered",
    "poisson",
    "regular",
    "f32",
    "f64",
    "draft",
    "normal",
    "fine",
    "ultra",
    "sphere",
    "box",
    "torus",
    "cylinder",
    "capsule",
    "polygon",
    "half_space",
    "height_field",
    "mesh",
    "union",
    "intersection",
    "difference",
    "shell",
    "from",
    "to",
    "size",
    "center",
    "radius",
    "x",
    "y",
    "z",
    "t",
    "a",
    "..",
    "CON",
    "material",
    "speed",
    "pressure",
    "cm",
    "mm",
    "kPa",
    "GPa",
    "kg/m^3",
    "deg",
    "s",
    "m/s",
    "um",
    "km",
    "preset",
    "dry-sand",
    "tetra.obj",
    "tetra.stl",
    "é",
    "\u{1F600}",
];

/// Keys that scenes know.
pub const KEYS: &[&str] = &[
    "dimension",
    "resolution",
    "gravity",
    "frames",
    "fps",
    "name",
    "title",
    "material",
    "shape",
    "velocity",
    "spin",
    "pivot",
    "rate",
    "start",
    "stop",
    "contact",
    "motion",
    "deform",
    "color",
    "opacity",
    "density",
    "youngs_modulus",
    "poissons_ratio",
    "friction_angle",
    "cohesion",
    "bulk_modulus",
    "exponent",
    "viscosity",
    "yield_stress",
    "hardening_modulus",
    "hardening",
    "hardening_limit",
    "critical_compression",
    "critical_stretch",
    "law",
    "preset",
    "precision",
    "particles_per_cell",
    "sampling",
    "seed",
    "kernel",
    "transfer",
    "force",
    "cfl",
    "safety",
    "max_step",
    "acceleration",
    "wind",
    "point",
    "from",
    "to",
    "around",
    "above",
    "periodic",
    "numerics.cfl",
    "numerics.kernel",
    "numerics.precision",
    "numerics.particles_per_cell",
    "periodic.x",
    "periodic.y",
];

const UNITS: &[&str] = &[
    "m",
    "cm",
    "mm",
    "um",
    "km",
    "m/s",
    "kPa",
    "GPa",
    "Pa s",
    "kg/m^3",
    "deg",
    "rad/s",
    "s",
    "ms",
    "m^2/s",
    "L/s",
    "m/s^2",
    "in",
    "ft",
    "C",
    "K",
    "",
    "m^99999",
    "m^-1/s^-1",
    "kg kg kg",
];

const FORMULAS: &[&str] = &[
    "x",
    "y*t",
    "sin(9*t)",
    "0.1*sin(6*t)",
    "1/x",
    "1/0",
    "sqrt(-1)",
    "ln(0)",
    "x^y^x^t",
    "-x",
    "2^2000",
    "0/0",
    "t",
    "x*y",
    "exp(999)",
    "1e308*x*1e308",
    "((((x))))",
    "x x",
    "+",
    "floor(x)",
    "x % 0",
    "atan2(y,x)",
    "tan(t)",
    "signum(t)",
    "1e9*t",
    "\\u0000",
];

const FILES: &[&str] = &[
    "tetra.obj",
    "tetra.stl",
    "box.obj",
    "none.obj",
    "",
    "..",
    "/",
    "tetra.OBJ",
];
