//! Prints the cases as a table.
fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|w| !w.starts_with("--"))
        .collect();
    let long = std::env::args().any(|w| w == "--long");
    for c in thixo_validation::select(&words).unwrap() {
        let t = std::time::Instant::now();
        for r in thixo_validation::run(c, long) {
            println!(
                "{:5} {:50} {:>24.12e} ref {:>12.6e} err {:>10.3e} tol {:>9.2e} {:?}{} {}",
                r.id,
                r.quantity,
                r.value,
                r.reference,
                r.error,
                r.tolerance,
                r.tag,
                if r.control { " control" } else { "" },
                if r.pass { "ok" } else { "FAIL" }
            );
        }
        eprintln!("{} {:.1} s", c.id, t.elapsed().as_secs_f64());
    }
}
