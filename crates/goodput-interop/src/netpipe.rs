//! NetPIPE 3's `np.out`: one line a message size, for gnuplot.
//!
//! `fprintf(out, "%8d %lf %12.8lf
//! ", bytes, throughput, seconds)` in 3.7.2:
//!
//! 1. bytes of one exchange: the message size, and twice that with `-2`;
//! 2. throughput, called Mbps but in units of **2^20 bit/s**;
//! 3. seconds: half a round trip; with `-s` the receiver's time for a message; with `-2` the whole exchange.
//!    Rounded to 10 ns; column 2 comes from the unrounded time.
//!
//! The file does not say which pattern it has, so the caller must. Files of NetPIPE 5 are errors.

use crate::truncate_text;
use goodput_model::probe::PingPongPattern;
use goodput_model::summary::PingPongPoint;
use goodput_model::units::Bytes;
use goodput_words::{Message, error_messages, message};
use std::fmt::Write as _;

const MBIT: f64 = 1_048_576.0;

/// Half of the last decimal of columns 2 and 3, with room for NetPIPE's rounding.
const HALF_STEP_RATE: f64 = 0.500_001e-6;
const HALF_STEP_SECONDS: f64 = 0.500_001e-8;

/// Rounding hides whether column 2 counts 2^20 or 10^6 bits.
const AMBIGUOUS_UNIT: &str =
    "the unit of column 2 is ambiguous: no line has the digits to tell 2^20 from 10^6 bit/s";

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetpipeRow {
    /// Column 1, halved for [`WildcardPattern::TwoWay`].
    pub size: Bytes,
    /// From column 3, or from column 2 where that has more digits.
    pub time_ns: f64,
    /// Column 2 times 2^20; for [`WildcardPattern::TwoWay`] the sum of both directions.
    pub throughput_bps: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct NetpipeWriteError {
    pub size_bytes: u64,
    pub why: Message,
}

error_messages! {
    NetpipeWriteError {
        NetpipeWriteError { size_bytes, why } => {
            message!(error_np_out_point { size: size_bytes.to_string(), why })
        },
    }
}

/// Only programs of developers read such files, so its text is English.
#[derive(Debug, Clone, PartialEq)]
pub struct NetpipeReadError(String);

error_messages! { NetpipeReadError { NetpipeReadError(text) => text } }

/// In NetPIPE's own units, in the order of `points`. Column 2 comes from the unrounded time; sizes that
/// overflow NetPIPE's 32-bit count of bits (256 MiB, with `-2` 128 MiB) are written unchanged. Fails for a
/// time that is not positive, or a size of 0.
pub fn write_netpipe(
    points: &[PingPongPoint],
    pattern: PingPongPattern,
) -> Result<String, NetpipeWriteError> {
    let mut out = String::new();
    for point in points {
        let refuse = |why: Message| NetpipeWriteError { size_bytes: point.size_bytes, why };
        let seconds = point.time_ns / 1e9;
        if !(seconds.is_finite() && seconds > 0.0) {
            return Err(refuse(message!(cause_np_out_time { time: point.time_ns.to_string() })));
        }
        let moved = point.size_bytes.checked_mul(messages(pattern)).filter(|&b| b > 0);
        let moved = moved.ok_or_else(|| refuse("its size is no number of bytes to move".into()))?;
        let throughput = moved as f64 * 8.0 / (seconds * MBIT);
        let _ = writeln!(out, "{moved:8} {throughput:.6} {seconds:12.8}");
    }
    Ok(out)
}

/// Every line must have NetPIPE's exact form (which detects truncation), and its throughput must match bytes
/// and time within rounding (which detects other units).
pub fn read_netpipe(text: &str, pattern: PingPongPattern) -> Result<Vec<NetpipeRow>, NetpipeReadError> {
    let mut rows = Vec::new();
    let mut unit_shown = false;
    for (line, text) in text.lines().enumerate().map(|(i, text)| (i + 1, text)) {
        let (bytes, found, seconds) = columns(line, text)?;
        if !(explains(bytes, seconds, found, MBIT)) {
            let expected = bytes as f64 * 8.0 / (seconds * MBIT);
            return Err(NetpipeReadError(format!(
                "line {line}: {bytes} bytes in {seconds} s are {expected:.6} x 2^20 bit/s, \
                 the line says {found}{}",
                hint(bytes, seconds, found)
            )));
        }
        unit_shown |= !explains(bytes, seconds, found, 1e6);
        if bytes % messages(pattern) != 0 {
            return Err(NetpipeReadError(format!(
                "line {line}: {bytes} bytes are no two messages of one size, so this is no two-way test (-2)"
            )));
        }
        // The relative error of either column is half its last decimal over its value.
        let by_rate = HALF_STEP_RATE * seconds < HALF_STEP_SECONDS * found;
        let seconds = if by_rate { bytes as f64 * 8.0 / (found * MBIT) } else { seconds };
        rows.push(NetpipeRow {
            size: Bytes(bytes / messages(pattern)),
            time_ns: seconds * 1e9,
            throughput_bps: found * MBIT,
        });
    }
    match (rows.is_empty(), unit_shown) {
        (true, _) => Err(NetpipeReadError("there is no line in it".into())),
        (false, false) => Err(NetpipeReadError(AMBIGUOUS_UNIT.into())),
        (false, true) => Ok(rows),
    }
}

fn messages(pattern: PingPongPattern) -> u64 {
    match pattern {
        PingPongPattern::PingPong | PingPongPattern::Streaming => 1,
        PingPongPattern::TwoWay => 2,
    }
}

fn columns(line: usize, text: &str) -> Result<(u64, f64, f64), NetpipeReadError> {
    let refuse = |why: &str| {
        let text = truncate_text(text);
        NetpipeReadError(format!("line {line}: {text:?} is not a line of np.out: {why}"))
    };
    let words: Vec<&str> = text.split_ascii_whitespace().take(64).collect();
    let [bytes, throughput, seconds] = words[..] else {
        return Err(match words.len() {
            columns @ 5.. => NetpipeReadError(format!(
                "line {line} has {columns} columns: NetPIPE 5 writes bytes, three rates in 10^9 bit/s and µs; \
                 only the three columns of NetPIPE 3 are read"
            )),
            _ => refuse("it has not three columns"),
        });
    };
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let bytes = Some(bytes).filter(|s| digits(s)).and_then(|s| s.parse::<u64>().ok());
    // Limited so that bits with NetPIPE's doubling fit into u64.
    let bytes = bytes.filter(|b| (1..=u64::MAX / 16).contains(b));
    let bytes = bytes.ok_or_else(|| refuse("column 1 is not a number of bytes"))?;
    let decimal = |s: &str, decimals: usize| {
        let (whole, fraction) = s.split_once('.')?;
        let plain = digits(whole) && digits(fraction) && fraction.len() == decimals;
        plain.then(|| s.parse::<f64>().ok()).flatten().filter(|v| v.is_finite())
    };
    let throughput =
        decimal(throughput, 6).ok_or_else(|| refuse("column 2 is not a number with 6 decimals"))?;
    let seconds = decimal(seconds, 8).ok_or_else(|| refuse("column 3 is not a number with 8 decimals"))?;
    if throughput == 0.0 && seconds == 0.0 {
        return Err(refuse("it gives no time"));
    }
    Ok((bytes, throughput, seconds))
}

/// True when this throughput, in multiples of `unit` bit/s, matches bytes and time within rounding.
fn explains(bytes: u64, seconds: f64, found: f64, unit: f64) -> bool {
    let bits = bytes as f64 * 8.0;
    let least = bits / ((seconds + HALF_STEP_SECONDS) * unit) - HALF_STEP_RATE;
    let shortest = seconds - HALF_STEP_SECONDS;
    let most = if shortest > 0.0 { bits / (shortest * unit) + HALF_STEP_RATE } else { f64::INFINITY };
    // A double has 15 significant digits.
    found >= least * (1.0 - 1e-14) && found <= most * (1.0 + 1e-14)
}

fn hint(bytes: u64, seconds: f64, found: f64) -> &'static str {
    if explains(bytes, seconds, found, 1e6) {
        "; it fits 10^6 bit/s, which NetPIPE 3 does not write"
    } else if bytes >= 1 << 28 {
        "; NetPIPE 3 counts bits in 32 bits, which overflow from 256 MiB on"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PINGPONG: &str = include_str!("../../../fixtures/netpipe/pingpong-loopback.np.out");
    const TWO_WAY: &str = include_str!("../../../fixtures/netpipe/two-way-loopback.np.out");

    fn point(size_bytes: u64, time_ns: f64) -> PingPongPoint {
        PingPongPoint {
            size_bytes,
            repeats: 1,
            batches: 1,
            time_ns,
            goodput_bps: 0,
            interval_ns: None,
            half_rtt_ns: None,
            cap_reached: false,
        }
    }

    fn pingpong_error(text: &str) -> NetpipeReadError {
        read_netpipe(text, PingPongPattern::PingPong).unwrap_err()
    }

    #[test]
    fn a_real_file_is_read_and_written_again() {
        for (text, pattern) in [(PINGPONG, PingPongPattern::PingPong), (TWO_WAY, PingPongPattern::TwoWay)] {
            let rows = read_netpipe(text, pattern).unwrap();
            assert_eq!((rows.len(), rows[0].size.0, rows[45].size.0), (46, 1, 1027));
            let points: Vec<_> = rows.iter().map(|r| point(r.size.0, r.time_ns)).collect();
            assert_eq!(write_netpipe(&points, pattern).unwrap(), text);
        }
    }

    #[test]
    fn the_units_are_netpipes_and_the_column_with_more_digits_gives_the_time() {
        let two_way = " 2097152 1000.000000   0.01600000\n";
        for (size, time_ns, pattern, text) in [
            // 1 byte in 10 µs: 800,000 bit/s, which NetPIPE calls 0.762939 Mbps.
            (1, 10_000.0, PingPongPattern::PingPong, "       1 0.762939   0.00001000\n"),
            (1_048_576, 16e6, PingPongPattern::TwoWay, two_way),
            (1_000_000_000, 8e9, PingPongPattern::Streaming, "1000000000 953.674316   8.00000000\n"),
        ] {
            assert_eq!(write_netpipe(&[point(size, time_ns)], pattern).unwrap(), text);
        }
        let row = read_netpipe(two_way, PingPongPattern::TwoWay).unwrap()[0];
        assert_eq!(row, NetpipeRow { size: Bytes(1 << 20), time_ns: 16e6, throughput_bps: 1_048_576_000.0 });
        for (text, time_ns) in [
            // Column 3 has 11.47 µs; column 2 knows 11.4732.
            ("       1 0.664973   0.00001147\n", 11_473.240),
            ("     100 0.000763   1.00000000\n", 1e9),
        ] {
            let row = read_netpipe(text, PingPongPattern::PingPong).unwrap()[0];
            assert!((row.time_ns - time_ns).abs() < 0.001, "{}", row.time_ns);
        }
    }

    #[test]
    fn other_units_are_named() {
        let e = pingpong_error("       1 0.800000   0.00001000\n");
        assert!(e.to_string().contains("it fits 10^6 bit/s"), "{e}");
        let e = pingpong_error("       8 1.000000   0.10000000\n");
        assert!(e.0.starts_with("line 1: 8 bytes in 0.1 s are "), "{e}");
        assert!(e.to_string().ends_with("1"), "{e}");
        let e = pingpong_error("300000000 194.000000   1.00000000\n");
        assert!(e.to_string().contains("overflow from 256 MiB"), "{e}");
        let e = pingpong_error("1 0.001 0.001 0.001 8.1\n");
        assert!(e.0.starts_with("line 1 has 5 columns: NetPIPE 5"), "{e}");
    }

    #[test]
    fn what_has_two_readings_is_refused() {
        // 10 ns ± 5, and a rate of one digit: 2^20 and 10^6 both match.
        assert_eq!(pingpong_error("       1 0.000008   1.00000000\n").0, AMBIGUOUS_UNIT);
        let short = "       1 762.939453   0.00000001\n";
        assert_eq!(read_netpipe(short, PingPongPattern::Streaming).unwrap_err().0, AMBIGUOUS_UNIT);
        assert!(read_netpipe(&format!("{short}{PINGPONG}"), PingPongPattern::Streaming).is_ok());
        let e = read_netpipe(PINGPONG, PingPongPattern::TwoWay).unwrap_err();
        assert!(e.0.contains("1 bytes are no two messages"), "{e}");
    }

    #[test]
    fn damage_is_named_with_its_line() {
        assert_eq!(pingpong_error("").0, "there is no line in it");
        let cut = pingpong_error(&PINGPONG[..PINGPONG.len() - 2]);
        assert!(cut.0.starts_with("line 46: ") && cut.0.contains("is not a line of np.out"), "{cut}");
        for bad in [
            "1 2.000000",
            "",
            "x 0.762939 0.00001000",
            "-1 0.762939 0.00001000",
            "0 0.762939 0.00001000",
            "1 nan 0.00001000",
            "1 inf 0.00000000",
            "300000000 -1.0 1.00000000",
            "1 0,762939 0.00001000",
            "1 7.62e-1 0.00001000",
            "1 0.000000 0.00000000",
            "99999999999999999999 0.762939 0.00001000",
        ] {
            let e = pingpong_error(&format!("       1 0.762939   0.00001000\n{bad}\n"));
            assert!(e.0.starts_with("line 2: ") && e.0.contains("is not a line of np.out"), "{bad:?}: {e}");
        }
    }

    #[test]
    fn what_was_not_measured_is_not_written() {
        for (size, time) in [(1, 0.0), (1, -1.0), (1, f64::NAN), (1, f64::INFINITY), (0, 10.0)] {
            let e = write_netpipe(&[point(size, time)], PingPongPattern::PingPong).unwrap_err();
            assert_eq!(e.size_bytes, size);
        }
        assert!(write_netpipe(&[point(u64::MAX, 1.0)], PingPongPattern::TwoWay).is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            sizes in prop::collection::vec((1u64..1 << 40, 1_000.0f64..1e12), 1..20), two_way: bool,
        ) {
            let pattern = if two_way { PingPongPattern::TwoWay } else { PingPongPattern::PingPong };
            let written: Vec<PingPongPoint> = sizes.iter().map(|&(s, t)| point(s, t)).collect();
            let text = write_netpipe(&written, pattern).unwrap();
            let rows = read_netpipe(&text, pattern);
            prop_assume!(rows != Err(NetpipeReadError(AMBIGUOUS_UNIT.into())));
            let rows = rows.unwrap();
            for (row, point) in rows.iter().zip(&written) {
                prop_assert_eq!(row.size.0, point.size_bytes);
                prop_assert!((row.time_ns - point.time_ns).abs() <= 5.001 + point.time_ns * 1e-12);
            }
        }

        #[test]
        fn any_text_is_answered(
            text in ".{0,200}",
            almost_right in "( {0,3}[0-9]{1,21} [0-9]{0,9}\\.[0-9]{5,7} [0-9]{0,4}\\.[0-9]{7,9}\n){0,5}",
        ) {
            for (text, pattern) in [(text, PingPongPattern::TwoWay), (almost_right, PingPongPattern::PingPong)] {
                if let Err(e) = read_netpipe(&text, pattern) {
                    prop_assert!(!e.to_string().is_empty());
                }
            }
        }
    }
}
