//! Films of pictures, frame by frame: GIF and MP4. A film is streamed, one frame in memory, and
//! appears under its name only when it is finished; dropped before that, it leaves no file.

mod gif;
#[cfg(feature = "mp4")]
mod mp4;
mod palette;
#[cfg(feature = "mp4")]
mod yuv;

use std::path::Path;

pub use self::gif::Gif;
#[cfg(feature = "mp4")]
pub use self::mp4::Mp4;
use crate::picture::Image;
use crate::{Error, Result};

/// A film in the making; the file name says which kind.
pub enum Film {
    /// An animated GIF.
    Gif(Box<Gif>),
    /// H.264 in MP4.
    #[cfg(feature = "mp4")]
    Mp4(Box<Mp4>),
}

impl Film {
    /// The file name extensions of films that can be made.
    pub const EXTENSIONS: &[&str] = if cfg!(feature = "mp4") {
        &["mp4", "gif"]
    } else {
        &["gif"]
    };

    /// Begins a film of pictures of one size, `fps` of them a second.
    pub fn create(path: &Path, width: usize, height: usize, fps: f64) -> Result<Self> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        match extension.to_ascii_lowercase().as_str() {
            "gif" => Ok(Self::Gif(Box::new(Gif::create(path, width, height, fps)?))),
            #[cfg(feature = "mp4")]
            "mp4" => Ok(Self::Mp4(Box::new(Mp4::create(path, width, height, fps)?))),
            _ => Err(Error::Invalid(format!(
                "{}: no film can be made with this name; it must end in .{}",
                path.display(),
                Self::EXTENSIONS.join(" or .")
            ))),
        }
    }
    /// Adds a frame.
    pub fn push(&mut self, image: &Image) -> Result<()> {
        match self {
            Self::Gif(film) => film.push(image),
            #[cfg(feature = "mp4")]
            Self::Mp4(film) => film.push(image),
        }
    }
    /// Writes what is left and gives the file its name. A film has at least one frame.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Gif(film) => film.finish(),
            #[cfg(feature = "mp4")]
            Self::Mp4(film) => film.finish(),
        }
    }
}

/// Refuses sizes and speeds that a kind of film cannot have.
fn check(
    path: &Path,
    [width, height]: [usize; 2],
    [smallest, widest, highest]: [usize; 3],
    fps: f64,
    fastest: f64,
) -> Result<()> {
    let name = path.display();
    if width < smallest || height < smallest || width > widest || height > highest {
        return Err(Error::Invalid(format!(
            "{name}: a film of {width}×{height} pixels is not possible; \
             from {smallest}×{smallest} to {widest}×{highest} is"
        )));
    }
    if !(0.01..=fastest).contains(&fps) {
        return Err(Error::Invalid(format!(
            "{name}: {fps} frames a second are not possible; from 0.01 to {fastest} are"
        )));
    }
    Ok(())
}

/// Refuses a frame of another size than the film's.
fn same_size(path: &Path, image: &Image, [width, height]: [usize; 2]) -> Result<()> {
    if [image.width, image.height] == [width, height] && image.rgb.len() == 3 * width * height {
        return Ok(());
    }
    Err(Error::Invalid(format!(
        "{}: a frame of {}×{} pixels in a film of {width}×{height}",
        path.display(),
        image.width,
        image.height
    )))
}

fn no_frames(path: &Path) -> Error {
    Error::Invalid(format!("{}: a film without frames", path.display()))
}

#[cfg(test)]
mod tests;
