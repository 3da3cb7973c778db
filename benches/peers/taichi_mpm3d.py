"""Plain MLS-MPM in Taichi: quadratic B-spline, APIC, f32, dense grid, CPU. The shape of the kernel (clear, P2G,
grid, G2P) is that of the widely known mpm3d demos. Prints one line of JSON.
usage: taichi_mpm3d.py --mat jelly|nh|snow|sand|water --threads N"""
import work
from work import ALPHA, BOUND, BULK, DT, DX, GRAVITY, GRID, LAMBDA, MASS, MU, VOLUME

import numpy as np
import taichi as ti

args = work.arguments()
ti.init(arch=ti.cpu, cpu_max_num_threads=args.threads, default_fp=ti.f32, offline_cache=False, fast_math=True, log_level=ti.WARN)
N, MAT, IDX = args.n, args.mat, float(GRID)

x = ti.Vector.field(3, ti.f32, N)
v = ti.Vector.field(3, ti.f32, N)
C = ti.Matrix.field(3, 3, ti.f32, N)
F = ti.Matrix.field(3, 3, ti.f32, N)
Jp = ti.field(ti.f32, N)
gv = ti.Vector.field(3, ti.f32, (GRID,) * 3)
gm = ti.field(ti.f32, (GRID,) * 3)


@ti.func
def stress(p):
    """Deforms particle p; returns its Kirchhoff stress."""
    I = ti.Matrix.identity(ti.f32, 3)
    tau = ti.Matrix.zero(ti.f32, 3, 3)
    if ti.static(MAT == "water"):
        Jp[p] *= 1.0 + DT * C[p].trace()
        J = Jp[p]
        tau = -BULK / 7.0 * (1.0 / J**7 - 1.0) * J * I
    elif ti.static(MAT == "nh"):
        Fn = (I + DT * C[p]) @ F[p]
        J = Fn.determinant()
        tau = MU * (Fn @ Fn.transpose() - I) + I * (0.5 * LAMBDA * (J * J - 1.0))
        F[p] = Fn
    else:
        Fn = (I + DT * C[p]) @ F[p]
        U, S, V = ti.svd(Fn)
        if ti.static(MAT == "jelly"):
            J = S[0, 0] * S[1, 1] * S[2, 2]
            tau = 2 * MU * (Fn - U @ V.transpose()) @ Fn.transpose() + I * (LAMBDA * J * (J - 1))
            F[p] = Fn
        elif ti.static(MAT == "snow"):
            for d in ti.static(range(3)):
                s = ti.min(ti.max(S[d, d], 1 - 2.5e-2), 1 + 4.5e-3)
                Jp[p] *= S[d, d] / s
                S[d, d] = s
            Fe = U @ S @ V.transpose()
            h = ti.min(ti.exp(10.0 * (1.0 - Jp[p])), 5.0)
            J = S[0, 0] * S[1, 1] * S[2, 2]
            tau = 2 * MU * h * (Fe - U @ V.transpose()) @ Fe.transpose() + I * (LAMBDA * h * J * (J - 1))
            F[p] = Fe
        else:
            e = ti.Vector([ti.log(ti.max(ti.abs(S[d, d]), 0.05)) for d in range(3)])
            e += Jp[p] / 3.0
            tr = e.sum()
            dev = e - tr / 3.0
            n = dev.norm()
            if tr >= 0.0:
                Jp[p] = tr
                e = ti.Vector([0.0, 0.0, 0.0])
            else:
                Jp[p] = 0.0
                dg = n + (3 * LAMBDA + 2 * MU) / (2 * MU) * tr * ALPHA
                if dg > 0:
                    e = e - dg * dev / ti.max(n, 1e-12)
            tr = e.sum()
            new = ti.Matrix.zero(ti.f32, 3, 3)
            t = ti.Matrix.zero(ti.f32, 3, 3)
            for d in ti.static(range(3)):
                new[d, d] = ti.exp(e[d])
                t[d, d] = 2 * MU * e[d] + LAMBDA * tr
            F[p] = U @ new @ V.transpose()
            tau = U @ t @ U.transpose()
    return tau


@ti.kernel
def clear():
    for I in ti.grouped(gm):
        gv[I] = ti.Vector.zero(ti.f32, 3)
        gm[I] = 0.0


@ti.kernel
def p2g():
    for p in x:
        base = (x[p] * IDX - 0.5).cast(int)
        fx = x[p] * IDX - base.cast(float)
        w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]
        A = (-DT * VOLUME * 4 * IDX * IDX) * stress(p) + MASS * C[p]
        for i, j, k in ti.static(ti.ndrange(3, 3, 3)):
            off = ti.Vector([i, j, k])
            d = (off.cast(float) - fx) * DX
            wt = w[i].x * w[j].y * w[k].z
            gv[base + off] += wt * (MASS * v[p] + A @ d)
            gm[base + off] += wt * MASS


@ti.kernel
def grid():
    for I in ti.grouped(gm):
        if gm[I] > 0:
            u = gv[I] / gm[I]
            u.y += DT * GRAVITY
            for d in ti.static(range(3)):
                if I[d] < BOUND and u[d] < 0:
                    u[d] = 0.0
                if I[d] > GRID - BOUND and u[d] > 0:
                    u[d] = 0.0
            gv[I] = u


@ti.kernel
def g2p():
    for p in x:
        base = (x[p] * IDX - 0.5).cast(int)
        fx = x[p] * IDX - base.cast(float)
        w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]
        nv = ti.Vector.zero(ti.f32, 3)
        nC = ti.Matrix.zero(ti.f32, 3, 3)
        for i, j, k in ti.static(ti.ndrange(3, 3, 3)):
            off = ti.Vector([i, j, k])
            d = (off.cast(float) - fx) * DX
            wt = w[i].x * w[j].y * w[k].z
            nv += wt * gv[base + off]
            nC += (4 * IDX * IDX) * wt * gv[base + off].outer_product(d)
        v[p] = nv
        C[p] = nC
        x[p] += DT * nv


def substep():
    clear()
    p2g()
    grid()
    g2p()


x.from_numpy(work.positions(N))
v.from_numpy(np.tile(np.array([0, -1, 0], np.float32), (N, 1)))
F.from_numpy(np.tile(np.eye(3, dtype=np.float32), (N, 1, 1)))
Jp.fill(0.0 if MAT == "sand" else 1.0)
version = ".".join(map(str, ti.__version__))
work.measure(f"Taichi {version}", args, args.threads, substep, ti.sync, x.to_numpy)
