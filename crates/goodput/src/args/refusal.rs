//! clap's errors as failures, and failures as errors of clap's.

use super::value_parsers::{ValueError, unknown_name_error};
use crate::failure::Failure;
use clap::builder::TypedValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use goodput_model::Message;
use goodput_words::{message, semicolon_list};
use std::error::Error;
use std::ffi::OsStr;
use std::slice;

pub fn failure_from_clap_error(error: &clap::Error) -> Failure {
    // "--size <SIZE>", "[FILE]" or "--no-delay[=<on|off>]"
    let option = one(error, ContextKind::InvalidArg).trim_start_matches(['<', '[']);
    let option = option.split(['<', '>', '[', ']', ' ', '=']).next().unwrap_or_default();
    let value = one(error, ContextKind::InvalidValue);
    if let Some(source) = error.source() {
        if let Some(failure) = source.downcast_ref::<Failure>() {
            return failure.clone();
        }
        if let Some(refused) = source.downcast_ref::<ValueError>() {
            return refused.clone().into_failure_for_option(option, value);
        }
    }
    let names = all(error, ContextKind::ValidValue);
    if !names.is_empty() && !value.is_empty() {
        let names = names.iter().map(String::as_str);
        return unknown_name_error(names).into_failure_for_option(option, value);
    }
    // The first paragraph is the error; suggestions and the usage are the hint.
    let text = error.render().to_string();
    let first: Vec<&str> = text.lines().take_while(|l| !l.trim().is_empty()).map(str::trim).collect();
    let what = first.join(" ");
    let what = typed(sentences(error), what.strip_prefix("error: ").unwrap_or(&what));
    let tips = text.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
    let tips = tips.map(|tip| typed(suggestions(error), tip));
    Failure::usage_error(what).with_hint(semicolon_list(tips.chain([usage(error)])))
}

fn all(error: &clap::Error, kind: ContextKind) -> &[String] {
    match error.get(kind) {
        Some(ContextValue::String(text)) => slice::from_ref(text),
        Some(ContextValue::Strings(texts)) => texts,
        _ => &[],
    }
}

fn one(error: &clap::Error, kind: ContextKind) -> &str {
    all(error, kind).first().map_or("", String::as_str)
}

/// The message with the text that clap wrote.
fn typed(known: impl IntoIterator<Item = Message>, written: &str) -> Message {
    known.into_iter().find(|message| message.as_str() == written).unwrap_or_else(|| written.into())
}

fn sentences(error: &clap::Error) -> Vec<Message> {
    let argument = one(error, ContextKind::InvalidArg);
    let others = all(error, ContextKind::PriorArg);
    match error.kind() {
        ErrorKind::UnknownArgument => vec![message!(error_unexpected_argument { argument })],
        ErrorKind::InvalidSubcommand => {
            let command = one(error, ContextKind::InvalidSubcommand);
            vec![message!(error_unrecognized_subcommand { command })]
        }
        ErrorKind::MissingRequiredArgument => {
            let arguments = all(error, ContextKind::InvalidArg).join(" ");
            vec![message!(error_args_required { arguments })]
        }
        ErrorKind::ArgumentConflict => vec![
            message!(error_args_repeated { argument }),
            message!(error_args_conflict { argument, other: others.concat() }),
            message!(error_args_conflicts { argument, others: others.join(" ") }),
        ],
        ErrorKind::InvalidValue => {
            let values = all(error, ContextKind::ValidValue).join(", ");
            vec![
                message!(error_args_value_missing { argument }),
                message!(error_args_value_missing_of { argument, values }),
            ]
        }
        ErrorKind::NoEquals => vec![message!(error_args_equal_sign { argument })],
        ErrorKind::TooManyValues => {
            let value = one(error, ContextKind::InvalidValue);
            vec![message!(error_args_value_unexpected { value, argument })]
        }
        _ => Vec::new(),
    }
}

fn suggestions(error: &clap::Error) -> [Message; 3] {
    let quoted = |kind| -> Vec<String> { all(error, kind).iter().map(|name| format!("'{name}'")).collect() };
    let commands = quoted(ContextKind::SuggestedSubcommand);
    let arguments = quoted(ContextKind::SuggestedArg);
    [
        message!(hint_args_similar_command { count: commands.len(), names: commands }),
        message!(hint_args_similar_argument { count: arguments.len(), names: arguments }),
        message!(hint_args_as_value { argument: one(error, ContextKind::InvalidArg) }),
    ]
}

fn usage(error: &clap::Error) -> Message {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else {
        return message!(hint_args_more_help);
    };
    let usage = usage.to_string();
    let usage = usage.lines().next().unwrap_or("").trim().trim_start_matches("Usage: ");
    message!(hint_form_and_help { usage })
}

impl Error for Failure {}

/// clap carries it as the error of a value parser; [`failure_from_clap_error`] takes it out again.
impl From<Failure> for clap::Error {
    fn from(failure: Failure) -> clap::Error {
        let refuse = move |_: &str| Err::<(), Failure>(failure.clone());
        let refused = refuse.parse_ref(&clap::Command::new("goodput"), None, OsStr::new(""));
        refused.err().unwrap_or_else(|| clap::Error::new(ErrorKind::ValueValidation))
    }
}
