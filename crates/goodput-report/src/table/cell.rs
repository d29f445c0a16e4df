//! A cell of a table: words, or a number that each writer formats. The functions have the names of those in
//! [`crate::number`] and make cells of the same appearance.

use crate::number::{self, NONE};
use goodput_model::{BitRate, Bytes, Nanos};
use std::fmt;

/// What stands in one place of a table. Two cells are equal where a reader sees the same.
#[derive(Debug, Clone, Default)]
pub enum Cell {
    #[default]
    Missing,
    /// Words; may be empty.
    Text(String),
    Number(Number),
}

#[derive(Debug, Clone)]
pub struct Number {
    /// In the base unit of its format.
    pub value: f64,
    pub format: Format,
    before: &'static str,
    after: String,
    written: Option<String>,
}

/// How a number is written, and thereby its base unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A measured rate in bit/s.
    Rate,
    /// A rate from the arithmetic of limits, in bit/s.
    LimitRate,
    /// A rate that was set, in bit/s.
    ExactRate,
    /// A payload rate in bit/s, written in MB/s.
    Megabytes,
    /// The peak of a bus in byte/s.
    Peak,
    Size,
    /// Bytes, never in a larger unit.
    Bytes,
    /// Bytes of a file, decimal where that is a whole number.
    Length,
    Volume,
    Time,
    /// A time in ns against another one, with its sign.
    TimeChange,
    ExactTime,
    Percent,
    SmallPercent,
    Change,
    /// Per cent with its sign, more exact below 1 %.
    SignedPercent,
    /// Per cent with its sign, without the unit that a later number has.
    ChangeBound,
    FixedPercent(u8),
    Count,
    /// A whole number that names something.
    Ordinal,
    PerSecond,
    Plain,
    /// A number without a unit, with these decimals.
    Fixed(u8),
}

impl Format {
    /// The unit of the value; empty for a number without one.
    pub fn unit(self) -> &'static str {
        match self {
            Format::Rate | Format::LimitRate | Format::ExactRate => "bit/s",
            Format::Megabytes | Format::Peak => "B/s",
            Format::Size | Format::Bytes | Format::Length | Format::Volume => "B",
            Format::Time | Format::TimeChange | Format::ExactTime => "ns",
            Format::Percent
            | Format::SmallPercent
            | Format::Change
            | Format::SignedPercent
            | Format::ChangeBound
            | Format::FixedPercent(_) => "%",
            Format::PerSecond => "1/s",
            Format::Count | Format::Ordinal | Format::Plain | Format::Fixed(_) => "",
        }
    }

    fn write(self, value: f64) -> String {
        // Values of whole units come from whole numbers.
        let whole = value.max(0.0) as u64;
        match self {
            Format::Rate => number::rate_f(value),
            Format::LimitRate => number::limit_rate(BitRate(whole)),
            Format::ExactRate => number::rate_setting(BitRate(whole)),
            Format::Megabytes => number::megabytes(value * 8.0),
            Format::Peak => number::peak(whole),
            Format::Size => number::size(whole),
            Format::Bytes => format!("{} B", number::count(whole)),
            Format::Length => number::length(whole),
            Format::Volume if value >= 0.0 && value.fract() == 0.0 => number::volume(whole),
            Format::Volume => number::volume_f(value),
            Format::Time => number::time(value),
            Format::TimeChange => {
                format!("{}{}", if value < 0.0 { "−" } else { "+" }, number::time(value.abs()))
            }
            Format::ExactTime => number::time_setting(Nanos(whole)),
            Format::Percent => number::percent(value),
            Format::SmallPercent => number::small_percent(value),
            Format::Change => format!("{value:+.1} %"),
            Format::SignedPercent => number::signed_percent(value),
            Format::ChangeBound => format!("{value:+.1}"),
            Format::FixedPercent(decimals) => format!("{} %", number::grouped(value, decimals.into())),
            Format::Count => number::grouped(value, 0),
            Format::Ordinal => format!("{value:.0}"),
            Format::PerSecond => number::per_second(value),
            Format::Plain => number::plain(value),
            Format::Fixed(decimals) => number::grouped(value, decimals.into()),
        }
    }
}

impl Cell {
    /// A number in this format; missing where it is not finite.
    pub fn number(value: f64, format: Format) -> Cell {
        if !value.is_finite() {
            return Cell::Missing;
        }
        Cell::Number(Number { value, format, before: "", after: String::new(), written: None })
    }

    /// A number that somebody else wrote so.
    pub fn written(value: f64, text: &str) -> Cell {
        match Cell::number(value, Format::Plain) {
            Cell::Number(number) => Cell::Number(Number { written: Some(text.to_string()), ..number }),
            _ => text.into(),
        }
    }

    /// The same with words before it: `± 3 µs`.
    pub fn preceded(mut self, words: &'static str) -> Cell {
        if let Cell::Number(number) = &mut self {
            number.before = words;
        }
        self
    }

    /// The same with words after it: `3 of 6`.
    pub fn followed(mut self, words: impl fmt::Display) -> Cell {
        match &mut self {
            Cell::Number(number) => number.after.push_str(&words.to_string()),
            Cell::Text(text) => text.push_str(&words.to_string()),
            Cell::Missing => return Cell::Text(format!("{NONE}{words}")),
        }
        self
    }

    /// The value and its unit; `None` for words.
    pub fn value(&self) -> Option<(f64, &'static str)> {
        match self {
            Cell::Number(number) => Some((number.value, number.format.unit())),
            Cell::Missing | Cell::Text(_) => None,
        }
    }

    /// False where a reader learns nothing from it.
    pub fn says_something(&self) -> bool {
        match self {
            Cell::Missing => false,
            Cell::Text(text) => !text.is_empty(),
            Cell::Number(_) => true,
        }
    }

    /// The same cell in another language; `say` translates what English readers see.
    pub fn localize(&mut self, say: impl FnOnce(&mut String)) {
        let mut text = self.to_string();
        match self {
            Cell::Missing => {}
            Cell::Text(own) => say(own),
            Cell::Number(number) => {
                say(&mut text);
                (number.before, number.after) = ("", String::new());
                number.written = Some(text);
            }
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Missing => f.write_str(NONE),
            Cell::Text(text) => f.write_str(text),
            Cell::Number(n) => {
                let number = n.written.clone().unwrap_or_else(|| n.format.write(n.value));
                write!(f, "{}{number}{}", n.before, n.after)
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

impl PartialEq<str> for Cell {
    fn eq(&self, other: &str) -> bool {
        self.to_string() == other
    }
}

impl PartialEq<&str> for Cell {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_string())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Cell {
        Cell::Text(text.clone())
    }
}

/// The cell that `f` makes of a value, or a missing one.
pub fn or_none<T, C: Into<Cell>>(value: Option<T>, f: impl FnOnce(T) -> C) -> Cell {
    value.map_or(Cell::Missing, |value| f(value).into())
}

/// The cells one after the other with this between them; sorted by the first.
pub fn joined(cells: Vec<Cell>, between: &str) -> Cell {
    let mut cells = cells.into_iter();
    let Some(first) = cells.next() else { return Cell::Missing };
    cells.fold(first, |all, cell| all.followed(between).followed(cell))
}

macro_rules! formats {
    ($($name:ident: $format:ident of $from:ty as $value:expr;)*) => {
        $(
            #[doc = concat!("[`Format::", stringify!($format), "`]")]
            pub fn $name(value: $from) -> Cell {
                let value_of: fn($from) -> f64 = $value;
                Cell::number(value_of(value), Format::$format)
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
