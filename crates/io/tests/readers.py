#!/usr/bin/env python3
"""Checks thixo's particle files with other people's readers.

    cargo run -p thixo-io --example reader_sample -- FOLDER
    python -m venv V && V/bin/pip install vtk plyfile trimesh numpy
    V/bin/python crates/io/tests/readers.py FOLDER

Every column of every file is compared bit for bit (single-precision positions: after rounding).
Exits with 0 if all agree.
"""

import argparse
import json
import pathlib
import sys
import warnings
import xml.etree.ElementTree as xml

import numpy as np
import plyfile
import trimesh
# Not `import vtk`: its modules for drawing need libraries that a server may not have.
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkIOImage import vtkPNGReader
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

checks = 0


def same(what, got, want, dtype):
    global checks
    want = np.asarray(want, dtype)
    got = np.asarray(got).reshape(want.shape)
    if got.dtype != want.dtype or got.tobytes() != want.tobytes():
        sys.exit(f"{what}: differs ({got.dtype} for {want.dtype})")
    checks += 1


def truth(what, holds):
    global checks
    if not holds:
        sys.exit(f"{what}: no")
    checks += 1


def check_vtp(path, want, time):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    truth(f"{path}: read without error", reader.GetErrorCode() == 0)
    data = reader.GetOutput()
    n = len(want["position"])
    truth(f"{path}: points", data.GetNumberOfPoints() == n)
    truth(f"{path}: one vertex cell a point", data.GetNumberOfVerts() == data.GetNumberOfCells() == n)
    truth(f"{path}: time", data.GetFieldData().GetArray("TimeValue").GetValue(0) == time)
    if n == 0:
        return
    same(f"{path}: position", vtk_to_numpy(data.GetPoints().GetData()), want["position"], "<f8")
    cells = vtk_to_numpy(data.GetVerts().GetConnectivityArray())
    same(f"{path}: cells", cells.astype("<i8"), range(n), "<i8")
    columns = dict(want["scalars"], mass=want["mass"], volume=want["volume"], velocity=want["velocity"])
    points = data.GetPointData()
    truth(f"{path}: number of columns", points.GetNumberOfArrays() == len(columns) + 1)
    for name, values in columns.items():
        same(f"{path}: {name}", vtk_to_numpy(points.GetArray(name)), values, "<f4")
    same(f"{path}: id", vtk_to_numpy(points.GetArray("id")).astype("<u8"), want["id"], "<u8")


def check_ply(path, want, position):
    data = plyfile.PlyData.read(str(path))
    vertex = data["vertex"]
    n = len(want["position"])
    truth(f"{path}: points", vertex.count == n)
    truth(f"{path}: material", f"material {want['material']}" in data.comments)
    truth(f"{path}: name", f"name {want['name']}" in data.comments)
    if n == 0:
        return
    xyz = np.stack([vertex[c] for c in "xyz"], 1)
    same(f"{path}: position", xyz, np.asarray(want["position"], "<f8").astype(position), position)
    vel = np.stack([vertex[c] for c in ("vx", "vy", "vz")], 1)
    same(f"{path}: velocity", vel, want["velocity"], "<f4")
    for name, values in dict(want["scalars"], mass=want["mass"], volume=want["volume"]).items():
        same(f"{path}: {name}", vertex[name], values, "<f4")
    names = [p.name for p in vertex.properties]
    ids = np.asarray(vertex["id"], "<u8")
    if "id_high" in names:
        ids = ids + (np.asarray(vertex["id_high"], "<u8") << np.uint64(32))
    same(f"{path}: id", ids, want["id"], "<u8")
    cloud = trimesh.load(str(path))
    near = np.allclose(np.asarray(cloud.vertices), want["position"], rtol=1e-6, atol=1e-7)
    truth(f"{path}: trimesh", len(cloud.vertices) == n and near)


def check_png(path):
    reader = vtkPNGReader()
    reader.SetFileName(str(path))
    reader.Update()
    truth(f"{path}: size", reader.GetOutput().GetDimensions()[:2] == (320, 180))
    pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())
    truth(f"{path}: something is drawn", pixels.std() > 5)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="written by the example `reader_sample`")
    folder = parser.parse_args().folder
    warnings.simplefilter("ignore")
    expected = json.loads((folder / "expected.json").read_text())
    particles = folder / "particles"
    for frame, time in enumerate(expected["times"]):
        for want in expected["sets"]:
            stem = f"{want['stem']}_{frame:04}"
            check_vtp(particles / f"{stem}.vtp", want, time)
            check_ply(particles / f"{stem}.ply", want, "<f8")
            check_ply(particles / f"{stem}.f32.ply", want, "<f4")
        check_png(folder / "pictures" / f"frame_{frame:04}.png")
    series = xml.parse(particles / "sample.pvd").getroot().iter("DataSet")
    listed = [(float(d.get("timestep")), d.get("part"), d.get("name"), d.get("file")) for d in series]
    wanted = [
        (time, str(part), want["name"], f"{want['stem']}_{frame:04}.vtp")
        for frame, time in enumerate(expected["times"])
        for part, want in enumerate(expected["sets"])
    ]
    truth("sample.pvd", listed == wanted)
    print(f"{checks} checks hold: vtk {vtkVersion.GetVTKVersion()}, plyfile, trimesh {trimesh.__version__}")


if __name__ == "__main__":
    main()
