//! Says what is in solid mesh files, for `tests/foreign.py`: `read_solid DIMENSION FILE…`. A line per
//! file: points, cells, volume and the sums of coordinates, or `refused` and why.

use std::path::Path;

use thixo_shape::{Result, read_solid};

fn main() {
    let mut words = std::env::args().skip(1);
    let flat = words.next().as_deref() == Some("2");
    for file in words {
        let path = Path::new(&file);
        let told = if flat {
            tell::<2>(path)
        } else {
            tell::<3>(path)
        };
        match told {
            Ok(line) => println!("{line}"),
            Err(e) => println!("refused {e}"),
        }
    }
}

fn tell<const D: usize>(path: &Path) -> Result<String> {
    let found = read_solid::<D>(path)?;
    let m = found.mesh;
    let sums = (0..D).map(|a| m.points().iter().map(|x| x[a]).sum::<f64>());
    let sums: Vec<String> = sums.map(|s| s.to_string()).collect();
    let skipped: usize = found.skipped.iter().map(|s| s.count).sum();
    Ok(format!(
        "read {} {} {skipped} {} {}",
        m.points().len(),
        m.cells().len(),
        m.volume(),
        sums.join(" ")
    ))
}
