//! USD as text (`.usda`): points, meshes and sets with faces, which are meshes too, a frame per file or a whole run in one.
//!
//! Metres, y up, velocities per second. Positions are rounded to 32 bits, as the schemas have them.
//! Colours are linear there, so the colour hint is converted.

mod prim;
mod series;

use std::io::{self, Write};

use thixo_core::PointSet;

use crate::surface::Mesh;
use crate::{Error, Result, text};

use prim::{Attribute, Prim, Schema};
pub(crate) use series::Series;

/// Writes a point set as a stage of its own, with its time \[s\] in the documentation string.
pub fn write_points(w: &mut dyn Write, set: &PointSet, time: f64) -> Result<()> {
    write(w, set, time)
}

/// Writes a surface as a stage of its own.
pub fn write_mesh(w: &mut dyn Write, mesh: &Mesh, time: f64) -> Result<()> {
    write(w, mesh, time)
}

fn write<T: Prim>(w: &mut dyn Write, thing: &T, time: f64) -> Result<()> {
    let attributes = thing.attributes()?;
    let name = identifier(&thing.label().name);
    let body = |w: &mut dyn Write| -> io::Result<()> {
        write!(
            w,
            "#usda 1.0\n(\n    defaultPrim = \"{name}\"\n    doc = \"thixo, time {time:?} s\"\n"
        )?;
        w.write_all(b"    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\n")?;
        open(w, thing.schema(), &name, &thing.label(), "")?;
        for a in &attributes {
            write!(w, "    {} = ", a.declaration())?;
            (a.value)(w)?;
            w.write_all(a.metadata("    ").as_bytes())?;
            w.write_all(b"\n")?;
        }
        w.write_all(b"}\n")
    };
    body(w).map_err(|e| Error::write("usda".as_ref(), e))
}

/// What a prim is called and how it is shown.
#[derive(Clone)]
pub(crate) struct Label {
    name: String,
    material: String,
    color: [f32; 3],
}

/// Begins a prim, with what does not change in time.
fn open(
    w: &mut dyn Write,
    Schema {
        name: schema,
        fixed,
    }: Schema,
    name: &str,
    label: &Label,
    indent: &str,
) -> io::Result<()> {
    let mut color = Vec::new();
    text::triple(&mut color, label.color.map(linear));
    write!(
        w,
        "{indent}def {schema} \"{name}\" (\n{indent}    customData = {{\n\
         {indent}        string material = {}\n{indent}        string name = {}\n{indent}    }}\n\
         {indent})\n{indent}{{\n\
         {indent}    color3f[] primvars:displayColor = [{}] (\n\
         {indent}        interpolation = \"constant\"\n{indent}    )\n",
        quoted(&label.material),
        quoted(&label.name),
        String::from_utf8_lossy(&color)
    )?;
    if !fixed.is_empty() {
        writeln!(w, "{indent}    {fixed}")?;
    }
    Ok(())
}

/// A name with what may not stand in the name of a prim or attribute replaced.
fn identifier(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(100)
        .collect();
    match plain.chars().next() {
        Some(c) if !c.is_ascii_digit() => plain,
        _ => format!("_{plain}"),
    }
}

/// A string literal.
fn quoted(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// sRGB to linear light.
fn linear(c: f32) -> f32 {
    if c <= 0.04045 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn names_are_made_legal_and_strings_closed() {
        assert_eq!(identifier("cube <&> \"1\""), "cube______1_");
        assert_eq!(identifier("2nd"), "_2nd");
        assert_eq!(identifier(""), "_");
        assert_eq!(quoted("a\"b\\c\nd"), "\"a\\\"b\\\\c d\"");
    }

    #[test]
    fn a_set_with_faces_is_a_mesh() {
        let set = sample::skin(1);
        let mut out = Vec::new();
        write_points(&mut out, &set, 0.25).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("def Mesh \"skin\" ("), "{text}");
        assert!(text.contains("subdivisionScheme = \"none\""));
        assert!(text.contains("int[] faceVertexCounts = [3, 3, 3, "));
        assert!(text.contains("int[] faceVertexIndices = [1, 2, 3, 1, 3, 4, "));
        assert!(text.contains("int64[] primvars:id = [0, 1, 2, ") && !text.contains("widths"));
        // In the plane it stays points; a face that names no point is refused.
        let mut out = Vec::new();
        write_points(&mut out, &sample::ring(5), 0.0).unwrap();
        assert!(
            String::from_utf8(out)
                .unwrap()
                .contains("def Points \"ring\" (")
        );
        let mut lost = set;
        lost.faces[0][0] = 99;
        assert!(write_points(&mut io::sink(), &lost, 0.0).is_err());
    }

    #[test]
    fn a_point_set_is_a_stage() {
        let mut set = sample::block(2, 2);
        set.id[3] = 1 << 40;
        let mut out = Vec::new();
        write_points(&mut out, &set, 0.25).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with("#usda 1.0\n(\n    defaultPrim = \"block\"\n"));
        assert!(
            text.contains("int64[] ids = [0, 1, 2, 1099511627776]\n"),
            "{text}"
        );
        let width = 2.0 * (0.01f64 / std::f64::consts::PI).sqrt() as f32;
        assert!(
            text.contains(&format!("float[] widths = [{width}, ")),
            "{text}"
        );
        assert!(
            text.contains("float[] primvars:plastic_volume = [1, 1.001, "),
            "{text}"
        );
        assert_eq!(text.matches('{').count(), text.matches('}').count());
        set.id[0] = u64::MAX;
        assert!(write_points(&mut io::sink(), &set, 0.0).is_err());
    }
}
