//! Solid meshes from files: what is right is read to the bit, what is wrong is told with its line.

mod texts;

use std::path::{Path, PathBuf};

use texts::{cells, msh2, msh4, rows, sample, tetgen, vtk};
use thixo_shape::*;

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("thixo-solid-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
    /// The error of reading a text as a file of this name.
    fn error(&self, name: &str, text: &str) -> String {
        let path = self.file(name, text);
        let e = read_solid::<3>(&path)
            .expect_err(&format!("{name}:\n{text}"))
            .to_string();
        assert!(e.contains(path.to_str().unwrap()), "{e}");
        e
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn check<const D: usize>(path: &Path, want: &SolidMesh<D>, skipped: &[(&str, usize)]) {
    let got = read_solid::<D>(path).unwrap();
    assert!(got.mesh == *want, "{}", path.display());
    let told: Vec<_> = got
        .skipped
        .iter()
        .map(|s| (s.kind.as_str(), s.count))
        .collect();
    assert_eq!(told, skipped, "{}", path.display());
    assert!(SolidMesh::<D>::load(path).unwrap() == *want);
}

fn all_formats<const D: usize>(folder: &Folder) {
    let m = sample::<D>();
    let odd = [("Gmsh element of type 93", 1), ("line", 2), ("point", 1)];
    check(&folder.file("a.msh", &msh2(&m)), &m, &odd);
    check(&folder.file("b.MSH", &msh4(&m)), &m, &[("line", 1)]);
    check(
        &folder.file("windows.msh", &msh2(&m).replace('\n', "\r\n")),
        &m,
        &odd,
    );
    for first in [0, 1] {
        let [node, ele] = tetgen(&m, first);
        let node = folder.file("c.node", &node);
        check(&folder.file("c.ele", &ele), &m, &[]);
        check(&node, &m, &[]);
    }
    check(&folder.file("d.vtk", &vtk(&m, false)), &m, &[("line", 1)]);
    check(&folder.file("e.vtk", &vtk(&m, true)), &m, &[("line", 1)]);
}

#[test]
fn every_format_is_read_to_the_bit() {
    let folder = Folder::new("formats");
    all_formats::<2>(&folder);
    all_formats::<3>(&folder);
}

#[test]
fn no_cut_or_damaged_file_is_read_as_something_else_or_panics() {
    let folder = Folder::new("damage");
    let m = sample::<3>();
    let [node, ele] = tetgen(&m, 1);
    let texts = [
        ("a.msh", msh2(&m)),
        ("b.msh", msh4(&m)),
        ("c.vtk", vtk(&m, false)),
        ("d.vtk", vtk(&m, true)),
        ("e.ele", ele),
    ];
    folder.file("e.node", &node);
    for (name, text) in &texts {
        for end in (0..text.len()).rev().step_by(7) {
            let got = read_solid::<3>(folder.file(name, &text[..end]));
            // Only what follows the mesh may lack.
            if let Ok(got) = got {
                assert!(got.mesh == m, "{name} cut at {end}");
                let tail = &text[end..];
                assert!(tail.len() < 70, "{name} is read without {tail}");
            }
        }
        let mut seed = 7u64;
        for _ in 0..200 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..3 {
                seed = seed
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let (at, to) = ((seed >> 33) as usize % bytes.len(), (seed >> 20) as u8);
                match seed >> 61 {
                    0 => bytes[at] = to,
                    1 => drop(bytes.remove(at)),
                    2 => bytes.insert(at, b"0123456789 -\n.e$"[to as usize % 16]),
                    _ => bytes[at] = b"0123456789 -\n.e$"[to as usize % 16],
                }
            }
            let path = folder.0.join(name);
            std::fs::write(&path, &bytes).unwrap();
            if let Ok(got) = read_solid::<3>(&path) {
                let m = got.mesh;
                assert!((0..m.cells().len()).all(|k| m.cell_volume(k) > 0.0));
            }
        }
    }
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let folder = Folder::new("wrong");
    let m = sample::<3>();
    let expect = |name: &str, text: &str, words: &[&str]| {
        let e = folder.error(name, text);
        assert!(words.iter().all(|w| e.contains(w)), "{name}: {e}");
    };
    // Gmsh.
    let (two, four) = (msh2(&m), msh4(&m));
    let row = rows(&m)[5].clone();
    expect(
        "a.msh",
        "",
        &["line 1", "the file ends where `$MeshFormat` should be"],
    );
    expect("a.msh", "hello\n", &["line 1", "is it a Gmsh file?"]);
    expect(
        "a.msh",
        &two.replace("2.2 0 8", "2.2 1 8"),
        &["line 2", "binary", "-bin 0"],
    );
    expect(
        "a.msh",
        &two.replace("2.2 0 8", "4.0 0 8"),
        &["line 2", "version 4", "4.1 or 2.2"],
    );
    expect(
        "a.msh",
        &two.replace(&row, "0 nan 0"),
        &["line 15", "a coordinate is NaN", "repair"],
    );
    expect(
        "a.msh",
        &two.replace(&row, "0 1"),
        &["line 15", "a coordinate is missing"],
    );
    expect(
        "a.msh",
        &two.replace(&row, "0 1 x"),
        &["line 15", "`x` is not a coordinate"],
    );
    expect(
        "a.msh",
        &two.replace("\n105 ", "\n104 "),
        &["line 15", "node 104 is there twice"],
    );
    expect(
        "a.msh",
        &two.replace("101 100\n", "101 999\n"),
        &["names point 999"],
    );
    expect(
        "a.msh",
        &two.replace("$Nodes\n27", "$Nodes\n26"),
        &["`$EndNodes` should be here"],
    );
    expect(
        "a.msh",
        &two.replace("$Nodes\n27", "$Nodes\n99999999999999"),
        &["is not the number of a node"],
    );
    expect(
        "a.msh",
        &two.replace("4 1 0 101 100", "4 5 0 100 101 102 103 104 105 106 107"),
        &["line 43", "a hexahedron", "mesh it with tetrahedra only"],
    );
    expect(
        "a.msh",
        &two.replace("4 1 0 101 100", "4 4 0 100 101 102"),
        &["tetrahedron has 4 points, here are 3"],
    );
    expect(
        "a.msh",
        &two.replace("4 1 0 101 100", "4 4 0 100 101 102 100"),
        &["line 43", "has no volume"],
    );
    let again = cells(&m, 100)[0].clone();
    expect(
        "a.msh",
        &two.replace("4 1 0 101 100", &format!("4 4 0 {again}")),
        &["line 44", "overlap"],
    );
    expect(
        "b.msh",
        &four.replace("$Nodes\n2 27", "$Nodes\n2 28"),
        &["there are 27 nodes", "says 28"],
    );
    expect(
        "b.msh",
        &four.replace("$Elements\n2 41", "$Elements\n2 40"),
        &["there are 41 elements"],
    );
    expect(
        "b.msh",
        &four[..four.find("$Elements").unwrap()],
        &["no `$Elements`"],
    );
    // TetGen.
    let [node, ele] = tetgen(&m, 1);
    folder.file("c.node", &node);
    expect(
        "c.ele",
        &ele.replace("40 4 1", "40 5 1"),
        &["line 1", "cells have 5 points"],
    );
    expect(
        "c.ele",
        &ele.replacen(&cells(&m, 1)[3], "1 2 3 28", 1),
        &["line 5", "names point 28"],
    );
    expect(
        "c.ele",
        &ele.replacen(&cells(&m, 1)[3], "1 2 3 0", 1),
        &["line 5", "names point 0"],
    );
    folder.file("c.ele", &ele);
    let lost = read_solid::<3>(folder.file("lone.node", &node))
        .unwrap_err()
        .to_string();
    assert!(
        lost.contains("lone.ele") && lost.contains("check the path"),
        "{lost}"
    );
    expect(
        "c.node",
        &node.replace("\n7  ", "\n8  "),
        &["line 10", "point 8 should be 7"],
    );
    expect(
        "c.node",
        &node.replace("27 3 1 1", "0 3 1 1"),
        &["no points"],
    );
    folder.file("f.ele", &tetgen(&sample::<2>(), 1)[1]);
    let flat = folder.error("f.node", &tetgen(&sample::<2>(), 1)[0]);
    assert!(flat.contains("holds no tetrahedron"), "{flat}");
    // VTK.
    let (old, new) = (vtk(&m, false), vtk(&m, true));
    expect(
        "d.vtk",
        &old.replace("ASCII", "BINARY"),
        &["line 3", "save it as ASCII"],
    );
    expect(
        "d.vtk",
        &old.replace("UNSTRUCTURED_GRID", "POLYDATA"),
        &["line 4", "POLYDATA"],
    );
    expect(
        "d.vtk",
        &old.replace("CELL_TYPES 41", "CELL_TYPES 40"),
        &["41 cells but 40 types"],
    );
    expect(
        "d.vtk",
        &old.replace("2 0 1\n", "2 0 27\n"),
        &["names point 27"],
    );
    expect(
        "d.vtk",
        &old.replace("CELLS 41 203", "CELLS 41 202"),
        &["more than the 202 numbers"],
    );
    expect(
        "d.vtk",
        &old.replace(" 0.1 0.1 ", " 0.1 inf "),
        &["line 6", "a coordinate is inf"],
    );
    expect(
        "e.vtk",
        &new.replace(" 160 162\n", " 160 999\n"),
        &["offsets go down or beyond"],
    );
    expect("x.abc", "", &["its kind is unknown", ".msh"]);
    // A triangle out of the plane.
    let lifted = msh2(&sample::<2>()).replacen(" 0\n101", " 0.5\n101", 1);
    let e = read_solid::<2>(folder.file("g.msh", &lifted))
        .unwrap_err()
        .to_string();
    assert!(e.contains("not in the plane z = 0"), "{e}");
}

#[test]
fn cells_inside_out_are_turned_and_second_order_loses_its_middles() {
    let folder = Folder::new("turned");
    let node = "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 .5 0 0\n";
    folder.file("a.node", node);
    let right = read_solid::<3>(folder.file("a.ele", "1 4 0\n0 0 1 2 3\n"))
        .unwrap()
        .mesh;
    let turned = read_solid::<3>(folder.file("a.ele", "1 4 0\n0 1 0 2 3\n"))
        .unwrap()
        .mesh;
    assert!(right.volume() == turned.volume() && right.volume() > 0.16);
    let middles = "1 10 0\n0 0 1 2 3 4 4 4 4 4 4\n";
    let second = read_solid::<3>(folder.file("a.ele", middles)).unwrap().mesh;
    assert_eq!(second, right);
    assert_eq!(second.points().len(), 4);
}
