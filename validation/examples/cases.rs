//! Runs cases by their ids and prints their rows: `cases O1 --long`.
use thixo_validation::{run, select};
fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|w| w != "--long").collect();
    let long = std::env::args().any(|w| w == "--long");
    for case in select(&words).unwrap() {
        let start = std::time::Instant::now();
        for r in run(case, long) {
            println!(
                "{} {:5} {:60} {:12.4e} ref {:10.3e} err {:10.3e} tol {:8.1e} {:?}{}",
                r.id,
                if r.pass { "ok" } else { "FAIL" },
                r.quantity,
                r.value,
                r.reference,
                r.error,
                r.tolerance,
                r.tag,
                if r.control { " control" } else { "" }
            );
        }
        println!("   {} took {:.1} s", case.id, start.elapsed().as_secs_f64());
    }
}
