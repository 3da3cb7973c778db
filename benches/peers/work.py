"""The common work, for kernels in other languages: what `thixo bench` builds, number for number.

A cube of particles, 8 per cell, uniform random by the same generator, falls on a floor at 1 m/s; nodes
j < 3 do not let matter through downwards. Walls are where the others are, and nothing reaches them."""
import argparse
import json
import time

BEGUN = time.perf_counter()

import numpy as np

MATERIALS = ["jelly", "nh", "snow", "sand", "water"]
GRID = 128
DX = 1.0 / GRID
DT = 1e-4
GRAVITY = -9.8
WARM_UP = 5
BOUND = 3
VOLUME = (0.5 * DX) ** 3
MASS = 1000.0 * VOLUME
YOUNG, POISSON = 1e6, 0.2
MU = YOUNG / (2 * (1 + POISSON))
LAMBDA = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
BULK = 5e5
SIN = np.sin(np.deg2rad(35.0))
ALPHA = float(np.sqrt(2 / 3) * 2 * SIN / (3 - SIN))


def arguments():
    ap = argparse.ArgumentParser()
    ap.add_argument("--mat", default="jelly", choices=MATERIALS)
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--n", type=int, default=1_000_000)
    ap.add_argument("--steps", type=int, default=15, help="substeps of one measurement")
    ap.add_argument("--reps", type=int, default=3, help="measurements; the best counts")
    return ap.parse_args()


def positions(n):
    """Uniform in the cube, then sorted by block of 4 cells and by cell, which these kernels do not do
    themselves."""
    with np.errstate(over="ignore"):
        power = np.cumprod(np.full(3 * n, 6364136223846793005, np.uint64))
        total = np.cumsum(np.concatenate([np.ones(1, np.uint64), power[:-1]]))
        state = power + np.uint64(1442695040888963407) * total
    u = (state >> np.uint64(11)).astype(np.float64) / 2.0**53
    side = (n / 8) ** (1 / 3) * DX
    low = np.array([0.5 - side / 2, 4 * DX, 0.5 - side / 2])
    x = (low + u.reshape(n, 3) * side).astype(np.float32)
    cell = np.floor(x * GRID).astype(np.int64)
    block, rest = cell >> 2, cell & 3
    key = ((block[:, 0] * 64 + block[:, 1]) * 64 + block[:, 2]) * 64 + (rest[:, 0] * 4 + rest[:, 1]) * 4 + rest[:, 2]
    return x[np.argsort(key, kind="stable")]


def measure(peer, args, threads, substep, wait, places):
    """Warm-up, measurements, and one line of JSON. `wait` waits for what was begun; `places` gives positions."""
    substep()
    wait()
    first = time.perf_counter() - BEGUN
    for _ in range(WARM_UP - 1):
        substep()
    wait()
    best = np.inf
    for _ in range(args.reps):
        clock = time.perf_counter()
        for _ in range(args.steps):
            substep()
        wait()
        best = min(best, (time.perf_counter() - clock) / args.steps)
    row = {
        "peer": peer, "work": args.mat, "threads": threads, "particles": args.n, "mps": args.n / best / 1e6,
        "mean_height": float(places()[:, 1].astype(np.float64).mean()), "first_substep": first,
        "substeps": WARM_UP + args.reps * args.steps,
    }
    print(json.dumps(row), flush=True)
