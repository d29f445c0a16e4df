//! Errors about `.icf` files and plans.

use crate::truncate_text;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct IcfError {
    /// Counted from 1; the last one for what is missing altogether.
    pub line: usize,
    pub why: String,
    pub hint: &'static str,
}

impl IcfError {
    pub(super) fn new(line: usize, why: impl Into<String>) -> IcfError {
        IcfError { line, why: why.into(), hint: "correct the line, or save the file anew in IOmeter" }
    }

    pub(super) fn not_a_number(line: usize, what: &str, found: &str) -> IcfError {
        IcfError::new(line, format!("{what} is {:?}, which is not a whole number", truncate_text(found)))
    }

    pub(super) fn out_of_range(line: usize, what: &str, found: &str, from: u64, to: u64) -> IcfError {
        IcfError::new(line, format!("{what} is {}, outside {from} to {to}", truncate_text(found)))
    }

    pub(super) fn unknown_word(line: usize, what: &str, found: &str, known: &str) -> IcfError {
        IcfError::new(line, format!("{what} is {:?}; known are {known}", truncate_text(found)))
    }

    pub(super) fn empty_name(line: usize, of: &str) -> IcfError {
        IcfError::new(line, format!("\"\" cannot be the name of {of}: it is empty"))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct IometerPlanError {
    pub why: String,
    pub hint: String,
}

impl IometerPlanError {
    pub(super) fn new(why: impl Into<String>, hint: impl Into<String>) -> IometerPlanError {
        IometerPlanError { why: why.into(), hint: hint.into() }
    }

    /// Invalid indices; never in a plan that was read from a file.
    pub(super) fn invalid_index(what: impl fmt::Display) -> IometerPlanError {
        IometerPlanError::new(format!("the plan refers to {what}, which it does not have"), "divide the file")
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} {value:?} cannot be written: {why}")]
pub struct IcfWriteError {
    /// For example "the name of a manager".
    pub what: &'static str,
    pub value: String,
    pub why: String,
}

impl IcfWriteError {
    pub(super) fn new(what: &'static str, value: impl fmt::Display, why: impl Into<String>) -> IcfWriteError {
        IcfWriteError { what, value: value.to_string(), why: why.into() }
    }
}
