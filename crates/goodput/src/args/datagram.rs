//! `goodput datagram`: UDP at a rate, as fast as it goes, or at the highest rate without loss.

use super::measuring::{Measure, TypedMeasuring};
use super::stream::{stop, warm_up};
use super::value::{self, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_model::datagram::{
    DatagramRate, LARGEST_PAYLOAD_V4, LARGEST_PAYLOAD_V6, LosslessSearch, SEQUENCE_BYTES, Segmentation,
};
use goodput_model::probe::{Direction, SocketOptions, Stop, Wait};
use goodput_model::{BitRate, Bytes, Datagram, Nanos, Probe};
use std::net::Ipv6Addr;

/// Window of a trial that judges one rate of a search.
const SEARCH_STEP: Nanos = Nanos::SECOND;
/// Warm-up of the trials of a search, where none was typed.
const SEARCH_WARM_UP: Nanos = Nanos(300_000_000);
/// The least warm-up with which a search can tell a queue that grows from a path that is long.
const LEAST_SEARCH_WARM_UP: Nanos = Nanos(100_000_000);
/// Trials of one search at the most.
const SEARCH_TRIALS: u32 = 40;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedDatagram {
    #[command(flatten)]
    measuring: TypedMeasuring,
    /// Which way datagrams flow, seen from the --from end: send, receive or both [default: send]
    #[arg(long, value_name = "WAY")]
    direction: Option<String>,
    /// Flows (a socket and a port each) in each direction [default: 1]
    #[arg(long, value_name = "N")]
    flows: Option<String>,
    /// Payload of one datagram [default: 1448]
    #[arg(long, value_name = "SIZE")]
    size: Option<String>,
    /// What each direction offers: payload (100Mbit), or datagrams a second (10000/s, 10kpps) [default: all it can]
    #[arg(long, value_name = "RATE")]
    rate: Option<String>,
    /// Datagrams offered together at a rate; 10 come a tenth as often as 1 [default: what falls due in 0.5 ms]
    #[arg(long, value_name = "N")]
    burst: Option<String>,
    /// Find the highest rate without loss, up to --rate if given, and confirm it over --time
    #[arg(long, visible_alias = "lossless", conflicts_with_all = ["bytes", "count", "repeat"])]
    search: bool,
    /// Loss that the search accepts, in per cent of the datagrams sent: 0.1% [default: none at all]
    #[arg(long, value_name = "PERCENT", requires = "search")]
    loss: Option<String>,
    /// One system call a datagram, without UDP_SEGMENT and UDP_GRO: the account is then exact to one datagram
    #[arg(long, conflicts_with = "no_offload")]
    plain: bool,
    /// Several datagrams a call, but none merged: sendmmsg and recvmmsg without UDP_SEGMENT and UDP_GRO
    #[arg(long)]
    no_offload: bool,
    /// Ask again and again instead of sleeping, at both ends; costs a CPU at each
    #[arg(long)]
    spin: bool,
    /// Length of the window [default: 10s]
    #[arg(long, value_name = "TIME", conflicts_with_all = ["bytes", "count"])]
    time: Option<String>,
    /// Stop after this much payload in each direction, in whole datagrams
    #[arg(long, value_name = "SIZE", conflicts_with = "count")]
    bytes: Option<String>,
    /// Stop after this many datagrams in each direction
    #[arg(long, value_name = "N")]
    count: Option<String>,
    /// Time before the window that is in the account, but not in the rate [default: 1s; in a search 300ms]
    #[arg(long, value_name = "TIME")]
    warm_up: Option<String>,
    /// Send buffer on both ends [default: the kernel's]
    #[arg(long, value_name = "SIZE")]
    send_buffer: Option<String>,
    /// Receive buffer on both ends [default: a large one]
    #[arg(long, value_name = "SIZE")]
    receive_buffer: Option<String>,
}

impl TypedDatagram {
    /// What is meant.
    pub fn meaning(self) -> Result<Measure, Failure> {
        let defaults = Datagram::default();
        let size = self.size.as_deref().map_or(Ok(defaults.size), |t| payload(t, self.measuring.host()))?;
        let rate = self.rate.as_deref().map(rate).transpose()?;
        let stop = stop(self.time.as_deref(), self.bytes.as_deref(), self.count.as_deref(), defaults.stop)?;
        let usual = if self.search { SEARCH_WARM_UP } else { defaults.warm_up };
        let warm_up = warm_up(self.warm_up.as_deref(), stop, usual)?;
        let burst = self.burst.as_deref().map(|t| value::whole("--burst", t, 1..=1024)).transpose()?;
        if let (Some(typed), None, false) = (&self.burst, rate, self.search) {
            return Err(Failure::usage(format!("--burst {} is refused", shown(typed)))
                .because("without a rate everything is offered as fast as the kernel takes it")
                .try_this("name a rate as well: --rate 10000/s"));
        }
        let search = match (self.search, stop) {
            (true, Stop::Time(full)) => Some(search(size, rate, self.loss.as_deref(), full, warm_up)?),
            _ => None,
        };
        if search.is_none() {
            at_least_one(rate, size, stop, self.rate.as_deref())?;
        }
        let buffer = |option: &str, typed: Option<String>| {
            typed.map(|t| value::quantity(option, &t, &value::SIZE)).transpose()
        };
        let mut datagram = Datagram {
            direction: self.direction.map_or(Ok(defaults.direction), |t| {
                let ways =
                    [("send", Direction::Send), ("receive", Direction::Receive), ("both", Direction::Both)];
                value::word("--direction", &t, &ways)
            })?,
            flows: self.flows.map_or(Ok(defaults.flows.into()), |t| value::whole("--flows", &t, 1..=128))?
                as u16,
            size,
            rate,
            // 0 is the rate's own burst, which in a search only its steps know.
            burst: burst.map_or(0, |n| n as u32),
            offload: match (self.plain, self.no_offload) {
                (true, _) => Segmentation::Plain,
                (false, true) => Segmentation::Mmsg,
                (false, false) => defaults.offload,
            },
            wait: if self.spin { Wait::Spin } else { Wait::Sleep },
            stop,
            warm_up,
            interval: defaults.interval,
            socket: SocketOptions {
                send_buffer: buffer("--send-buffer", self.send_buffer)?,
                receive_buffer: buffer("--receive-buffer", self.receive_buffer)?,
                ..defaults.socket
            },
            search,
        };
        if datagram.burst == 0 && datagram.search.is_none() {
            datagram.burst = datagram.usual_burst();
        }
        self.measuring.meaning(Probe::Datagram(datagram))
    }
}

/// A payload that UDP carries: 65,507 B over IPv4, 65,527 B where HOST is an IPv6 address.
fn payload(typed: &str, host: &str) -> Result<Bytes, Failure> {
    let bare = host.trim_start_matches('[').split([']', '%']).next().unwrap_or(host);
    let v6 = bare.parse::<Ipv6Addr>().is_ok_and(|a| a.to_ipv4_mapped().is_none());
    let most = if v6 { LARGEST_PAYLOAD_V6 } else { LARGEST_PAYLOAD_V4 };
    let asked: Bytes = value::quantity("--size", typed, &value::ANY_SIZE)?;
    if (1..=most).contains(&asked.0) {
        return Ok(asked);
    }
    let refused = Failure::usage(format!("--size {} is refused", shown(typed)));
    if asked.0 == 0 {
        return Err(refused
            .because("a datagram without payload carries nothing to count")
            .try_this(format!("type a size from 1B to {most}B")));
    }
    let why = if v6 {
        "one UDP datagram carries at most 65527 B (65,535 less 8 of the UDP header)".to_string()
    } else {
        "one UDP datagram carries at most 65507 B over IPv4 (65,535 less 20 and 8 of the headers)".to_string()
    };
    Err(refused.because(why).try_this(format!(
        "type a size from 1B to {most}B; what does not fit into one packet of the path is cut into fragments"
    )))
}

/// `100Mbit` of payload, or datagrams a second: `10000/s`, `10kpps`.
fn rate(typed: &str) -> Result<DatagramRate, Failure> {
    const UNITS: [(&str, f64); 4] = [("/s", 1.0), ("kpps", 1e3), ("Mpps", 1e6), ("pps", 1.0)];
    const MOST: f64 = 1e9;
    let refused = |why: &str, hint: String| {
        Err(Failure::usage(format!("--rate {} is refused", shown(typed))).because(why).try_this(hint))
    };
    let accepted =
        || "type payload such as 100Mbit, or datagrams a second such as 10000/s or 10kpps".to_string();
    let text = typed.trim();
    let number_ends = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = (&text[..number_ends], text[number_ends..].trim());
    let value = number.parse::<f64>().ok().filter(|v| v.is_finite());
    if value == Some(0.0) {
        let hint = "leave --rate out to offer as much as the kernel takes; or ".to_string() + &accepted();
        return refused("at a rate of zero nothing is sent", hint);
    }
    if unit.is_empty() && value.is_some() {
        return refused(
            "a bare number has two readings, datagrams and bits a second",
            format!("type {number}/s or {number}bit"),
        );
    }
    match UNITS.iter().find(|(name, _)| *name == unit) {
        Some((_, scale)) => match value.map(|v| v * scale) {
            Some(each) if (0.1..=MOST).contains(&each) => Ok(DatagramRate::Datagrams(each)),
            Some(_) => refused("it is outside the bounds", "type 0.1/s to 1000000000/s".to_string()),
            None => refused("it does not begin with a number", accepted()),
        },
        None => value::quantity::<BitRate>("--rate", typed, &value::DATAGRAM_RATE)
            .map(DatagramRate::Bits)
            .map_err(|f| match f.hint.clone() {
                Some(hint) => f.try_this(format!("{hint}; or datagrams a second: 10000/s, 10kpps")),
                None => f.try_this(accepted()),
            }),
    }
}

/// A window in which not one datagram falls due measures nothing.
fn at_least_one(
    rate: Option<DatagramRate>,
    size: Bytes,
    stop: Stop,
    typed: Option<&str>,
) -> Result<(), Failure> {
    let one = Datagram { rate, size, ..Datagram::default() };
    let (Some(each_second), Stop::Time(window)) = (one.datagrams_per_second(), stop) else { return Ok(()) };
    if each_second * window.as_secs_f64() >= 1.0 {
        return Ok(());
    }
    Err(Failure::usage(format!("--rate {} is refused", shown(typed.unwrap_or_default())))
        .because(format!(
            "at {each_second:.3} datagrams of {} B a second none falls into a window of {:.3} s",
            size.0,
            window.as_secs_f64()
        ))
        .try_this("ask for a higher rate, smaller datagrams or a longer --time"))
}

/// A share of the datagrams sent: `0.1%`.
fn loss(typed: &str) -> Result<f64, Failure> {
    const OPTION: &str = "--loss";
    let text = typed.trim();
    let Some(number) = text.strip_suffix('%') else {
        let value =
            value::decimal(OPTION, text, 0.0..=50.0).map_err(|f| f.try_this("type a share such as 0.1%"))?;
        return Err(Failure::usage(format!("{OPTION} {} is refused", shown(typed)))
            .because("a bare number has two readings, per cent and parts of one")
            .try_this(format!("type {text}% or {}%", value * 100.0)));
    };
    value::decimal(OPTION, number.trim(), 0.0..=50.0).map_err(|f| {
        Failure::usage(format!("{OPTION} {} is refused", shown(typed)))
            .because(f.cause.unwrap_or_default())
            .try_this("type a share from 0% to 50%, for example 0.1%")
    })
}

/// The search that every trial of the run belongs to.
fn search(
    size: Bytes,
    ceiling: Option<DatagramRate>,
    typed_loss: Option<&str>,
    full: Nanos,
    warm_up: Nanos,
) -> Result<LosslessSearch, Failure> {
    if size.0 < SEQUENCE_BYTES {
        return Err(Failure::usage(format!("--search is refused with a size of {} B", size.0))
            .because("a payload below 8 B has no room for a sequence, and copies could stand in for losses")
            .try_this(format!("choose --size {SEQUENCE_BYTES}B or more")));
    }
    if warm_up < LEAST_SEARCH_WARM_UP {
        return Err(Failure::usage("--search is refused with so short a warm-up")
            .because("a queue that grows can only be seen once the path is filled")
            .try_this("leave --warm-up out, or choose 100ms or more"));
    }
    Ok(LosslessSearch {
        loss_percent: typed_loss.map_or(Ok(0.0), loss)?,
        ceiling,
        short: SEARCH_STEP.min(full),
        full,
        most_trials: SEARCH_TRIALS,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("2000Mpps", "bounds", "1000000000/s"),
            ("0.01/s", "bounds", "0.1/s"),
            ("/s", "number", "10000/s"),
            ("10kp", "not a unit", "10kpps"),
            ("-1/s", "number", "10000/s"),
            ("1e9/s", "unit", "10000/s"),
        ] {
            let f = rate(typed).unwrap_err();
            assert!(f.error.contains("is refused"), "{typed}");
            assert!(f.cause.as_deref().unwrap_or("").contains(cause), "{typed}: {f}");
            assert!(f.hint.as_deref().unwrap_or("").contains(hint), "{typed}: {f}");
        }
    }

    #[test]
    fn payloads_end_where_udp_ends() {
        assert_eq!(payload("65507", "10.0.0.2"), Ok(Bytes(65_507)));
        assert_eq!(payload("65527B", "[fd00::2]:6303"), Ok(Bytes(65_527)));
        assert_eq!(payload("65527B", "fe80::1%eth0"), Ok(Bytes(65_527)));
        assert!(payload("65508", "nas.local").unwrap_err().to_string().contains("65507 B over IPv4"));
        assert!(payload("65528", "fd00::2").unwrap_err().to_string().contains("65527 B"));
        assert!(payload("0", "h").unwrap_err().to_string().contains("1B to 65507B"));
        assert!(payload("2GiB", "h").unwrap_err().to_string().contains("65507"));
    }

    #[test]
    fn losses_are_per_cent() {
        assert_eq!((loss("0.1%"), loss("0 %")), (Ok(0.1), Ok(0.0)));
        assert_eq!(loss("0.1").unwrap_err().hint.as_deref(), Some("type 0.1% or 10%"));
        for bad in ["51%", "%", "x%", "-1%", "x"] {
            assert!(loss(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_rate_brings_at_least_one_datagram() {
        let second = Stop::Time(Nanos::SECOND);
        let slow = Some(DatagramRate::Bits(BitRate(1_000)));
        assert!(at_least_one(slow, Bytes(1448), second, Some("1kbit")).is_err());
        assert!(at_least_one(slow, Bytes(125), second, Some("1kbit")).is_ok());
        assert!(at_least_one(None, Bytes(1448), second, None).is_ok());
        assert!(at_least_one(slow, Bytes(1448), Stop::Count(1), Some("1kbit")).is_ok());
    }
}
