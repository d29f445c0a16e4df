//! A probe line at one combination: fills in roles and factors in braces, then splits the line into words.
//!
//! ```text
//! stream {server} --from {client} --congestion {cc}   →   stream lab:b --from lab:a --congestion cubic
//! ```
//!
//! Replaces first, so a level may be several words, or none. `'…'` and `"…"` hold white space together.

use crate::error::ExperimentError;
use goodput_model::Experiment;
use goodput_model::experiment::{FactorLevels, ProbeCommand};
use goodput_words::message;

pub(crate) fn closest_spelling<'a, S: AsRef<str>>(typed: &str, known: &'a [S]) -> Option<&'a str> {
    let close = |name: &&str| strsim::damerau_levenshtein(typed, name) <= 1 + typed.len() / 4;
    let names = known.iter().map(AsRef::as_ref).filter(close);
    names.min_by_key(|name| strsim::damerau_levenshtein(typed, name))
}

/// Of a line with its placeholders filled in: a short file can name a long level many times.
const MAX_LINE_BYTES: usize = 64 << 10;

enum Piece<'a> {
    Text(&'a str),
    Name(&'a str),
}

pub(crate) fn is_valid_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// A brace that encloses no name is text.
fn pieces(template: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut rest, mut text) = (template, 0);
    while let Some(open) = rest[text..].find('{').map(|at| at + text) {
        match rest[open + 1..].find('}').map(|length| &rest[open + 1..open + 1 + length]) {
            Some(name) if is_valid_name(name) => {
                pieces.push(Piece::Text(&rest[..open]));
                pieces.push(Piece::Name(name));
                rest = &rest[open + name.len() + 2..];
                text = 0;
            }
            _ => text = open + 1,
        }
    }
    pieces.push(Piece::Text(rest));
    pieces
}

/// In order, with repetitions.
pub fn placeholder_names(template: &str) -> Vec<&str> {
    let names = |piece| match piece {
        Piece::Name(name) => Some(name),
        Piece::Text(_) => None,
    };
    pieces(template).into_iter().filter_map(names).collect()
}

fn unknown_name(name: &str, known: &[String]) -> ExperimentError {
    let braces = |name: &str| format!("{{{name}}}");
    let names = known.iter().map(|name| braces(name)).collect::<Vec<_>>().join(" ");
    let hint = match closest_spelling(name, known) {
        _ if known.is_empty() => message!(hint_experiment_without_braces { name }),
        Some(near) => message!(hint_experiment_nearest_name { nearest: braces(near), names }),
        None => message!(file_hint_write_one_of { names }),
    };
    ExperimentError::new(message!(file_neither_host_nor_factor { name: braces(name) }), hint)
}

/// Replaces every name in braces by `value_of`. Unknown names and other braces are errors, which list
/// `known`.
pub fn fill_placeholders<'v>(
    template: &str,
    known: &[String],
    value_of: impl Fn(&str) -> Option<&'v str>,
) -> Result<String, ExperimentError> {
    let mut filled = String::new();
    for piece in pieces(template) {
        match piece {
            Piece::Text(text) if text.contains(['{', '}']) => {
                let what = message!(file_brace_no_name { line: format!("{template:?}") });
                return Err(ExperimentError::new(what, message!(hint_experiment_braces { name: "{name}" })));
            }
            Piece::Text(text) => filled.push_str(text),
            Piece::Name(name) => {
                filled.push_str(value_of(name).ok_or_else(|| unknown_name(name, known))?);
            }
        }
        if filled.len() > MAX_LINE_BYTES {
            let what = message!(file_command_too_long { most: MAX_LINE_BYTES.to_string() });
            return Err(ExperimentError::new(what, "use shorter levels"));
        }
    }
    Ok(filled)
}

/// Replaces `{level}`, and `{before}` where known. Other braces stay, as in `awk '{print $1}'`.
pub fn fill_level_placeholders(template: &str, level: &str, before: Option<&str>) -> String {
    let mut filled = String::new();
    for piece in pieces(template) {
        match (piece, before) {
            (Piece::Text(text), _) => filled.push_str(text),
            (Piece::Name("level"), _) => filled.push_str(level),
            (Piece::Name("before"), Some(before)) => filled.push_str(before),
            (Piece::Name(other), _) => {
                filled.push('{');
                filled.push_str(other);
                filled.push('}');
            }
        }
    }
    filled
}

/// With their quotation marks; none for an empty line.
pub(crate) fn split_arguments_keeping_quotes(line: &str) -> Result<Vec<&str>, ExperimentError> {
    let mut parts = Vec::new();
    let (mut start, mut quote) = (None, None);
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c.is_whitespace() => parts.extend(start.take().map(|start| &line[start..at])),
            None => {
                start.get_or_insert(at);
                quote = (c == '\'' || c == '"').then_some(c);
            }
        }
    }
    if let Some(quote) = quote {
        let (quote, line) = (quote.to_string(), format!("{line:?}"));
        let what = message!(file_quotation_not_closed { quote: &quote, line });
        return Err(ExperimentError::new(what, message!(hint_experiment_second_quote { quote })));
    }
    parts.extend(start.map(|start| &line[start..]));
    Ok(parts)
}

/// Separated by white space; `'…'` and `"…"` hold it together.
pub fn split_arguments(line: &str) -> Result<Vec<String>, ExperimentError> {
    let words: Vec<String> = split_arguments_keeping_quotes(line)?.into_iter().map(unquoted).collect();
    if words.is_empty() {
        let example = "stream {server} --from {client}";
        let hint = message!(hint_experiment_after_goodput { example });
        return Err(ExperimentError::new("the line is empty", hint));
    }
    Ok(words)
}

fn unquoted(part: &str) -> String {
    let (mut word, mut quote) = (String::new(), None);
    for c in part.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            _ => word.push(c),
        }
    }
    word
}

/// Roles, then factors.
pub fn known_placeholders(experiment: &Experiment) -> Vec<String> {
    let factors = experiment.factors.iter().map(|f| f.name.clone());
    experiment.hosts.keys().cloned().chain(factors).collect()
}

/// After `goodput`.
pub fn probe_arguments_for_cell(
    experiment: &Experiment,
    probe: &str,
    levels: &FactorLevels,
) -> Result<Vec<String>, ExperimentError> {
    let Some(line) = experiment.probes.iter().find(|p| p.name == probe) else {
        let what = message!(error_experiment_no_probe_line { probe });
        return Err(ExperimentError::new(what, "resume with the file that the run began with"));
    };
    probe_arguments_at_levels(experiment, line, levels)
}

/// After `goodput`.
pub fn probe_arguments_at_levels(
    experiment: &Experiment,
    probe: &ProbeCommand,
    levels: &FactorLevels,
) -> Result<Vec<String>, ExperimentError> {
    let value_of = |name: &str| {
        if let Some(host) = experiment.hosts.get(name) {
            return Some(host.as_str());
        }
        let level = levels.get(name)?;
        let factor = experiment.factors.iter().find(|f| f.name == name)?;
        factor.levels.iter().find(|l| l.name == *level).map(|l| l.value.as_str())
    };
    split_arguments(&fill_placeholders(&probe.run, &known_placeholders(experiment), value_of)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str) -> Result<String, ExperimentError> {
        let known = ["server".to_string(), "cc".to_string()];
        fill_placeholders(template, &known, |name| match name {
            "server" => Some("lab:b"),
            "cc" => Some("cubic"),
            _ => None,
        })
    }

    #[test]
    fn names_in_braces_are_replaced_and_unknown_ones_refused_with_what_could_stand_there() {
        assert_eq!(filled("stream {server} --congestion={cc}").unwrap(), "stream lab:b --congestion=cubic");
        assert_eq!(filled("check").unwrap(), "check");
        assert_eq!(placeholder_names("a {x} b{y}{x}"), ["x", "y", "x"]);
        let e = filled("stream {sever}").unwrap_err();
        assert_eq!(e.to_string(), "{sever} is neither a host nor a factor of this experiment");
        assert_eq!(e.hint, "write {server}; there are {server} {cc}");
        assert_eq!(filled("stream {xyz}").unwrap_err().hint, "write one of {server} {cc}");
        for line in ["stream { server }", "stream {server", "stream server}", "{}", "{{server}"] {
            assert!(filled(line).unwrap_err().what.ends_with("encloses no name"), "{line}");
        }
    }

    #[test]
    fn a_line_that_grows_too_long_is_refused_while_it_grows() {
        let (level, template) = ("x".repeat(MAX_LINE_BYTES), "{a}".repeat(100_000));
        let grown = fill_placeholders(&template, &[], |_| Some(level.as_str()));
        assert!(grown.unwrap_err().what.contains("more than 65536 bytes"));
    }

    #[test]
    fn a_command_keeps_its_own_braces() {
        assert_eq!(
            fill_level_placeholders("awk '{print $1}' {level}", "9000", None),
            "awk '{print $1}' 9000"
        );
        assert_eq!(fill_level_placeholders("set {before} {level}", "a", Some("b")), "set b a");
        assert_eq!(fill_level_placeholders("{print} {before}", "a", None), "{print} {before}");
    }

    #[test]
    fn words_are_divided_by_white_space_outside_quotes() {
        let words = split_arguments(" stream  'lab:my b' --label x=\"a 'b'\" ''").unwrap();
        assert_eq!(words, ["stream", "lab:my b", "--label", "x=a 'b'", ""]);
        assert_eq!(split_arguments("stream 'x").unwrap_err().hint, "write a second '");
        assert_eq!(split_arguments("  ").unwrap_err().what, "the line is empty");
    }
}
