//! `goodput datagram`: UDP at a rate, at maximum, or at the highest rate without loss.

use super::ProbeInvocation;
use super::SOCKET_HELP_HEADING;
use super::measure_args::{DIRECTION_CHOICES, MeasureArgs, StopConditionArgs, resolve_warm_up};
use super::value_parsers::{self, ValueError, any_of, option_conflict_failure, parse_decimal, parse_integer};
use crate::failure::Failure;
use clap::Args;
use goodput_model::datagram::{
    DatagramRate, LosslessSearch, MAX_PAYLOAD_IPV4, MAX_PAYLOAD_IPV6, SEQUENCE_NUMBER_BYTES,
    SegmentationOffload,
};
use goodput_model::mtu::IpVersion;
use goodput_model::probe::{SocketOptions, StopCondition, TransferDirection, WaitMode};
use goodput_model::{Bytes, Datagram, Message, Nanos, Probe};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;

const SEARCH_STEP: Nanos = Nanos::SECOND;
const SEARCH_WARM_UP: Nanos = Nanos(300_000_000);
/// The shortest warm-up in which a search can distinguish a growing queue from a long path.
const MIN_SEARCH_WARM_UP: Nanos = Nanos(100_000_000);
const SEARCH_TRIALS: u32 = 40;

/// UDP loss, jitter and rate, or the highest rate without loss
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput datagram nas --rate 100Mbit         loss and jitter at 100 Mbit/s of payload
  goodput datagram nas --search --loss 0.1%   highest rate with at most 0.1 % loss
  goodput datagram nas --size 64 --rate 100kpps --direction both")]
pub struct Arguments {
    #[command(flatten)]
    measure: MeasureArgs,
    /// Direction of the data, as seen from the --from host
    #[arg(long, value_name = "WAY", default_value = "send", value_parser = DIRECTION_CHOICES)]
    direction: TransferDirection,
    /// Number of flows in each direction, each with its own socket and port
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_integer::<u16>(1..=128), hide_short_help = true)]
    flows: u16,
    /// Payload size of each datagram
    #[arg(long, value_name = "SIZE", default_value = "1448", value_parser = value_parsers::DATAGRAM_SIZE_RANGE)]
    size: Bytes,
    /// Sending rate in each direction, for example 100Mbit, 10000/s or 10kpps [default: maximum]
    ///
    /// The unit is bits of payload per second, or datagrams per second.
    #[arg(long, value_name = "RATE", value_parser = rate)]
    rate: Option<DatagramRate>,
    /// Datagrams sent in one burst [default: those due within 0.5 ms]
    #[arg(long, value_name = "N", value_parser = parse_integer::<u32>(1..=1024), hide_short_help = true)]
    burst: Option<u32>,
    /// Find the highest rate without datagram loss
    ///
    /// The search does not exceed --rate. A final trial of length --time confirms the rate that was found. --lossless is the
    /// same option.
    #[arg(long, alias = "lossless", conflicts_with_all = ["bytes", "count", "repeat"])]
    search: bool,
    /// Maximum loss that --search accepts, for example 0.1% [default: none]
    #[arg(long, value_name = "PERCENT", requires = "search", value_parser = loss)]
    loss: Option<f64>,
    /// Send each datagram with its own system call, without UDP_SEGMENT and UDP_GRO, so that loss counts are
    /// exact
    #[arg(long, conflicts_with = "no_offload", hide_short_help = true)]
    plain: bool,
    /// Send several separate datagrams per call (sendmmsg, recvmmsg), without UDP_SEGMENT and UDP_GRO
    #[arg(long, hide_short_help = true)]
    no_offload: bool,
    /// Poll instead of sleeping at both ends, which occupies one CPU on each host
    #[arg(long, hide_short_help = true)]
    spin: bool,
    #[command(flatten)]
    stop: StopConditionArgs,
    /// Warm-up before the measurement, counted in the totals but not in the rate [default: 1s; with --search
    /// 300ms]
    #[arg(long, value_name = "TIME", value_parser = value_parsers::WARM_UP_RANGE, hide_short_help = true)]
    warm_up: Option<Nanos>,
    /// Socket send buffer size on both hosts [default: set by the kernel]
    #[arg(long, value_name = "SIZE", value_parser = value_parsers::MESSAGE_SIZE_RANGE, hide_short_help = true, help_heading = SOCKET_HELP_HEADING)]
    send_buffer: Option<Bytes>,
    /// Socket receive buffer size on both hosts [default: a large buffer chosen by goodput]
    #[arg(long, value_name = "SIZE", value_parser = value_parsers::MESSAGE_SIZE_RANGE, hide_short_help = true, help_heading = SOCKET_HELP_HEADING)]
    receive_buffer: Option<Bytes>,
}

impl Arguments {
    pub fn into_invocation(self) -> Result<ProbeInvocation, Failure> {
        let defaults = Datagram::default();
        payload(self.size, self.measure.ip_version())?;
        let stop = self.stop.stop_condition();
        let usual = if self.search { SEARCH_WARM_UP } else { defaults.warm_up };
        let warm_up = resolve_warm_up(self.warm_up, stop, usual)?;
        if let (Some(burst), None, false) = (self.burst, self.rate, self.search) {
            return Err(option_conflict_failure(
                "--burst",
                burst,
                "without a rate limit, datagrams are sent as fast as the kernel accepts them",
                "also specify a rate: --rate 10000/s",
            ));
        }
        let search = match (self.search, stop) {
            (true, StopCondition::Time(full)) => Some(search(&self, full, warm_up)?),
            _ => None,
        };
        let mut datagram = Datagram {
            direction: self.direction,
            flows: self.flows,
            size: self.size,
            rate: self.rate,
            // 0 selects the default burst of the rate, which a search only knows at each step.
            burst: self.burst.unwrap_or(0),
            offload: match (self.plain, self.no_offload) {
                (true, _) => SegmentationOffload::Plain,
                (false, true) => SegmentationOffload::Mmsg,
                (false, false) => defaults.offload,
            },
            wait: if self.spin { WaitMode::Spin } else { WaitMode::Sleep },
            stop,
            warm_up,
            interval: defaults.interval,
            socket: SocketOptions {
                send_buffer: self.send_buffer,
                receive_buffer: self.receive_buffer,
                ..defaults.socket
            },
            search,
        };
        if datagram.search.is_none() {
            at_least_one(&datagram)?;
            if datagram.burst == 0 {
                datagram.burst = datagram.default_burst();
            }
        }
        Ok(self.measure.into_invocation(Probe::Datagram(datagram))?.into())
    }
}

/// UDP carries at most 65,507 B over IPv4, and 65,527 B if HOST is an IPv6 address.
fn payload(size: Bytes, version: Option<IpVersion>) -> Result<(), Failure> {
    let v6 = version == Some(IpVersion::V6);
    let largest = if v6 { MAX_PAYLOAD_IPV6 } else { MAX_PAYLOAD_IPV4 };
    let most = format!("{largest}B");
    let why = match size.0 {
        0 => "a datagram without payload contains no data to count",
        size if size <= largest => return Ok(()),
        _ if v6 => "one UDP datagram carries at most 65527 B (65,535 less 8 of the UDP header)",
        _ => "one UDP datagram carries at most 65507 B over IPv4 (65,535 less 20 and 8 of the headers)",
    };
    let hint = match size.0 {
        0 => message!(hint_datagram_size { most }),
        _ => message!(hint_args_datagram_size_fragments { most }),
    };
    Err(option_conflict_failure("--size", value_parsers::format_exact_size(size), why, hint))
}

/// `100Mbit` of payload, or datagrams per second: `10000/s`, `10kpps`.
fn rate(typed: &str) -> Result<DatagramRate, ValueError> {
    const UNITS: [(&str, f64); 4] = [("/s", 1.0), ("kpps", 1e3), ("Mpps", 1e6), ("pps", 1.0)];
    const MOST: f64 = 1e9;
    const ACCEPTED: &str = "type payload such as 100Mbit, or datagrams a second such as 10000/s or 10kpps";
    let text = typed.trim();
    let number_ends = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = (&text[..number_ends], text[number_ends..].trim());
    let value = number.parse::<f64>().ok().filter(|v| v.is_finite());
    if value == Some(0.0) {
        let hint = message!(hint_args_leave_rate_out { accepted: Message::from(ACCEPTED) });
        return Err(ValueError::new("at a rate of zero nothing is sent", hint));
    }
    if unit.is_empty() && value.is_some() {
        let why = "a bare number has two readings, datagrams and bits a second";
        let (one, other) = (format!("{number}/s"), format!("{number}bit"));
        let value = any_of([one.as_str(), other.as_str()]);
        return Err(ValueError::new(why, message!(hint_args_type { value })));
    }
    match UNITS.iter().find(|(name, _)| *name == unit) {
        Some((_, scale)) => match value.map(|v| v * scale) {
            Some(each) if (0.1..=MOST).contains(&each) => Ok(DatagramRate::Datagrams(each)),
            Some(_) => Err(ValueError::new("the value is out of range", "type 0.1/s to 1000000000/s")),
            None => Err(ValueError::new("the value does not start with a number", ACCEPTED)),
        },
        None => value_parsers::DATAGRAM_RATE_RANGE
            .parse(typed)
            .map(DatagramRate::Bits)
            .map_err(|e| ValueError { hint: message!(hint_args_or_datagrams { hint: &e.hint }), ..e }),
    }
}

fn at_least_one(datagram: &Datagram) -> Result<(), Failure> {
    let (Some(each_second), StopCondition::Time(window)) = (datagram.datagrams_per_second(), datagram.stop)
    else {
        return Ok(());
    };
    let seconds = window.as_secs_f64();
    if each_second * seconds >= 1.0 {
        return Ok(());
    }
    let typed = match datagram.rate {
        Some(DatagramRate::Bits(bits)) => value_parsers::format_exact_rate(bits),
        _ => format!("{each_second}/s"),
    };
    let why = message!(cause_args_no_datagram_in_window {
        rate: quantity_arg(each_second, "", format!("{each_second:.3}")),
        size: format!("{} B", datagram.size.0),
        time: quantity_arg(seconds, "s", format!("{seconds:.3} s")),
    });
    let hint = "use a higher rate, smaller datagrams or a longer --time";
    Err(option_conflict_failure("--rate", typed, why, hint))
}

fn loss(typed: &str) -> Result<f64, ValueError> {
    let share = parse_decimal(0.0..=50.0);
    match typed.trim().strip_suffix('%') {
        Some(number) => share(number.trim())
            .map_err(|e| ValueError { hint: "type a share from 0% to 50%, for example 0.1%".into(), ..e }),
        None => match share(typed.trim()) {
            Ok(value) => {
                let (one, other) = (format!("{}%", typed.trim()), format!("{}%", value * 100.0));
                let value = any_of([one.as_str(), other.as_str()]);
                Err(ValueError::new(
                    "a number without a unit is ambiguous: it may be a percentage or a fraction of one",
                    message!(hint_args_type { value }),
                ))
            }
            Err(e) => Err(ValueError { hint: "type a share such as 0.1%".into(), ..e }),
        },
    }
}

fn search(args: &Arguments, full: Nanos, warm_up: Nanos) -> Result<LosslessSearch, Failure> {
    if args.size.0 < SEQUENCE_NUMBER_BYTES {
        let size = format!("{} B", args.size.0);
        let value = format!("--size {SEQUENCE_NUMBER_BYTES}B");
        return Err(Failure::usage_error(message!(error_args_search_size { size }))
            .with_cause(
                "a payload below 8 B is too small for a sequence number, so duplicates could hide \
                losses",
            )
            .with_hint(message!(hint_args_choose_at_least { value })));
    }
    if warm_up < MIN_SEARCH_WARM_UP {
        return Err(Failure::usage_error("--search is refused with so short a warm-up")
            .with_cause("a growing queue is detectable only when the path is saturated")
            .with_hint("leave --warm-up out, or choose 100ms or more"));
    }
    Ok(LosslessSearch {
        loss_percent: args.loss.unwrap_or(0.0),
        ceiling: args.rate,
        short: SEARCH_STEP.min(full),
        full,
        most_trials: SEARCH_TRIALS,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::BitRate;

    #[test]
    fn rates_are_payload_or_datagrams() {
        assert_eq!(rate("100Mbit"), Ok(DatagramRate::Bits(BitRate(100_000_000))));
        assert_eq!(rate("100 Mbit/s"), Ok(DatagramRate::Bits(BitRate(100_000_000))));
        for (typed, each) in
            [("10000/s", 1e4), ("10kpps", 1e4), ("1.5 Mpps", 1.5e6), ("7pps", 7.0), ("0.5/s", 0.5)]
        {
            assert_eq!(rate(typed), Ok(DatagramRate::Datagrams(each)), "{typed}");
        }
    }

    #[test]
    fn refused_rates_say_what_is_accepted() {
        for (typed, cause, hint) in [
            ("0", "zero", "leave --rate out"),
            ("0Mbit", "zero", "leave --rate out"),
            ("0.0/s", "zero", "leave --rate out"),
            ("10000", "two readings", "10000/s or 10000bit"),
            ("100M", "two readings", "10kpps"),
            ("2000Mpps", "out of range", "1000000000/s"),
            ("0.01/s", "out of range", "0.1/s"),
            ("/s", "number", "10000/s"),
            ("10kp", "not a unit", "10kpps"),
            ("-1/s", "number", "10000/s"),
            ("1e9/s", "unit", "10000/s"),
        ] {
            let f = rate(typed).unwrap_err();
            assert!(f.cause.contains(cause) && f.hint.contains(hint), "{typed}: {f:?}");
        }
    }

    #[test]
    fn payloads_end_where_udp_ends() {
        let v6 = Some(IpVersion::V6);
        assert_eq!(payload(Bytes(65_507), None), Ok(()));
        assert_eq!(payload(Bytes(65_527), v6), Ok(()));
        assert!(payload(Bytes(65_508), None).unwrap_err().to_string().contains("65507 B over IPv4"));
        assert!(payload(Bytes(65_528), v6).unwrap_err().to_string().contains("65527 B"));
        assert!(payload(Bytes(0), None).unwrap_err().to_string().contains("1B to 65507B"));
    }

    #[test]
    fn losses_are_per_cent() {
        assert_eq!((loss("0.1%"), loss("0 %")), (Ok(0.1), Ok(0.0)));
        assert_eq!(loss("0.1").unwrap_err().hint, "type 0.1% or 10%");
        for bad in ["51%", "%", "x%", "-1%", "x"] {
            assert!(loss(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_rate_brings_at_least_one_datagram() {
        let second = StopCondition::Time(Nanos::SECOND);
        let slow =
            Datagram { rate: Some(DatagramRate::Bits(BitRate(1_000))), stop: second, ..Datagram::default() };
        assert!(at_least_one(&slow).is_err());
        assert!(at_least_one(&Datagram { size: Bytes(125), ..slow.clone() }).is_ok());
        assert!(at_least_one(&Datagram { rate: None, ..slow.clone() }).is_ok());
        assert!(at_least_one(&Datagram { stop: StopCondition::Count(1), ..slow }).is_ok());
    }
}
