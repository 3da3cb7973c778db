//! Animated GIFs of frames.

use std::path::Path;

use crate::picture::Image;
use crate::{Error, Result, atomic};

/// Writes frames of equal size as an endless animation, `per_second` frames a second (GIF rounds to
/// hundredths of a second, and most viewers show at most 50). Only what changes is stored.
pub fn write_gif(
    path: &Path,
    frames: impl IntoIterator<Item = Result<Image>>,
    per_second: f64,
) -> Result<()> {
    let mut frames = frames.into_iter().peekable();
    let (width, height) = match frames.peek() {
        Some(Ok(first)) => (first.width, first.height),
        Some(Err(_)) => (0, 0), // returned below
        None => return Err(Error::Invalid(format!("{}: no frames", path.display()))),
    };
    let side = |n: usize| {
        u16::try_from(n).map_err(|_| Error::Invalid(format!("{n} pixels are too many for a GIF")))
    };
    let (w, h) = (side(width)?, side(height)?);
    let delay = (100.0 / per_second).round().clamp(2.0, 6000.0) as u16;
    let fail = |e: gif::EncodingError| match e {
        gif::EncodingError::Io(e) => Error::write(path, e),
        e => Error::Invalid(format!("{}: {e}", path.display())),
    };
    atomic::write(path, |out| {
        let mut encoder = gif::Encoder::new(out, w, h, &[]).map_err(fail)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(fail)?;
        let mut before: Option<Image> = None;
        for frame in frames {
            let frame = frame?;
            if (frame.width, frame.height) != (width, height) {
                return Err(Error::Invalid(format!(
                    "{}: frames differ in size",
                    path.display()
                )));
            }
            let mut rgba = changed(&frame, before.as_ref());
            let mut shot = gif::Frame::from_rgba_speed(w, h, &mut rgba, 10);
            shot.delay = delay;
            shot.dispose = gif::DisposalMethod::Keep;
            encoder.write_frame(&shot).map_err(fail)?;
            before = Some(frame);
        }
        Ok(())
    })
}

/// The pixels of a frame, clear where they are as before.
fn changed(frame: &Image, before: Option<&Image>) -> Vec<u8> {
    let mut rgba = Vec::with_capacity(frame.rgb.len() / 3 * 4);
    for (k, p) in frame.rgb.chunks_exact(3).enumerate() {
        let same = before.is_some_and(|b| &b.rgb[3 * k..3 * k + 3] == p);
        rgba.extend(if same {
            [0; 4]
        } else {
            [p[0], p[1], p[2], 255]
        });
    }
    rgba
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.gif");
        let frame = |k: usize| {
            let mut rgb = vec![200; 3 * 32 * 16];
            rgb[3 * k] = 10;
            Ok(Image {
                width: 32,
                height: 16,
                rgb,
            })
        };
        write_gif(&path, [0, 1, 1, 2].map(frame), 25.0).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options
            .read_info(std::fs::File::open(&path).unwrap())
            .unwrap();
        let mut count = 0;
        while let Some(f) = decoder.read_next_frame().unwrap() {
            assert_eq!(f.delay, 4);
            count += 1;
        }
        assert_eq!((decoder.width(), decoder.height(), count), (32, 16, 4));
        assert!(write_gif(&path, [], 25.0).is_err());
        assert!(write_gif(&path, [frame(0), Err(Error::Invalid("x".into()))], 25.0).is_err());
    }
}
