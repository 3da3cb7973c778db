//! A solid mesh as the text of every format that is read.

use std::fmt::Write as _;

use thixo_math::Vector;
use thixo_shape::*;

/// A small mesh with odd coordinates, and its text in all formats.
pub fn sample<const D: usize>() -> SolidMesh<D> {
    let b = Bounds {
        low: Vector::splat(0.1),
        high: Vector::from_fn(|a| 1.0 / 3.0 + a as f64),
    };
    SolidMesh::lattice(&b, [2; D]).unwrap()
}

pub fn rows<const D: usize>(m: &SolidMesh<D>) -> Vec<String> {
    let z = |x: &Vector<f64, D>| if D == 3 { x[D - 1] } else { 0.0 };
    let row = |x: &Vector<f64, D>| format!("{} {} {}", x[0], x[1], z(x));
    m.points().iter().map(row).collect()
}

pub fn cells<const D: usize>(m: &SolidMesh<D>, first: u32) -> Vec<String> {
    let cell = |k: usize| {
        let names = m.corners(k).iter().map(|i| (i + first).to_string());
        names.collect::<Vec<_>>().join(" ")
    };
    (0..m.cells().len()).map(cell).collect()
}

/// Gmsh 2.2, node numbers not in a row, with a point, a line and an unknown element.
pub fn msh2<const D: usize>(m: &SolidMesh<D>) -> String {
    let mut t =
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"a b\"\n$EndPhysicalNames\n"
            .to_string();
    let _ = writeln!(t, "$Nodes\n{}", m.points().len());
    for (k, row) in rows(m).iter().enumerate() {
        let _ = writeln!(t, "{} {row}", k + 100);
    }
    let _ = writeln!(t, "$EndNodes\n$Elements\n{}", m.cells().len() + 4);
    t += "1 15 2 0 1 100\n2 1 2 0 1 100 101\n3 93 2 0 1 100 101 102\n4 1 0 101 100\n";
    for (k, cell) in cells(m, 100).iter().enumerate() {
        let kind = if D == 3 { 4 } else { 2 };
        let _ = writeln!(t, "{} {kind} 2 99 2 {cell}", k + 5);
    }
    t + "$EndElements\n"
}

/// Gmsh 4.1 in two blocks of nodes, the first with a parameter.
pub fn msh4<const D: usize>(m: &SolidMesh<D>) -> String {
    let n = m.points().len();
    let mut t = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n".to_string();
    let _ = writeln!(t, "$Nodes\n2 {n} 1 {n}\n1 1 1 2\n1\n2");
    let rows = rows(m);
    for row in &rows[..2] {
        let _ = writeln!(t, "{row} 0.5");
    }
    let _ = writeln!(t, "3 1 0 {}", n - 2);
    (3..=n).for_each(|k| t += &format!("{k}\n"));
    rows[2..].iter().for_each(|row| t += &format!("{row}\n"));
    let count = m.cells().len();
    let kind = if D == 3 { 4 } else { 2 };
    let _ = writeln!(t, "$EndNodes\n$Elements\n2 {} 1 {}", count + 1, count + 1);
    let _ = writeln!(t, "1 1 1 1\n1 1 2\n{D} 1 {kind} {count}");
    for (k, cell) in cells(m, 1).iter().enumerate() {
        let _ = writeln!(t, "{} {cell}", k + 2);
    }
    t + "$EndElements\n"
}

pub fn tetgen<const D: usize>(m: &SolidMesh<D>, first: u32) -> [String; 2] {
    let mut node = format!("# made by hand\n{} {D} 1 1  # head\n\n", m.points().len());
    for (k, x) in m.points().iter().enumerate() {
        let _ = write!(node, "{}", k as u32 + first);
        x.0.iter().for_each(|c| node += &format!("  {c}"));
        node += "  7.5 1\n";
    }
    let mut ele = format!("{} {} 1\n", m.cells().len(), D + 1);
    for (k, cell) in cells(m, first).iter().enumerate() {
        let _ = writeln!(ele, "{} {cell} 3", k as u32 + first);
    }
    [node, ele]
}

/// Legacy VTK as ParaView wrote it before version 5 and since, with a line besides.
pub fn vtk<const D: usize>(m: &SolidMesh<D>, new: bool) -> String {
    let (n, c) = (m.points().len(), m.cells().len());
    let version = if new { "5.1" } else { "3.0" };
    let mut t = format!(
        "# vtk DataFile Version {version}\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {n} double\n"
    );
    // Two points in a row, as writers do.
    rows(m)
        .chunks(2)
        .for_each(|two| t += &format!("{}\n", two.join(" ")));
    t += "METADATA\nINFORMATION 0\n\n";
    let cells = cells(m, 0);
    if new {
        let size = 2 + (D + 1) * c;
        let _ = writeln!(t, "CELLS {} {size}\nOFFSETS vtktypeint64", c + 2);
        (0..=c).for_each(|k| t += &format!("{} ", k * (D + 1)));
        let _ = writeln!(
            t,
            "{size}\nCONNECTIVITY vtktypeint64\n{}\n0 1",
            cells.join(" ")
        );
    } else {
        let _ = writeln!(t, "CELLS {} {}", c + 1, (D + 2) * c + 3);
        cells
            .iter()
            .for_each(|cell| t += &format!("{} {cell}\n", D + 1));
        t += "2 0 1\n";
    }
    let _ = writeln!(t, "CELL_TYPES {}", c + 1);
    let kind = if D == 3 { "10\n" } else { "5\n" };
    t + &kind.repeat(c) + "3\nPOINT_DATA 1\nSCALARS a float\nLOOKUP_TABLE default\n1\n"
}
