"""Plain MLS-MPM in NVIDIA Warp: quadratic B-spline, APIC, f32, dense grid, CPU device, which runs a launch on one
thread. (Warp ships no explicit MPM example: a straightforward kernel, written for timing.) Prints one line of
JSON. usage: warp_mpm3d.py --mat jelly|nh|snow|sand|water"""
import tempfile

import work

import numpy as np
import warp as wp

args = work.arguments()
if args.threads != 1:
    raise SystemExit("Warp's CPU device has one thread")
cache = tempfile.TemporaryDirectory()  # so that compiling counts for the first substep
wp.config.quiet = True
wp.config.kernel_cache_dir = cache.name
wp.init()
wp.set_module_options({"fast_math": True, "enable_backward": False})

N = args.n
GRID = wp.constant(work.GRID)
BOUND = wp.constant(work.BOUND)
DX = wp.constant(wp.float32(work.DX))
IDX = wp.constant(wp.float32(work.GRID))
DT = wp.constant(wp.float32(work.DT))
KICK = wp.constant(wp.float32(work.DT * work.GRAVITY))
VOLUME = wp.constant(wp.float32(work.VOLUME))
MASS = wp.constant(wp.float32(work.MASS))
MU = wp.constant(wp.float32(work.MU))
LAMBDA = wp.constant(wp.float32(work.LAMBDA))
BULK = wp.constant(wp.float32(work.BULK))
ALPHA = wp.constant(wp.float32(work.ALPHA))
MAT = wp.constant(work.MATERIALS.index(args.mat))
JELLY, NH, SNOW, SAND, WATER = (wp.constant(i) for i in range(5))


@wp.func
def weights(fx: wp.vec3):
    a = wp.vec3(1.5, 1.5, 1.5) - fx
    b = fx - wp.vec3(1.0, 1.0, 1.0)
    c = fx - wp.vec3(0.5, 0.5, 0.5)
    return wp.mat33(0.5 * a[0] * a[0], 0.5 * a[1] * a[1], 0.5 * a[2] * a[2],
                    0.75 - b[0] * b[0], 0.75 - b[1] * b[1], 0.75 - b[2] * b[2],
                    0.5 * c[0] * c[0], 0.5 * c[1] * c[1], 0.5 * c[2] * c[2])


@wp.kernel
def p2g(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), C: wp.array(dtype=wp.mat33),
        F: wp.array(dtype=wp.mat33), Jp: wp.array(dtype=float),
        gv: wp.array(dtype=wp.vec3, ndim=3), gm: wp.array(dtype=float, ndim=3)):
    p = wp.tid()
    xg = x[p] * IDX
    bi = int(xg[0] - 0.5)
    bj = int(xg[1] - 0.5)
    bk = int(xg[2] - 0.5)
    fx = xg - wp.vec3(float(bi), float(bj), float(bk))
    w = weights(fx)
    I = wp.identity(n=3, dtype=float)
    Cp = C[p]
    tau = wp.mat33()
    if wp.static(MAT == WATER):
        J = Jp[p] * (1.0 + DT * wp.trace(Cp))
        Jp[p] = J
        j2 = J * J
        tau = (-BULK / 7.0 * (1.0 / (j2 * j2 * j2 * J) - 1.0) * J) * I
    elif wp.static(MAT == NH):
        Fn = (I + DT * Cp) @ F[p]
        J = wp.determinant(Fn)
        tau = MU * (Fn @ wp.transpose(Fn) - I) + (0.5 * LAMBDA * (J * J - 1.0)) * I
        F[p] = Fn
    else:
        Fn = (I + DT * Cp) @ F[p]
        U = wp.mat33()
        V = wp.mat33()
        S = wp.vec3()
        wp.svd3(Fn, U, S, V)
        if wp.static(MAT == JELLY):
            J = S[0] * S[1] * S[2]
            tau = 2.0 * MU * ((Fn - U @ wp.transpose(V)) @ wp.transpose(Fn)) + (LAMBDA * J * (J - 1.0)) * I
            F[p] = Fn
        elif wp.static(MAT == SNOW):
            s = wp.vec3(wp.clamp(S[0], 0.975, 1.0045), wp.clamp(S[1], 0.975, 1.0045), wp.clamp(S[2], 0.975, 1.0045))
            jp = Jp[p] * (S[0] * S[1] * S[2]) / (s[0] * s[1] * s[2])
            Jp[p] = jp
            Fe = U @ wp.diag(s) @ wp.transpose(V)
            h = wp.min(wp.exp(10.0 * (1.0 - jp)), 5.0)
            J = s[0] * s[1] * s[2]
            tau = 2.0 * MU * h * ((Fe - U @ wp.transpose(V)) @ wp.transpose(Fe)) + (LAMBDA * h * J * (J - 1.0)) * I
            F[p] = Fe
        else:
            e = wp.vec3(wp.log(wp.max(wp.abs(S[0]), 0.05)), wp.log(wp.max(wp.abs(S[1]), 0.05)), wp.log(wp.max(wp.abs(S[2]), 0.05)))
            jc = Jp[p] / 3.0
            e = e + wp.vec3(jc, jc, jc)
            tr = e[0] + e[1] + e[2]
            dev = e - wp.vec3(tr / 3.0, tr / 3.0, tr / 3.0)
            n = wp.length(dev)
            if tr >= 0.0:
                Jp[p] = tr
                e = wp.vec3(0.0, 0.0, 0.0)
            else:
                Jp[p] = 0.0
                dg = n + (3.0 * LAMBDA + 2.0 * MU) / (2.0 * MU) * tr * ALPHA
                if dg > 0.0:
                    e = e - dev * (dg / wp.max(n, 1.0e-12))
            t = LAMBDA * (e[0] + e[1] + e[2])
            F[p] = U @ wp.diag(wp.vec3(wp.exp(e[0]), wp.exp(e[1]), wp.exp(e[2]))) @ wp.transpose(V)
            tau = U @ wp.diag(2.0 * MU * e + wp.vec3(t, t, t)) @ wp.transpose(U)
    A = (-DT * VOLUME * 4.0 * IDX * IDX) * tau + MASS * Cp
    mv = MASS * v[p]
    for i in range(3):
        for j in range(3):
            for k in range(3):
                d = (wp.vec3(float(i), float(j), float(k)) - fx) * DX
                wt = w[i, 0] * w[j, 1] * w[k, 2]
                wp.atomic_add(gv, bi + i, bj + j, bk + k, wt * (mv + A @ d))
                wp.atomic_add(gm, bi + i, bj + j, bk + k, wt * MASS)


@wp.kernel
def grid(gv: wp.array(dtype=wp.vec3, ndim=3), gm: wp.array(dtype=float, ndim=3)):
    i, j, k = wp.tid()
    m = gm[i, j, k]
    if m > 0.0:
        u = gv[i, j, k] / m
        ux = u[0]
        uy = u[1] + KICK
        uz = u[2]
        if i < BOUND:
            ux = wp.max(ux, 0.0)
        if i > GRID - BOUND:
            ux = wp.min(ux, 0.0)
        if j < BOUND:
            uy = wp.max(uy, 0.0)
        if j > GRID - BOUND:
            uy = wp.min(uy, 0.0)
        if k < BOUND:
            uz = wp.max(uz, 0.0)
        if k > GRID - BOUND:
            uz = wp.min(uz, 0.0)
        gv[i, j, k] = wp.vec3(ux, uy, uz)


@wp.kernel
def g2p(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), C: wp.array(dtype=wp.mat33),
        gv: wp.array(dtype=wp.vec3, ndim=3)):
    p = wp.tid()
    xg = x[p] * IDX
    bi = int(xg[0] - 0.5)
    bj = int(xg[1] - 0.5)
    bk = int(xg[2] - 0.5)
    fx = xg - wp.vec3(float(bi), float(bj), float(bk))
    w = weights(fx)
    nv = wp.vec3()
    nC = wp.mat33()
    for i in range(3):
        for j in range(3):
            for k in range(3):
                d = wp.vec3(float(i), float(j), float(k)) - fx
                wt = w[i, 0] * w[j, 1] * w[k, 2]
                g = gv[bi + i, bj + j, bk + k]
                nv = nv + wt * g
                nC = nC + wp.outer((4.0 * IDX * wt) * g, d)
    v[p] = nv
    C[p] = nC
    x[p] = x[p] + DT * nv


with wp.ScopedDevice("cpu"):
    x = wp.array(work.positions(N), dtype=wp.vec3)
    v = wp.array(np.tile(np.array([0, -1, 0], np.float32), (N, 1)), dtype=wp.vec3)
    C = wp.zeros(N, dtype=wp.mat33)
    F = wp.array(np.tile(np.eye(3, dtype=np.float32), (N, 1, 1)), dtype=wp.mat33)
    Jp = wp.full(N, 0.0 if args.mat == "sand" else 1.0, dtype=float)
    gv = wp.zeros((work.GRID,) * 3, dtype=wp.vec3)
    gm = wp.zeros((work.GRID,) * 3, dtype=float)

    def substep():
        gv.zero_()
        gm.zero_()
        wp.launch(p2g, N, inputs=[x, v, C, F, Jp, gv, gm])
        wp.launch(grid, (work.GRID,) * 3, inputs=[gv, gm])
        wp.launch(g2p, N, inputs=[x, v, C, gv])

    work.measure(f"Warp {wp.__version__}", args, 1, substep, wp.synchronize, x.numpy)
