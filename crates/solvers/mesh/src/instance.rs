//! The four pairs of precision and dimension, compiled here and nowhere else.

use std::any::Any;

use thixo_core::System;
use thixo_material::{ParamError, Values, laws};
use thixo_math::Real;

use crate::{MakeMatter, Matter, Mesh};

/// Both functions of one pair, not generic: their code stays in this crate.
macro_rules! pair {
    ($name:ident, $T:ty, $D:literal) => {
        mod $name {
            use super::*;
            #[inline(never)]
            pub fn matter(
                name: &str,
                values: &Values,
            ) -> Option<Result<Box<dyn Matter<$T, $D>>, ParamError>> {
                let all = laws::<$T, $D, MakeMatter>();
                let entry = all.iter().find(|e| e.info.name == name)?;
                Some(entry.make(MakeMatter, values))
            }
            #[inline(never)]
            pub fn system(mesh: Mesh<$T, $D>) -> Box<dyn System<$T, $D>> {
                Box::new(mesh)
            }
        }
    };
}

pair!(f32_3, f32, 3);
pair!(f32_2, f32, 2);
pair!(f64_2, f64, 2);
pair!(f64_3, f64, 3);

/// The same thing, if `A` and `B` are the same type.
fn same<A: 'static, B: 'static>(a: A) -> Option<B> {
    let any: Box<dyn Any> = Box::new(a);
    any.downcast::<B>().ok().map(|b| *b)
}

/// Matter of the law of that name; `None` if there is no such law.
pub fn named_matter<T: Real, const D: usize>(
    name: &str,
    values: &Values,
) -> Option<Result<Box<dyn Matter<T, D>>, ParamError>> {
    match (size_of::<T>(), D) {
        (4, 2) => same(f32_2::matter(name, values)?),
        (4, 3) => same(f32_3::matter(name, values)?),
        (8, 2) => same(f64_2::matter(name, values)?),
        _ => same(f64_3::matter(name, values)?),
    }
}

impl<T: Real, const D: usize> From<Mesh<T, D>> for Box<dyn System<T, D>> {
    fn from(mesh: Mesh<T, D>) -> Self {
        let any: Box<dyn Any> = Box::new(mesh);
        let any = match any.downcast::<Mesh<f32, 3>>() {
            Ok(mesh) => return boxed(f32_3::system(*mesh)),
            Err(any) => any,
        };
        let any = match any.downcast::<Mesh<f32, 2>>() {
            Ok(mesh) => return boxed(f32_2::system(*mesh)),
            Err(any) => any,
        };
        let any = match any.downcast::<Mesh<f64, 3>>() {
            Ok(mesh) => return boxed(f64_3::system(*mesh)),
            Err(any) => any,
        };
        match any.downcast::<Mesh<f64, 2>>() {
            Ok(mesh) => boxed(f64_2::system(*mesh)),
            // Real numbers are `f32` and `f64`, space has two or three dimensions.
            Err(_) => unreachable!("there are four pairs"),
        }
    }
}

fn boxed<A: 'static, B: 'static>(a: A) -> B {
    match same(a) {
        Some(b) => b,
        None => unreachable!("the type is known"),
    }
}
