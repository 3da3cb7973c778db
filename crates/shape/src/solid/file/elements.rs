//! Kinds of elements, and the numbers that formats have for them.

/// A kind of element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kind {
    pub name: &'static str,
    /// 0 for points to 3 for what fills space.
    pub dimension: usize,
    /// Whether it is a triangle or a tetrahedron.
    pub simplex: bool,
    /// How many points it has; the corners come first.
    pub corners: usize,
}

const fn kind(name: &'static str, dimension: usize, simplex: bool, corners: usize) -> Kind {
    Kind {
        name,
        dimension,
        simplex,
        corners,
    }
}

pub(super) const TRIANGLE: Kind = kind("triangle", 2, true, 3);
pub(super) const TETRAHEDRON: Kind = kind("tetrahedron", 3, true, 4);
const POINT: Kind = kind("point", 0, false, 1);
const LINE: Kind = kind("line", 1, false, 2);
const QUADRANGLE: Kind = kind("quadrangle", 2, false, 4);
const HEXAHEDRON: Kind = kind("hexahedron", 3, false, 8);
const PRISM: Kind = kind("prism", 3, false, 6);
const PYRAMID: Kind = kind("pyramid", 3, false, 5);
/// Second order: the points on edges follow the corners.
const LINE_3: Kind = kind("line", 1, false, 3);
const TRIANGLE_6: Kind = kind("triangle", 2, true, 6);
const TETRAHEDRON_10: Kind = kind("tetrahedron", 3, true, 10);

/// Gmsh's numbers (reference manual, "MSH file format").
pub(super) fn gmsh(number: u64) -> Option<Kind> {
    Some(match number {
        1 => LINE,
        2 => TRIANGLE,
        3 => QUADRANGLE,
        4 => TETRAHEDRON,
        5 => HEXAHEDRON,
        6 => PRISM,
        7 => PYRAMID,
        8 => LINE_3,
        9 => TRIANGLE_6,
        11 => TETRAHEDRON_10,
        15 => POINT,
        10 | 16 => QUADRANGLE,
        12 | 17 => HEXAHEDRON,
        13 | 18 => PRISM,
        14 | 19 => PYRAMID,
        _ => return None,
    })
}

/// VTK's numbers (vtkCellType.h).
pub(super) fn vtk(number: u64) -> Option<Kind> {
    Some(match number {
        1 | 2 => POINT,
        3 | 4 => LINE,
        5 => TRIANGLE,
        8 | 9 | 23 | 28 => QUADRANGLE,
        10 => TETRAHEDRON,
        11 | 12 | 25 | 29 | 33 => HEXAHEDRON,
        13 | 26 | 32 => PRISM,
        14 | 27 | 37 => PYRAMID,
        21 => LINE_3,
        22 => TRIANGLE_6,
        24 => TETRAHEDRON_10,
        _ => return None,
    })
}
