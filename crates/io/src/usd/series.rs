//! A whole run in one `.usda`: every attribute with one time sample per frame.
//!
//! The text of a value goes to a spool on disk as soon as its frame is there; memory keeps only
//! where. At the end the values are put in the order that the file needs. The spool has no name in
//! the folder, so however a run ends, nothing is left of it.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use super::{Attribute, Label, Prim, Schema, identifier, open};
use crate::export::{Export, Run};
use crate::frames::{file_name, unique, writable};
use crate::{Error, Result, atomic};

/// A run as one stage, whose time codes are the numbers of the frames.
pub(crate) struct Series<T> {
    folder: PathBuf,
    scene: String,
    fps: f64,
    spool: BufWriter<File>,
    tracks: Vec<Track>,
    first: Option<u64>,
    last: u64,
    kind: std::marker::PhantomData<fn(&T)>,
}

/// One prim over time.
struct Track {
    name: String,
    schema: Schema,
    label: Label,
    channels: Vec<Channel>,
}

/// One attribute over time: which bytes of the spool are its value in which frame.
struct Channel {
    declaration: String,
    metadata: String,
    samples: Vec<(u64, Place)>,
}

#[derive(Clone, Copy)]
struct Place {
    start: u64,
    length: u64,
}

const INDENT: &str = "        ";

impl<T: Prim> Series<T> {
    /// Makes sure that the folder can be written; there is no file before [`Export::finish`].
    pub(crate) fn new(run: &Run) -> Result<Self> {
        if !(run.fps.is_finite() && run.fps > 0.0) {
            let what = format!("{} frames per second are no rate", run.fps);
            return Err(Error::Invalid(what));
        }
        let folder = run.folder.join(T::FOLDER);
        writable(&folder)?;
        let spool = tempfile::tempfile_in(&folder).map_err(|e| Error::write(&folder, e))?;
        Ok(Self {
            folder,
            scene: run.scene.clone(),
            fps: run.fps,
            spool: BufWriter::with_capacity(1 << 18, spool),
            tracks: Vec::new(),
            first: None,
            last: 0,
            kind: std::marker::PhantomData,
        })
    }

    /// The file: of a run that was resumed, its later part gets a name of its own.
    fn path(&self, first: u64) -> PathBuf {
        let scene = file_name(&self.scene);
        self.folder.join(match first {
            0 => format!("{scene}.usda"),
            _ => format!("{scene}_from_{first:04}.usda"),
        })
    }

    fn frame_at(&mut self, index: u64, things: &[T]) -> Result<()> {
        let first = *self.first.get_or_insert(index);
        let failed = |e| Error::write(&self.folder, e);
        let mut seen: Vec<String> = Vec::new();
        for thing in things {
            let label = thing.label();
            let name = unique(identifier(&label.name), &seen, '_');
            let track = match self.tracks.iter().position(|t| t.name == name) {
                Some(k) => &mut self.tracks[k],
                None => {
                    self.tracks.push(Track {
                        name: name.clone(),
                        schema: thing.schema(),
                        label,
                        channels: Vec::new(),
                    });
                    let k = self.tracks.len() - 1;
                    &mut self.tracks[k]
                }
            };
            seen.push(name);
            for a in thing.attributes()? {
                let place = put(&mut self.spool, |w| (a.value)(w)).map_err(failed)?;
                track.channel(&a, first, index).samples.push((index, place));
            }
        }
        // What is gone is empty from now on.
        for channel in self.tracks.iter_mut().flat_map(|t| &mut t.channels) {
            if channel.samples.last().is_none_or(|s| s.0 != index) {
                channel.samples.push((index, NOTHING));
            }
        }
        Ok(())
    }

    fn write(&self, w: &mut dyn Write, spool: &mut File) -> io::Result<()> {
        let (first, last, fps) = (self.first.unwrap_or(0), self.last, self.fps);
        write!(
            w,
            "#usda 1.0\n(\n    defaultPrim = \"{0}\"\n    doc = \"thixo\"\n    endTimeCode = {last}\n    \
             framesPerSecond = {fps}\n    metersPerUnit = 1\n    startTimeCode = {first}\n    \
             timeCodesPerSecond = {fps}\n    upAxis = \"Y\"\n)\n\ndef Xform \"{0}\"\n{{\n",
            T::FOLDER
        )?;
        for track in &self.tracks {
            open(w, track.schema, &track.name, &track.label, "    ")?;
            for channel in &track.channels {
                let Channel {
                    declaration,
                    metadata,
                    samples,
                } = channel;
                if !metadata.is_empty() {
                    writeln!(w, "{INDENT}{declaration}{metadata}")?;
                }
                writeln!(w, "{INDENT}{declaration}.timeSamples = {{")?;
                for (index, place) in samples {
                    write!(w, "{INDENT}    {index}: ")?;
                    copy(spool, *place, w)?;
                    w.write_all(b",\n")?;
                }
                writeln!(w, "{INDENT}}}")?;
            }
            w.write_all(b"    }\n")?;
        }
        w.write_all(b"}\n")
    }
}

impl<T: Prim> Export<T> for Series<T> {
    fn frame(&mut self, index: u64, _time: f64, things: &[T]) -> Result<()> {
        if self.first.is_some() && index <= self.last {
            let what = format!("frame {index} after frame {}", self.last);
            return Err(Error::Invalid(what));
        }
        self.frame_at(index, things)?;
        self.last = index;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        let Some(first) = self.first else {
            return Ok(()); // nothing was shown
        };
        let path = self.path(first);
        let failed = |e| Error::write(&path, e);
        self.spool.flush().map_err(failed)?;
        let mut spool = self.spool.get_ref().try_clone().map_err(failed)?;
        atomic::write(&path, |w| self.write(w, &mut spool))
    }
}

impl Track {
    /// The channel of an attribute; one that comes late is empty before.
    fn channel(&mut self, a: &Attribute, first: u64, index: u64) -> &mut Channel {
        let declaration = a.declaration();
        let at = self
            .channels
            .iter()
            .position(|c| c.declaration == declaration);
        let k = at.unwrap_or_else(|| {
            let samples = if first < index {
                vec![(first, NOTHING)]
            } else {
                Vec::new()
            };
            self.channels.push(Channel {
                declaration,
                metadata: a.metadata(INDENT),
                samples,
            });
            self.channels.len() - 1
        });
        &mut self.channels[k]
    }
}

/// An empty array, which needs no place in the spool.
const NOTHING: Place = Place {
    start: 0,
    length: 0,
};

fn put(
    spool: &mut BufWriter<File>,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<Place> {
    let start = spool.stream_position()?;
    fill(spool)?;
    let length = spool.stream_position()? - start;
    Ok(Place { start, length })
}

fn copy(spool: &mut File, place: Place, w: &mut dyn Write) -> io::Result<()> {
    if place.length == 0 {
        return w.write_all(b"[]");
    }
    spool.seek(SeekFrom::Start(place.start))?;
    let copied = io::copy(&mut spool.take(place.length), w)?;
    if copied == place.length {
        Ok(())
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}
