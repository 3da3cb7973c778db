//! Every case: one file, one line.

use crate::Case;

mod bar;
mod column;
mod column_collapse;
mod cup;
mod disks;
mod elastic_closed_forms;
mod faults;
mod friction;
mod ground;
mod incline;
mod law_checks;
mod manufactured;
mod mesh;
mod presets;
mod pressed;
mod reproduce;
mod sand_rest;
mod sand_return;
mod snow_path;
mod snowball;
mod spinning_disk;
mod time_order;
mod transfers;
mod two_bars;
mod viscoelastic;
mod vortex;

/// All cases, in the order of the suite.
pub const ALL: &[Case] = &[
    Case {
        id: "B1",
        title: "presets behave",
        run: presets::b1,
    },
    Case {
        id: "D1",
        title: "stress is the slope of energy",
        run: law_checks::d1,
    },
    Case {
        id: "D2",
        title: "the differential of the stress",
        run: law_checks::d2,
    },
    Case {
        id: "D3",
        title: "the Taylor remainder of the energy",
        run: law_checks::d3,
    },
    Case {
        id: "D4",
        title: "laws do not see rotations",
        run: law_checks::d4,
    },
    Case {
        id: "E1",
        title: "closed forms of elastic laws",
        run: elastic_closed_forms::e1,
    },
    Case {
        id: "E2",
        title: "a vibrating bar",
        run: bar::e2,
    },
    Case {
        id: "E3",
        title: "a manufactured solution",
        run: manufactured::e3,
    },
    Case {
        id: "E4",
        title: "the generalised vortex",
        run: vortex::e4,
    },
    Case {
        id: "E5",
        title: "a column under its own weight",
        run: column::e5,
    },
    Case {
        id: "E6",
        title: "two bars meet head-on",
        run: two_bars::e6,
    },
    Case {
        id: "E7",
        title: "two disks collide",
        run: disks::e7,
    },
    Case {
        id: "E8",
        title: "a spinning disk",
        run: spinning_disk::e8,
    },
    Case {
        id: "O1",
        title: "a cube recovers from random places",
        run: mesh::o1,
    },
    Case {
        id: "O2",
        title: "a cube recovers from one point",
        run: mesh::o2,
    },
    Case {
        id: "O3",
        title: "what Newton's method alone fails at",
        run: mesh::o3,
    },
    Case {
        id: "O4",
        title: "vertices and obstacles",
        run: mesh::o4,
    },
    Case {
        id: "O5",
        title: "the minimiser keeps its promises",
        run: mesh::o5,
    },
    Case {
        id: "O6",
        title: "implicit steps tend to explicit ones",
        run: time_order::o6,
    },
    Case {
        id: "O7",
        title: "implicit snow at a wall",
        run: snowball::o7,
    },
    Case {
        id: "O8",
        title: "a block of rubber is pressed",
        run: pressed::o8,
    },
    Case {
        id: "P1",
        title: "snow in uniaxial strain",
        run: snow_path::p1,
    },
    Case {
        id: "P2",
        title: "a snowball against a wall",
        run: snowball::p2,
    },
    Case {
        id: "P3",
        title: "the return mapping of sand",
        run: sand_return::p3,
    },
    Case {
        id: "P4",
        title: "the friction that sand shows",
        run: friction::p4,
    },
    Case {
        id: "P5",
        title: "sand on an incline",
        run: incline::p5,
    },
    Case {
        id: "P6",
        title: "collapse of columns of sand",
        run: column_collapse::p6,
    },
    Case {
        id: "P8",
        title: "sand at rest",
        run: sand_rest::p8,
    },
    Case {
        id: "S1",
        title: "the patch test of elements",
        run: mesh::s1,
    },
    Case {
        id: "S2",
        title: "elements that are inside out",
        run: mesh::s2,
    },
    Case {
        id: "T1",
        title: "kernels: partition of unity, moments",
        run: transfers::t1,
    },
    Case {
        id: "T2",
        title: "transfers keep affine fields",
        run: transfers::t2,
    },
    Case {
        id: "T3",
        title: "momentum and angular momentum",
        run: transfers::t3,
    },
    Case {
        id: "T4",
        title: "what PIC loses, and nothing else does",
        run: transfers::t4,
    },
    Case {
        id: "T5",
        title: "free fall of every particle",
        run: transfers::t5,
    },
    Case {
        id: "T6",
        title: "a mass on a spring: orders in time",
        run: mesh::t6,
    },
    Case {
        id: "V1",
        title: "one particle of Oldroyd-B",
        run: viscoelastic::v1,
    },
    Case {
        id: "V2",
        title: "strain stays positive definite",
        run: viscoelastic::v2,
    },
    Case {
        id: "V3",
        title: "the start of Couette flow",
        run: viscoelastic::v3,
    },
    Case {
        id: "V4",
        title: "the start of Poiseuille flow",
        run: viscoelastic::v4,
    },
    Case {
        id: "V5",
        title: "strain that turns",
        run: viscoelastic::v5,
    },
    Case {
        id: "W1",
        title: "a cup one cell thick holds sand and water",
        run: cup::w1,
    },
    Case {
        id: "X1",
        title: "a restart goes on bit for bit",
        run: reproduce::x1,
    },
    Case {
        id: "X2",
        title: "an undone step leaves no trace",
        run: reproduce::x2,
    },
    Case {
        id: "X3",
        title: "same bits for any number of threads",
        run: reproduce::x3,
    },
    Case {
        id: "X6",
        title: "faults are named and never spread",
        run: faults::x6,
    },
    Case {
        id: "X9",
        title: "place, direction, units and order do not matter",
        run: reproduce::x9,
    },
];
