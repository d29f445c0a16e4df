//! Value parsers for clap: quantities within bounds, numbers, choices, CPU lists, labels.

use crate::failure::Failure;
use clap::builder::{PossibleValue, TypedValueParser};
use goodput_model::datagram::MAX_PAYLOAD_IPV4;
use goodput_model::units::QuantityError;
use goodput_model::{BitRate, Bytes, Message, MessageArg, Nanos};
use goodput_words::{ErrorMessage, error_messages, message, quantity_error};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Why a value is refused, and what is accepted. The argument parser adds the option and the value.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueError {
    pub cause: Message,
    pub hint: Message,
    /// Whether the value contains a password, which must not be printed.
    pub secret: bool,
}

error_messages! {
    ValueError { ValueError { cause, .. } => cause }
}

impl ValueError {
    pub fn new(cause: impl Into<Message>, hint: impl Into<Message>) -> ValueError {
        ValueError { cause: cause.into(), hint: hint.into(), secret: false }
    }

    pub fn into_failure_for_option(self, option: &str, typed: &str) -> Failure {
        let error = match self.secret {
            true => message!(error_args_option_not_valid { option }),
            false => message!(error_refused_option { option, value: quote_value(typed) }),
        };
        Failure::usage_error(error).with_cause(self.cause).with_hint(self.hint)
    }
}

/// A usage failure for a value that does not fit the other options.
pub fn option_conflict_failure(
    option: &str,
    value: impl Display,
    cause: impl Into<Message>,
    hint: impl Into<Message>,
) -> Failure {
    ValueError::new(cause, hint).into_failure_for_option(option, &value.to_string())
}

#[derive(Debug, Clone)]
pub struct ValueRange<T> {
    range: RangeInclusive<T>,
    /// As it is typed.
    least: &'static str,
    /// It may have words: "1440min (a day)".
    most: &'static str,
}

const fn sizes(from: u64, to: u64, least: &'static str, most: &'static str) -> ValueRange<Bytes> {
    ValueRange { range: Bytes(from)..=Bytes(to), least, most }
}

const fn rates(from: u64, to: u64, least: &'static str, most: &'static str) -> ValueRange<BitRate> {
    ValueRange { range: BitRate(from)..=BitRate(to), least, most }
}

const fn times(from: u64, to: u64, least: &'static str, most: &'static str) -> ValueRange<Nanos> {
    ValueRange { range: Nanos(from)..=Nanos(to), least, most }
}

const US: u64 = 1_000;
const MS: u64 = 1_000 * US;
const S: u64 = 1_000 * MS;
const GIB: u64 = 1 << 30;

pub const MESSAGE_SIZE_RANGE: ValueRange<Bytes> = sizes(1, GIB, "1B", "1GiB");
pub const REPLY_SIZE_RANGE: ValueRange<Bytes> = sizes(0, GIB, "0B", "1GiB");
/// TCP_MIN_MSS and MAX_TCP_WINDOW of Linux.
pub const SEGMENT_SIZE_RANGE: ValueRange<Bytes> = sizes(88, 32_767, "88B", "32767B");
pub const TOTAL_BYTES_RANGE: ValueRange<Bytes> = sizes(1, 1_000_000_000_000_000, "1B", "1000000GB");
pub const UDP_PAYLOAD_RANGE: ValueRange<Bytes> = sizes(1, MAX_PAYLOAD_IPV4, "1B", "65507B");
/// A size with bounds that depend on other options.
pub const DATAGRAM_SIZE_RANGE: ValueRange<Bytes> = sizes(0, u64::MAX, "1B", "65507B");
/// A latency probe contains an 8-byte sequence number.
pub const LATENCY_PROBE_SIZE_RANGE: ValueRange<Bytes> = sizes(8, MAX_PAYLOAD_IPV4, "8B", "65507B");
pub const FILE_SIZE_RANGE: ValueRange<Bytes> = sizes(4_096, 100_000_000_000_000, "4KiB", "100000GB");
pub const DISK_RATE_RANGE: ValueRange<Bytes> = sizes(1_000, 1_000_000_000_000, "1kB", "1000GB a second");
pub const BIT_RATE_RANGE: ValueRange<BitRate> = rates(1_000, 10_000_000_000_000, "1kbit", "10000Gbit");
pub const DATAGRAM_RATE_RANGE: ValueRange<BitRate> = rates(1, 10_000_000_000_000, "1bit", "10000Gbit");
pub const CLIENT_RATE_RANGE: ValueRange<BitRate> = rates(8_000, 1_000_000_000_000, "8kbit", "1000Gbit");
pub const MEASUREMENT_WINDOW_RANGE: ValueRange<Nanos> = times(10 * MS, 86_400 * S, "10ms", "1440min (a day)");
pub const WARM_UP_RANGE: ValueRange<Nanos> = times(0, 3_600 * S, "0s", "60min");
pub const TIME_PER_MESSAGE_SIZE_RANGE: ValueRange<Nanos> = times(MS, 60 * S, "1ms", "1min");
pub const NETWORK_TIMEOUT_RANGE: ValueRange<Nanos> = times(10 * MS, 3_600 * S, "10ms", "60min");
pub const DIAGNOSIS_BUDGET_RANGE: ValueRange<Nanos> = times(20 * S, 3_600 * S, "20s", "60min");
pub const RTT_RANGE: ValueRange<Nanos> = times(US, 60 * S, "1us", "1min");
pub const COALESCING_DELAY_RANGE: ValueRange<Nanos> = times(US, 10 * MS, "1us", "10ms");
pub const PROBE_INTERVAL_RANGE: ValueRange<Nanos> = times(10 * US, 10 * S, "10us", "10s");
pub const MTU_SEARCH_TIME_RANGE: ValueRange<Nanos> = times(S, 600 * S, "1s", "10min");
pub const MTU_PROBE_TIMER_RANGE: ValueRange<Nanos> = times(MS, 15 * S, "1ms", "15s");
pub const LINK_DELAY_RANGE: ValueRange<Nanos> = times(US, 2 * S, "1us", "2s");
pub const OTLP_PUSH_INTERVAL_RANGE: ValueRange<Nanos> = times(S, 86_400 * S, "1s", "1440min (a day)");

impl<T: FromStr<Err = QuantityError> + PartialOrd> ValueRange<T> {
    pub fn parse(&self, typed: &str) -> Result<T, ValueError> {
        let (from, to) = (self.least, Message::from(self.most));
        match typed.parse::<T>() {
            Ok(value) if self.range.contains(&value) => Ok(value),
            Ok(_) => Err(outside(from, to)),
            Err(e) => {
                let hint = message!(hint_args_with_range { hint: quantity_error::hint(&e), from, to });
                Err(ValueError::new(e.message(), hint))
            }
        }
    }
}

impl<T> TypedValueParser for ValueRange<T>
where
    T: FromStr<Err = QuantityError> + PartialOrd + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let bounds = self.clone();
        (move |typed: &str| bounds.parse(typed)).parse_ref(command, arg, value)
    }
}

fn outside(from: impl Into<MessageArg>, to: impl Into<MessageArg>) -> ValueError {
    ValueError::new("the value is out of range", message!(hint_value_from { from, to }))
}

/// In the largest unit that gives a whole number.
pub fn format_exact_size(size: Bytes) -> String {
    const UNITS: [(&str, u64); 7] = [
        ("GiB", 1 << 30),
        ("GB", 1_000_000_000),
        ("MiB", 1 << 20),
        ("MB", 1_000_000),
        ("KiB", 1 << 10),
        ("kB", 1_000),
        ("B", 1),
    ];
    exact(size.0, &UNITS)
}

pub fn format_exact_rate(rate: BitRate) -> String {
    exact(rate.0, &[("Gbit", 1_000_000_000), ("Mbit", 1_000_000), ("kbit", 1_000), ("bit", 1)])
}

fn exact(number: u64, units: &[(&str, u64)]) -> String {
    let found = units.iter().rfind(|(_, scale)| number == 0 && *scale == 1);
    let found = found.or_else(|| units.iter().find(|(_, scale)| number.is_multiple_of(*scale)));
    found.map_or_else(|| number.to_string(), |(name, scale)| format!("{}{name}", number / scale))
}

pub fn parse_integer<T>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, ValueError> + Clone + Send + Sync + 'static
where
    T: TryFrom<u64>,
{
    move |typed: &str| {
        let (from, to) = (range.start().to_string(), range.end().to_string());
        if typed.is_empty() || !typed.bytes().all(|b| b.is_ascii_digit()) {
            let hint = message!(hint_number_without_unit { from, to });
            return Err(ValueError::new("the value is not an integer", hint));
        }
        // A number that does not fit into 64 bits is out of bounds too.
        let value = typed.parse::<u64>().ok().filter(|value| range.contains(value));
        value.and_then(|value| T::try_from(value).ok()).ok_or_else(|| outside(from, to))
    }
}

pub fn parse_port(typed: &str) -> Result<u16, ValueError> {
    parse_integer(1..=65_535)(typed)
}

pub fn parse_decimal(
    range: RangeInclusive<f64>,
) -> impl Fn(&str) -> Result<f64, ValueError> + Clone + Send + Sync + 'static {
    move |typed: &str| {
        let (from, to) = (range.start().to_string(), range.end().to_string());
        let plain = typed.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        match typed.parse::<f64>() {
            Ok(value) if plain && range.contains(&value) => Ok(value),
            Ok(_) if plain => Err(outside(from, to)),
            _ => {
                let hint = message!(hint_number_for_example { from: &from, to, example: &from });
                Err(ValueError::new("the value is not a decimal number", hint))
            }
        }
    }
}

/// One of a few names, for values whose type does not derive `ValueEnum`.
#[derive(Debug)]
pub struct NamedChoices<T: 'static>(pub &'static [(&'static str, T)]);

impl<T: Clone> NamedChoices<T> {
    pub fn parse(&self, typed: &str) -> Result<T, ValueError> {
        let found = self.0.iter().find(|(name, _)| *name == typed);
        found
            .map(|(_, value)| value.clone())
            .ok_or_else(|| unknown_name_error(self.0.iter().map(|(name, _)| *name)))
    }
}

pub fn unknown_name_error<'a>(names: impl Iterator<Item = &'a str>) -> ValueError {
    let hint = message!(hint_args_type { value: any_of(names) });
    ValueError::new("the value is not one of the choices", hint)
}

/// `a or b or c`.
pub fn any_of<'a>(names: impl IntoIterator<Item = &'a str>) -> MessageArg {
    let mut names = names.into_iter();
    let first = MessageArg::from(names.next().unwrap_or_default());
    names.fold(first, |more, last| message!(clause_list_or { more, last }).into())
}

impl<T> Clone for NamedChoices<T> {
    fn clone(&self) -> Self {
        NamedChoices(self.0)
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for NamedChoices<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let choices = self.clone();
        (move |typed: &str| choices.parse(typed)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|(name, _)| PossibleValue::new(*name))))
    }
}

pub const ON_OFF_CHOICES: NamedChoices<bool> = NamedChoices(&[("on", true), ("off", false)]);

/// Distinct values separated by commas.
#[derive(Debug, Clone, PartialEq)]
pub struct CommaList<T>(pub Vec<T>);

pub fn comma_list_parser<T: PartialEq>(
    item: impl Fn(&str) -> Result<T, ValueError> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<CommaList<T>, ValueError> + Clone + Send + Sync + 'static {
    move |typed: &str| {
        let mut values = Vec::new();
        for word in typed.split(',').map(str::trim) {
            let value = item(word)?;
            if values.contains(&value) {
                return Err(ValueError::new(
                    message!(cause_is_named_twice { word }),
                    "specify each value once, or request more trials with --repeat",
                ));
            }
            values.push(value);
        }
        Ok(CommaList(values))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CpuList(pub Vec<u32>);

impl FromStr for CpuList {
    type Err = ValueError;

    /// `0,2-3`.
    fn from_str(typed: &str) -> Result<CpuList, ValueError> {
        const MOST: u32 = 4095;
        let refuse =
            |why: Message| ValueError::new(why, message!(hint_cpu_numbers { most: MOST.to_string() }));
        let number = |text: &str| {
            parse_integer::<u32>(0..=MOST.into())(text)
                .map_err(|_| refuse(message!(cause_no_cpu_number { text: quote_value(text) })))
        };
        let mut list = Vec::new();
        for part in typed.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(refuse(message!(cause_counts_downwards { text: part })));
            }
            for cpu in first..=last {
                if list.contains(&cpu) {
                    return Err(refuse(message!(cause_is_named_twice { word: format!("CPU {cpu}") })));
                }
                list.push(cpu);
            }
        }
        Ok(CpuList(list))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label(pub String, pub String);

impl FromStr for Label {
    type Err = ValueError;

    /// `KEY=VALUE`.
    fn from_str(typed: &str) -> Result<Label, ValueError> {
        match typed.split_once('=') {
            Some((key, value)) if !key.is_empty() && key.len() <= 64 && value.len() <= 1024 => {
                Ok(Label(key.to_string(), value.to_string()))
            }
            _ => Err(ValueError::new(
                "a label is a key of 1 to 64 bytes, an equals sign and a value of at most 1024 bytes",
                message!(hint_args_type { value: "--label nic=x520" }),
            )),
        }
    }
}

/// Labels with distinct keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels(pub BTreeMap<String, String>);

#[derive(Debug, clap::Args)]
struct LabelArgs {
    /// Label to attach to the run, as KEY=VALUE; may be repeated
    #[arg(long, value_name = "KEY=VALUE", help_heading = super::OUTPUT_HELP_HEADING, hide_short_help = true)]
    label: Vec<Label>,
}

impl TryFrom<LabelArgs> for Labels {
    type Error = Failure;

    fn try_from(args: LabelArgs) -> Result<Labels, Failure> {
        let mut labels = BTreeMap::new();
        for Label(key, value) in args.label {
            if labels.contains_key(&key) {
                let what = format!("--label {}", quote_value(&key));
                return Err(Failure::usage_error(message!(error_args_given_twice { what })));
            }
            labels.insert(key, value);
        }
        Ok(Labels(labels))
    }
}

super::args_as!(LabelArgs => Labels);

/// The typed value on one line, quoted and escaped where necessary.
pub fn quote_value(typed: &str) -> String {
    const LONG: usize = 80;
    let plain = !typed.is_empty() && typed.chars().all(|c| c.is_ascii_graphic() || c.is_alphanumeric());
    let short: String = typed.chars().take(LONG).collect();
    let mark = if short.len() < typed.len() { "…" } else { "" };
    if plain { format!("{short}{mark}") } else { format!("{short:?}{mark}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_show_what_was_typed_and_what_is_accepted() {
        let f = MESSAGE_SIZE_RANGE.parse("64K").unwrap_err().into_failure_for_option("--size", "64K");
        assert_eq!(f.error, "--size 64K is not accepted");
        assert_eq!(f.cause.as_deref(), Some("the unit K is ambiguous"));
        assert_eq!(f.hint.as_deref(), Some("type 64kB or 64KiB (1B to 1GiB)"));
        assert_eq!(MESSAGE_SIZE_RANGE.parse("0").unwrap_err().hint, "type a value from 1B to 1GiB");
        let connections = parse_integer::<u16>(1..=128);
        assert_eq!(connections("99999999999999999999999").unwrap_err().cause, "the value is out of range");
        assert!(connections("+1").is_err() && connections("129").is_err());
        assert_eq!(connections("128"), Ok(128));
    }

    #[test]
    fn quantities_are_written_as_they_are_typed() {
        let sizes = [0, 1448, 65_536, 600_000_000].map(|size| format_exact_size(Bytes(size)));
        assert_eq!(sizes, ["0B", "1448B", "64KiB", "600MB"]);
        assert_eq!(format_exact_rate(BitRate(1_000)), "1kbit");
    }

    #[test]
    fn decimals_are_plain() {
        let rate = parse_decimal(0.1..=1e7);
        assert_eq!(rate("1000.5"), Ok(1000.5));
        for bad in ["1e3", "inf", "NaN", "-1", "", ".", "1.2.3", "0.01"] {
            assert!(rate(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lists_name_each_value_once() {
        let counts = comma_list_parser(parse_integer::<u16>(1..=20));
        assert_eq!(counts("1, 4,20"), Ok(CommaList(vec![1, 4, 20])));
        assert!(counts("1,1").is_err() && counts("21").is_err() && counts("").is_err());
    }

    #[test]
    fn cpu_lists() {
        assert_eq!("0,2-3".parse(), Ok(CpuList(vec![0, 2, 3])));
        for bad in ["", "a", "3-2", "1,1", "0-99999", "1-", ",", "4294967296"] {
            assert!(bad.parse::<CpuList>().is_err(), "{bad}");
        }
    }

    #[test]
    fn strange_text_is_shown_in_one_line() {
        assert_eq!(quote_value("a\nb"), "\"a\\nb\"");
        assert_eq!(quote_value(""), "\"\"");
        assert!(quote_value(&"x".repeat(500)).len() < 100);
    }
}
