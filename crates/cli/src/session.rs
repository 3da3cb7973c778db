//! From a state to the last frame: what `run` and `resume` share.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use thixo::numerics::minimise::Effort;
use thixo::prelude::*;
use thixo::record::Recorder;

use crate::progress::Progress;
use crate::report::Failure;
use crate::summary::Summary;

/// The exit code of a run that was stopped from outside.
const STOPPED: u8 = 130;

/// Runs to the frame that was asked for. A frame that is not on disk yet is written first.
pub fn go(mut run: Simulation, mut recorder: Recorder, json: bool) -> Result<ExitCode, Failure> {
    let stop = listen()?;
    let frames = recorder.request().frames;
    let mut progress = Progress::new(frames, run.frame());
    let mut effort = Effort::default();
    let outcome = all_frames(&mut run, &mut recorder, &mut progress, &stop, &mut effort);
    progress.finish();
    if !effort.converged() {
        say!(
            "note: {} of {} implicit solves ended before they reached their tolerance, the worst at {:.1} times it; \
             ledger.csv has them frame by frame as unconverged_solves",
            effort.unconverged(),
            effort.solves,
            effort.worst
        );
    }
    let folder = recorder.folder().display().to_string();
    match outcome {
        Ok(true) => {}
        Ok(false) => {
            recorder.pause(&run)?;
            say!(
                "stopped at t = {:.6} s, frame {} of {frames}; go on with: thixo resume {folder}",
                run.time(),
                run.frame()
            );
            return Ok(ExitCode::from(STOPPED));
        }
        Err(error) => {
            let left = left(&run, &recorder);
            let error = Box::new(error);
            return Err(Failure::Interrupted { error, left });
        }
    }
    let summary = Summary::of(&run, &recorder);
    recorder.finish(&summary.json())?;
    summary.print(json)?;
    Ok(ExitCode::SUCCESS)
}

/// Raised by Ctrl-C or SIGTERM. The second one ends the process at once.
fn listen() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let code = 128 + signal;
        signal_hook::flag::register_conditional_shutdown(signal, code, stop.clone())?;
        signal_hook::flag::register(signal, stop.clone())?;
    }
    Ok(stop)
}

/// Whether all frames were done; not if it was told to stop.
fn all_frames(
    run: &mut Simulation,
    recorder: &mut Recorder,
    progress: &mut Progress,
    stop: &AtomicBool,
    effort: &mut Effort,
) -> thixo::Result<bool> {
    if recorder.finished().is_none() {
        recorder.frame(run)?;
    }
    while run.frame() < recorder.request().frames {
        let (next, particles) = (run.frame() + 1, run.totals().particles);
        let mut dt = 0.0;
        while run.frame() < next {
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let taken = run.step()?;
            *effort += taken.effort;
            dt = taken.dt;
            progress.step(run.steps(), dt, particles);
        }
        recorder.frame(run)?;
        progress.frame(run.frame(), run.steps(), dt);
    }
    Ok(true)
}

/// What a run that failed leaves. The state is saved where it stopped.
fn left(run: &Simulation, recorder: &Recorder) -> String {
    let folder = recorder.folder().display();
    let frames = match recorder.finished() {
        Some(n) => format!("frames up to {n} are in {folder}"),
        None => "no frame was finished".into(),
    };
    match recorder.pause(run) {
        Ok(()) => format!(
            "{frames}; the last good state, at t = {:.6} s, is kept: mend the cause, then go on with \
             `thixo resume {folder}`",
            run.time()
        ),
        Err(e) => format!(
            "{frames}; the state after it could not be saved ({e}); when that is mended, go on with \
             `thixo resume {folder}`"
        ),
    }
}

/// Says what is about to run.
pub fn announce(run: &Simulation, frames: u64) {
    let scene = run.scene();
    say!(
        "{}: {} particles in {} dimensions, {}, {} threads, {frames} frames at {} fps",
        scene.name,
        run.totals().particles,
        scene.dimension,
        scene.precision.name(),
        run.threads(),
        scene.fps
    );
    let _ = std::io::stderr().flush();
}
