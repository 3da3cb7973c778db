//! The laws against reference data.

use thixo_material::reference::{
    Row, closed_forms, mobilised_friction, oldroyd_relaxation, oldroyd_startup,
    oldroyd_steady_extension, oldroyd_steady_shear, oldroyd_updates, return_mapping, snow_path,
};

fn all_pass(rows: &[Row], least: usize) {
    assert!(rows.len() >= least, "only {} rows", rows.len());
    let worst = rows
        .iter()
        .map(|r| r.error / r.tolerance)
        .fold(0.0, f64::max);
    println!(
        "{} rows, worst error {worst:.2e} of its tolerance",
        rows.len()
    );
    for row in rows {
        assert!(row.passed(), "{row:?}");
    }
}

#[test]
fn e1_closed_forms() {
    all_pass(&closed_forms(), 250);
}

#[test]
fn p1_snow_path() {
    all_pass(&snow_path().unwrap(), 50);
}

#[test]
fn p3_return_mapping() {
    all_pass(&return_mapping(), 30);
}

#[test]
fn p4_mobilised_friction() {
    let rows = mobilised_friction();
    for row in &rows {
        println!(
            "{:<28} {:<24} {:>12.6} {:>12.6}",
            row.case, row.quantity, row.value, row.reference
        );
    }
    all_pass(&rows, 20);
}

#[test]
fn v1_oldroyd() {
    all_pass(&oldroyd_startup(), 190);
    all_pass(&oldroyd_steady_shear(0.01), 32);
    all_pass(&oldroyd_steady_shear(1.0), 32);
    all_pass(&oldroyd_steady_extension(), 6);
    all_pass(&oldroyd_relaxation(), 60);
    all_pass(&oldroyd_updates(), 16);
}
