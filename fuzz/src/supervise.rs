//! The supervisor: starts workers, counts what they say, notices the ones that die or hang, and saves
//! the inputs of findings.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::target::{DEPTHS, schedule};
use crate::worker::{self, Share};

/// A case may take this long \[s\].
pub const SLOW: f64 = 1.0;

/// What was asked for.
#[derive(Clone, Debug)]
pub struct Order {
    /// Number of cases.
    pub cases: u64,
    /// Seed.
    pub seed: u64,
    /// The only target, if not all.
    pub only: Option<String>,
    /// Wall time after which no more cases are started \[s\].
    pub seconds: f64,
    /// Wall time after which a worker that says nothing is ended \[s\].
    pub patience: f64,
    /// Number of workers.
    pub jobs: u64,
    /// Where the inputs of findings are saved.
    pub folder: PathBuf,
    /// The program that works when it is called with `--worker`.
    pub program: PathBuf,
}

/// Something that must not be.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// `panic`, `wrong`, `slow`, `hang`, `memory`, `stack` or `died`.
    pub kind: String,
    /// The case.
    pub case: u64,
    /// Its target.
    pub target: &'static str,
    /// What was said.
    pub what: String,
}

/// Counts of one target.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// How many cases got how far.
    pub depths: [u64; 4],
    /// Microseconds of all cases.
    pub time: u64,
    /// Microseconds of the slowest case, and which it was.
    pub slowest: (u64, u64),
}

/// What a run has shown.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// By target.
    pub counts: BTreeMap<&'static str, Counts>,
    /// In the order in which they were noticed.
    pub findings: Vec<Finding>,
    /// Most memory of a worker \[bytes\], and the case in which it was reached.
    pub peak: (usize, u64),
    /// Cases that were slow once and not again.
    pub delayed: u64,
    /// Wall time \[s\].
    pub seconds: f64,
}

/// Runs the cases.
pub fn run(order: &Order) -> Result<Report, String> {
    let begun = Instant::now();
    let parts = thread::scope(|scope| {
        let threads = (0..order.jobs).map(|job| scope.spawn(move || watch(order, job, begun)));
        let threads: Vec<_> = threads.collect();
        let joined = threads.into_iter().map(|t| {
            let failed = |_| Err("a watching thread failed".to_string());
            t.join().unwrap_or_else(failed)
        });
        joined.collect::<Result<Vec<_>, _>>()
    })?;
    let mut report = Report::default();
    for part in parts {
        for (name, c) in part.counts {
            let sum = report.counts.entry(name).or_default();
            (0..4).for_each(|d| sum.depths[d] += c.depths[d]);
            sum.time += c.time;
            sum.slowest = sum.slowest.max(c.slowest);
        }
        report.findings.extend(part.findings);
        report.peak = report.peak.max(part.peak);
        report.delayed += part.delayed;
    }
    report.findings.sort_by_key(|f| f.case);
    report.seconds = begun.elapsed().as_secs_f64();
    save(order, &report.findings)?;
    Ok(report)
}

/// Keeps one worker going until its share is done.
fn watch(order: &Order, job: u64, begun: Instant) -> Result<Report, String> {
    let (mut report, mut told) = (Report::default(), 0);
    let mut share = Share {
        seed: order.seed,
        only: order.only.clone(),
        first: job,
        end: order.cases,
        stride: order.jobs,
    };
    while share.first < share.end && begun.elapsed().as_secs_f64() < order.seconds {
        let piece = Share {
            end: share.end.min(share.first + PIECE * share.stride),
            ..share.clone()
        };
        let end = Some(begun + Duration::from_secs_f64(order.seconds.min(1e9)));
        let Some(last) = listen(order, &piece, end, &mut report)? else {
            return Err("a worker ended before its first case".into());
        };
        share.first = last + share.stride;
        for f in &report.findings[told..] {
            eprintln!("{} in case {} of {}: {}", f.kind, f.case, f.target, f.what);
        }
        told = report.findings.len();
    }
    // What was slow is tried again: the machine may have been busy.
    let (slow, rest): (Vec<_>, Vec<_>) = report.findings.drain(..).partition(|f| f.kind == "slow");
    report.findings = rest;
    for finding in slow {
        let mut again = Report::default();
        let one = Share {
            first: finding.case,
            end: finding.case + 1,
            ..share.clone()
        };
        listen(order, &one, None, &mut again)?;
        match again.findings.is_empty() {
            true => report.delayed += 1,
            false => report.findings.push(finding),
        }
    }
    Ok(report)
}

/// How long a worker may take before its first case.
const STARTING: Duration = Duration::from_secs(600);
/// Cases of one worker process, at most.
const PIECE: u64 = 10_000;

/// Runs a worker until it is done, dies, hangs or is out of time; the last case it began is returned.
fn listen(
    order: &Order,
    share: &Share,
    end: Option<Instant>,
    report: &mut Report,
) -> Result<Option<u64>, String> {
    let mut child = start(order, share)?;
    let (lines, errors) = pipes(&mut child)?;
    let names = schedule(share.only.as_deref());
    let target = |case: u64| names[(case % names.len() as u64) as usize];
    let (mut last, mut open) = (None, None);
    let begun = Instant::now();
    let died = loop {
        match lines.recv_timeout(Duration::from_secs_f64(order.patience)) {
            Ok(line) => {
                let mut words = line.splitn(4, ' ');
                let sign = words.next().unwrap_or_default();
                let Some(Ok(case)) = words.next().map(str::parse::<u64>) else {
                    continue;
                };
                let mut word = || words.next().unwrap_or_default().to_string();
                match sign {
                    ">" => (last, open) = (Some(case), Some(case)),
                    "!" => report.findings.push(Finding {
                        kind: word(),
                        case,
                        target: target(case),
                        what: word(),
                    }),
                    _ => {
                        open = None;
                        count(report, target(case), case, &word(), &word());
                    }
                }
                if open.is_none() && end.is_some_and(|end| Instant::now() > end) {
                    break false;
                }
            }
            // A worker makes its corpus first, which takes its time on a busy machine.
            Err(RecvTimeoutError::Timeout) if last.is_none() && begun.elapsed() < STARTING => {}
            Err(RecvTimeoutError::Timeout) => break false,
            Err(RecvTimeoutError::Disconnected) => break true,
        }
    };
    // It is our own child; one that has ended is not there any more.
    let _ = child.kill();
    let status = child.wait().map_err(|e| e.to_string())?;
    let said = errors.recv().unwrap_or_default();
    match (open, died) {
        (Some(case), _) => {
            let (kind, what) = verdict(died, &said, &status.to_string());
            report.findings.push(Finding {
                kind,
                case,
                target: target(case),
                what,
            });
        }
        (None, true) if !status.success() => return Err(format!("a worker failed: {said}")),
        (None, _) => {}
    }
    Ok(last)
}

fn verdict(died: bool, said: &str, status: &str) -> (String, String) {
    let what: String = said.trim().replace('\n', " ").chars().take(300).collect();
    let kind = match () {
        _ if !died => "hang",
        _ if what.contains("memory allocation of") => "memory",
        _ if what.contains("overflowed its stack") => "stack",
        _ => "died",
    };
    (kind.into(), format!("{what} ({status})"))
}

fn count(report: &mut Report, target: &'static str, case: u64, depth: &str, rest: &str) {
    let (time, peak) = rest.split_once(' ').unwrap_or((rest, "0"));
    let (time, peak) = (time.parse().unwrap_or(0), peak.parse().unwrap_or(0));
    let counts = report.counts.entry(target).or_default();
    let depth: usize = depth.parse().unwrap_or(0);
    counts.depths[depth.min(3)] += 1;
    counts.time += time;
    counts.slowest = counts.slowest.max((time, case));
    if peak > report.peak.0 {
        report.peak = (peak, case);
    }
    if time as f64 > SLOW * 1e6 {
        report.findings.push(Finding {
            kind: "slow".into(),
            case,
            target,
            what: format!("{:.2} s", time as f64 * 1e-6),
        });
    }
}

fn start(order: &Order, share: &Share) -> Result<Child, String> {
    let Share {
        seed,
        first,
        end,
        stride,
        ..
    } = share;
    let mut command = Command::new(&order.program);
    let numbers = [seed, first, end, stride].map(u64::to_string);
    command.arg("--worker").args(numbers);
    command.args(share.only.as_deref());
    command.stdin(Stdio::null()).env("RUST_BACKTRACE", "0");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|e| format!("no worker: {e}"))
}

/// The lines of a worker as they come, and what it said to stderr when it has ended.
fn pipes(child: &mut Child) -> Result<(Receiver<String>, Receiver<String>), String> {
    let (Some(out), Some(mut err)) = (child.stdout.take(), child.stderr.take()) else {
        return Err("a worker without pipes".into());
    };
    let (line, lines) = mpsc::channel();
    thread::spawn(move || {
        for text in BufReader::new(out).lines().map_while(Result::ok) {
            if line.send(text).is_err() {
                return;
            }
        }
    });
    let (error, errors) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = err.read_to_end(&mut bytes);
        let _ = error.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    Ok((lines, errors))
}

/// Writes the inputs of findings.
fn save(order: &Order, findings: &[Finding]) -> Result<(), String> {
    if findings.is_empty() {
        return Ok(());
    }
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let targets = worker::targets(order.only.as_deref(), folder.path())?;
    fs::create_dir_all(&order.folder).map_err(|e| e.to_string())?;
    for f in findings {
        let share = Share {
            seed: order.seed,
            only: order.only.clone(),
            first: f.case,
            end: f.case + 1,
            stride: 1,
        };
        let Some((name, bytes)) = worker::input(&share, f.case, &targets) else {
            continue;
        };
        let ending = targets.get(name).map_or("bin", |t| t.ending());
        let path = order.folder.join(file(f, order.seed, ending));
        fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

/// The name of a saved input.
pub fn file(f: &Finding, seed: u64, ending: &str) -> String {
    format!("{}-{}-{seed}-{}.{ending}", f.target, f.kind, f.case)
}

impl Report {
    /// Number of cases.
    pub fn cases(&self) -> u64 {
        self.counts.values().flat_map(|c| c.depths).sum()
    }
    /// As it is printed.
    pub fn text(&self, folder: &Path) -> String {
        let mut out = String::new();
        let heads = DEPTHS.map(|d| format!("{d:?}").to_lowercase());
        let _ = writeln!(
            out,
            "{:<11} {:>9} {:>9} {:>9} {:>9} {:>9} {:>10} {:>12}  slowest case",
            "target", "cases", heads[0], heads[1], heads[2], heads[3], "cases/s", "slowest ms"
        );
        for (name, c) in &self.counts {
            let n: u64 = c.depths.iter().sum();
            let [a, b, d, e] = c.depths;
            let rate = n as f64 / (c.time as f64 * 1e-6).max(1e-9);
            let slow = c.slowest.0 as f64 * 1e-3;
            let _ = writeln!(
                out,
                "{name:<11} {n:>9} {a:>9} {b:>9} {d:>9} {e:>9} {rate:>10.0} {slow:>12.1}  {}",
                c.slowest.1
            );
        }
        let (n, s) = (self.cases(), self.seconds);
        let _ = writeln!(out, "{n} cases in {s:.0} s, {:.0} per second", n as f64 / s);
        let mega = self.peak.0 as f64 / (1 << 20) as f64;
        let _ = writeln!(out, "most memory {mega:.0} MiB, in case {}", self.peak.1);
        if self.delayed > 0 {
            let _ = writeln!(
                out,
                "{} slow cases were not slow when run again",
                self.delayed
            );
        }
        for f in &self.findings {
            let _ = writeln!(
                out,
                "FINDING {} in case {} of {}: {}",
                f.kind, f.case, f.target, f.what
            );
        }
        match self.findings.len() {
            0 => out += "no findings\n",
            n => {
                let _ = writeln!(
                    out,
                    "{n} findings; their inputs are in {}",
                    folder.display()
                );
            }
        }
        out
    }
}
