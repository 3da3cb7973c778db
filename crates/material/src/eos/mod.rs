//! Laws whose stress depends on volume and rate alone.

mod liquid;

pub use liquid::Liquid;
pub(crate) use liquid::{beyond_line, root};
