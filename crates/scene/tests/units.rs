//! Values with units: what is read, and what must be refused.

use thixo_scene::units::*;

fn near(text: &str, measure: Measure, value: f64) {
    let x = parse(text, measure).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert!(
        (x - value).abs() <= 1e-12 * value.abs(),
        "{text}: {x} is not {value}"
    );
}

#[test]
fn values_as_people_write_them() {
    near("140 kPa", PRESSURE, 1.4e5);
    near("140kPa", PRESSURE, 1.4e5);
    near("0.2 MPa", PRESSURE, 2e5);
    near("2 bar", PRESSURE, 2e5);
    near("25 cm", LENGTH, 0.25);
    near("-3.5e-2 m", LENGTH, -0.035);
    near("1_000 mm", LENGTH, 1.0);
    near("3 µm", LENGTH, 3e-6);
    near("1 in", LENGTH, 0.0254);
    near("14 Pa s", VISCOSITY, 14.0);
    near("14 Pa*s", VISCOSITY, 14.0);
    near("14 Pa·s", VISCOSITY, 14.0);
    near("1 mPa s", VISCOSITY, 1e-3);
    near("14 N s/m^2", VISCOSITY, 14.0);
    near("30 deg", ANGLE, std::f64::consts::FRAC_PI_6);
    near("30°", ANGLE, std::f64::consts::FRAC_PI_6);
    near("400 kg/m^3", DENSITY, 400.0);
    near("400 kg/m3", DENSITY, 400.0);
    near("400 kg m^-3", DENSITY, 400.0);
    near("0.4 g/cm³", DENSITY, 400.0);
    near("1.6 t/m^3", DENSITY, 1600.0);
    near("9.81 m/s²", ACCELERATION, 9.81);
    near("9.81 m/s/s", ACCELERATION, 9.81);
    near("36 km/h", SPEED, 10.0);
    near("60 rpm", TURNING, std::f64::consts::TAU);
    near("1 rev/s", TURNING, std::f64::consts::TAU);
    near("24 Hz", FREQUENCY, 24.0);
    near("24 1/s", FREQUENCY, 24.0);
    near("2 min", TIME, 120.0);
    near("5 ms", TIME, 5e-3);
    near("20 %", NUMBER, 0.2);
    near("1.5", LENGTH, 1.5);
}

#[test]
fn other_dimensions_are_refused() {
    for (text, measure) in [
        ("5 kg", LENGTH),
        ("5 m", TIME),
        ("5 m s", SPEED),
        ("5 Pa", VISCOSITY),
        ("30 deg", NUMBER),
        ("30 deg", LENGTH),
        ("3 m^2", LENGTH),
        ("3 kg/m^2", DENSITY),
        ("3 1/m", FREQUENCY),
    ] {
        let e = parse(text, measure).unwrap_err();
        assert!(matches!(e, UnitError::Dimension { .. }), "{text}: {e}");
    }
    let e = parse("5 kg", LENGTH).unwrap_err();
    assert_eq!(e.to_string(), "`5 kg` is not a length: it measures kg");
}

#[test]
fn nonsense_is_refused() {
    for text in [
        "",
        " ",
        "m",
        "kPa 140",
        "1 2",
        "1 m 2",
        "1 m^",
        "1 m^^2",
        "1 m//s",
        "1 m/",
        "1 *m",
        "1 mm^2000",
        "1 qq",
        "inf m",
        "NaN",
        "1e999 m",
        "--1 m",
        "1 m^200",
        "1 \u{0}",
        "1 m(",
        "½ m",
        "1,5 m",
    ] {
        assert!(parse(text, LENGTH).is_err(), "`{text}` was read");
    }
    let e = parse("3 kpa", PRESSURE).unwrap_err();
    assert_eq!(e.to_string(), "unknown unit `kpa`, did you mean `Pa`?");
}

#[test]
fn laws_and_scene_agree_on_units() {
    use thixo_material::Unit;
    assert_eq!(Measure::from(Unit::Pressure), PRESSURE);
    assert_eq!(
        Measure::from(Unit::Viscosity).dimension.to_string(),
        "kg m^-1 s^-1"
    );
    assert_eq!(
        Measure::from(Unit::One).dimension.to_string(),
        "a pure number"
    );
}
