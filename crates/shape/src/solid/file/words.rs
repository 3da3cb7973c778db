//! A text as lines of words, with errors that say where.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::failed;
use crate::error::{Result, ShapeError};

/// A text file, line after line.
pub(super) struct Words {
    path: PathBuf,
    text: String,
    /// Where the next line starts, and how many were read.
    next: usize,
    line: usize,
    /// What remains of the present line.
    rest: std::ops::Range<usize>,
    /// What starts a comment.
    comment: Option<char>,
}

/// A place in a file.
#[derive(Clone, Copy)]
pub(super) struct Spot<'a> {
    path: &'a Path,
    line: usize,
}

impl Spot<'_> {
    /// Its line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }
    /// An error there.
    pub fn wrong(&self, why: impl std::fmt::Display) -> ShapeError {
        failed(self.path, format!("line {}: {why}", self.line.max(1)))
    }
}

impl Words {
    /// Reads a file.
    pub fn open(path: &Path) -> Result<Self> {
        let bytes =
            std::fs::read(path).map_err(|e| failed(path, format!("{e}; check the path")))?;
        // What is not text is found where it is used: binary parts are told by the format's head.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Self {
            path: path.into(),
            text,
            next: 0,
            line: 0,
            rest: 0..0,
            comment: None,
        })
    }
    /// The same text, in which a letter starts a comment.
    pub fn with_comments(mut self, letter: char) -> Self {
        self.comment = Some(letter);
        self
    }
    /// The number of the present line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }
    /// The place of a line.
    pub fn at(&self, line: usize) -> Spot<'_> {
        Spot {
            path: &self.path,
            line,
        }
    }
    /// The present line.
    pub fn here(&self) -> Spot<'_> {
        self.at(self.line)
    }
    /// An error at the present line.
    pub fn wrong(&self, why: impl std::fmt::Display) -> ShapeError {
        self.here().wrong(why)
    }
    /// Goes to the next line that is not empty; `false` at the end.
    pub fn advance(&mut self) -> bool {
        while self.next < self.text.len() {
            let start = self.next;
            let end = self.text[start..]
                .find('\n')
                .map_or(self.text.len(), |k| start + k);
            self.next = (end + 1).min(self.text.len());
            self.line += 1;
            let whole = &self.text[start..end];
            let kept = self
                .comment
                .and_then(|c| whole.find(c))
                .unwrap_or(whole.len());
            if !whole[..kept].trim().is_empty() {
                self.rest = start..start + kept;
                return true;
            }
        }
        self.rest = self.text.len()..self.text.len();
        false
    }
    /// Goes to the next line, which must be there.
    pub fn demand(&mut self, what: &str) -> Result<()> {
        if self.advance() {
            return Ok(());
        }
        Err(self.wrong(format!(
            "the file ends where {what} should be; is it cut off? write it again"
        )))
    }
    /// What remains of the present line.
    pub fn remainder(&self) -> &str {
        self.text[self.rest.clone()].trim()
    }
    /// The next word of the present line.
    pub fn word(&mut self) -> Option<&str> {
        let rest = &self.text[self.rest.clone()];
        let start = self.rest.start + (rest.len() - rest.trim_start().len());
        let rest = &self.text[start..self.rest.end];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.rest.start = start + length;
        (length > 0).then(|| &self.text[start..start + length])
    }
    /// The next word of the present line as a number.
    pub fn number<T: FromStr>(&mut self, what: &str) -> Result<T> {
        let word = self.word().unwrap_or("").to_string();
        word.parse().map_err(|_| {
            if word.is_empty() {
                self.wrong(format!("{what} is missing"))
            } else {
                let word: String = word.chars().take(40).collect();
                self.wrong(format!("`{word}` is not {what}"))
            }
        })
    }
    /// The next word of the text as a number, on whatever line it is.
    pub fn flowing<T: FromStr>(&mut self, what: &str) -> Result<T> {
        while self.remainder().is_empty() {
            self.demand(what)?;
        }
        self.number(what)
    }
    /// A finite coordinate from the next word of the present line.
    pub fn coordinate(&mut self) -> Result<f64> {
        let x: f64 = self.number("a coordinate")?;
        self.finite(x)
    }
    /// Passes a finite number.
    pub fn finite(&self, x: f64) -> Result<f64> {
        if x.is_finite() {
            return Ok(x);
        }
        Err(self.wrong(format!("a coordinate is {x}; repair or remove that point")))
    }
}
