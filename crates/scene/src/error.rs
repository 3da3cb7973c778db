//! What can be wrong with a scene, and where in its file.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use thiserror::Error;
use thixo_material::nearest;

/// A mistake at a place in the text: what is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Bytes of the text that it is about.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Problem {
    /// A mistake without advice.
    pub fn new(span: Range<usize>, message: impl fmt::Display) -> Self {
        Self {
            span,
            message: message.to_string(),
            help: None,
        }
    }
    /// With advice.
    pub fn help(mut self, help: impl fmt::Display) -> Self {
        self.help = Some(help.to_string());
        self
    }
    /// A name that is not among those there are; the nearest one is suggested, else all are listed.
    pub fn unknown<'a>(
        span: Range<usize>,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<&str> = known.collect();
        let help = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "there are none".into(),
            None => format!("there are: {}", known.join(", ")),
        };
        Self::new(span, format!("unknown {what} `{name}`")).help(help)
    }
}

/// Result of checking a part of a scene.
pub type Checked<T> = Result<T, Problem>;

/// A mistake in a file: [`Problem`] with its place in words.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{file}:{line}:{column}: {message}{}", help.as_ref().map(|h| format!("; {h}")).unwrap_or_default())]
pub struct Mistake {
    /// File, or name of the built-in scene.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The whole text, for showing the place.
    pub text: String,
    /// Bytes of the text that it is about.
    pub span: Range<usize>,
}

/// An error in a scene.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SceneError {
    /// A mistake in the text.
    #[error(transparent)]
    Text(Box<Mistake>),
    /// The file cannot be read.
    #[error("cannot read scene {}: {why}; `thixo list` names the built-in scenes", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A value that was put over the scene does not fit.
    #[error("cannot set `{text}`: {why}")]
    Setting {
        /// As typed.
        text: String,
        /// Why.
        why: String,
    },
    /// Neither a file nor a built-in scene.
    #[error("`{name}` is neither a scene file nor a built-in scene; {help}")]
    NoSuchScene {
        /// As asked for.
        name: String,
        /// What there is.
        help: String,
    },
}

impl SceneError {
    /// Places a problem in its file.
    pub(crate) fn place(file: &str, text: &str, problem: Problem) -> Self {
        let floor = |i: usize| {
            (0..=i.min(text.len()))
                .rev()
                .find(|&i| text.is_char_boundary(i))
        };
        let start = floor(problem.span.start).unwrap_or(0);
        let end = floor(problem.span.end).unwrap_or(0).max(start);
        let before = &text[..start];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Self::Text(Box::new(Mistake {
            file: file.into(),
            line,
            column,
            message: problem.message,
            help: problem.help,
            text: text.into(),
            span: start..end,
        }))
    }
    /// A mistake that the TOML reader found, in our words.
    pub(crate) fn toml(file: &str, text: &str, error: &toml::de::Error) -> Self {
        let span = error.span().unwrap_or(0..0);
        Self::place(file, text, explain(span, error.message()))
    }
}

/// Names the nearest right key where the reader lists all of them.
fn explain(span: Range<usize>, message: &str) -> Problem {
    let quoted = |s: &str| -> Vec<String> {
        s.split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_string)
            .collect()
    };
    if let Some(rest) = message.strip_prefix("unknown field ") {
        let names = quoted(rest);
        if let Some((typed, known)) = names.split_first() {
            return Problem::unknown(span, "key", typed, known.iter().map(String::as_str));
        }
    }
    if let Some(rest) = message.strip_prefix("unknown variant ") {
        let names = quoted(rest);
        if let Some((typed, known)) = names.split_first() {
            return Problem::unknown(span, "choice", typed, known.iter().map(String::as_str));
        }
    }
    if let Some(rest) = message.strip_prefix("missing field ") {
        let name = quoted(rest).into_iter().next().unwrap_or_default();
        return Problem::new(span, format!("`{name}` is missing"))
            .help(format!("add a line `{name} = …` here"));
    }
    if message == "duplicate key" {
        return Problem::new(span, "this key is given twice")
            .help("remove one of them, or choose another name");
    }
    if let Some((found, expected)) = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "))
        .and_then(|m| m.split_once(", expected "))
    {
        let found = match found {
            "sequence" => "a list",
            "map" => "a table",
            other => other,
        };
        return Problem::new(span, format!("{found} does not fit here"))
            .help(format!("write {expected}"));
    }
    Problem::new(span, message.lines().collect::<Vec<_>>().join(" "))
}
