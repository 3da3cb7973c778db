//! Whole runs to files: an [`Export`] is shown frame after frame and finished at the end.
//!
//! A format with a file per frame is one line in [`frames::FORMATS`] or [`surface::FORMATS`]; one
//! that puts a whole run into one file is one line in [`WHOLE`].

use std::path::PathBuf;

use thixo_core::PointSet;

use crate::frames::{self, Format, FrameWriter};
use crate::surface::{self, Mesh, Surfacing};
use crate::{Error, Result, usd};

/// Something that a run is written to: what is shown to it is on disk, or spooled there, when
/// [`Export::frame`] returns, so memory does not grow with the number of frames.
pub trait Export<T = PointSet> {
    /// Takes a frame: its number, its time \[s\], and what is there. Numbers increase.
    fn frame(&mut self, index: u64, time: f64, things: &[T]) -> Result<()>;
    /// Ends the run. Files that hold a whole run appear now and not before; dropping the export
    /// instead leaves nothing of them.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// What an export has to know of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Where to; files go to its subfolders `particles` and `surfaces`.
    pub folder: PathBuf,
    /// The name of the scene, after which files of a whole run are named.
    pub scene: String,
    /// Frames per second of the animation.
    pub fps: f64,
    /// The time \[s\] from which a resumed run goes on with the files of an earlier one.
    pub resume: Option<f64>,
}

/// A format that puts a whole run into one file.
pub struct Whole {
    /// Its name; it comes before a format of that name with a file per frame.
    pub name: &'static str,
    /// One sentence on what it is for.
    pub doc: &'static str,
    /// Makes an export of particles.
    pub points: fn(&Run) -> Result<Box<dyn Export>>,
    /// Makes an export of surfaces.
    pub surfaces: fn(&Run) -> Result<Box<dyn Export<Mesh>>>,
}

/// All formats that put a whole run into one file, one line each.
pub const WHOLE: &[Whole] = &[Whole {
    name: "usd",
    doc: "One USD stage with time samples, for Houdini, Blender, Omniverse and usdview.",
    points: |run| Ok(Box::new(usd::Series::<PointSet>::new(run)?)),
    surfaces: |run| Ok(Box::new(usd::Series::<Mesh>::new(run)?)),
}];

/// Names of the formats that [`points`] knows, each with its sentence.
pub fn point_formats() -> Vec<(&'static str, &'static str)> {
    known(frames::FORMATS)
}

/// Names of the formats that [`surfaces`] knows, each with its sentence.
pub fn surface_formats() -> Vec<(&'static str, &'static str)> {
    known(surface::FORMATS)
}

fn known<T>(formats: &'static [Format<T>]) -> Vec<(&'static str, &'static str)> {
    let whole = |name| WHOLE.iter().find(|w| w.name == name).map(|w| w.doc);
    formats
        .iter()
        .map(|f| (f.name, whole(f.name).unwrap_or(f.doc)))
        .collect()
}

/// An export of particles to all of the named formats.
pub fn points(names: &[&str], run: &Run) -> Result<Box<dyn Export>> {
    let (whole, rest) = split(names);
    let writer = FrameWriter::new(&run.folder, &run.scene, &rest)?;
    let mut all = per_frame(writer, run);
    for w in whole {
        all.push((w.points)(run)?);
    }
    Ok(Box::new(Together(all)))
}

/// An export of the surface of every set of points, made once per frame, to all of the named
/// formats. Sets must have three dimensions.
pub fn surfaces(names: &[&str], run: &Run, how: Surfacing) -> Result<Box<dyn Export>> {
    let (whole, rest) = split(names);
    let writer = FrameWriter::surfaces(&run.folder, &run.scene, &rest)?;
    let mut all = per_frame(writer, run);
    for w in whole {
        all.push((w.surfaces)(run)?);
    }
    let to = Box::new(Together(all));
    Ok(Box::new(Surfaces { how, to }))
}

/// Formats with one file per run, and names of the others.
fn split<'n>(names: &[&'n str]) -> (Vec<&'static Whole>, Vec<&'n str>) {
    let whole = |name: &str| WHOLE.iter().find(|w| w.name == name);
    let rest = names.iter().copied().filter(|n| whole(n).is_none());
    (
        names.iter().filter_map(|n| whole(n)).collect(),
        rest.collect(),
    )
}

fn per_frame<T: Named>(writer: FrameWriter<T>, run: &Run) -> Vec<Box<dyn Export<T>>> {
    let writer = match run.resume {
        Some(time) => writer.resume(time),
        None => writer,
    };
    vec![Box::new(PerFrame(writer))]
}

/// What files of a frame are named after.
trait Named: 'static {
    fn name(&self) -> &str;
}

impl Named for PointSet {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for Mesh {
    fn name(&self) -> &str {
        &self.name
    }
}

/// A file per frame and thing.
struct PerFrame<T: 'static>(FrameWriter<T>);

impl<T: Named> Export<T> for PerFrame<T> {
    fn frame(&mut self, index: u64, time: f64, things: &[T]) -> Result<()> {
        let index = usize::try_from(index)
            .map_err(|_| Error::Invalid(format!("frame {index} is beyond all numbers")))?;
        let mut frame = self.0.frame(index, time);
        for thing in things {
            frame.add(thing.name(), thing)?;
        }
        frame.finish()
    }
    fn finish(self: Box<Self>) -> Result<()> {
        Ok(()) // every frame is on disk
    }
}

/// Several exports at once.
struct Together<T>(Vec<Box<dyn Export<T>>>);

impl<T> Export<T> for Together<T> {
    fn frame(&mut self, index: u64, time: f64, things: &[T]) -> Result<()> {
        self.0
            .iter_mut()
            .try_for_each(|e| e.frame(index, time, things))
    }
    fn finish(self: Box<Self>) -> Result<()> {
        self.0.into_iter().try_for_each(|e| e.finish())
    }
}

/// Turns points into surfaces on the way.
struct Surfaces {
    how: Surfacing,
    to: Box<dyn Export<Mesh>>,
}

impl Export for Surfaces {
    fn frame(&mut self, index: u64, time: f64, sets: &[PointSet]) -> Result<()> {
        let meshes = sets
            .iter()
            .map(|set| surface::surface(set, &self.how))
            .collect::<Result<Vec<_>>>()?;
        self.to.frame(index, time, &meshes)
    }
    fn finish(self: Box<Self>) -> Result<()> {
        self.to.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::sample;

    fn run(folder: &Path) -> Run {
        Run {
            folder: folder.into(),
            scene: "a run".into(),
            fps: 24.0,
            resume: None,
        }
    }

    fn files(folder: &Path) -> Vec<String> {
        let all = fs::read_dir(folder).unwrap();
        let mut all: Vec<_> = all
            .map(|f| f.unwrap().file_name().into_string().unwrap())
            .collect();
        all.sort();
        all
    }

    /// Frames in which a set grows, goes and comes back, and another comes late.
    fn show(export: &mut dyn Export, first: u64) -> Result<()> {
        let mut late = sample::block(2, 3);
        late.name = "late".into();
        export.frame(first, 0.0, &[sample::block(2, 3)])?;
        export.frame(first + 1, 0.1, &[sample::block(3, 3), late.clone()])?;
        export.frame(first + 2, 0.2, &[late])?;
        export.frame(first + 3, 0.3, &[sample::block(1, 3)])
    }

    #[test]
    fn every_format_is_made_by_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let run = run(dir.path());
        let names: Vec<_> = point_formats().iter().map(|f| f.0).collect();
        let mut points = points(&names, &run).unwrap();
        show(&mut *points, 0).unwrap();
        points.finish().unwrap();
        let made = files(&dir.path().join("particles"));
        for name in ["a_run.usda", "a_run.pvd", "late_0002.csv", "block_0000.npz"] {
            assert!(made.contains(&name.to_string()), "{name} in {made:?}");
        }
        assert_eq!(made.len(), 5 * 5 + 2, "{made:?}");
        let names: Vec<_> = surface_formats().iter().map(|f| f.0).collect();
        let mut surfaces = surfaces(&names, &run, Surfacing::default()).unwrap();
        show(&mut *surfaces, 0).unwrap();
        surfaces.finish().unwrap();
        let made = files(&dir.path().join("surfaces"));
        assert_eq!(made.len(), 5 * 3 + 2, "{made:?}");
        assert!(point_formats().iter().all(|f| f.1.ends_with('.')));
        let e = super::points(&["abc"], &run).err().unwrap();
        assert!(e.to_string().contains("there are ply,"), "{e}");
    }

    #[test]
    fn a_stage_has_the_same_bits_twice_and_tells_what_is_gone() {
        let dir = tempfile::tempdir().unwrap();
        let text = |name: &str| {
            let run = run(&dir.path().join(name));
            let mut export = points(&["usd"], &run).unwrap();
            show(&mut *export, 0).unwrap();
            export.finish().unwrap();
            fs::read_to_string(run.folder.join("particles/a_run.usda")).unwrap()
        };
        let one = text("one");
        assert!(one == text("two"));
        let ids: Vec<_> = one.split("int64[] ids.timeSamples = {").skip(1).collect();
        let of = |k: usize| ids[k].split('}').next().unwrap();
        let lines: Vec<_> = of(0).lines().map(str::trim).collect();
        assert_eq!(lines[1], "0: [0, 1, 2, 3, 4, 5, 6, 7],");
        assert_eq!(lines[3..5], ["2: [],", "3: [0],"]);
        let lines: Vec<_> = of(1).lines().map(str::trim).collect();
        assert_eq!(lines[1], "0: [],");
        assert_eq!(lines[4], "3: [],");
    }

    #[test]
    fn no_half_written_stage_appears() {
        let dir = tempfile::tempdir().unwrap();
        let run = run(dir.path());
        let folder = dir.path().join("particles");
        let mut export = points(&["usd"], &run).unwrap();
        show(&mut *export, 0).unwrap();
        assert!(files(&folder).is_empty(), "before the end");
        drop(export);
        assert!(files(&folder).is_empty(), "after a run that was given up");
        // A stage of an earlier run stays as it is until the new one is whole.
        fs::write(folder.join("a_run.usda"), "old").unwrap();
        let mut export = points(&["usd"], &run).unwrap();
        show(&mut *export, 0).unwrap();
        let mut bad = sample::block(2, 3);
        bad.mass.pop();
        assert!(export.frame(9, 0.9, &[bad]).is_err());
        assert!(export.frame(2, 0.2, &[]).is_err(), "back in time");
        drop(export);
        assert_eq!(fs::read(folder.join("a_run.usda")).unwrap(), b"old");
        // The later part of a run does not take the place of the earlier one.
        let mut export = points(&["usd"], &run).unwrap();
        show(&mut *export, 12).unwrap();
        export.finish().unwrap();
        assert_eq!(files(&folder), ["a_run.usda", "a_run_from_0012.usda"]);
        assert_eq!(fs::read(folder.join("a_run.usda")).unwrap(), b"old");
        // A file that cannot be put in its place leaves nothing else either.
        fs::remove_file(folder.join("a_run.usda")).unwrap();
        fs::create_dir(folder.join("a_run.usda")).unwrap();
        let mut export = points(&["usd"], &run).unwrap();
        show(&mut *export, 0).unwrap();
        assert!(export.finish().is_err());
        assert_eq!(files(&folder), ["a_run.usda", "a_run_from_0012.usda"]);
        assert!(points(&["usd"], &Run { fps: 0.0, ..run }).is_err());
    }
}
