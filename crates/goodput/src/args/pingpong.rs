//! `goodput pingpong`: the message-size sweep.

use super::measuring::{Measure, TypedMeasuring};
use super::value;
use crate::failure::Failure;
use clap::Args;
use goodput_analysis::schedule::Schedule;
use goodput_model::probe::{Pattern, PingPongMethod, SocketOptions};
use goodput_model::{Bytes, PingPong, Probe};
use std::path::PathBuf;

/// Round trips kept as samples, unless asked otherwise: 8 bytes each in memory while the sweep runs.
const SAMPLE_CAP: u32 = 1_000_000;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedPingPong {
    #[command(flatten)]
    measuring: TypedMeasuring,
    /// native (adaptive, median with interval) or compat (NetPIPE 3.7.2's procedure) [default: native]
    #[arg(long, value_name = "MODE", conflicts_with = "compat")]
    mode: Option<String>,
    /// The same as --mode compat
    #[arg(long)]
    compat: bool,
    /// First size of the sweep [default: 1]
    #[arg(long, value_name = "SIZE")]
    smallest: Option<String>,
    /// No size above this, perturbation apart [default: 1048573, NetPIPE's 103 sizes]
    #[arg(long, value_name = "SIZE")]
    largest: Option<String>,
    /// Measure this many bytes below and above each size too; 0 is off [default: 3]
    #[arg(long, value_name = "BYTES")]
    perturbation: Option<String>,
    /// One way only, timed by the receiver
    #[arg(long, conflicts_with = "two_way")]
    streaming: bool,
    /// Both ends send at once
    #[arg(long)]
    two_way: bool,
    /// Every message from memory that no cache holds
    #[arg(long)]
    cold: bool,
    /// Check every byte of every message at both ends
    #[arg(long)]
    integrity: bool,
    /// Send and receive buffers of the connection [default: the kernel's autotuning]
    #[arg(long, value_name = "SIZE")]
    buffer: Option<String>,
    /// TCP_NODELAY on or off [default: on]
    #[arg(long, value_name = "on|off", num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    no_delay: Option<String>,
    /// Congestion control on both ends [default: the kernel's]
    #[arg(long, value_name = "NAME")]
    congestion: Option<String>,
    /// Native: full width of the 95 % interval aimed at, in per cent of the median [default: 2]
    #[arg(long, value_name = "PERCENT")]
    width: Option<String>,
    /// Native: time spent on one size at the most [default: 150ms]
    #[arg(long, value_name = "TIME")]
    cap: Option<String>,
    /// Compat: a new connection for every timed loop, NetPIPE's -r
    #[arg(long)]
    reset: bool,
    /// Compat: a fixed number of repeats, NetPIPE's -n
    #[arg(long, value_name = "N")]
    repeats: Option<String>,
    /// Round trips kept as samples at the most [default: 1000000]
    #[arg(long, value_name = "N")]
    sample_cap: Option<String>,
    /// Write the sweep as NetPIPE's np.out to this file too
    #[arg(long, value_name = "FILE")]
    np_out: Option<PathBuf>,
}

impl TypedPingPong {
    /// What is meant. The seed of the shuffled order is the run's, so it is set when the run begins.
    pub fn meaning(self) -> Result<Measure, Failure> {
        let compat = self.compat
            || self
                .mode
                .as_deref()
                .map_or(Ok(false), |t| value::word("--mode", t, &[("native", false), ("compat", true)]))?;
        let misfit = |option: &str, mode: &str| {
            Err(Failure::usage(format!("{option} does not fit {mode} mode"))
                .because(format!("{option} belongs to the other mode"))
                .try_this("leave it out, or choose the other mode with --mode"))
        };
        let method = if compat {
            if self.width.is_some() {
                return misfit("--width", "compat");
            }
            if self.cap.is_some() {
                return misfit("--cap", "compat");
            }
            compat_method(self.reset, self.repeats.as_deref())?
        } else {
            if self.reset {
                return misfit("--reset", "native");
            }
            if self.repeats.is_some() {
                return misfit("--repeats", "native");
            }
            native_method(self.width.as_deref(), self.cap.as_deref())?
        };
        let buffer = self.buffer.map(|t| value::quantity("--buffer", &t, &value::SIZE)).transpose()?;
        let no_delay = self
            .no_delay
            .map(|t| value::word("--no-delay", &t, &[("on", true), ("off", false)]))
            .transpose()?;
        let socket = SocketOptions {
            send_buffer: buffer,
            receive_buffer: buffer,
            congestion: self.congestion.map(|t| super::socket::congestion(&t)).transpose()?,
            no_delay: Some(no_delay.unwrap_or(true)),
            pacing: None,
        };
        let probe = PingPong {
            sizes: sizes(self.smallest.as_deref(), self.largest.as_deref(), self.perturbation.as_deref())?,
            method,
            pattern: match (self.streaming, self.two_way) {
                (true, _) => Pattern::Streaming,
                (_, true) => Pattern::TwoWay,
                _ => Pattern::PingPong,
            },
            cold: self.cold,
            integrity: self.integrity,
            socket,
            sample_cap: self
                .sample_cap
                .map_or(Ok(SAMPLE_CAP.into()), |t| value::whole("--sample-cap", &t, 0..=100_000_000))?
                as u32,
        };
        let np_out = self.np_out;
        Ok(Measure { np_out, ..self.measuring.meaning(Probe::PingPong(probe))? })
    }
}

fn compat_method(reset: bool, repeats: Option<&str>) -> Result<PingPongMethod, Failure> {
    let fixed = repeats.map(|t| value::whole("--repeats", t, 1..=1_000_000_000)).transpose()?;
    match PingPongMethod::netpipe() {
        PingPongMethod::Compat { trials, run_time, .. } => {
            Ok(PingPongMethod::Compat { trials, run_time, repeats: fixed.map(|n| n as u32), reset })
        }
        native => Ok(native),
    }
}

fn native_method(width: Option<&str>, cap: Option<&str>) -> Result<PingPongMethod, Failure> {
    let typed_width = width.map(|t| value::decimal("--width", t, 0.1..=50.0)).transpose()?;
    let typed_cap = cap.map(|t| value::quantity("--cap", t, &value::CAP)).transpose()?;
    match PingPongMethod::default() {
        PingPongMethod::Native { width_percent, cap, passes, batches, seed } => Ok(PingPongMethod::Native {
            width_percent: typed_width.unwrap_or(width_percent),
            cap: typed_cap.unwrap_or(cap),
            passes,
            batches,
            seed,
        }),
        compat => Ok(compat),
    }
}

fn sizes(
    smallest: Option<&str>,
    largest: Option<&str>,
    perturbation: Option<&str>,
) -> Result<Vec<Bytes>, Failure> {
    let defaults = Schedule::default();
    let one = |option: &str, typed: Option<&str>, default: Bytes| {
        typed.map_or(Ok(default), |t| value::quantity(option, t, &value::SIZE))
    };
    let schedule = Schedule {
        from: one("--smallest", smallest, defaults.from)?,
        upto: one("--largest", largest, defaults.upto)?,
        perturbation: match perturbation {
            Some(t) => Bytes(value::whole("--perturbation", t, 0..=1_048_576)?),
            None => defaults.perturbation,
        },
    };
    schedule.sizes().map_err(|e| {
        Failure::usage("there is no such sweep")
            .because(e.to_string())
            .try_this("give --smallest a value below --largest")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_sweep_is_netpipes() {
        let sizes = sizes(None, None, None).unwrap();
        assert_eq!((sizes.len(), sizes[102]), (103, Bytes(786_435)));
    }

    #[test]
    fn an_empty_sweep_is_refused() {
        let f = super::sizes(Some("2KiB"), Some("1KiB"), None).unwrap_err();
        assert!(f.cause.unwrap().contains("2048"), "the cause names the size");
    }
}
