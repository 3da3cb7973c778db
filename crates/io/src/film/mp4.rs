//! H.264 in MP4 (ISO/IEC 14496-12 and -15): frames are written as they come, the index of them
//! last.

use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use openh264::OpenH264API;
use openh264::encoder::{
    BitRate, Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, QpRange,
    RateControlMode, TransferCharacteristics, VuiConfig,
};

use super::yuv::Yuv;
use super::{check, no_frames, same_size};
use crate::atomic::Draft;
use crate::picture::Image;
use crate::{Error, Result};

/// Units of time that a frame lasts; their number per second is the frame rate times this.
const TICKS: u32 = 1000;
/// Quantisers between which a frame may choose: near to the pictures, at a fraction of their size.
const QUALITY: (u8, u8) = (17, 20);

/// H.264 in MP4 in the making. An odd side gets one more row or column.
pub struct Mp4 {
    draft: Draft,
    encoder: Encoder,
    yuv: Yuv,
    size: [usize; 2],
    rate: u32,
    /// Bytes of the frames, and the numbers of those that need no other.
    samples: Vec<u32>,
    keys: Vec<u32>,
    sps: Vec<u8>,
    pps: Vec<u8>,
    /// Where the frames begin.
    start: u64,
}

impl Mp4 {
    /// Begins a film; `fps` counts to three decimals.
    pub fn create(path: &Path, width: usize, height: usize, fps: f64) -> Result<Self> {
        let limits = if width >= height {
            [16, 3840, 2160]
        } else {
            [16, 2160, 3840]
        };
        check(path, [width, height], limits, fps, 240.0)?;
        let second = fps.round().max(1.0) as u32;
        // Without a buffer to report on, this mode keeps to the lower quantiser and never skips a
        // frame; the bit rate only has to be out of the way.
        let bits = (width * height) as f64 * fps.clamp(1.0, 60.0);
        let config = EncoderConfig::new()
            .rate_control_mode(RateControlMode::Bufferbased)
            .qp(QpRange::new(QUALITY.0, QUALITY.1))
            .bitrate(BitRate::from_bps(bits.clamp(1e6, 2e8) as u32))
            .max_frame_rate(FrameRate::from_hz(fps.clamp(1.0, 60.0) as f32))
            .skip_frames(false)
            .intra_frame_period(IntraFramePeriod::from_num_frames(2 * second))
            .num_threads(1)
            // Both leave traces of what has moved away.
            .background_detection(false)
            .adaptive_quantization(false)
            .vui(VuiConfig::bt709().transfer_characteristics(TransferCharacteristics::Srgb));
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config)
            .map_err(|e| failed(path, &e))?;
        let mut draft = Draft::create(path)?;
        let mut head = boxed(b"ftyp", &[b"isom", &be(512), b"isomiso2avc1mp41"]);
        let start = head.len() as u64;
        // A large box: its length stands in the eight bytes after the name, and is filled in later.
        head.extend([be(1).as_slice(), b"mdat", &[0; 8]].concat());
        draft.write_all(&head).map_err(|e| Error::write(path, e))?;
        Ok(Self {
            draft,
            encoder,
            yuv: Yuv::new(width, height),
            size: [width, height],
            rate: (fps * f64::from(TICKS)).round() as u32,
            samples: Vec::new(),
            keys: Vec::new(),
            sps: Vec::new(),
            pps: Vec::new(),
            start,
        })
    }

    /// Adds a frame.
    pub fn push(&mut self, image: &Image) -> Result<()> {
        let path = self.draft.path().to_path_buf();
        same_size(&path, image, self.size)?;
        self.yuv.fill(image);
        let stream = self
            .encoder
            .encode(&self.yuv)
            .map_err(|e| failed(&path, &e))?;
        let mut sample = Vec::new();
        let layers = (0..stream.num_layers()).filter_map(|l| stream.layer(l));
        for layer in layers {
            for unit in (0..layer.nal_count()).filter_map(|n| layer.nal_unit(n)) {
                let unit = bare(unit);
                match unit.first().map(|head| head & 31) {
                    Some(7) => self.sps = unit.to_vec(),
                    Some(8) => self.pps = unit.to_vec(),
                    Some(_) => {
                        sample.extend(be(unit.len() as u32));
                        sample.extend_from_slice(unit);
                    }
                    None => {}
                }
            }
        }
        if sample.is_empty() {
            return Err(failed(&path, &"the encoder left out a frame"));
        }
        if stream.frame_type() == FrameType::IDR {
            self.keys.push(self.samples.len() as u32 + 1);
        }
        self.samples.push(sample.len() as u32);
        self.draft
            .write_all(&sample)
            .map_err(|e| Error::write(&path, e))
    }

    /// Writes the index and gives the file its name.
    pub fn finish(mut self) -> Result<()> {
        let path = self.draft.path().to_path_buf();
        if self.samples.is_empty() {
            return Err(no_frames(&path));
        }
        if self.sps.len() < 4 || self.pps.is_empty() {
            return Err(failed(&path, &"the encoder gave no parameters"));
        }
        self.close().map_err(|e| Error::write(&path, e))?;
        self.draft.commit()
    }

    fn close(&mut self) -> io::Result<()> {
        let index = self.index();
        self.draft.write_all(&index)?;
        let length = 16 + self.samples.iter().map(|&s| u64::from(s)).sum::<u64>();
        self.draft.seek(SeekFrom::Start(self.start + 8))?;
        self.draft.write_all(&length.to_be_bytes())
    }

    /// The index: one track of video.
    fn index(&self) -> Vec<u8> {
        let count = self.samples.len() as u32;
        let [width, height] = self.size.map(|s| s.next_multiple_of(2) as u32);
        let length = (u64::from(count) * u64::from(TICKS)).to_be_bytes();
        let rate = be(self.rate);
        let matrix = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30]
            .map(be)
            .concat();
        let zeros = [0; 24];
        // Version 1: times and lengths of 64 bits; no dates, so that the same film is the same file.
        let moving = boxed(
            b"mvhd",
            &[
                &be(1 << 24),
                &zeros[..16],
                &rate,
                &length,
                &be(1 << 16),
                &be(1 << 24),
                &zeros[..8],
                &matrix,
                &zeros,
                &be(2),
            ],
        );
        let track = boxed(
            b"tkhd",
            &[
                &be(1 << 24 | 7),
                &zeros[..16],
                &be(1),
                &zeros[..4],
                &length,
                &zeros[..16],
                &matrix,
                &be(width << 16),
                &be(height << 16),
            ],
        );
        // Language: undetermined, three letters of five bits.
        let media = boxed(
            b"mdhd",
            &[
                &be(1 << 24),
                &zeros[..16],
                &rate,
                &length,
                &be(0x55C4 << 16),
            ],
        );
        let handler = boxed(b"hdlr", &[&zeros[..8], b"vide", &zeros[..12], b"video\0"]);
        let place = boxed(b"url ", &[&be(1)]); // in this file
        let place = boxed(b"dref", &[&zeros[..4], &be(1), &place]);
        let times = boxed(b"stts", &[&zeros[..4], &be(1), &be(count), &be(TICKS)]);
        let keys = [be(0), be(self.keys.len() as u32)]
            .into_iter()
            .chain(self.keys.iter().map(|&k| be(k)));
        let keys = boxed(b"stss", &[&keys.collect::<Vec<_>>().concat()]);
        let chunks = boxed(b"stsc", &[&zeros[..4], &be(1), &be(1), &be(count), &be(1)]);
        let sizes = self.samples.iter().map(|&s| be(s));
        let sizes = sizes.collect::<Vec<_>>().concat();
        let sizes = boxed(b"stsz", &[&zeros[..8], &be(count), &sizes]);
        let first = (self.start + 16).to_be_bytes();
        let offset = boxed(b"co64", &[&zeros[..4], &be(1), &first]);
        let samples = boxed(
            b"stbl",
            &[&self.description(), &times, &keys, &chunks, &sizes, &offset],
        );
        let info = boxed(
            b"minf",
            &[
                &boxed(b"vmhd", &[&be(1), &zeros[..8]]),
                &boxed(b"dinf", &[&place]),
                &samples,
            ],
        );
        let media = boxed(b"mdia", &[&media, &handler, &info]);
        boxed(b"moov", &[&moving, &boxed(b"trak", &[&track, &media])])
    }

    /// What the frames are: size, decoder parameters, colours.
    fn description(&self) -> Vec<u8> {
        let size = self
            .size
            .map(|s| (s.next_multiple_of(2) as u16).to_be_bytes());
        let zeros = [0; 32];
        let (sps, pps) = (&self.sps, &self.pps);
        let decoder = boxed(
            b"avcC",
            &[
                &[1, sps[1], sps[2], sps[3], 0xFF, 0xE1],
                &(sps.len() as u16).to_be_bytes(),
                sps,
                &[1],
                &(pps.len() as u16).to_be_bytes(),
                pps,
            ],
        );
        // BT.709 primaries, sRGB curve, BT.709 matrix, limited range: as the stream itself says.
        let colors = boxed(b"colr", &[b"nclx", &[0, 1, 0, 13, 0, 1, 0]]);
        let dots = be(72 << 16);
        let entry = boxed(
            b"avc1",
            &[
                &zeros[..6],
                &[0, 1],
                &zeros[..16],
                &size[0],
                &size[1],
                &dots,
                &dots,
                &zeros[..4],
                &[0, 1],
                &zeros,
                &[0, 24, 0xFF, 0xFF],
                &decoder,
                &colors,
            ],
        );
        boxed(b"stsd", &[&zeros[..4], &be(1), &entry])
    }
}

/// A unit of the stream without its start code.
fn bare(unit: &[u8]) -> &[u8] {
    let zeros = unit.iter().take_while(|&&b| b == 0).count();
    unit.get(zeros + 1..).unwrap_or(&[])
}

fn be(value: u32) -> [u8; 4] {
    value.to_be_bytes()
}

/// A box: its length, its name, its parts.
fn boxed(name: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    [&be(body.len() as u32 + 8), name.as_slice(), &body].concat()
}

fn failed(path: &Path, e: &dyn std::fmt::Display) -> Error {
    Error::Invalid(format!("{}: cannot encode the film: {e}", path.display()))
}
