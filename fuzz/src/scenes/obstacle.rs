//! Random obstacles and how they move.

use super::Frame;
use super::shape::{simple, vector};
use crate::rng::Rng;

/// What matter falls on, if anything.
pub(crate) fn ground(f: &Frame, rng: &mut Rng) -> String {
    let mut up = vec![0.0; f.d];
    up[1] = 1.0;
    let contact = contact(rng);
    match rng.below(6) {
        0 => String::new(),
        1 => {
            // An open tank about everything.
            let (w, h) = (f.width, 4.0 * f.size);
            let wall = 2.0 * f.dx;
            let corner = |x: f64, y: f64, z: f64| vector(&[x, y, z][..f.d]);
            format!(
                "[[colliders]]\nname = \"tank\"\ncontact = {contact}\nshape = {{ difference = [\
                 {{ box = {{ from = {}, to = {} }} }}, {{ box = {{ from = {}, to = {} }} }}] }}\n",
                corner(-wall, -wall, -f.size - wall),
                corner(w + wall, h, 2.0 * f.size + wall),
                corner(0.0, 0.0, -f.size),
                corner(w, h + f.size, 2.0 * f.size),
            )
        }
        _ => format!(
            "[[colliders]]\nname = \"ground\"\ncontact = {contact}\nshape = {{ half_space = {{ normal = {} }} }}\n",
            vector(&up)
        ),
    }
}

/// Something in the way.
pub(crate) fn obstacle(f: &Frame, rng: &mut Rng) -> String {
    let contact = contact(rng);
    if rng.chance(0.2) {
        let mut normal = vec![0.0; f.d];
        normal[0] = -1.0;
        normal[1] = rng.between(-0.3, 0.3);
        let mut point = vec![0.0; f.d];
        point[0] = 0.98 * f.width;
        let wall = format!(
            "half_space = {{ point = {}, normal = {} }}",
            vector(&point),
            vector(&normal)
        );
        return format!("[[colliders]]\ncontact = {contact}\nshape = {{ {wall} }}\n");
    }
    let half = f.size * rng.between(0.15, 0.4);
    let shape = simple(f, rng, half);
    let mut at = vec![
        rng.between(0.1, 0.9) * f.width,
        f.size * rng.between(-0.3, 0.1),
    ];
    at.resize(f.d, f.size * rng.between(0.0, 1.0));
    let motion = if rng.chance(0.5) {
        format!("motion = {}\n", motion(f, rng, &at))
    } else {
        String::new()
    };
    format!(
        "[[colliders]]\ncontact = {contact}\nshape = {{ {shape}, translate = {} }}\n{motion}",
        vector(&at)
    )
}

fn contact(rng: &mut Rng) -> String {
    match rng.below(4) {
        0 => "\"sticky\"".into(),
        1 => "\"slip\"".into(),
        2 => "\"separating\"".into(),
        _ => format!("{{ friction = {:.2} }}", rng.between(0.0, 1.5)),
    }
}

fn motion(f: &Frame, rng: &mut Rng, at: &[f64]) -> String {
    let turn = |w: f64| match f.d {
        2 => format!("{w:.3}"),
        _ => format!("[0, 0, {w:.3}]"),
    };
    let far = 0.4 * f.size;
    let speed = rng.scale(0.05, 3.0) * f.size;
    match rng.below(4) {
        0 => {
            let v: Vec<f64> = (0..f.d).map(|_| rng.between(-1.0, 1.0) * speed).collect();
            format!("{{ velocity = {} }}", vector(&v))
        }
        1 => {
            let spin = turn(rng.between(-8.0, 8.0));
            format!("{{ spin = {spin}, pivot = {} }}", vector(at))
        }
        2 => {
            let mut to = vec![0.0; f.d];
            to[0] = rng.between(-far, far);
            to[1] = rng.between(0.0, far);
            let late = far / speed;
            format!(
                "{{ pivot = {}, repeat = {}, keys = [{{ time = 0 }}, {{ time = {late:.4}, translate = {}, rotate = {} }}, {{ time = {:.4} }}] }}",
                vector(at),
                rng.chance(0.5),
                vector(&to),
                turn(rng.between(-2.0, 2.0)),
                2.0 * late
            )
        }
        _ => {
            let omega = speed / far;
            let zeros = ", 0".repeat(f.d - 2);
            format!(
                "{{ path = {{ translate = [\"{far:.4}*sin({omega:.3}*t)\", \"0.1*{far:.4}*(1 - cos({omega:.3}*t))\"{zeros}] }} }}"
            )
        }
    }
}
