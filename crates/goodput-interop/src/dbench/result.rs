//! The result line of dbench, for scripts that parse it.

use goodput_model::units::{Bytes, Nanos};

/// `Throughput … MB/sec  N clients  N procs  max_latency=… ms`, as dbench 4.0 prints it: 10^6 bytes a second
/// with six significant digits, and the longest operation. Our threads count as processes. 0 without time.
pub fn format_result_line(moved: Bytes, window: Nanos, clients: u32, longest: Nanos) -> String {
    let seconds = window.as_secs_f64();
    let rate = if seconds > 0.0 { moved.0 as f64 / 1e6 / seconds } else { 0.0 };
    format!(
        "Throughput {} MB/sec  {clients} clients  {clients} procs  max_latency={:.3} ms",
        six_digits(rate),
        longest.0 as f64 / 1e6
    )
}

/// C's `%g`: six significant digits without trailing zeros, with an exponent below 10^-4 and from 10^6 on.
fn six_digits(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let scientific = format!("{value:.5e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |digits: &str| match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => digits.to_string(),
    };
    match exponent {
        -4..=5 => trim(&format!("{value:.*}", (5 - exponent) as usize)),
        _ => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", trim(mantissa), exponent.abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_dbenchs() {
        let line = format_result_line(Bytes(1_234_567_890), Nanos(10_000_000_000), 4, Nanos(17_012_345));
        assert_eq!(line, "Throughput 123.457 MB/sec  4 clients  4 procs  max_latency=17.012 ms");
        let nothing = format_result_line(Bytes(5), Nanos(0), 1, Nanos(0));
        assert!(nothing.starts_with("Throughput 0 MB/sec  1 clients"), "{nothing}");
    }

    #[test]
    fn six_digits_are_those_of_printf() {
        // From printf '%g'.
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (100.0, "100"),
            (1.5, "1.5"),
            (123456.0, "123456"),
            (1234567.0, "1.23457e+06"),
            (999999.5, "1e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (2.0 / 3.0, "0.666667"),
            (1862.4949, "1862.49"),
        ] {
            assert_eq!(six_digits(value), text);
        }
    }
}
