//! Animated GIF: only what changed is written, in colours that are kept from frame to frame as
//! long as they fit, with an ordered dither, so that what stands still does not flicker.

use std::path::Path;

use ::gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::palette::{Palette, Tally};
use super::{check, no_frames, same_size};
use crate::atomic::Draft;
use crate::picture::Image;
use crate::{Error, Result};

/// The index of what stays as it is.
const SAME: u8 = 255;

/// An animated GIF in the making; it repeats for ever.
pub struct Gif {
    encoder: Encoder<Draft>,
    size: [usize; 2],
    fps: f64,
    frames: u64,
    /// The last frame as it was given, and as it is shown.
    given: Vec<u8>,
    shown: Vec<[u8; 3]>,
    palette: Option<(Palette, f32)>,
}

impl Gif {
    /// Begins a film. Viewers slow down what is faster than 50 frames a second, so more are
    /// refused; other speeds are met on average, as a frame stands for whole hundredths of a second.
    pub fn create(path: &Path, width: usize, height: usize, fps: f64) -> Result<Self> {
        check(path, [width, height], [1, 65535, 65535], fps, 50.0)?;
        let draft = Draft::create(path)?;
        let fail = |e| failed(path, e);
        let mut encoder = Encoder::new(draft, width as u16, height as u16, &[]).map_err(fail)?;
        encoder.set_repeat(Repeat::Infinite).map_err(fail)?;
        Ok(Self {
            encoder,
            size: [width, height],
            fps,
            frames: 0,
            given: Vec::new(),
            shown: vec![[0; 3]; width * height],
            palette: None,
        })
    }

    /// Adds a frame.
    pub fn push(&mut self, image: &Image) -> Result<()> {
        same_size(self.encoder.get_ref().path(), image, self.size)?;
        let first = self.given.is_empty();
        let (now, _) = image.rgb.as_chunks::<3>();
        let (before, _) = self.given.as_chunks::<3>();
        let changed = |k: usize| first || now[k] != before[k];
        let news = (0..now.len()).filter(|&k| changed(k));
        let tally = Tally::new(news.map(|k| now[k]));
        let fits = |(p, made): &(Palette, f32)| tally.error(p) <= 1.5 * made + 3.0;
        let (mut palette, made) = match self.palette.take().filter(fits) {
            Some(kept) => kept,
            None => {
                let whole = Tally::new(now.iter().copied());
                let palette = Palette::new(&whole);
                let error = whole.error(&palette);
                (palette, error)
            }
        };

        let width = self.size[0];
        let mut indices = vec![SAME; now.len()];
        let (mut low, mut high) = ([usize::MAX; 2], [0; 2]);
        for (k, index) in indices.iter_mut().enumerate() {
            if !changed(k) {
                continue;
            }
            let at = [k % width, k / width];
            let lift = (DITHER[at[1] % 8][at[0] % 8] * palette.step).round();
            let color = now[k].map(|c| (f32::from(c) + lift).clamp(0.0, 255.0) as u8);
            let i = palette.index(color);
            let shown = palette.colors[usize::from(i)];
            if first || shown != self.shown[k] {
                self.shown[k] = shown;
                *index = i;
                (0..2).for_each(|a| (low[a], high[a]) = (low[a].min(at[a]), high[a].max(at[a])));
            }
        }
        if low[0] > high[0] {
            (low, high) = ([0; 2], [0; 2]); // a still: one transparent pixel that lasts
        }
        let rows = low[1]..=high[1];
        let part = rows.flat_map(|y| &indices[y * width + low[0]..=y * width + high[0]]);
        let frame = Frame {
            delay: self.delay(),
            dispose: DisposalMethod::Keep,
            transparent: (!first).then_some(SAME),
            left: low[0] as u16,
            top: low[1] as u16,
            width: (high[0] - low[0] + 1) as u16,
            height: (high[1] - low[1] + 1) as u16,
            palette: Some(table(&palette)),
            buffer: part.copied().collect(),
            ..Frame::default()
        };
        let path = self.encoder.get_ref().path().to_path_buf();
        self.encoder
            .write_frame(&frame)
            .map_err(|e| failed(&path, e))?;
        self.frames += 1;
        self.given.clone_from(&image.rgb);
        self.palette = Some((palette, made));
        Ok(())
    }

    /// Hundredths of a second from the beginning of this frame to that of the next.
    fn delay(&self) -> u16 {
        let begin = |k: u64| (100.0 * k as f64 / self.fps).round();
        (begin(self.frames + 1) - begin(self.frames)) as u16
    }

    /// Writes the end and gives the file its name.
    pub fn finish(self) -> Result<()> {
        let path = self.encoder.get_ref().path().to_path_buf();
        if self.frames == 0 {
            return Err(no_frames(&path));
        }
        let draft = self.encoder.into_inner().map_err(|e| failed(&path, e))?;
        draft.commit()
    }
}

fn table(palette: &Palette) -> Vec<u8> {
    let mut table = palette.colors.clone();
    table.resize(256, [0; 3]);
    table.into_flattened()
}

fn failed(path: &Path, e: EncodingError) -> Error {
    match e {
        EncodingError::Io(e) => Error::write(path, e),
        e => Error::Invalid(format!("{}: {e}", path.display())),
    }
}

/// Bayer's ordered dither, −1/2 to 1/2.
const DITHER: [[f32; 8]; 8] = {
    let mut all = [[0.0; 8]; 8];
    let mut k = 0;
    while k < 64 {
        let (x, y) = (k % 8, k / 8);
        let (mut value, mut bit) = (0, 0);
        while bit < 3 {
            let (a, b) = (x >> bit & 1, y >> bit & 1);
            value |= (2 * (a ^ b) + b) << (2 * (2 - bit));
            bit += 1;
        }
        all[y][x] = (value as f32 + 0.5) / 64.0 - 0.5;
        k += 1;
    }
    all
};
