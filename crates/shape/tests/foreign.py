#!/usr/bin/env python3
"""Solid mesh files that meshio wrote, read by thixo.

    cargo build --release -p thixo-shape --example read_solid
    V/bin/python crates/shape/tests/foreign.py target/release/examples/read_solid

Numbers of points and cells, the volume and the sums of coordinates must be those that NumPy finds. A
copy in which one point is moved must not pass. Exits with 0 if all that holds.
"""

import pathlib
import subprocess
import sys
import tempfile

import meshio
import numpy as np

FORMATS = [
    ("gmsh22", "msh", dict(file_format="gmsh22", binary=False)),
    ("gmsh41", "msh", dict(file_format="gmsh", binary=False)),
    ("tetgen", "node", dict(file_format="tetgen")),
    ("vtk42", "vtk", dict(file_format="vtk42", binary=False)),
    ("vtk51", "vtk", dict(file_format="vtk51", binary=False)),
]


def grid(dimension, n=4):
    """A bent grid: Kuhn's tetrahedra, in two dimensions triangles."""
    axes = [np.linspace(0, 1, n + 1)] * dimension
    x = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, dimension)
    number = np.arange(len(x)).reshape((n + 1,) * dimension)
    paths = {2: [(0, 1), (1, 0)], 3: [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]}
    cells = []
    for low in np.ndindex((n,) * dimension):
        for path in paths[dimension]:
            at, cell = list(low), [number[low]]
            for axis in path:
                at[axis] += 1
                cell.append(number[tuple(at)])
            cells.append(cell)
    bent = x + 0.05 * np.sin(5 * x[:, ::-1]) + 0.1
    places = np.zeros((len(x), 3))
    places[:, :dimension] = bent
    return places, np.asarray(cells)


def facts(points, cells, dimension):
    p = points[:, :dimension]
    edges = p[cells[:, 1:]] - p[cells[:, :1]]
    volume = np.abs(np.linalg.det(edges)).sum() / (6 if dimension == 3 else 2)
    return [len(p), len(cells), volume, *p.sum(0)]


def main(program):
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for dimension, kind, other in [(3, "tetra", "triangle"), (2, "triangle", "line")]:
            points, cells = grid(dimension)
            for name, ending, how in FORMATS:
                if name == "tetgen" and dimension == 2:
                    continue
                blocks = [(kind, cells)]
                more = name not in ("tetgen", "gmsh41")  # whose writers take one kind of cell
                if more:
                    blocks.append((other, cells[:3, :dimension]))
                path = pathlib.Path(folder) / f"{name}{dimension}.{ending}"
                want = facts(points, cells, dimension)
                for damage in [False, True]:
                    moved = points.copy()
                    moved[len(points) // 2, 0] += 0.01 * damage
                    meshio.Mesh(moved, blocks).write(path, **how)
                    run = subprocess.run([program, str(dimension), path], capture_output=True, text=True, check=True)
                    word, *numbers = run.stdout.split()
                    if word != "read":
                        sys.exit(f"{path.name}: {run.stdout}")
                    n, m, skipped, *rest = map(float, numbers)
                    same = np.allclose([n, m, *rest], want, rtol=1e-12) and skipped == 3 * more
                    if same == damage:
                        sys.exit(f"{path.name}: {run.stdout} for {want}" if not damage else f"{path.name}: damage passes")
                    count += 1
    print(f"{count} solid mesh files of meshio {meshio.__version__} are read, all damage is found")


if __name__ == "__main__":
    main(sys.argv[1])
