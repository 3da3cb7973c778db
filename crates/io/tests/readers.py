#!/usr/bin/env python3
"""Checks thixo's particle and surface files with other people's readers.

    cargo run -p thixo-io --example reader_sample -- FOLDER
    python -m venv V && V/bin/pip install vtk plyfile trimesh numpy usd-core
    V/bin/python crates/io/tests/readers.py FOLDER

Every column of every file is compared bit for bit. Then every kind of file is damaged in a copy, and
the same comparison must reject it. Exits with 0 if all that holds.
"""

import argparse
import csv
import json
import pathlib
import re
import shutil
import sys
import tempfile
import warnings
import xml.etree.ElementTree as xml

import numpy as np
import plyfile
import trimesh
from pxr import Usd, UsdGeom
# Not `import vtk`: its modules for drawing need libraries that a server may not have.
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkIOImage import vtkPNGReader
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

checks = 0


class Differs(Exception):
    pass


def same(what, got, want, dtype):
    global checks
    want = np.asarray(want, dtype)
    got = np.asarray(got)
    if got.size != want.size:
        raise Differs(f"{what}: {got.size} values for {want.size}")
    got = got.reshape(want.shape)
    if got.dtype != want.dtype or got.tobytes() != want.tobytes():
        raise Differs(f"{what}: differs ({got.dtype} for {want.dtype})")
    checks += 1


def truth(what, holds):
    global checks
    if not holds:
        raise Differs(f"{what}: no")
    checks += 1


def columns(want):
    return dict(want["scalars"], mass=want["mass"], volume=want["volume"])


def vectors(values):
    return np.reshape(values, (-1, 3))


def read_vtp(path, want, time):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    truth(f"{path}: read without error", reader.GetErrorCode() == 0)
    data = reader.GetOutput()
    truth(f"{path}: points", data.GetNumberOfPoints() == len(want["position"]))
    truth(f"{path}: time", data.GetFieldData().GetArray("TimeValue").GetValue(0) == time)
    if want["position"]:
        same(f"{path}: position", vtk_to_numpy(data.GetPoints().GetData()), want["position"], "<f8")
    return data


def check_vtp(path, want, time):
    data = read_vtp(path, want, time)
    n = len(want["position"])
    size = 1 if not want["faces"] else want["dimension"]
    cells = {1: data.GetVerts(), 2: data.GetLines(), 3: data.GetPolys()}[size]
    corners = [[k] for k in range(n)] if size == 1 else [f[:size] for f in want["faces"]]
    count = cells.GetNumberOfCells()
    truth(f"{path}: one cell a face or point", count == data.GetNumberOfCells() == len(corners))
    points = data.GetPointData()
    truth(f"{path}: number of columns", points.GetNumberOfArrays() == len(columns(want)) + 2)
    if n == 0:
        return
    connectivity = vtk_to_numpy(cells.GetConnectivityArray())
    same(f"{path}: cells", connectivity.astype("<i8"), corners, "<i8")
    offsets = vtk_to_numpy(cells.GetOffsetsArray())
    same(f"{path}: offsets", offsets.astype("<i8"), np.arange(count + 1) * size, "<i8")
    for name, values in dict(columns(want), velocity=want["velocity"]).items():
        same(f"{path}: {name}", vtk_to_numpy(points.GetArray(name)), values, "<f4")
    same(f"{path}: id", vtk_to_numpy(points.GetArray("id")).astype("<u8"), want["id"], "<u8")


def check_mesh_vtp(path, want, time):
    data = read_vtp(path, want, time)
    n = len(want["triangle"])
    truth(f"{path}: triangles", data.GetNumberOfPolys() == data.GetNumberOfCells() == n)
    if n == 0:
        return
    cells = vtk_to_numpy(data.GetPolys().GetConnectivityArray())
    same(f"{path}: triangles", cells.astype("<i8"), want["triangle"], "<i8")
    offsets = vtk_to_numpy(data.GetPolys().GetOffsetsArray())
    same(f"{path}: offsets", offsets.astype("<i8"), np.arange(n + 1) * 3, "<i8")
    points = data.GetPointData()
    for name, key in [("Normals", "normal"), ("velocity", "velocity")]:
        same(f"{path}: {name}", vtk_to_numpy(points.GetArray(name)), want[key], "<f4")


def check_ply(path, want, _time):
    data = plyfile.PlyData.read(str(path))
    vertex = data["vertex"]
    n = len(want["position"])
    truth(f"{path}: points", vertex.count == n)
    truth(f"{path}: material", f"material {want['material']}" in data.comments)
    truth(f"{path}: name", f"name {want['name']}" in data.comments)
    xyz = np.stack([vertex[c] for c in "xyz"], 1)
    same(f"{path}: position", xyz, want["position"], "<f8")
    vel = np.stack([vertex[c] for c in ("vx", "vy", "vz")], 1)
    same(f"{path}: velocity", vel, want["velocity"], "<f4")
    if "triangle" in want:
        normal = np.stack([vertex[c] for c in ("nx", "ny", "nz")], 1)
        same(f"{path}: normal", normal, want["normal"], "<f4")
        faces = [list(f) for f in data["face"]["vertex_indices"]]
        same(f"{path}: triangles", np.asarray(faces, "<i4"), want["triangle"], "<i4")
        if n > 0:
            check_trimesh(path, want)
        return
    for name, values in columns(want).items():
        same(f"{path}: {name}", vertex[name], values, "<f4")
    names = [p.name for p in vertex.properties]
    ids = np.asarray(vertex["id"], "<u8")
    if "id_high" in names:
        ids = ids + (np.asarray(vertex["id_high"], "<u8") << np.uint64(32))
    same(f"{path}: id", ids, want["id"], "<u8")
    kinds = [e.name for e in data.elements]
    faces = want["faces"]
    truth(f"{path}: faces or edges if any", kinds[1:] == ([] if not faces else ["edge"] if want["dimension"] == 2 else ["face"]))
    if faces and want["dimension"] == 2:
        ends = np.stack([data["edge"][c] for c in ("vertex1", "vertex2")], 1)
        same(f"{path}: edges", ends, [f[:2] for f in faces], "<i4")
    elif faces:
        corners = [list(f) for f in data["face"]["vertex_indices"]]
        same(f"{path}: faces", np.asarray(corners, "<i4"), faces, "<i4")
        mesh = trimesh.load(str(path), process=False)
        same(f"{path}: trimesh, faces", np.asarray(mesh.faces, "<i8"), faces, "<i8")
        truth(f"{path}: closed, faces turned outwards", mesh.is_watertight and mesh.volume > 0.2)
    elif n > 0:
        cloud = trimesh.load(str(path))
        near = np.allclose(np.asarray(cloud.vertices), want["position"], rtol=1e-6, atol=1e-7)
        truth(f"{path}: trimesh", len(cloud.vertices) == n and near)


def check_trimesh(path, want):
    mesh = trimesh.load(str(path), process=False)
    truth(f"{path}: trimesh, vertices", len(mesh.vertices) == len(want["position"]))
    truth(f"{path}: trimesh, close", np.allclose(mesh.vertices, want["position"], rtol=1e-12))
    same(f"{path}: trimesh, faces", np.asarray(mesh.faces, "<i8"), want["triangle"], "<i8")
    truth(f"{path}: closed, its faces turned outwards", mesh.is_watertight and mesh.is_winding_consistent)
    truth(f"{path}: volume", abs(mesh.volume / want["volume"] - 1) < 1e-9)
    out = (np.asarray(want["normal"]) * mesh.vertex_normals).sum(1)
    truth(f"{path}: normals are trimesh's", out.min() > 0.8)


def check_obj(path, want, _time):
    if not want["position"]:
        truth(f"{path}: nothing", not re.search(r"^(v|f) ", path.read_text(), re.M))
        return
    check_trimesh(path, want)
    rows = [line.split() for line in path.read_text().splitlines()]
    numbers = lambda word, dtype: np.asarray([r[1:] for r in rows if r[0] == word], dtype)
    same(f"{path}: position", numbers("v", "<f8"), want["position"], "<f8")
    same(f"{path}: normal", numbers("vn", "<f4"), want["normal"], "<f4")


def check_csv(path, want, _time):
    with open(path, newline="") as file:
        head, *rows = csv.reader(file)
    names = ["x", "y", "z", "id", "vx", "vy", "vz", "mass", "volume", *want["scalars"]]
    truth(f"{path}: header", sorted(head) == sorted(names))
    truth(f"{path}: rows", len(rows) == len(want["position"]))
    if not rows:
        return
    column = lambda name, dtype: np.asarray([r[head.index(name)] for r in rows], dtype)
    xyz = np.stack([column(c, "<f8") for c in "xyz"], 1)
    same(f"{path}: position", xyz, want["position"], "<f8")
    vel = np.stack([column(c, "<f4") for c in ("vx", "vy", "vz")], 1)
    same(f"{path}: velocity", vel, want["velocity"], "<f4")
    same(f"{path}: id", column("id", "<u8"), want["id"], "<u8")
    for name, values in columns(want).items():
        same(f"{path}: {name}", column(name, "<f4"), values, "<f4")
    table = np.genfromtxt(path, delimiter=",", names=True)
    same(f"{path}: NumPy's table", table["y"], np.asarray(want["position"])[:, 1], "<f8")


def check_npz(path, want, time):
    with np.load(path) as data:
        scalars = columns(want)
        own = {"position", "velocity", "id", "time", "cell", "spacing", "dimension", "name", "material"}
        truth(f"{path}: names", set(data.files) == own | set(scalars))
        for name in data.files:  # reading checks the sums
            array = data[name]
            if name in ("name", "material"):
                truth(f"{path}: {name}", str(array) == want[name])
                continue
            kind = {"id": "<u8", "dimension": "<u8", "position": "<f8", "time": "<f8", "cell": "<f8"}
            value = time if name == "time" else scalars[name] if name in scalars else want[name]
            kind = kind.get(name, "<f8" if name == "spacing" else "<f4")
            same(f"{path}: {name}", array, value, kind)
        truth(f"{path}: shape", data["position"].shape == (len(want["position"]), 3))


def linear(color):
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color]


def check_prim(what, prim, want, code):
    """A prim at a time code, through the schema that it claims to be."""
    surface = "triangle" in want
    body = not surface and want["faces"] and want["dimension"] == 3
    mesh = surface or body
    shape = UsdGeom.Mesh(prim) if mesh else UsdGeom.Points(prim)
    truth(f"{what}: schema", prim.GetTypeName() == ("Mesh" if mesh else "Points"))
    truth(f"{what}: name", prim.GetCustomDataByKey("name") == want["name"])
    truth(f"{what}: material", prim.GetCustomDataByKey("material") == want["material"])
    single = np.asarray(want["position"], "<f8").reshape(-1, 3).astype("<f4")
    value = lambda attribute: np.asarray(attribute.Get(code))
    same(f"{what}: points", value(shape.GetPointsAttr()), single, "<f4")
    same(f"{what}: velocities", value(shape.GetVelocitiesAttr()), vectors(want["velocity"]), "<f4")
    color = np.asarray(shape.GetDisplayColorPrimvar().Get(code))
    truth(f"{what}: colour", np.allclose(color, [linear(want["color"])], atol=1e-6))
    extent = value(shape.GetExtentAttr())
    if mesh:
        faces = want["faces"] if body else want["triangle"]
        counts = value(shape.GetFaceVertexCountsAttr())
        same(f"{what}: faces", counts, np.full(len(faces), 3), "<i4")
        corners = np.reshape(faces, -1)
        same(f"{what}: corners", value(shape.GetFaceVertexIndicesAttr()), corners, "<i4")
        normals = value(shape.GetNormalsAttr())
        if surface:
            same(f"{what}: normals", normals, vectors(want["normal"]), "<f4")
        else:
            a, b, c = (np.asarray(want["position"])[np.asarray(faces)[:, k]] for k in range(3))
            own = np.zeros((len(single), 3))
            for k in range(3):
                np.add.at(own, np.asarray(faces)[:, k], np.cross(b - a, c - a))
            used = np.unique(faces)
            own = own[used] / np.linalg.norm(own[used], axis=1, keepdims=True)
            truth(f"{what}: normals", len(normals) == len(single) and np.allclose(normals[used], own, atol=1e-6))
        truth(f"{what}: normals' place", shape.GetNormalsInterpolation() == "vertex")
        truth(f"{what}: no subdivision", shape.GetSubdivisionSchemeAttr().Get() == "none")
        valid, why = UsdGeom.Mesh.ValidateTopology(
            shape.GetFaceVertexIndicesAttr().Get(code), shape.GetFaceVertexCountsAttr().Get(code), len(single)
        )
        truth(f"{what}: topology {why}", valid)
        widths = None
    else:
        same(f"{what}: ids", value(shape.GetIdsAttr()), want["id"], "<i8")
        volume = np.asarray(want["volume"], "<f4").astype("<f8")
        ball = want["dimension"] == 3
        width = 2 * (np.cbrt(0.75 / np.pi * volume) if ball else np.sqrt(volume / np.pi))
        widths = value(shape.GetWidthsAttr())
        truth(f"{what}: widths", len(widths) == len(width) and np.allclose(widths, width, rtol=2e-7, atol=0))
        truth(f"{what}: widths' place", shape.GetWidthsInterpolation() == "vertex")
    if not surface:
        primvars = UsdGeom.PrimvarsAPI(prim)
        for name, values in columns(want).items():
            primvar = primvars.GetPrimvar(name)
            same(f"{what}: {name}", np.asarray(primvar.Get(code)), values, "<f4")
            truth(f"{what}: {name}'s place", primvar.GetInterpolation() == "vertex")
    if body:
        same(f"{what}: id", np.asarray(primvars.GetPrimvar("id").Get(code)), want["id"], "<i8")
    if len(single):
        computed = UsdGeom.Boundable.ComputeExtentFromPlugins(shape, Usd.TimeCode(code))
        inside = np.all(extent[0] <= np.asarray(computed)[0] + 1e-6) and np.all(extent[1] >= np.asarray(computed)[1] - 1e-6)
        truth(f"{what}: extent", inside and np.allclose(extent, computed, atol=0.02))


def open_stage(path):
    stage = Usd.Stage.Open(str(path))
    truth(f"{path}: metres", UsdGeom.GetStageMetersPerUnit(stage) == 1)
    truth(f"{path}: y up", UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.y)
    truth(f"{path}: default prim", stage.GetDefaultPrim().IsValid())
    return stage


def check_usd(path, want, _time):
    stage = open_stage(path)
    truth(f"{path}: prim", stage.GetDefaultPrim().GetName() == want["stem"])
    check_prim(path, stage.GetDefaultPrim(), want, 0.0)


def check_usd_series(path, expected, key):
    stage = open_stage(path)
    last = len(expected["frames"]) - 1
    truth(f"{path}: range", (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, last))
    rates = stage.GetTimeCodesPerSecond(), stage.GetFramesPerSecond()
    truth(f"{path}: frames per second", rates == (expected["fps"],) * 2)
    root = stage.GetDefaultPrim()
    truth(f"{path}: prims", len(root.GetChildren()) == len(expected["frames"][0][key]))
    for code, frame in enumerate(expected["frames"]):
        for want in frame[key]:
            prim = root.GetChild(want["stem"])
            points = UsdGeom.PointBased(prim).GetPointsAttr()
            truth(f"{path}: samples", points.GetTimeSamples() == list(range(last + 1)))
            check_prim(f"{path}, {want['stem']} at {code}", prim, want, float(code))
    # Between frames points go on with their velocity, in seconds.
    want = expected["frames"][0][key][0]
    shape = UsdGeom.PointBased(root.GetChild(want["stem"]))
    moved = np.asarray(shape.ComputePointsAtTime(0.5, 0.0))
    x, v = (np.asarray(want[k], "<f4") for k in ("position", "velocity"))
    truth(f"{path}: motion", np.allclose(moved, x + v * 0.5 / expected["fps"], atol=1e-6))
    truth(f"{path}: it moves", not np.allclose(moved, x, atol=1e-4))


def check_png(path):
    reader = vtkPNGReader()
    reader.SetFileName(str(path))
    reader.Update()
    truth(f"{path}: size", reader.GetOutput().GetDimensions()[:2] == (320, 180))
    pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())
    truth(f"{path}: something is drawn", pixels.std() > 5)


def check_series(path, expected, key):
    series = xml.parse(path).getroot().iter("DataSet")
    listed = [(float(d.get("timestep")), d.get("part"), d.get("name"), d.get("file")) for d in series]
    wanted = [
        (frame["time"], str(part), want["name"], f"{want['stem']}_{k:04}.vtp")
        for k, frame in enumerate(expected["frames"])
        for part, want in enumerate(frame[key])
    ]
    truth(path, listed == wanted)


def flip(data):
    """One bit of a byte three fifths on, in the middle of the values."""
    at = len(data) * 3 // 5
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def nudge(data):
    """One digit of a number a quarter on."""
    at = re.compile(rb"\d\.\d").search(data, len(data) // 4).end() - 1
    return data[:at] + (b"1" if data[at : at + 1] != b"1" else b"2") + data[at + 1 :]


def face(extension, want):
    """Another corner of the last face, and nothing else."""

    def damage(data):
        if extension == "usda":
            end = re.compile(rb"faceVertexIndices = \[[^]]*").search(data).end() - 1
            return data[:end] + (b"1" if data[end : end + 1] != b"1" else b"2") + data[end + 1 :]
        tail = len(b"\n</AppendedData>\n</VTKFile>\n") + 8 * len(want["faces"]) + 8
        at = len(data) - (4 if extension == "ply" else tail + 8)
        return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]

    return damage


def rejected(check, path, damage, *wanted):
    """The check holds for the file and not for a damaged copy."""
    global checks
    check(path, *wanted)
    before = checks
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / path.name
        shutil.copyfile(path, copy)
        check(copy, *wanted)
        # A reader may keep what it read under the name of a file.
        copy = copy.with_name("damaged_" + path.name)
        data = damage(path.read_bytes())
        if data == path.read_bytes():
            sys.exit(f"{path}: no damage done")
        copy.write_bytes(data)
        try:
            check(copy, *wanted)
        except Differs:
            pass
        except Exception as e:
            print(f"  {path.name}: the reader itself refuses the damaged copy ({type(e).__name__})")
        else:
            sys.exit(f"{path}: a damaged copy passes")
    checks = before + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="written by the example `reader_sample`")
    folder = parser.parse_args().folder
    warnings.simplefilter("ignore")
    expected = json.loads((folder / "expected.json").read_text())
    particles, surfaces, single = folder / "particles", folder / "surfaces", folder / "single"
    per_frame = [
        (particles, "sets", "ply", check_ply, flip),
        (particles, "sets", "vtp", check_vtp, flip),
        (particles, "sets", "csv", check_csv, nudge),
        (particles, "sets", "npz", check_npz, flip),
        (single / "particles", "sets", "usda", check_usd, nudge),
        (surfaces, "meshes", "ply", check_ply, flip),
        (surfaces, "meshes", "vtp", check_mesh_vtp, flip),
        (surfaces, "meshes", "obj", check_obj, nudge),
        (single / "surfaces", "meshes", "usda", check_usd, nudge),
    ]
    for place, key, extension, check, damage in per_frame:
        for k, frame in enumerate(expected["frames"]):
            for want in frame[key]:
                path = place / f"{want['stem']}_{k:04}.{extension}"
                if want["position"]:
                    rejected(check, path, damage, want, frame["time"])
                    deep = want["dimension"] == 3 if key == "sets" else False
                    told = extension in ("ply", "vtp") or (extension == "usda" and deep)
                    if key == "sets" and want["faces"] and told:
                        rejected(check, path, face(extension, want), want, frame["time"])
                else:
                    check(path, want, frame["time"])
    for place, key in [(particles, "sets"), (surfaces, "meshes")]:
        rejected(check_usd_series, place / "sample.usda", nudge, expected, key)
        check_series(place / "sample.pvd", expected, key)
    for k in range(len(expected["frames"])):
        check_png(folder / "pictures" / f"frame_{k:04}.png")
    versions = f"vtk {vtkVersion.GetVTKVersion()}, trimesh {trimesh.__version__}, numpy {np.__version__}"
    usd = ".".join(map(str, Usd.GetVersion()))
    print(f"{checks} checks hold, all damage is found: {versions}, usd {usd}, plyfile")


if __name__ == "__main__":
    try:
        main()
    except Differs as e:
        sys.exit(str(e))
