//! Every case: one file, one line.

use crate::Case;

mod transfers;

/// All cases, in the order of the suite.
pub const ALL: &[Case] = &[
    Case { id: "T1", title: "kernels: partition of unity, moments", long: false, run: transfers::t1 },
    Case { id: "T2", title: "transfers keep affine fields", long: false, run: transfers::t2 },
    Case { id: "T3", title: "momentum and angular momentum", long: false, run: transfers::t3 },
    Case { id: "T4", title: "what PIC loses, and nothing else does", long: false, run: transfers::t4 },
    Case { id: "T5", title: "free fall of every particle", long: false, run: transfers::t5 },
];
