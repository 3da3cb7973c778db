"""Opens the films of the example `film_sample` with other people's decoders and compares them with
its pictures: number of frames, speed, size, colours; with controls that must be rejected."""

import sys
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageSequence

FPS = 30
# Mean difference of 8-bit colours that is allowed, per kind.
LIMIT = {"gif": 2.0, "mp4": 2.0}

folder = Path(sys.argv[1])
pictures = [np.asarray(Image.open(p).convert("RGB"), dtype=float) for p in sorted(folder.glob("frame_*.png"))]
failures = 0


def expect(what, ok, figure=""):
    global failures
    failures += not ok
    print(f"  {'ok  ' if ok else 'FAIL'} {what} {figure}")


def difference(a, b):
    return float(np.abs(a - b).mean())


def gif(path):
    """Frames, seconds that they last in total."""
    with Image.open(path) as film:
        frames, seconds = [], 0
        for frame in ImageSequence.Iterator(film):
            seconds += frame.info["duration"] / 1000
            frames.append(np.asarray(frame.convert("RGB"), dtype=float))
    return frames, seconds


def mp4(path):
    """Frames, seconds that they last in total; the stream says how colours are meant."""
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        context = stream.codec_context
        expect("H.264, BT.709 matrix and primaries, sRGB curve, limited range",
               (context.name, int(context.colorspace), int(context.color_primaries), int(context.color_trc),
                int(context.color_range)) == ("h264", 1, 1, 13, 1))
        expect("even size", stream.width % 2 == 0 and stream.height % 2 == 0, f"{stream.width}x{stream.height}")
        expect("speed", stream.average_rate == Fraction(FPS), f"{stream.average_rate} a second")
        seconds = float(stream.duration * stream.time_base)
        times, frames = [], []
        for frame in film.decode(stream):
            times.append(frame.time)
            rgb = to_rgb(frame)
            frames.append(rgb[: pictures[0].shape[0], : pictures[0].shape[1]])
        expect("frames are evenly spaced", np.allclose(np.diff(times), 1 / FPS))
        keys = [p.is_keyframe for p in demuxed(path)]
        expect("the first frame is a key frame", keys[0], f"{sum(keys)} of {len(keys)}")
    return frames, seconds


def demuxed(path):
    with av.open(str(path)) as film:
        return [p for p in film.demux(video=0) if p.size]


def to_rgb(frame):
    """By the formulas of BT.709, so that the test does not rest on a converter's defaults."""
    yuv = frame.to_ndarray(format="yuv420p").astype(float)
    h, w = frame.height, frame.width
    y = (yuv[:h] - 16) / 219
    u, v = (yuv[h:].reshape(2, h // 2, w // 2) - 128) / 224
    u, v = (c.repeat(2, 0).repeat(2, 1) for c in (u, v))
    r, b = y + 1.5748 * v, y + 1.8556 * u
    g = (y - 0.2126 * r - 0.0722 * b) / 0.7152
    return 255 * np.clip(np.stack([r, g, b], -1), 0, 1)


assert len(pictures) > 10, "no pictures to compare with"
films = [p for p in sorted(folder.glob("film.*")) if p.suffix[1:] in LIMIT]
assert films, "no films"
for path in films:
    kind = path.suffix[1:]
    print(path.name, path.stat().st_size, "bytes")
    frames, seconds = {"gif": gif, "mp4": mp4}[kind](path)
    expect("number of frames", len(frames) == len(pictures), f"{len(frames)}")
    expect("duration", abs(seconds - len(pictures) / FPS) < 0.006, f"{seconds:.3f} s")
    expect("size of the pictures", frames[0].shape == pictures[0].shape, f"{frames[0].shape}")
    off = [difference(a, b) for a, b in zip(frames, pictures)]
    expect("colours", max(off) < LIMIT[kind], f"mean difference {np.mean(off):.3f}, worst frame {max(off):.3f}")
    bias = max(np.abs((a - b).mean((0, 1))).max() for a, b in zip(frames, pictures))
    expect("no tint", bias < 1.0, f"{bias:.3f}")
    # Controls: other colours and other frames are noticed.
    swapped = difference(frames[0], pictures[0][..., ::-1])
    expect("control: red and blue swapped is rejected", swapped > LIMIT[kind], f"{swapped:.3f}")
    late = difference(frames[0], pictures[-1])
    expect("control: the last frame is not the first", late > max(off), f"{late:.3f}")

sys.exit(failures > 0)
