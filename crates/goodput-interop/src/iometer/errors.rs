//! Errors about `.icf` files and plans.

use crate::truncate_text;
use goodput_words::{Message, error_messages, message};
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub struct IcfError {
    /// Counted from 1; the last one for what is missing altogether.
    pub line: usize,
    pub why: Message,
    pub hint: &'static str,
}

error_messages! {
    IcfError {
        IcfError { line, why, .. } => message!(error_line_why { line: line.to_string(), why }),
    }
}

impl IcfError {
    pub(super) fn new(line: usize, why: impl Into<Message>) -> IcfError {
        IcfError { line, why: why.into(), hint: "correct the line, or save the file anew in IOmeter" }
    }

    pub(super) fn not_a_number(line: usize, what: &str, found: &str) -> IcfError {
        let (what, found) = (Message::from(what), format!("{:?}", truncate_text(found)));
        IcfError::new(line, message!(cause_icf_not_a_number { what, found }))
    }

    pub(super) fn out_of_range(line: usize, what: &str, found: &str, from: u64, to: u64) -> IcfError {
        let (what, found) = (Message::from(what), truncate_text(found));
        let (from, to) = (from.to_string(), to.to_string());
        IcfError::new(line, message!(cause_icf_out_of_range { what, found, from, to }))
    }

    pub(super) fn unknown_word(line: usize, what: &str, found: &str, known: &str) -> IcfError {
        let (what, found) = (Message::from(what), format!("{:?}", truncate_text(found)));
        IcfError::new(line, message!(cause_icf_unknown_word { what, found, known }))
    }

    pub(super) fn empty_name(line: usize, of: &str) -> IcfError {
        IcfError::new(line, message!(cause_icf_empty_name { of: Message::from(of) }))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct IometerPlanError {
    pub why: Message,
    pub hint: Message,
}

error_messages! { IometerPlanError { IometerPlanError { why, .. } => why } }

impl IometerPlanError {
    pub(super) fn new(why: impl Into<Message>, hint: impl Into<Message>) -> IometerPlanError {
        IometerPlanError { why: why.into(), hint: hint.into() }
    }

    /// Invalid indices; never in a plan that was read from a file.
    pub(super) fn invalid_index(what: impl fmt::Display) -> IometerPlanError {
        IometerPlanError::new(format!("the plan refers to {what}, which it does not have"), "divide the file")
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct IcfWriteError {
    /// For example "the name of a manager".
    pub what: &'static str,
    pub value: String,
    pub why: Message,
}

error_messages! {
    IcfWriteError {
        IcfWriteError { what, value, why } => {
            let (what, value) = (Message::from(*what), format!("{value:?}"));
            message!(error_icf_value_not_written { what, value, why })
        },
    }
}

impl IcfWriteError {
    pub(super) fn new(
        what: &'static str,
        value: impl fmt::Display,
        why: impl Into<Message>,
    ) -> IcfWriteError {
        IcfWriteError { what, value: value.to_string(), why: why.into() }
    }
}
