//! A table cell: text, or a number that writers format. Functions have [`crate::number`]'s names and formats.

use crate::display_text::{DisplayText, comma_list};
use crate::number_format::{self, MISSING_VALUE};
use goodput_model::{BitRate, Bytes, Message, MessageArg, MessageQuantity, Nanos};
use std::fmt;

#[derive(Debug, Clone, Default)]
pub enum Cell {
    #[default]
    Missing,
    Text(DisplayText),
    Number(NumberCell),
}

#[derive(Debug, Clone)]
pub struct NumberCell {
    /// In the base unit of its format.
    pub value: f64,
    pub format: NumberFormat,
    before: &'static str,
    written: Option<DisplayText>,
}

/// Also determines the base unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberFormat {
    /// bit/s, measured.
    Rate,
    /// bit/s, computed.
    LimitRate,
    /// bit/s, as set.
    ExactRate,
    /// bit/s, written in MB/s.
    Megabytes,
    /// byte/s.
    Peak,
    Size,
    /// Never in a larger unit.
    Bytes,
    /// Decimal if that is a whole number.
    Length,
    Volume,
    Time,
    /// ns with a sign.
    TimeChange,
    ExactTime,
    Percent,
    SmallPercent,
    Change,
    /// Signed, more exact below 1 %.
    SignedPercent,
    /// Signed, without the unit, which a later number has.
    ChangeBound,
    FixedPercent(u8),
    Count,
    /// An ordinal number.
    Ordinal,
    PerSecond,
    Plain,
    /// Without a unit, with these decimals.
    Fixed(u8),
}

impl NumberFormat {
    /// Empty without a unit.
    pub fn unit(self) -> &'static str {
        match self {
            NumberFormat::Rate | NumberFormat::LimitRate | NumberFormat::ExactRate => "bit/s",
            NumberFormat::Megabytes | NumberFormat::Peak => "B/s",
            NumberFormat::Size | NumberFormat::Bytes | NumberFormat::Length | NumberFormat::Volume => "B",
            NumberFormat::Time | NumberFormat::TimeChange | NumberFormat::ExactTime => "ns",
            NumberFormat::Percent
            | NumberFormat::SmallPercent
            | NumberFormat::Change
            | NumberFormat::SignedPercent
            | NumberFormat::ChangeBound
            | NumberFormat::FixedPercent(_) => "%",
            NumberFormat::PerSecond => "1/s",
            NumberFormat::Count | NumberFormat::Ordinal | NumberFormat::Plain | NumberFormat::Fixed(_) => "",
        }
    }

    fn write(self, value: f64) -> String {
        let whole = value.max(0.0) as u64;
        match self {
            NumberFormat::Rate => number_format::format_rate_f64(value),
            NumberFormat::LimitRate => number_format::format_medium_limit_rate(BitRate(whole)),
            NumberFormat::ExactRate => number_format::format_rate_setting(BitRate(whole)),
            NumberFormat::Megabytes => number_format::format_megabytes_per_second(value * 8.0),
            NumberFormat::Peak => number_format::format_bus_peak_rate(whole),
            NumberFormat::Size => number_format::format_size(whole),
            NumberFormat::Bytes => format!("{} B", number_format::format_count(whole)),
            NumberFormat::Length => number_format::format_file_size(whole),
            NumberFormat::Volume if value >= 0.0 && value.fract() == 0.0 => {
                number_format::format_data_volume(whole)
            }
            NumberFormat::Volume => number_format::format_data_volume_f64(value),
            NumberFormat::Time => number_format::format_time(value),
            NumberFormat::TimeChange => {
                format!("{}{}", if value < 0.0 { "−" } else { "+" }, number_format::format_time(value.abs()))
            }
            NumberFormat::ExactTime => number_format::format_time_setting(Nanos(whole)),
            NumberFormat::Percent => number_format::format_percent(value),
            NumberFormat::SmallPercent => number_format::format_small_percent(value),
            NumberFormat::Change => format!("{value:+.1} %"),
            NumberFormat::SignedPercent => number_format::format_signed_percent(value),
            NumberFormat::ChangeBound => format!("{value:+.1}"),
            NumberFormat::FixedPercent(decimals) => {
                format!("{} %", number_format::format_grouped_digits(value, decimals.into()))
            }
            NumberFormat::Count => number_format::format_grouped_digits(value, 0),
            NumberFormat::Ordinal => format!("{value:.0}"),
            NumberFormat::PerSecond => number_format::format_count_per_second(value),
            NumberFormat::Plain => number_format::format_number(value),
            NumberFormat::Fixed(decimals) => number_format::format_grouped_digits(value, decimals.into()),
        }
    }
}

impl Cell {
    pub fn number(value: f64, format: NumberFormat) -> Cell {
        if !value.is_finite() {
            return Cell::Missing;
        }
        Cell::Number(NumberCell { value, format, before: "", written: None })
    }

    pub fn formatted_number(value: f64, text: &str) -> Cell {
        match Cell::number(value, NumberFormat::Plain) {
            Cell::Number(number) => Cell::Number(NumberCell { written: Some(text.into()), ..number }),
            _ => text.into(),
        }
    }

    /// `± 3 µs`: signs that are the same in every language.
    pub fn with_prefix(mut self, sign: &'static str) -> Cell {
        if let Cell::Number(number) = &mut self {
            number.before = sign;
        }
        self
    }

    /// The number in a text: `3 of 6`, `12 µs (CPU 1)`. The column is still sorted by the number.
    pub fn worded(self, text: impl FnOnce(MessageArg) -> Message) -> Cell {
        match self {
            Cell::Missing => Cell::Text(text(MISSING_VALUE.into()).into()),
            Cell::Text(own) => Cell::Text(text(own.into()).into()),
            Cell::Number(mut number) => {
                number.written = Some(text(Cell::Number(number.clone()).into()).into());
                number.before = "";
                Cell::Number(number)
            }
        }
    }

    /// `None` for text.
    pub fn value_and_unit(&self) -> Option<(f64, &'static str)> {
        match self {
            Cell::Number(number) => Some((number.value, number.format.unit())),
            Cell::Missing | Cell::Text(_) => None,
        }
    }

    /// False for an empty or missing cell.
    pub fn has_content(&self) -> bool {
        match self {
            Cell::Missing => false,
            Cell::Text(text) => !text.is_empty(),
            Cell::Number(_) => true,
        }
    }

    /// `say` gives a text in the reader's language.
    pub fn localize(&mut self, say: impl FnOnce(&Message) -> String) {
        let text = match &mut *self {
            Cell::Missing => return,
            Cell::Text(own) => return own.localize(say),
            Cell::Number(NumberCell { written: Some(written), before: "", .. }) => say(written),
            number => say(&number.to_string().into()),
        };
        if let Cell::Number(number) = self {
            (number.before, number.written) = ("", Some(text.into()));
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Missing => f.write_str(MISSING_VALUE),
            Cell::Text(text) => f.write_str(text),
            Cell::Number(n) => {
                f.write_str(n.before)?;
                match &n.written {
                    Some(text) => f.write_str(text),
                    None => f.write_str(&n.format.write(n.value)),
                }
            }
        }
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Cell) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Cell {}

impl PartialEq<&str> for Cell {
    fn eq(&self, other: &&str) -> bool {
        self.to_string() == *other
    }
}

impl<T: Into<DisplayText>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell::Text(text.into())
    }
}

/// A number keeps its value and unit.
impl From<Cell> for MessageArg {
    fn from(cell: Cell) -> MessageArg {
        match cell {
            Cell::Missing => MISSING_VALUE.into(),
            Cell::Text(text) | Cell::Number(NumberCell { written: Some(text), before: "", .. }) => {
                text.into()
            }
            Cell::Number(ref number) => MessageArg::Quantity(MessageQuantity {
                value: number.value,
                unit: number.format.unit().into(),
                text: cell.to_string(),
            }),
        }
    }
}

pub fn optional_cell<T, C: Into<Cell>>(value: Option<T>, f: impl FnOnce(T) -> C) -> Cell {
    value.map_or(Cell::Missing, |value| f(value).into())
}

/// `1 KiB, 2 KiB`. The column is sorted by the first.
pub fn list_cell(cells: Vec<Cell>) -> Cell {
    let mut cells = cells.into_iter();
    let Some(first) = cells.next() else { return Cell::Missing };
    if cells.len() == 0 {
        return first;
    }
    first.worded(|first| comma_list(std::iter::once(first).chain(cells.map(MessageArg::from))))
}

macro_rules! formats {
    ($($name:ident: $format:ident of $from:ty as $value:expr;)*) => {
        $(
            #[doc = concat!("[`NumberFormat::", stringify!($format), "`]")]
            pub fn $name(value: $from) -> Cell {
                let value_of: fn($from) -> f64 = $value;
                Cell::number(value_of(value), NumberFormat::$format)
            }
        )*
    };
}

formats! {
    rate: Rate of u64 as |v| v as f64;
    rate_f: Rate of f64 as |v| v;
    limit_rate: LimitRate of BitRate as |v| v.0 as f64;
    rate_setting: ExactRate of BitRate as |v| v.0 as f64;
    megabytes: Megabytes of f64 as |v| v / 8.0;
    peak: Peak of u64 as |v| v as f64;
    size: Size of u64 as |v| v as f64;
    size_setting: Size of Bytes as |v| v.0 as f64;
    bytes: Bytes of u32 as f64::from;
    length: Length of u64 as |v| v as f64;
    volume: Volume of u64 as |v| v as f64;
    volume_f: Volume of f64 as |v| v;
    time: Time of f64 as |v| v;
    nanos: Time of u64 as |v| v as f64;
    time_change: TimeChange of f64 as |v| v;
    time_setting: ExactTime of Nanos as |v| v.0 as f64;
    percent: Percent of f64 as |v| v;
    small_percent: SmallPercent of f64 as |v| v;
    change: Change of f64 as |v| v;
    signed_percent: SignedPercent of f64 as |v| v;
    count: Count of u64 as |v| v as f64;
    ordinal: Ordinal of u32 as f64::from;
    per_second: PerSecond of f64 as |v| v;
    plain: Plain of f64 as |v| v;
}
