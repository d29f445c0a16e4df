//! Units of published values and their conversion. An ambiguous unit is an error that names both readings.

use goodput_words::{Message, message};

/// A unit: its name, ours, and how many of ours it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnitConversion {
    pub name: &'static str,
    pub base: &'static str,
    pub scale: u64,
}

const UNITS: &[UnitConversion] = &[
    unit("bit/s", "bit/s", 1),
    unit("kbit/s", "bit/s", 1_000),
    unit("Mbit/s", "bit/s", 1_000_000),
    unit("Gbit/s", "bit/s", 1_000_000_000),
    unit("kB/s", "bit/s", 8_000),
    unit("MB/s", "bit/s", 8_000_000),
    unit("GB/s", "bit/s", 8_000_000_000),
    unit("KiB/s", "bit/s", 8 << 10),
    unit("MiB/s", "bit/s", 8 << 20),
    unit("ns", "ns", 1),
    unit("us", "ns", 1_000),
    unit("ms", "ns", 1_000_000),
    unit("s", "ns", 1_000_000_000),
    unit("B", "byte", 1),
    unit("kB", "byte", 1_000),
    unit("MB", "byte", 1_000_000),
    unit("GB", "byte", 1_000_000_000),
    unit("KiB", "byte", 1 << 10),
    unit("MiB", "byte", 1 << 20),
    unit("GiB", "byte", 1 << 30),
    unit("%", "%", 1),
    unit("Mbit/s per %", "Mbit/s per %", 1),
    unit("", "", 1),
];

const fn unit(name: &'static str, base: &'static str, scale: u64) -> UnitConversion {
    UnitConversion { name, base, scale }
}

pub(super) fn find_unit(name: &str) -> Result<UnitConversion, Message> {
    if let Some(found) = UNITS.iter().find(|u| u.name == name) {
        return Ok(*found);
    }
    let letter = name.chars().next().map(|c| c.to_ascii_uppercase());
    let rest = name.get(1..).unwrap_or("");
    let rate = matches!(rest, "" | "b" | "bps" | "bit" | "b/s" | "Bps" | "bits");
    Err(match letter {
        Some(letter @ ('K' | 'M' | 'G')) if rate => {
            let (thousands, powers) = match letter {
                'K' => ("10^3", "2^10"),
                'M' => ("10^6", "2^20"),
                _ => ("10^9", "2^30"),
            };
            message!(cause_published_unit_readings { name: format!("{name:?}"), thousands, powers })
        }
        _ => {
            let units: Vec<&str> = UNITS.iter().map(|u| u.name).filter(|n| !n.is_empty()).collect();
            message!(cause_published_no_unit { name: format!("{name:?}"), units })
        }
    })
}

impl UnitConversion {
    /// Rounded once; digits and one point, nothing else. Also returns the number of decimals.
    pub fn parse_value(&self, text: &str) -> Result<(f64, usize), Message> {
        let why = || message!(cause_published_no_decimal { text: format!("{text:?}") });
        let (whole, fraction) = text.split_once('.').map_or((text, ""), |(w, f)| (w, f));
        let digits = |t: &str| t.chars().all(|c| c.is_ascii_digit());
        if whole.is_empty()
            || !digits(whole)
            || !digits(fraction)
            || (text.contains('.') && fraction.is_empty())
        {
            return Err(why());
        }
        let plain: u128 = format!("{whole}{fraction}").parse().map_err(|_| why())?;
        let tens = u32::try_from(fraction.len()).ok().and_then(|n| 10u128.checked_pow(n)).ok_or_else(why)?;
        let scaled = plain.checked_mul(u128::from(self.scale)).ok_or_else(why)?;
        Ok((scaled as f64 / tens as f64, fraction.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_two_readings_is_refused_with_both() {
        assert_eq!(find_unit("Mbit/s").map(|u| u.scale), Ok(1_000_000));
        for ambiguous in ["M", "Mbps", "MBps", "K", "Gb", "mbps"] {
            assert!(find_unit(ambiguous).unwrap_err().contains("several readings"), "{ambiguous}");
        }
        assert!(find_unit("furlong").unwrap_err().starts_with("there is no unit"));
    }

    #[test]
    fn a_figure_is_exact_to_its_last_digit() {
        let mbit = find_unit("Mbit/s").unwrap();
        assert_eq!(mbit.parse_value("8.65"), Ok((8_650_000.0, 2)));
        assert_eq!(mbit.parse_value("129.93"), Ok((129_930_000.0, 2)));
        assert_eq!(mbit.parse_value("100"), Ok((100_000_000.0, 0)));
        for bad in ["", "8,65", "1 000", "8.", ".5", "-1", "1e3", "8.6.5", "NaN"] {
            assert!(mbit.parse_value(bad).is_err(), "{bad}");
        }
        for n in 0..20_000u32 {
            let text = format!("{}.{:02}", n / 100, n % 100);
            assert_eq!(mbit.parse_value(&text), Ok((f64::from(n) * 10_000.0, 2)), "{text}");
        }
    }
}
