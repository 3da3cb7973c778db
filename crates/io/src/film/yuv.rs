//! Colours of films: BT.709 in limited range, chroma at half the resolution.

use openh264::formats::YUVSource;
use rayon::prelude::*;

use crate::picture::Image;

/// A frame as an encoder wants it; even sides.
pub(super) struct Yuv {
    width: usize,
    height: usize,
    y: Vec<u8>,
    u: Vec<u8>,
    v: Vec<u8>,
}

impl Yuv {
    /// A frame for pictures of a size; odd sides get one more row or column.
    pub fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width.next_multiple_of(2), height.next_multiple_of(2));
        Self {
            width,
            height,
            y: vec![16; width * height],
            u: vec![128; width * height / 4],
            v: vec![128; width * height / 4],
        }
    }

    /// Takes over a picture; the last row and column are repeated where the frame is larger.
    pub fn fill(&mut self, image: &Image) {
        let width = self.width;
        let rows = self
            .y
            .par_chunks_mut(2 * width)
            .zip(self.u.par_chunks_mut(width / 2))
            .zip(self.v.par_chunks_mut(width / 2));
        rows.enumerate().for_each(|(j, ((y, u), v))| {
            for i in 0..width / 2 {
                let mut sum = [0.0; 3];
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let px = (2 * i + dx).min(image.width - 1);
                    let py = (2 * j + dy).min(image.height - 1);
                    let at = 3 * (py * image.width + px);
                    let rgb: [f32; 3] = std::array::from_fn(|k| f32::from(image.rgb[at + k]));
                    y[dy * width + 2 * i + dx] = (luma(rgb) * 219.0 / 255.0 + 16.5) as u8;
                    (0..3).for_each(|k| sum[k] += 0.25 * rgb[k]);
                }
                let [r, _, b] = sum;
                let light = luma(sum);
                let level = |c: f32| (c * 224.0 / 255.0 + 128.5) as u8;
                u[i] = level((b - light) / 1.8556);
                v[i] = level((r - light) / 1.5748);
            }
        });
    }
}

fn luma([r, g, b]: [f32; 3]) -> f32 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

impl YUVSource for Yuv {
    fn dimensions(&self) -> (usize, usize) {
        (self.width, self.height)
    }
    fn strides(&self) -> (usize, usize, usize) {
        (self.width, self.width / 2, self.width / 2)
    }
    fn y(&self) -> &[u8] {
        &self.y
    }
    fn u(&self) -> &[u8] {
        &self.u
    }
    fn v(&self) -> &[u8] {
        &self.v
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rgb: [u8; 3]) -> [u8; 3] {
        let mut yuv = Yuv::new(3, 1);
        yuv.fill(&Image {
            width: 3,
            height: 1,
            rgb: rgb.repeat(3),
        });
        assert_eq!((yuv.y.len(), yuv.u.len()), (8, 2));
        [yuv.y[7], yuv.u[1], yuv.v[1]]
    }

    #[test]
    fn the_standard_colours() {
        // Recommendation ITU-R BT.709-6, item 6.10: ranges of 8-bit coded signals.
        assert_eq!(of([0; 3]), [16, 128, 128]);
        assert_eq!(of([255; 3]), [235, 128, 128]);
        assert_eq!(of([255, 0, 0]), [63, 102, 240]);
        assert_eq!(of([0, 255, 0]), [173, 42, 26]);
        assert_eq!(of([0, 0, 255]), [32, 240, 118]);
    }
}
