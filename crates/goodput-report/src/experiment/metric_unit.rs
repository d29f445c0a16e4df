//! Unit and decimals of a measure's values: one choice per table, and as published for published figures.

use crate::figure::Quantity;
use crate::number_format::{self, MISSING_VALUE};
use crate::table::{Cell, NumberFormat};
use goodput_model::experiment::data_set::DataSet;
use goodput_model::{Message, MessageArg};
use goodput_words::message;
use goodput_words::message_argument::fixed_decimals_arg;

#[derive(Debug, Clone, PartialEq)]
pub struct MetricUnit {
    /// Such as `Mbit/s`; empty for plain numbers.
    pub name: String,
    /// In the measure's own unit.
    pub scale: f64,
    pub decimals: usize,
}

pub fn quantity_for_unit(unit: &str) -> Quantity {
    match unit {
        "bit/s" => Quantity::Rate,
        "ns" => Quantity::Time,
        "byte" => Quantity::Size,
        "%" => Quantity::Percent,
        _ => Quantity::Plain,
    }
}

/// Probe line and metric.
pub fn probe_metric_title(probe: &str, figure: &str) -> Message {
    let metric = Message::from(metric_display_name(figure));
    if probe.is_empty() { metric } else { message!(part_experiment_of_probe { probe, metric }) }
}

/// `goodput_bps` is goodput, `latency_ns.p50` is latency p50.
pub fn metric_display_name(figure: &str) -> String {
    let plain = figure.strip_prefix("points[].").unwrap_or(figure);
    let words: Vec<&str> = plain
        .split(['_', '.'])
        .filter(|w| {
            !matches!(*w, "bps" | "ns" | "bytes" | "percent" | "us" | "" | "hosts[]" | "directions[]")
        })
        .collect();
    let text = words.join(" ");
    let text = text.replace("pe index", "P/E index").replace("cpu", "CPU").replace("rtt", "RTT");
    if text.is_empty() { figure.to_string() } else { text }
}

/// Packet sizes are in bytes: 1,500 B, not 1.465 KiB (RFC 791: at most 65,535).
const LARGEST_PACKET: f64 = 65_535.0;

impl MetricUnit {
    pub fn for_measure(data: &DataSet, measure: usize, values: impl Iterator<Item = f64>) -> MetricUnit {
        let printed = data.printed.iter().find(|p| p.measure == measure && p.scale > 0.0);
        match (printed, data.measures.get(measure)) {
            (Some(p), _) => {
                MetricUnit { name: p.unit.clone(), scale: p.scale, decimals: usize::from(p.decimals.min(9)) }
            }
            (None, Some(head)) => MetricUnit::for_values(&head.unit, values),
            (None, None) => MetricUnit { name: String::new(), scale: 1.0, decimals: 3 },
        }
    }

    /// `unit` is the measure's own. Ignores NaN.
    pub fn for_values(unit: &str, values: impl Iterator<Item = f64>) -> MetricUnit {
        let mut sizes: Vec<f64> = values.filter(|v| v.is_finite() && *v != 0.0).map(f64::abs).collect();
        sizes.sort_by(f64::total_cmp);
        let most = sizes.last().copied().unwrap_or(0.0);
        let packets = unit == "byte" && most <= LARGEST_PACKET && sizes.iter().any(|v| v % 1024.0 != 0.0);
        let (name, scale) = if packets { ("B".to_string(), 1.0) } else { scale(unit, most) };
        let shown: Vec<f64> = sizes.iter().map(|v| v / scale).collect();
        MetricUnit { name, scale, decimals: number_format::common_decimal_places(&shown) }
    }

    pub fn format_number(&self, value: f64) -> String {
        if !value.is_finite() {
            return MISSING_VALUE.into();
        }
        number_format::format_grouped_digits(value / self.scale, self.decimals)
    }

    pub fn format_with_unit(&self, value: f64) -> String {
        match (self.format_number(value), self.name.as_str()) {
            (text, "") => text,
            (text, name) => format!("{text} {name}"),
        }
    }

    pub fn quantity(&self, value: f64) -> MessageArg {
        fixed_decimals_arg(value / self.scale, self.decimals, &self.name)
    }

    pub fn number_cell(&self, value: f64) -> Cell {
        Cell::number(value / self.scale, NumberFormat::Fixed(self.decimals as u8))
    }

    pub fn cell_with_unit(&self, value: f64) -> Cell {
        Cell::formatted_number(value, &self.format_with_unit(value))
    }

    /// `93.9–94.3`; with a word between the ends if one is negative.
    pub fn confidence_interval_cell(&self, (low, high): (f64, f64)) -> Cell {
        let most = self.number_cell(high);
        self.number_cell(low).worded(|least| match low < 0.0 || high < 0.0 {
            true => message!(part_from_to { least, most }),
            false => message!(part_experiment_span { least, most }),
        })
    }
}

/// The unit where the maximum is at least 1, for rates 10 from Gbit/s on: 1,000 Mbit/s, not 1.0 Gbit/s.
fn scale(unit: &str, most: f64) -> (String, f64) {
    let units: &[(&str, f64, f64)] = match unit {
        "bit/s" => &[
            ("Tbit/s", 1e12, 1e13),
            ("Gbit/s", 1e9, 1e10),
            ("Mbit/s", 1e6, 1e6),
            ("kbit/s", 1e3, 1e3),
            ("bit/s", 1.0, 0.0),
        ],
        "ns" => &[("s", 1e9, 1e9), ("ms", 1e6, 1e6), ("µs", 1e3, 1e3), ("ns", 1.0, 0.0)],
        "byte" => &[
            ("GiB", 1_073_741_824.0, 1_073_741_824.0),
            ("MiB", 1_048_576.0, 1_048_576.0),
            ("KiB", 1024.0, 1024.0),
            ("B", 1.0, 0.0),
        ],
        _ => &[],
    };
    let found = units.iter().find(|(_, _, from)| most >= *from);
    found.map_or((unit.to_string(), 1.0), |(name, scale, _)| (name.to_string(), *scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_of(unit: &str, values: &[f64]) -> MetricUnit {
        MetricUnit::for_values(unit, values.iter().copied())
    }

    #[test]
    fn published_values_stand_as_they_were_and_measured_ones_decide_unit_and_digits() {
        let published = [8.65e6, 112.15e6, 30.58e6, 54.9e6];
        let unit = unit_of("bit/s", &published);
        assert_eq!((unit.name.as_str(), unit.decimals), ("Mbit/s", 2));
        assert_eq!(published.map(|v| unit.format_number(v)), ["8.65", "112.15", "30.58", "54.90"]);
        for (unit, values, first) in [
            ("bit/s", &[941_487_312.0, 940_902_117.4][..], "941.5 Mbit/s"),
            ("bit/s", &[9_151_234.0, 941_487_312.0], "9.15 Mbit/s"),
            ("ns", &[31_234.5], "31.23 µs"),
            ("", &[2.7104], "2.710"),
            ("byte", &[7_150.0, 1_500.0], "7,150 B"),
        ] {
            assert_eq!(unit_of(unit, values).format_with_unit(values[0]), first);
        }
        assert_eq!(unit_of("bit/s", &[]).format_with_unit(0.0), "0 bit/s");
        let sizes = [[1_024.0, 4_096.0], [1e6, 3e6]];
        assert_eq!(sizes.map(|sizes| unit_of("byte", &sizes).name), ["KiB", "MiB"]);
        let rates = unit_of("bit/s", &[941_487_312.0, 940_902_117.4]);
        assert_eq!(rates.confidence_interval_cell((940_902_117.4, 941_487_312.0)), "940.9–941.5");
        let plain = unit_of("", &[2.7104]);
        assert_eq!(plain.confidence_interval_cell((-1.0, 2.0)), "-1.000 to 2.000");
        assert_eq!(plain.format_number(f64::NAN), MISSING_VALUE);
    }

    #[test]
    fn figures_read_as_words() {
        for (figure, words) in [
            ("goodput_bps", "goodput"),
            ("points[].goodput_bps", "goodput"),
            ("latency_ns.p50", "latency p50"),
            ("pe_index", "P/E index"),
            ("transactions_per_second", "transactions per second"),
            ("half_rtt_ns.min", "half RTT min"),
            ("cpu.busy_percent", "CPU busy"),
        ] {
            assert_eq!(metric_display_name(figure), words);
        }
        assert_eq!(probe_metric_title("tcp", "goodput_bps"), "tcp goodput");
    }
}
