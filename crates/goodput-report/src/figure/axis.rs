//! Axes and their ticks: powers of two for sizes, decades for rates and times, 1-2-5 steps on linear axes.

use crate::display_text::DisplayText;
use crate::number_format;
use schemars::JsonSchema;
use serde::Serialize;

/// What an axis measures, which decides its ticks and their words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// Bytes; ticks at powers of two.
    Size,
    /// bit/s.
    Rate,
    /// Nanoseconds.
    Time,
    /// 1/(1−q) of a quantile q, so that 90 %, 99 %, 99.9 % are evenly spaced on a log axis.
    Quantile,
    /// Per cent.
    Percent,
    /// Whole things, for example clients.
    Count,
    /// A number whose unit the label says.
    Plain,
    /// No number: things by their names, [`Axis::names`], from the last at 1 on.
    Name,
}

/// Linear or logarithmic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "AxisScale")]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Equal differences, equal distances.
    Linear,
    /// Equal ratios, equal distances.
    Log,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(into = "AxisDocument")]
#[schemars(with = "AxisDocument")]
pub struct Axis {
    pub label: DisplayText,
    pub quantity: Quantity,
    pub scale: Scale,
    /// In base units.
    pub range: (f64, f64),
    /// Empty unless it is an axis of names.
    pub names: Vec<DisplayText>,
}

/// A tick of an axis.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "AxisTick")]
pub struct Tick {
    /// Where, in base units.
    pub at: f64,
    /// Its words; empty for a small tick between.
    pub label: String,
}

/// An axis in JSON.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Axis")]
pub struct AxisDocument {
    /// What it measures, in words, with the unit where the ticks bear none.
    pub title: String,
    /// What it measures, in words, without the unit.
    pub label: String,
    /// What it measures, which decides how values are written.
    pub quantity: Quantity,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Least and greatest value, in base units: bytes, bit/s, nanoseconds, per cent. Things by their names stand at
    /// whole numbers.
    pub range: (f64, f64),
    /// The unit of the ticks' words on a linear axis; `None` where each tick bears its own.
    pub unit: Option<AxisUnit>,
    /// The names of an axis of things; the first stands at the greatest number, the last at 1.
    pub names: Vec<String>,
    /// Ticks for the whole range, in order.
    pub ticks: Vec<Tick>,
}

/// The unit of an axis.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AxisUnit {
    /// Its word: `Mbit/s`.
    pub name: &'static str,
    /// Its size in base units.
    pub size: f64,
}

impl From<Axis> for AxisDocument {
    fn from(axis: Axis) -> AxisDocument {
        const TICKS: usize = 8;
        let (name, size) = axis.display_unit();
        AxisDocument {
            title: axis.title_with_unit(),
            unit: (axis.scale == Scale::Linear && !name.is_empty()).then_some(AxisUnit { name, size }),
            ticks: axis.compute_ticks(TICKS),
            label: axis.label.to_string(),
            quantity: axis.quantity,
            scale: axis.scale,
            range: axis.range,
            names: axis.names.iter().map(DisplayText::to_string).collect(),
        }
    }
}

/// Bounds every loop, whatever the range.
const MOST: usize = 200;

impl Axis {
    /// Ignores values without a logarithm; without any the range is 1 to 10.
    pub fn logarithmic(
        label: impl Into<DisplayText>,
        quantity: Quantity,
        values: impl Iterator<Item = f64>,
    ) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for v in values.filter(|v| v.is_finite() && *v > 0.0) {
            low = low.min(v);
            high = high.max(v);
        }
        if high <= 0.0 {
            (low, high) = (1.0, 10.0);
        }
        let room = (high / low).powf(0.03).clamp(1.06, 2.0);
        let (low, high) = if high / low < 1.5 { (low / 1.6, high * 1.6) } else { (low / room, high * room) };
        let range = (low.clamp(1e-300, 1e300), high.clamp(2e-300, 1e301));
        Axis { label: label.into(), quantity, scale: Scale::Log, range, names: Vec::new() }
    }

    pub fn linear_from_zero(
        label: impl Into<DisplayText>,
        quantity: Quantity,
        values: impl Iterator<Item = f64>,
    ) -> Axis {
        let high = values.filter(|v| v.is_finite() && *v > 0.0).fold(0.0_f64, f64::max).min(1e300);
        let high = if high > 0.0 { high } else { 1.0 };
        let step = step(high * 1.08 / 5.0) / 2.0;
        let high = (high * 1.08 / step).ceil() * step;
        Axis { label: label.into(), quantity, scale: Scale::Linear, range: (0.0, high), names: Vec::new() }
    }

    pub fn linear_range(label: impl Into<DisplayText>, quantity: Quantity, low: f64, high: f64) -> Axis {
        let low = if low.is_finite() { low.clamp(-1e300, 1e300) } else { 0.0 };
        let high = if high.is_finite() { high.min(1e301) } else { low };
        let high = if high > low { high } else { low + low.abs().max(1.0) };
        Axis { label: label.into(), quantity, scale: Scale::Linear, range: (low, high), names: Vec::new() }
    }

    pub fn categorical(label: impl Into<DisplayText>, names: Vec<impl Into<DisplayText>>) -> Axis {
        let names: Vec<DisplayText> = names.into_iter().map(Into::into).collect();
        let range = (0.5, names.len().max(1) as f64 + 0.5);
        Axis { label: label.into(), quantity: Quantity::Name, scale: Scale::Linear, range, names }
    }

    /// Name i, from 0, is at i + 1.
    pub fn categorical_horizontal(label: impl Into<DisplayText>, names: Vec<impl Into<DisplayText>>) -> Axis {
        let mut axis = Axis::categorical(label, names);
        axis.names.reverse();
        axis
    }

    pub fn category_position(&self, number: usize) -> f64 {
        self.names.len() as f64 - number as f64
    }

    /// 0 to 1; `None` outside the axis.
    pub fn relative_position(&self, value: f64) -> Option<f64> {
        let (low, high) = self.range;
        let at = match self.scale {
            Scale::Linear => (value - low) / (high - low),
            Scale::Log if value > 0.0 => (value / low).ln() / (high / low).ln(),
            Scale::Log => return None,
        };
        (at.is_finite() && (-1e-9..=1.0 + 1e-9).contains(&at)).then_some(at.clamp(0.0, 1.0))
    }

    /// With the unit if the ticks have none.
    pub fn title_with_unit(&self) -> String {
        match (self.scale, self.display_unit()) {
            (Scale::Linear, (name, _)) if !name.is_empty() => format!("{} ({name})", self.label),
            _ => self.label.to_string(),
        }
    }

    /// The unit of a linear axis, and its size in base units.
    pub(crate) fn display_unit(&self) -> (&'static str, f64) {
        let most = self.range.1.abs().max(self.range.0.abs());
        let pick = |units: &[(&'static str, f64)]| {
            units
                .iter()
                .rev()
                .find(|(_, scale)| most >= *scale)
                .or(units.first())
                .copied()
                .unwrap_or(("", 1.0))
        };
        match self.quantity {
            Quantity::Size => {
                pick(&[("B", 1.0), ("KiB", 1024.0), ("MiB", 1_048_576.0), ("GiB", 1_073_741_824.0)])
            }
            // A gigabit link reads 0 to 1000 Mbit/s, not 0.0 to 1.0 Gbit/s.
            Quantity::Rate => [("Tbit/s", 1e12), ("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3)]
                .into_iter()
                .find(|(_, scale)| most >= scale * 1.5)
                .unwrap_or(("bit/s", 1.0)),
            Quantity::Time if most >= 6.0 * 3.6e12 => ("h", 3.6e12),
            Quantity::Time if most >= 6e11 => ("min", 6e10),
            Quantity::Time => pick(&[("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)]),
            Quantity::Percent => ("%", 1.0),
            Quantity::Quantile | Quantity::Count | Quantity::Plain | Quantity::Name => ("", 1.0),
        }
    }

    /// Values in the title's unit for bars: exact if two decimals suffice, else four significant digits;
    /// `short` is always the latter.
    pub fn format_bar_values(&self, values: &[f64], short: bool) -> Vec<String> {
        let (_, unit) = self.display_unit();
        let mut sizes: Vec<f64> = values.iter().map(|v| (v / unit).abs()).filter(|v| *v > 0.0).collect();
        sizes.sort_by(f64::total_cmp);
        let decimals = number_format::common_decimal_places(&sizes);
        let word = |v: &f64| {
            if short {
                number_format::format_number(v / unit)
            } else {
                number_format::format_grouped_digits(v / unit, decimals)
            }
        };
        values.iter().map(word).collect()
    }

    pub fn compute_ticks(&self, room: usize) -> Vec<Tick> {
        let room = room.clamp(2, 40);
        let mut ticks = match (self.scale, self.quantity) {
            (_, Quantity::Name) => self.things(),
            (Scale::Linear, _) => self.linear(room),
            (Scale::Log, Quantity::Size) => self.powers_of_two(room),
            (Scale::Log, Quantity::Quantile) => self.nines(),
            (Scale::Log, _) => self.decades(room),
        };
        ticks.retain(|t| self.relative_position(t.at).is_some());
        if self.scale == Scale::Log && ticks.iter().filter(|t| !t.label.is_empty()).count() < 2 {
            // Below one doubling linear steps are clearer than a single power.
            ticks =
                self.steps(room.min(5)).into_iter().map(|at| Tick { at, label: self.words(at) }).collect();
            ticks.retain(|t| self.relative_position(t.at).is_some());
        }
        ticks
    }

    fn things(&self) -> Vec<Tick> {
        let named = self.names.iter().enumerate().rev();
        named.map(|(i, name)| Tick { at: self.category_position(i), label: name.to_string() }).collect()
    }

    fn steps(&self, room: usize) -> Vec<f64> {
        let (low, high) = self.range;
        let (_, unit) = self.display_unit();
        let step = step((high - low) / unit / room as f64) * unit;
        // Counts have integer steps.
        let step = match self.quantity {
            Quantity::Count if step < 1.0 => 1.0,
            Quantity::Count if step.fract() > 0.0 => step * 2.0,
            _ => step,
        };
        if !step.is_finite() || step <= 0.0 {
            return vec![low, high];
        }
        let first = (low / step - 1e-9).ceil();
        (0..MOST).map(|i| (first + i as f64) * step).take_while(|at| *at <= high + step * 1e-9).collect()
    }

    fn linear(&self, room: usize) -> Vec<Tick> {
        let steps = self.steps(room);
        let (_, unit) = self.display_unit();
        let step = steps.get(1).zip(steps.first()).map_or(1.0, |(b, a)| (b - a) / unit);
        let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize;
        // 2.5 needs one more decimal.
        let odd = ((step * 10f64.powi(decimals as i32)).fract() - 0.5).abs() < 0.01;
        let decimals = decimals + usize::from(odd);
        steps.into_iter().map(|at| Tick { at, label: format!("{:.decimals$}", at / unit + 0.0) }).collect()
    }

    fn powers_of_two(&self, room: usize) -> Vec<Tick> {
        let first = self.range.0.log2().ceil().clamp(-1.0, 63.0) as i32;
        let last = self.range.1.log2().floor().clamp(-1.0, 63.0) as i32;
        let first = first.max(0);
        let span = (last - first + 1).max(0) as usize;
        let every = [1, 2, 4, 5, 10, 20].into_iter().find(|e| span.div_ceil(*e) <= room).unwrap_or(20) as i32;
        (first..=last)
            .map(|e| Tick {
                at: 2f64.powi(e),
                label: if e % every == 0 { number_format::format_size(1u64 << e) } else { String::new() },
            })
            .collect()
    }

    fn nines(&self) -> Vec<Tick> {
        // Over many nines the minimum has no room for a label.
        let least = if self.range.1 / self.range.0 < 5e4 { "minimum" } else { "" };
        let mut ticks = vec![Tick { at: 1.0, label: least.into() }, Tick { at: 2.0, label: "50 %".into() }];
        ticks.extend((1..=12).map(|n| {
            let label = match n {
                1 => "90 %".into(),
                2 => "99 %".into(),
                n => format!("99.{} %", "9".repeat(n as usize - 2)),
            };
            Tick { at: 10f64.powi(n), label }
        }));
        ticks
    }

    fn decades(&self, room: usize) -> Vec<Tick> {
        let (low, high) = (self.range.0.log10().floor() as i32, self.range.1.log10().ceil() as i32);
        let within = |at: f64| self.relative_position(at).is_some();
        let whole = (low..=high).filter(|e| within(10f64.powi(*e))).count();
        let every = whole.div_ceil(room).max(1) as i32;
        // As many labels per decade as fit, at least the powers.
        let choices: [&[u32]; 3] = [&[1, 2, 3, 4, 5, 6, 7, 8, 9], &[1, 2, 5], &[1]];
        let seen = |ms: &[u32]| {
            (low..=high)
                .flat_map(|e| ms.iter().map(move |m| power(*m, e)))
                .filter(|at| within(*at))
                .take(MOST)
                .count()
        };
        let within_decade = choices.into_iter().find(|ms| seen(ms) <= room).unwrap_or(&[1]);
        let mut ticks = Vec::new();
        for e in low..=high {
            for m in 1..=9u32 {
                let at = power(m, e);
                let named = e.rem_euclid(every) == 0 && within_decade.contains(&m);
                let label = if named { self.words(at) } else { String::new() };
                if (named || every == 1) && within(at) && ticks.len() < MOST * 10 {
                    ticks.push(Tick { at, label });
                }
            }
        }
        ticks
    }

    pub fn format_value(&self, value: f64) -> String {
        match self.quantity {
            Quantity::Size if value >= 0.0 => number_format::format_size(value.round() as u64),
            Quantity::Size => number_format::MISSING_VALUE.into(),
            Quantity::Rate => number_format::format_rate_f64(value),
            Quantity::Time => number_format::format_time(value),
            Quantity::Quantile => format!("{} %", (1e6 - 1e6 / value.max(1.0)).round() / 1e4),
            Quantity::Percent => number_format::format_percent(value),
            Quantity::Count if value >= 0.0 => number_format::format_count(value.round() as u64),
            Quantity::Count => number_format::MISSING_VALUE.into(),
            Quantity::Plain => number_format::format_number(value),
            Quantity::Name => {
                let number = (self.names.len() as f64 - value).round();
                let found = if number >= 0.0 { self.names.get(number as usize) } else { None };
                number_format::format_optional_value(found, DisplayText::to_string)
            }
        }
    }

    fn words(&self, value: f64) -> String {
        let text = match self.quantity {
            Quantity::Size => return number_format::format_data_volume_f64(value.round()),
            Quantity::Rate if value.abs() < 1.0 => return format!("{value} bit/s"),
            Quantity::Time if value.abs() < 1.0 => return format!("{value} ns"),
            Quantity::Rate => number_format::format_rate_f64(value),
            Quantity::Time => number_format::format_time(value),
            Quantity::Percent | Quantity::Count | Quantity::Name => return self.format_value(value),
            Quantity::Quantile | Quantity::Plain => number_format::format_number(value),
        };
        match text.split_once(' ') {
            Some((n, unit)) if n.contains('.') => {
                format!("{} {unit}", n.trim_end_matches('0').trim_end_matches('.'))
            }
            _ => text,
        }
    }
}

/// m×10^e. Division keeps negative powers exact.
fn power(m: u32, e: i32) -> f64 {
    if e >= 0 { f64::from(m) * 10f64.powi(e) } else { f64::from(m) / 10f64.powi(-e) }
}

/// The smallest of 1, 2, 2.5, 5 times a power of ten at or above this.
fn step(at_least: f64) -> f64 {
    if !at_least.is_finite() || at_least <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powf(at_least.log10().floor());
    let found = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|m| m * power >= at_least * (1.0 - 1e-9));
    found.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(axis: &Axis, room: usize) -> Vec<String> {
        axis.compute_ticks(room).into_iter().map(|t| t.label).filter(|l| !l.is_empty()).collect()
    }

    proptest::proptest! {
        #[test]
        fn any_range_has_ticks(
            a in proptest::num::f64::ANY, b in proptest::num::f64::ANY, room in 0usize..60,
            kind in 0usize..7,
        ) {
            use Quantity::{Count, Percent, Plain, Quantile, Rate, Size, Time};
            let quantity = [Size, Rate, Time, Quantile, Percent, Count, Plain][kind];
            for axis in [
                Axis::logarithmic("x", quantity, [a, b].into_iter()),
                Axis::linear_from_zero("x", quantity, [a, b].into_iter()),
                Axis::linear_range("x", quantity, a.min(b), a.max(b)),
            ] {
                proptest::prop_assert!(axis.range.0.is_finite() && axis.range.1.is_finite());
                proptest::prop_assert!(axis.range.0 < axis.range.1);
                let ticks = axis.compute_ticks(room);
                proptest::prop_assert!(ticks.len() <= MOST * 10);
                for pair in ticks.windows(2) {
                    proptest::prop_assert!(pair[0].at < pair[1].at, "{:?} {:?}", axis, pair);
                }
                for t in &ticks {
                    proptest::prop_assert!(axis.relative_position(t.at).is_some());
                }
            }
        }

        #[test]
        fn ordinary_ranges_are_readable(low in 1.0f64..1e9, ratio in 1.0f64..1e9, room in 4usize..14) {
            for quantity in [Quantity::Size, Quantity::Rate, Quantity::Time] {
                for axis in [
                    Axis::logarithmic("x", quantity, [low, low * ratio].into_iter()),
                    Axis::linear_from_zero("x", quantity, [low * ratio].into_iter()),
                ] {
                    let n = words(&axis, room).len();
                    proptest::prop_assert!(n >= 2 && n <= room + 1, "{:?} {:?}", axis, words(&axis, room));
                }
            }
        }
    }
}
