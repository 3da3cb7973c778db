#!/usr/bin/env python3
"""Loads thixo's OpenVDB files in Blender, saves them again for `vdb.py --resaved`, and draws one.

    python -m venv V && V/bin/pip install bpy
    V/bin/python crates/io/tests/vdb_blender.py FOLDER RESAVED

FOLDER is written by the example `vdb_sample`. Exits with 0 if all grids load and the picture shows
the volume where it is, and that it moves.
"""

import json
import pathlib
import sys

import bpy
import numpy as np


def volume(path):
    data = bpy.data.volumes.new(path.stem)
    data.filepath = str(path)
    if not data.grids.load():
        sys.exit(f"{path}: {data.grids.error_message}")
    return data


def check(path, want, target):
    data = volume(path)
    kinds = [(g.name, g.data_type, g.channels) for g in data.grids]
    if kinds != [("density", "FLOAT", 1), ("mass_density", "FLOAT", 1), ("velocity", "VECTOR_FLOAT", 3)]:
        sys.exit(f"{path}: grids {kinds}")
    for grid in data.grids:
        if not grid.load():
            sys.exit(f"{path}: {grid.name} does not load")
        if not np.allclose(grid.matrix_object, np.diag([want["cell"]] * 3 + [1]), rtol=1e-7, atol=0):
            sys.exit(f"{path}: {grid.name} is at {grid.matrix_object}")
    if data.velocity_grid != "velocity":
        sys.exit(f"{path}: the velocity is taken from {data.velocity_grid!r}")
    if not data.grids.save(filepath=str(target)):
        sys.exit(f"{path}: cannot be saved, {data.grids.error_message}")


def draw(path, scale, target):
    """The opacity of a small picture, with motion blur by `scale` times the velocity."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    data = volume(path)
    data.velocity_unit, data.velocity_scale = "SECOND", scale
    material = bpy.data.materials.new("fog")
    if not material.node_tree:  # before Blender 5
        material.use_nodes = True
    nodes = material.node_tree.nodes
    nodes.clear()
    fog, out = nodes.new("ShaderNodeVolumePrincipled"), nodes.new("ShaderNodeOutputMaterial")
    fog.inputs["Density"].default_value = 10.0
    material.node_tree.links.new(fog.outputs["Volume"], out.inputs["Volume"])
    data.materials.append(material)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.type, camera.data.ortho_scale, camera.location = "ORTHO", 3.0, (0, 0, 5)
    light = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    light.data.energy = 5.0
    for thing in (bpy.data.objects.new("volume", data), camera, light):
        scene.collection.objects.link(thing)
    scene.camera, scene.world = camera, bpy.data.worlds.new("world")
    scene.render.engine, scene.cycles.device, scene.cycles.samples = "CYCLES", "CPU", 16
    scene.cycles.seed, scene.cycles.volume_bounces = 1, 1
    scene.render.use_motion_blur, scene.render.motion_blur_shutter = True, 2.0
    scene.render.resolution_x = scene.render.resolution_y = 48
    scene.render.film_transparent = True
    scene.render.filepath = str(target)
    bpy.ops.render.render(write_still=True)
    picture = bpy.data.images.load(str(target))
    return np.asarray(picture.pixels[:]).reshape(48, 48, 4)[..., 3]


def main():
    folder, resaved = map(pathlib.Path, sys.argv[1:])
    resaved.mkdir(parents=True, exist_ok=True)
    sets = json.loads((folder / "expected.json").read_text())["sets"]
    for want in sets:
        check(folder / want["file"], want, resaved / want["file"])
    named = {want["name"]: folder / want["file"] for want in sets}
    pictures = [("wind", 0), ("wind", 1), ("empty", 1)]
    still, moving, nothing = (draw(named[n], k, resaved / f"{n}_{k}.png") for n, k in pictures)
    # A block of 0.6 m in the middle of a picture of 3 m, which moves by 0.5 m a frame to the right and
    # is seen from one frame before to one after. Where there is no velocity Blender sees no motion,
    # so that the block is not smeared out but gets thinner.
    inside = slice(20, 28)
    for what, seen, low, high in [
        ("inside", still[inside, inside].mean(), 0.99, 1.0),
        ("inside, in motion", moving[inside, inside].mean(), 0.7, 0.97),
        ("right of it", still[inside, 34:].max(), 0.0, 0.0),
        ("above it", still[34:, inside].max(), 0.0, 0.0),
        ("empty", nothing.max(), 0.0, 0.0),
    ]:
        print(f"  opacity {seen:.3f}: {what}")
        if not low <= seen <= high:
            sys.exit(f"it should be between {low} and {high}")
    print(f"{len(sets)} files load in Blender {bpy.app.version_string}")


if __name__ == "__main__":
    main()
