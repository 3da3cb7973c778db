#!/usr/bin/env python3
"""Checks thixo's OpenVDB files with OpenVDB itself.

    cargo run -p thixo-io --example vdb_sample -- FOLDER
    apt install libopenvdb-tools python3-openvdb
    /usr/bin/python3 crates/io/tests/vdb.py FOLDER

Every voxel of every grid, active or not, is compared with a dense sum over the points that is made
here; so are transforms, metadata and what `vdb_print` says. Then files and expectations are damaged,
and every damage must be found. Exits with 0 if all agree. `--resaved` checks files that another
program loaded from FOLDER and saved there.
"""

import argparse
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

try:
    import pyopenvdb as openvdb
except ImportError:
    import openvdb

GRIDS = {
    "density": ("float", "fog volume", "invariant"),
    "mass_density": ("float", "fog volume", "invariant"),
    "velocity": ("vec3s", "unknown", "contravariant relative"),
}
checks = 0
openvdb.setLoggingLevel("error")


class Wrong(Exception):
    """A file is not as expected."""


UNREADABLE = (Wrong, RuntimeError, IOError, LookupError, subprocess.CalledProcessError)


def truth(what, holds):
    global checks
    if not holds:
        raise Wrong(what)
    checks += 1


def spline(d):
    """The quadratic B-spline."""
    d = np.abs(d)
    return np.where(d < 0.5, 0.75 - d * d, np.where(d < 1.5, 0.5 * (1.5 - d) ** 2, 0.0))


def dense(want):
    """The lowest voxel of a box around all points, which voxels are active in it, and their values."""
    h, dimension = want["cell"], want["dimension"]
    s = np.asarray(want["position"], float).reshape(-1, 3) / h
    if len(s) == 0:
        s = np.zeros((0, 3))
        low, high = np.zeros(3, int), np.zeros(3, int)
    else:
        low, high = np.floor(s.min(0)).astype(int) - 3, np.ceil(s.max(0)).astype(int) + 3
    w = [spline(np.arange(low[a], high[a] + 1)[None] - s[:, a, None]) for a in range(3)]
    if dimension == 2:
        w[2] = np.broadcast_to(np.arange(low[2], high[2] + 1) == 0, w[2].shape).astype(float)

    def total(column):
        return np.einsum("p,pi,pj,pk->ijk", np.asarray(column, float), *w, optimize=True)

    mass, velocity = np.asarray(want["mass"], float), np.asarray(want["velocity"], float).reshape(-1, 3)
    active = np.einsum("pi,pj,pk->ijk", *[(x > 0).astype(float) for x in w], optimize=True) > 0
    m = total(mass)
    p = np.stack([total(mass * velocity[:, a]) for a in range(3)], -1)
    mean = np.divide(p, m[..., None], out=np.zeros_like(p), where=m[..., None] > 0)
    fill = np.minimum(total(np.maximum(want["volume"], 0.0)) / h**dimension, 1.0)
    return low, active, {"density": fill, "mass_density": m / h**dimension, "velocity": mean}


def check_values(path, grid, low, active, values):
    name = f"{path}: {grid.name}"
    items = list(grid.citerOnValues())
    truth(f"{name}: no tiles", all(item.count == 1 for item in items))
    at = np.asarray([item.min for item in items], int).reshape(-1, 3) - low
    truth(f"{name}: all near points", ((at >= 0) & (at < active.shape)).all())
    on = np.zeros_like(active)
    on[tuple(at.T)] = True
    truth(f"{name}: active voxels", (on == active).all())
    got = np.full(values.shape, np.nan, np.float32)
    grid.copyToArray(got, ijk=tuple(int(i) for i in low))
    truth(f"{name}: finite", np.isfinite(got).all())
    truth(f"{name}: background", grid.background in (0.0, (0.0, 0.0, 0.0)) and not got[~active].any())
    # Single precision; a velocity is a mean, whose parts may cancel.
    size = np.abs(values) if grid.name != "velocity" else np.abs(values).max(initial=0.0)
    off = np.abs(got - values) - 1.2e-7 * size
    truth(f"{name}: values (off by {off.max(initial=0.0)})", (off <= 0).all())
    return got


def check_grid(path, grid, want, low, active, values, resaved):
    name, (kind, group, vector) = f"{path}: {grid.name}", GRIDS[grid.name]
    got = check_values(path, grid, low, active, values)
    truth(f"{name}: type", grid.valueTypeName == kind and not grid.saveFloatAsHalf)
    truth(f"{name}: class", grid.gridClass == group)
    truth(f"{name}: vector type", grid.vectorType == vector)
    truth(f"{name}: tree", tuple(grid.nodeLog2Dims())[1:] == (5, 4, 3))
    where = np.argwhere(active) + low
    truth(f"{name}: leaves", grid.leafCount() == len(np.unique(where >> 3, axis=0)))
    truth(f"{name}: voxels", grid.activeVoxelCount() == grid.activeLeafVoxelCount() == len(where))
    h = want["cell"]
    truth(f"{name}: voxel size", grid.transform.voxelSize() == (h, h, h) and grid.transform.isLinear)
    for index in [(0, 0, 0), (7, -3, 100_001)]:
        truth(f"{name}: place of {index}", grid.transform.indexToWorld(index) == tuple(i * h for i in index))
        back = grid.transform.worldToIndex(grid.transform.indexToWorld(index))
        truth(f"{name}: back to {index}", np.allclose(back, index, rtol=1e-14, atol=0))
    meta = grid.metadata
    truth(f"{name}: not half", meta["is_saved_as_half_float"] is False)
    truth(f"{name}: count", meta["file_voxel_count"] == len(where))
    box = (tuple(where.min(0)), tuple(where.max(0))) if len(where) else ((2**31 - 1,) * 3, (-(2**31),) * 3)
    truth(f"{name}: box", (meta["file_bbox_min"], meta["file_bbox_max"]) == box)
    truth(f"{name}: compression", resaved or meta["file_compression"] == "zip + active values")
    if grid.name == "mass_density":
        mass = got.sum(dtype=float) * h ** want["dimension"]
        truth(f"{name}: mass", abs(mass - np.sum(want["mass"])) <= 1e-6 * np.sum(want["mass"]))


def map_bytes(path):
    """The numbers of the first grid's transform."""
    data = pathlib.Path(path).read_bytes()
    at = data.index(b"UniformScaleMap") + 15
    return data[at : at + 15 * 8]


def check_map(path, want):
    """The transform in the file is, bit for bit, the one that OpenVDB itself makes."""
    grid = openvdb.FloatGrid()
    grid.transform = openvdb.createLinearTransform(want["cell"])
    with tempfile.TemporaryDirectory() as scratch:
        own = pathlib.Path(scratch) / "own.vdb"
        openvdb.write(str(own), grids=[grid])
        truth(f"{path}: bits of the transform", map_bytes(path) == map_bytes(own))


def check_print(path, want, count, box):
    """What OpenVDB's own tool prints."""
    text = subprocess.run(["vdb_print", "-l", str(path)], capture_output=True, text=True, check=True).stdout
    truth(f"{path}: printed version", re.search(r"^VDB version: \d+\.\d+/224$", text, re.M))
    parts = re.split(r"^Name: ", text, flags=re.M)[1:]
    truth(f"{path}: printed names", [p.split("\n")[0] for p in parts] == list(GRIDS))
    for part, (kind, _, _) in zip(parts, GRIDS.values()):
        truth(f"{path}: printed type", f"Type: Tree_{kind}_5_4_3\n" in part)
        shown = re.search(r"Number of active voxels: +([\d,]+)", part).group(1)
        truth(f"{path}: printed count", int(shown.replace(",", "")) == count)
        size = float(re.search(r"voxel size: (\S+)", part).group(1))
        truth(f"{path}: printed size", abs(size - want["cell"]) <= 1e-5 * want["cell"])
        if count:
            truth(f"{path}: printed box", f"voxels: {list(box[0])} -> {list(box[1])}\n" in part)


def check(path, want, resaved=False):
    grids, meta = openvdb.readAll(str(path))
    truth(f"{path}: grids", sorted(g.name for g in grids) == sorted(GRIDS))
    low, active, values = dense(want)
    for grid in grids:
        check_grid(path, grid, want, low, active, values[grid.name], resaved)
        # By the offsets in the file instead of one after the other.
        alone = openvdb.read(str(path), grid.name)
        truth(f"{path}: {grid.name} alone", alone.activeVoxelCount() == grid.activeVoxelCount())
        check_values(path, alone, low, active, values[grid.name])
    truth(f"{path}: creator", meta["creator"].startswith("thixo "))
    truth(f"{path}: name", (meta["name"], meta["material"]) == (want["name"], want["material"]))
    truth(f"{path}: time", meta["time"] == want["time"])
    where = np.argwhere(active) + low
    check_map(path, want)
    box = (where.min(0), where.max(0)) if len(where) else None
    check_print(path, want, len(where), box)
    return len(where)


def rejected(what, path, want, resaved=False):
    """A control: the check must find that something is wrong."""
    global checks
    before = checks
    try:
        check(path, want, resaved)
    except UNREADABLE as why:
        checks = before + 1
        print(f"  rejected, as it must be: {what} ({str(why).splitlines()[0].rsplit('/')[-1][:70]})")
        return
    sys.exit(f"control: {what} was not noticed")


def controls(folder, want):
    path = folder / want["file"]
    data = path.read_bytes()
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "bad.vdb"
        scale = data.index(b"UniformScaleMap") + 15
        for what, at in [("magic number", 0), ("version", 9), ("last values", -30), ("voxel size", scale + 5)]:
            bad = bytearray(data)
            bad[at] ^= 0x10
            file.write_bytes(bad)
            rejected(f"a bit of the {what}", file, want)
        file.write_bytes(data[: len(data) // 2])
        rejected("half a file", file, want)

        def edit(what, change):
            grids, meta = openvdb.readAll(str(path))
            named = {g.name: g for g in grids}
            change(named)
            openvdb.write(str(file), grids=list(named.values()), metadata=meta)
            if what:
                rejected(what, file, want, resaved=True)
            else:
                check(file, want, resaved=True)

        voxel = next(openvdb.read(str(path), "density").citerOnValues()).min

        def nudge(grid):
            access = grid.getAccessor()
            access.setValueOn(voxel, access.getValue(voxel) * (1 + 1e-6))

        edit(None, lambda g: None)
        edit("a value off by a millionth", lambda g: nudge(g["density"]))
        edit("an inactive voxel", lambda g: g["velocity"].getAccessor().setActiveState(voxel, False))
        edit("one voxel more", lambda g: g["mass_density"].getAccessor().setValueOn((40, 40, 40), 0.0))
        edit("another class", lambda g: setattr(g["density"], "gridClass", "level set"))
        edit("another vector type", lambda g: setattr(g["velocity"], "vectorType", "covariant"))
        edit("no velocity", lambda g: g.pop("velocity"))
    for column, change in [("mass", 1.001), ("volume", 1.001), ("position", 1.001), ("velocity", 1.001)]:
        other = copy.deepcopy(want)
        values = np.asarray(other[column], float)
        values[7] *= change
        other[column] = values.tolist()
        rejected(f"another {column} of one point", path, other)
    rejected("another cell", path, dict(want, cell=want["cell"] * (1 + 1e-12)))
    rejected("another time", path, dict(want, time=want["time"] + 1e-12))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="written by the example `vdb_sample`")
    parser.add_argument("--resaved", type=pathlib.Path, help="where another program saved the same files")
    args = parser.parse_args()
    sets = json.loads((args.folder / "expected.json").read_text())["sets"]
    voxels = 0
    try:
        for want in sets:
            voxels += check((args.resaved or args.folder) / want["file"], want, resaved=bool(args.resaved))
        if not args.resaved:
            controls(args.folder, sets[0])
    except UNREADABLE as what:
        sys.exit(str(what)[:200])
    version = ".".join(map(str, openvdb.LIBRARY_VERSION))
    print(f"{checks} checks hold: {len(sets)} files, {voxels} active voxels a grid, OpenVDB {version}")


if __name__ == "__main__":
    main()
