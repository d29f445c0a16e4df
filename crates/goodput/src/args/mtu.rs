//! `goodput mtu`: the largest packet that passes in each direction.

use super::ProbeInvocation;
use super::host_name::HostName;
use super::measure_args::MeasureArgs;
use super::value_parsers::{self, ValueError, option_conflict_failure, parse_integer};
use crate::failure::Failure;
use clap::Args;
use goodput_model::mtu::{IpVersion, Mtu};
use goodput_model::{Message, Nanos, Probe};
use goodput_words::message;

/// Largest packet that passes, in each direction
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput mtu nas                             path MTU in both directions
  goodput mtu nas --expect 9000               exit code 1 unless it is 9000
  goodput mtu 192.0.2.1 --icmp                to a host without an agent")]
pub struct Arguments {
    #[command(flatten)]
    measure: MeasureArgs,
    /// Expected path MTU in bytes; a different MTU is an error (exit code 1)
    #[arg(long, value_name = "BYTES", value_parser = packet)]
    expect: Option<u32>,
    /// Largest packet size to try, in bytes [default: the interface's MTU + 1]
    #[arg(long, value_name = "BYTES", value_parser = packet)]
    largest: Option<u32>,
    /// Number of packets of one size (3 to 5) that must be lost, while others arrive, before that size is
    /// considered too large
    #[arg(long, value_name = "N", default_value = "3", value_parser = parse_integer::<u8>(3..=5), hide_short_help = true)]
    tries: u8,
    /// Minimum timeout for a reply; four RTTs if that is longer
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = value_parsers::MTU_PROBE_TIMER_RANGE, hide_short_help = true)]
    timer: Nanos,
    /// Time limit of the MTU search
    #[arg(long, value_name = "TIME", default_value = "14s", value_parser = value_parsers::MTU_SEARCH_TIME_RANGE)]
    time: Nanos,
    /// Measure with ICMP echo, without an agent on HOST
    ///
    /// ICMP measures only the path to HOST, and requires permission for ICMP sockets on this machine.
    #[arg(long, conflicts_with_all = ["port", "key_file", "ca", "certificate", "private_key", "shared"])]
    icmp: bool,
}

impl Arguments {
    pub fn into_invocation(self) -> Result<ProbeInvocation, Failure> {
        let version = self.measure.ip_version();
        for (option, size) in [("--expect", self.expect), ("--largest", self.largest)] {
            if let Some(Err(e)) = size.map(|size| fits(size, version)) {
                return Err(option_conflict_failure(option, size.unwrap_or_default(), e.cause, e.hint));
            }
        }
        if let (true, Some(HostName::Address(from))) = (self.icmp, &self.measure.from) {
            let host = from.to_string();
            return Err(Failure::usage_error(message!(error_args_icmp_from { host: &host }))
                .with_cause("only this machine or a lab host can send echo requests")
                .with_hint(message!(hint_args_icmp_there { host })));
        }
        let Arguments { measure, expect, largest, tries, timer, time, icmp } = self;
        let probe = Probe::Mtu(Mtu { expect, largest, tries, timer, time, icmp });
        Ok(measure.into_invocation(probe)?.into())
    }
}

/// A packet size in bytes, with or without `B`.
fn packet(typed: &str) -> Result<u32, ValueError> {
    let digits = typed.strip_suffix('B').unwrap_or(typed).trim_end();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(not_a_packet("it is not a number of bytes".into()));
    }
    let size = digits.parse().unwrap_or(u32::MAX);
    fits(size, None).map(|()| size)
}

fn fits(size: u32, version: Option<IpVersion>) -> Result<(), ValueError> {
    let least = version.unwrap_or(IpVersion::V4);
    let most = version.unwrap_or(IpVersion::V6).max_packet_bytes();
    if size < least.min_mtu() {
        let (name, source) = match least {
            IpVersion::V4 => ("IPv4", "RFC 791, section 3.2"),
            IpVersion::V6 => ("IPv6", "RFC 8200, section 5"),
        };
        let (least, source) = (least.min_mtu().to_string(), Message::from(source));
        return Err(not_a_packet(message!(cause_args_packet_least { ip: name, least, source })));
    }
    if size > most {
        return Err(not_a_packet(message!(cause_args_packet_most { most: most.to_string() })));
    }
    Ok(())
}

fn not_a_packet(why: Message) -> ValueError {
    ValueError::new(why, "type bytes of a whole IP packet, for example 1500")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_mtu_is_bytes_within_the_protocols_bounds() {
        assert_eq!(packet("9000"), Ok(9000));
        assert_eq!(packet("1500B"), Ok(1500));
        for bad in ["67", "0", "65576", "99999999999999", "-1", "1.5", "9k", ""] {
            assert!(packet(bad).is_err(), "{bad}");
        }
        assert_eq!(fits(68, Some(IpVersion::V4)), Ok(()));
        assert!(fits(65_536, Some(IpVersion::V4)).is_err());
        let e = fits(1279, Some(IpVersion::V6)).unwrap_err();
        assert_eq!(e.cause, "IPv6 allows no link less than 1280 B (RFC 8200, section 5)");
    }
}
