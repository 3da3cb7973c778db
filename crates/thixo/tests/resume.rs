//! A run that is stopped, saved and opened again continues bit for bit, in all four instantiations.

use thixo::prelude::*;

fn scene(dimension: usize, precision: &str) -> Scene {
    let zeros = if dimension == 2 { "" } else { ", 0" };
    let text = format!(
        "dimension = {dimension}\nnumerics.precision = \"{precision}\"\nresolution = \"10 cm\"\nfps = 20\n\
         [materials.snow]\nlaw = \"snow\"\ndensity = 400\n[materials.water]\nlaw = \"liquid\"\ndensity = 1000\nbulk_modulus = \"50 kPa\"\n\
         [[bodies]]\nmaterial = \"snow\"\nshape = {{ sphere = {{ center = [0, 0.5{zeros}], radius = 0.3 }} }}\nvelocity = [1, -2{zeros}]\n\
         [[emitters]]\nmaterial = \"water\"\nshape = {{ sphere = {{ center = [1, 1{zeros}], radius = 0.2 }} }}\nvelocity = [-1, -1{zeros}]\n\
         [[drains]]\nmaterial = \"water\"\nshape = {{ half_space = {{ point = [0, 0.6{zeros}], normal = [0, 1{zeros}] }} }}\n\
         [[colliders]]\nshape = {{ half_space = {{ normal = [0, 1{zeros}] }} }}\ncontact = \"sticky\"\n"
    );
    Scene::parse(&text, "test", "test", "".as_ref()).unwrap()
}

#[test]
fn continues_bit_for_bit() {
    let dir = tempfile::tempdir().unwrap();
    for (dimension, precision) in [(2, "f32"), (2, "f64"), (3, "f32"), (3, "f64")] {
        let mut straight =
            Simulation::new(scene(dimension, precision), Threads::Exactly(1)).unwrap();
        let mut stopped =
            Simulation::new(scene(dimension, precision), Threads::Exactly(2)).unwrap();
        straight.next_frame().unwrap();
        straight.next_frame().unwrap();
        stopped.next_frame().unwrap();
        stopped.step().unwrap(); // in the middle of a frame
        let file = dir.path().join("state");
        stopped.save(&file).unwrap();
        let mut opened = Simulation::new(scene(dimension, precision), Threads::Exactly(1)).unwrap();
        opened.open(&file).unwrap();
        assert_eq!(opened.state_hash(), stopped.state_hash());
        assert_eq!(opened.frame(), 1);
        opened.next_frame().unwrap();
        assert_eq!(opened.frame(), 2);
        assert_eq!(opened.time(), 0.1);
        assert_eq!(
            opened.state_hash(),
            straight.state_hash(),
            "{dimension} {precision}"
        );
        assert!(opened.totals().emitted > 0.0);
    }
}

#[test]
fn a_foreign_or_torn_state_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("state");
    let mut saved = Simulation::new(scene(2, "f64"), Threads::Exactly(1)).unwrap();
    saved.next_frame().unwrap();
    saved.save(&file).unwrap();
    let text = scene(2, "f64").text;
    let finer = text.replace("10 cm", "8 cm");
    let stiffer = text.replace("50 kPa", "60 kPa");
    let solid = text.replace("law = \"snow\"", "law = \"clamp-sand\"");
    for (text, why) in [
        (&finer, "resolution"),
        (&solid, "law `clamp-sand`"),
        (&stiffer, ""),
    ] {
        let scene = Scene::parse(text, "test", "test", "".as_ref()).unwrap();
        let mut run = Simulation::new(scene, Threads::Exactly(1)).unwrap();
        let before = run.state_hash();
        let e = run.open(&file).unwrap_err().to_string();
        assert!(e.contains("another scene"), "{e}");
        // Without the file's word for it, the state itself tells, or it fits.
        match run.restore(&saved.snapshot()) {
            Err(e) => assert!(!why.is_empty() && e.to_string().contains(why), "{e}"),
            Ok(()) => assert!(why.is_empty(), "{why} is taken"),
        }
        if !why.is_empty() {
            assert_eq!(run.state_hash(), before);
            run.step().unwrap();
        }
    }
}

#[test]
fn a_picture_shows_something() {
    let run = Simulation::new(scene(3, "f32"), Threads::Exactly(1)).unwrap();
    let image = run
        .picture(&run.points().unwrap(), &thixo::Look::new(160, 90))
        .unwrap();
    let mut colors: Vec<&[u8]> = image.rgb.chunks(3).collect();
    colors.sort();
    colors.dedup();
    assert!(colors.len() > 50, "{}", colors.len());
}

/// Columns of a state that are whole in form but say what cannot be: each is refused, and nothing
/// changes.
#[test]
fn a_state_that_cannot_be_is_refused() {
    let mut run = Simulation::new(scene(2, "f64"), Threads::Exactly(1)).unwrap();
    run.next_frame().unwrap();
    let (good, hash) = (run.snapshot(), run.state_hash());
    for (column, bytes, why) in [
        ("snow/mass", (-1f64).to_le_bytes(), "mass"),
        ("snow/mass", 0f64.to_le_bytes(), "mass"),
        ("snow/rest_volume", (-0f64).to_le_bytes(), "rest_volume"),
        ("snow/counters", 7u64.to_le_bytes(), "add up"),
        ("snow/id", u64::MAX.to_le_bytes(), "add up"),
        (
            "snow/cell",
            u64::from((1u32 << 23) + 5).to_le_bytes(),
            "address",
        ),
        ("snow/exchanged", f64::NAN.to_le_bytes(), "not finite"),
        ("time", f64::INFINITY.to_le_bytes(), "a time of"),
        ("pace", f64::NAN.to_le_bytes(), "a step of"),
    ] {
        let mut bad = good.clone();
        let found = bad.columns.iter_mut().find(|c| c.name == column);
        found.unwrap().bytes[..8].copy_from_slice(&bytes);
        let e = run.restore(&bad).unwrap_err().to_string();
        assert!(e.contains(why), "{column}: {e}");
        assert_eq!(run.state_hash(), hash, "{column}");
    }
    run.restore(&good).unwrap();
}

/// What has come in since the last sort stands apart from the rest: opened after any step, a run goes on the same
/// way, up to the sort and past it.
#[test]
fn continues_with_latecomers() {
    let text = "resolution = \"5 cm\"\nfps = 20\n\
         [materials.snow]\nlaw = \"snow\"\ndensity = 400\n\
         [[bodies]]\nmaterial = \"snow\"\nshape = { sphere = { center = [0, 0.6, 0], radius = 0.3 } }\nvelocity = [1, -2, 0]\n\
         [[emitters]]\nmaterial = \"snow\"\nshape = { sphere = { center = [0, 1, 0], radius = 0.15 } }\nvelocity = [0, -4, 0]\n\
         [[colliders]]\nshape = { half_space = { normal = [0, 1, 0] } }\ncontact = \"sticky\"\n";
    let scene = || Scene::parse(text, "test", "test", "".as_ref()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("state");
    let mut run = Simulation::new(scene(), Threads::Exactly(2)).unwrap();
    let mut counts = Vec::new();
    for _ in 0..40 {
        run.save(&file).unwrap();
        let mut opened = Simulation::new(scene(), Threads::Exactly(1)).unwrap();
        opened.open(&file).unwrap();
        run.step().unwrap();
        opened.step().unwrap();
        assert_eq!(opened.state_hash(), run.state_hash());
        counts.push(run.totals().particles);
    }
    let came = counts.windows(2).filter(|n| n[0] < n[1]).count();
    assert!(came > 10, "too few have come: {counts:?}");
}

/// A body that is drained to its last particle leaves a run that goes on, with what comes in later.
#[test]
fn goes_on_when_all_is_drained() {
    let text = "dimension = 2\nresolution = \"10 cm\"\nfps = 20\n\
         [materials.snow]\nlaw = \"snow\"\ndensity = 400\n\
         [[bodies]]\nmaterial = \"snow\"\nshape = { sphere = { center = [0, 0.2], radius = 0.15 } }\n\
         [[emitters]]\nmaterial = \"snow\"\nshape = { sphere = { center = [0, 2], radius = 0.15 } }\nvelocity = [0, -1]\nstart = \"0.2 s\"\n\
         [[drains]]\nshape = { half_space = { point = [0, 1], normal = [0, 1] } }\nstop = \"0.1 s\"\n";
    let scene = Scene::parse(text, "test", "test", "".as_ref()).unwrap();
    let mut run = Simulation::new(scene, Threads::Exactly(2)).unwrap();
    for _ in 0..3 {
        run.next_frame().unwrap();
    }
    assert_eq!(run.totals().particles, 0);
    for _ in 0..5 {
        run.next_frame().unwrap();
    }
    assert!(run.totals().particles > 0);
}

/// What starts deep inside an obstacle comes out of it the shortest way, on every side, and is nowhere else
/// meanwhile.
#[test]
fn comes_out_of_obstacles() {
    for (axis, sign) in [(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)] {
        // A slab of 20 cells, of which the body covers the outer 5.
        let (mut low, mut high) = (["-2"; 3], ["2"; 3]);
        let (mut from, mut to) = (["-0.2"; 3], ["0.2"; 3]);
        match sign {
            1 => (low[axis], from[axis], to[axis], high[axis]) = ("-2", "-0.5", "0.5", "0"),
            _ => (low[axis], from[axis], to[axis], high[axis]) = ("0", "-0.5", "0.5", "2"),
        }
        let corner = |c: [&str; 3]| format!("[{}]", c.join(", "));
        let text = format!(
            "resolution = \"10 cm\"\nfps = 20\ngravity = [0, 0, 0]\n\
             [materials.water]\nlaw = \"liquid\"\ndensity = 1000\nbulk_modulus = \"1 kPa\"\n\
             [[bodies]]\nmaterial = \"water\"\nshape = {{ box = {{ from = {}, to = {} }} }}\n\
             [[colliders]]\nshape = {{ box = {{ from = {}, to = {} }} }}\ncontact = \"slip\"\n",
            corner(from),
            corner(to),
            corner(low),
            corner(high)
        );
        let scene = Scene::parse(&text, "test", "test", "".as_ref()).unwrap();
        let mut run = Simulation::new(scene, Threads::Exactly(2)).unwrap();
        for _ in 0..12 {
            run.step().unwrap();
        }
        for x in run.points().unwrap()[0].position.clone() {
            let depth = -x[axis] * f64::from(sign);
            assert!(depth < 1e-3, "axis {axis}, side {sign}: {x:?}");
            assert!(
                x.iter().all(|c| c.abs() < 1.0),
                "axis {axis}, side {sign}: {x:?}"
            );
        }
    }
}
