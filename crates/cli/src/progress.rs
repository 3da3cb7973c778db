//! How far a run is: a bar on a terminal, plain lines elsewhere. Always on standard error.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The progress of a run.
pub struct Progress {
    bar: Option<ProgressBar>,
    frames: u64,
    /// When the last few frames were finished, and the first began.
    marks: VecDeque<Instant>,
    shown: Instant,
    /// Particle-steps since the last frame, and the rate of them without output.
    work: f64,
    rate: f64,
    frame: u64,
}

/// Frames over which the pace is measured.
const WINDOW: usize = 6;

impl Progress {
    /// Of a run to that frame, from another one on.
    pub fn new(frames: u64, frame: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(frames);
            if let Ok(style) = ProgressStyle::with_template("{bar:30} {msg}") {
                bar.set_style(style.progress_chars("━╸─"));
            }
            bar.set_position(frame);
            bar
        });
        let now = Instant::now();
        Self {
            bar,
            frames,
            marks: [now].into(),
            shown: now,
            work: 0.0,
            rate: 0.0,
            frame,
        }
    }
    /// After a step.
    pub fn step(&mut self, step: u64, dt: f64, particles: u64) {
        self.work += particles as f64;
        let now = Instant::now();
        let since = self.marks.back().map_or(0.0, |m| (now - *m).as_secs_f64());
        self.rate = self.work / since.max(1e-9);
        if let (Some(bar), true) = (&self.bar, now - self.shown > Duration::from_millis(200)) {
            self.shown = now;
            bar.set_message(self.line(step, dt));
            bar.tick();
        }
    }
    /// After a frame and its output.
    pub fn frame(&mut self, frame: u64, step: u64, dt: f64) {
        self.frame = frame;
        let line = self.line(step, dt);
        match &self.bar {
            Some(bar) => {
                bar.set_position(frame);
                bar.set_message(line);
            }
            None => say!("{line}"),
        }
        self.work = 0.0;
        self.marks.push_back(Instant::now());
        if self.marks.len() > WINDOW + 1 {
            self.marks.pop_front();
        }
    }
    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, step: u64, dt: f64) -> String {
        format!(
            "frame {}/{}  step {step}  dt {dt:.2e} s  {:.2} M particles/s  {}",
            self.frame,
            self.frames,
            self.rate * 1e-6,
            self.left()
        )
    }
    /// The time left, from the pace of the last frames: what is slow now is taken to stay slow.
    fn left(&self) -> String {
        let (Some(first), Some(last)) = (self.marks.front(), self.marks.back()) else {
            return String::new();
        };
        let done = self.marks.len() - 1;
        if done == 0 {
            return "time left: not known yet".into();
        }
        let each = (*last - *first).as_secs_f64() / done as f64;
        let left = each * self.frames.saturating_sub(self.frame) as f64;
        format!("about {} left", duration(left))
    }
}

/// A time as people say it.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
