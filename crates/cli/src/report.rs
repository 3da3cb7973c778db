//! How errors are shown, and which exit code they give: 1 for a run that failed, 2 for a request or
//! scene that is wrong.

use std::process::ExitCode;

use miette::{Diagnostic, LabeledSpan, NamedSource, Report, SourceCode};
use thiserror::Error;
use thixo::scene::SceneError;

/// Why a command stopped.
#[derive(Debug, Error)]
pub enum Failure {
    /// The engine, its files or its scene.
    #[error(transparent)]
    Engine(#[from] thixo::Error),
    /// Standard output is closed or full.
    #[error("cannot write to standard output: {0}")]
    Stdout(#[from] std::io::Error),
    /// What was asked for cannot be done.
    #[error("{0}")]
    Request(String),
    /// A run that failed after it had begun.
    #[error("{error}")]
    Interrupted {
        /// What went wrong.
        error: Box<thixo::Error>,
        /// What is left.
        left: String,
    },
}

impl From<thixo::io::Error> for Failure {
    fn from(e: thixo::io::Error) -> Self {
        Self::Engine(e.into())
    }
}

/// Shows a failure on standard error.
pub fn show(failure: Failure) -> ExitCode {
    let code = match &failure {
        Failure::Engine(thixo::Error::Scene(_)) | Failure::Request(_) => 2,
        Failure::Stdout(e) if e.kind() == std::io::ErrorKind::BrokenPipe => {
            return ExitCode::FAILURE;
        }
        _ => 1,
    };
    // Long lines stay whole, so that `file:line:column` can be searched for. A hook that is set
    // already is as good.
    let _ = miette::set_hook(Box::new(|_| {
        Box::new(miette::MietteHandlerOpts::new().wrap_lines(false).build())
    }));
    say!("{:?}", Report::new(Shown::of(failure)));
    ExitCode::from(code)
}

/// An error with the text that it is about.
#[derive(Debug)]
struct Shown {
    message: String,
    help: Option<String>,
    source: Option<NamedSource<String>>,
    label: Option<LabeledSpan>,
}

impl Shown {
    fn of(failure: Failure) -> Self {
        let plain = |message: String, help| Self {
            message,
            help,
            source: None,
            label: None,
        };
        match failure {
            Failure::Engine(thixo::Error::Scene(SceneError::Text(m))) => Self {
                message: format!("{}:{}:{}: {}", m.file, m.line, m.column, m.message),
                help: m.help,
                label: Some(LabeledSpan::underline(m.span)),
                source: Some(NamedSource::new(m.file, m.text)),
            },
            Failure::Interrupted { error, left } => plain(error.to_string(), Some(left)),
            other => plain(other.to_string(), None),
        }
    }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown {}

impl Diagnostic for Shown {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.help
            .as_ref()
            .map(|h| Box::new(h) as Box<dyn std::fmt::Display>)
    }
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|s| s as &dyn SourceCode)
    }
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.label
            .clone()
            .map(|l| Box::new(std::iter::once(l)) as Box<dyn Iterator<Item = _>>)
    }
}
