//! Images: linear light while they are made, 8-bit sRGB when they are done.

use std::io::Write;
use std::path::Path;

use rayon::prelude::*;

use super::vec::{V, mix};
use crate::{Error, Result, atomic};

/// A finished picture: rows from the top, 8-bit sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Red, green, blue of each pixel.
    pub rgb: Vec<u8>,
}

impl Image {
    /// Writes a PNG, atomically.
    pub fn write_png(&self, path: &Path) -> Result<()> {
        atomic::write(path, |w| self.encode(w))
    }
    /// Writes the bytes of a PNG anywhere.
    pub fn encode(&self, w: &mut dyn Write) -> Result<()> {
        let fail = |e: png::EncodingError| match e {
            png::EncodingError::IoError(e) => Error::write(Path::new("picture"), e),
            e => Error::Invalid(format!("picture: {e}")),
        };
        let mut encoder = png::Encoder::new(w, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::Balanced);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header().map_err(fail)?;
        writer.write_image_data(&self.rgb).map_err(fail)?;
        writer.finish().map_err(fail)
    }
    /// Reads a PNG as written by [`Image::write_png`].
    pub fn read_png(path: &Path) -> Result<Self> {
        let file = std::fs::File::open(path).map_err(|e| Error::read(path, e))?;
        let damaged = |what: String| Error::Damaged {
            path: path.into(),
            part: "image".into(),
            what,
        };
        let decoder = png::Decoder::new(std::io::BufReader::new(file));
        let mut reader = decoder.read_info().map_err(|e| damaged(e.to_string()))?;
        let size = reader
            .output_buffer_size()
            .ok_or_else(|| damaged("is too large".into()))?;
        let mut rgb = vec![0; size];
        let info = reader
            .next_frame(&mut rgb)
            .map_err(|e| damaged(e.to_string()))?;
        if (info.color_type, info.bit_depth) != (png::ColorType::Rgb, png::BitDepth::Eight) {
            return Err(damaged("is not 8-bit RGB".into()));
        }
        Ok(Self {
            width: info.width as usize,
            height: info.height as usize,
            rgb,
        })
    }
    /// The image at half the size, averaged in linear light.
    pub fn halved(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let mut canvas = Canvas::new(width, height);
        for (k, to) in canvas.pixels.iter_mut().enumerate() {
            let (x, y) = (k % width * 2, k / width * 2);
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let at = 3 * ((y + dy) * self.width + x + dx);
                for (to, &c) in to.iter_mut().zip(&self.rgb[at..at + 3]) {
                    *to += 0.25 * linear(f32::from(c) / 255.0);
                }
            }
        }
        canvas.finish()
    }
}

/// A picture in the making, linear light.
pub(super) struct Canvas {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<V>,
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            pixels: vec![[0.0; 3]; width * height],
        }
    }
    /// Paints `color` over pixel (x, y), if there is one, covering `alpha` of it.
    pub fn blend(&mut self, x: i64, y: i64, color: V, alpha: f32) {
        if x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height {
            let p = &mut self.pixels[y as usize * self.width + x as usize];
            *p = mix(*p, color, alpha.clamp(0.0, 1.0));
        }
    }
    /// Paints the rectangle from `a` to `b`, with antialiased edges.
    pub fn rectangle(&mut self, a: [f32; 2], b: [f32; 2], color: V, alpha: f32) {
        let cover = |k: i64, lo: f32, hi: f32| {
            ((k + 1) as f32).min(hi).max(k as f32) - (k as f32).max(lo).min((k + 1) as f32)
        };
        for y in a[1].floor() as i64..b[1].ceil() as i64 {
            for x in a[0].floor() as i64..b[0].ceil() as i64 {
                let c = cover(x, a[0], b[0]).max(0.0) * cover(y, a[1], b[1]).max(0.0);
                self.blend(x, y, color, alpha * c);
            }
        }
    }
    /// Encodes as sRGB.
    pub fn finish(&self) -> Image {
        let bytes = |p: &V| p.map(|c| (srgb(c.clamp(0.0, 1.0)) * 255.0 + 0.5) as u8);
        let rgb: Vec<[u8; 3]> = self.pixels.par_iter().map(bytes).collect();
        Image {
            width: self.width,
            height: self.height,
            rgb: rgb.into_flattened(),
        }
    }
}

/// sRGB to linear light.
pub(super) fn linear(c: f32) -> f32 {
    if c <= 0.04045 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}

/// Linear light to sRGB.
pub(super) fn srgb(c: f32) -> f32 {
    if c <= 0.003_130_8 {
        c * 12.92
    } else {
        1.055 * c.powf(1.0 / 2.4) - 0.055
    }
}
