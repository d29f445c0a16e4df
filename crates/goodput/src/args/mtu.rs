//! `goodput mtu`: the largest packet that passes, each way.

use super::host_name::HostName;
use super::measuring::{Measure, TypedMeasuring};
use super::value::{self, Bounds, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_model::mtu::{IpVersion, Mtu};
use goodput_model::{Nanos, Probe};

/// How long a search may take.
const SEARCH: Bounds<Nanos> =
    Bounds { range: Nanos(1_000_000_000)..=Nanos(600_000_000_000), words: "1s to 10min" };
/// The shortest wait for an answer.
const TIMER: Bounds<Nanos> = Bounds { range: Nanos(1_000_000)..=Nanos(15_000_000_000), words: "1ms to 15s" };

/// As typed.
#[derive(Debug, Args)]
pub struct TypedMtu {
    #[command(flatten)]
    measuring: TypedMeasuring,
    /// The MTU that both ends and the path should have; anything else is a finding and exit code 1
    #[arg(long, value_name = "BYTES")]
    expect: Option<String>,
    /// Try no larger packets [default: one above the sender's interface]
    #[arg(long, value_name = "BYTES")]
    largest: Option<String>,
    /// Packets of a size that must be lost among others that arrive, 3 to 5 [default: 3]
    #[arg(long, value_name = "N")]
    tries: Option<String>,
    /// Least time to wait for an answer; four round trips where they take longer [default: 50ms]
    #[arg(long, value_name = "TIME")]
    timer: Option<String>,
    /// The search ends after this long, settled or not [default: 14s]
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Probe by ICMP echo, any host and without an agent there: the way there only. Needs a privilege
    #[arg(long, conflicts_with_all = ["port", "key_file", "ca", "certificate", "private_key", "shared"])]
    icmp: bool,
}

impl TypedMtu {
    /// What is meant.
    pub fn meaning(self) -> Result<Measure, Failure> {
        let defaults = Mtu::default();
        let version = self.measuring.version();
        let mtu = |option: &str, typed: Option<String>| typed.map(|t| size(option, &t, version)).transpose();
        let settings = Mtu {
            expect: mtu("--expect", self.expect)?,
            largest: mtu("--largest", self.largest)?,
            tries: self.tries.map_or(Ok(u64::from(defaults.tries)), |t| value::whole("--tries", &t, 3..=5))?
                as u8,
            timer: self.timer.map_or(Ok(defaults.timer), |t| value::quantity("--timer", &t, &TIMER))?,
            time: self.time.map_or(Ok(defaults.time), |t| value::quantity("--time", &t, &SEARCH))?,
            icmp: self.icmp,
        };
        let order = self.measuring.meaning(Probe::Mtu(settings))?;
        if let (true, Some(HostName::Address(from))) = (self.icmp, &order.from) {
            return Err(Failure::usage(format!("--icmp from {from} is refused"))
                .because("echo is sent from this machine, or from a host of the lab")
                .try_this(format!("type the same on {from} without --from, or leave --icmp out")));
        }
        Ok(order)
    }
}

/// An MTU in bytes, as every other tool writes it: without a unit. `version` is known when HOST is an address.
fn size(option: &str, typed: &str, version: Option<IpVersion>) -> Result<u32, Failure> {
    let least = version.unwrap_or(IpVersion::V4);
    let most = version.unwrap_or(IpVersion::V6).largest_packet();
    let refuse = |why: String| {
        let hint = format!("type bytes of a whole IP packet, for example {option} 1500");
        Failure::usage(format!("{option} {} is refused", shown(typed))).because(why).try_this(hint)
    };
    let digits = typed.strip_suffix('B').unwrap_or(typed).trim_end();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(refuse("it is not a number of bytes".into()));
    }
    let value = digits.parse::<u32>().unwrap_or(u32::MAX);
    if value < least.least_mtu() {
        let (name, source) = match least {
            IpVersion::V4 => ("IPv4", "RFC 791, section 3.2"),
            IpVersion::V6 => ("IPv6", "RFC 8200, section 5"),
        };
        return Err(refuse(format!("{name} allows no link less than {} B ({source})", least.least_mtu())));
    }
    if value > most {
        return Err(refuse(format!("no IP packet is larger than {most} B")));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_mtu_is_bytes_within_the_protocols_bounds() {
        assert_eq!(size("--expect", "9000", None), Ok(9000));
        assert_eq!(size("--expect", "1500B", None), Ok(1500));
        assert_eq!(size("--expect", "68", Some(IpVersion::V4)), Ok(68));
        for (bad, version) in [
            ("67", None),
            ("0", None),
            ("1279", Some(IpVersion::V6)),
            ("65536", Some(IpVersion::V4)),
            ("65576", None),
            ("99999999999999", None),
            ("-1", None),
            ("1.5", None),
            ("9k", None),
            ("", None),
        ] {
            assert!(size("--expect", bad, version).is_err(), "{bad}");
        }
        let f = size("--expect", "1279", Some(IpVersion::V6)).unwrap_err();
        assert_eq!(f.cause.as_deref(), Some("IPv6 allows no link less than 1280 B (RFC 8200, section 5)"));
    }
}
