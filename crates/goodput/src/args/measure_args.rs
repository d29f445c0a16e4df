//! Options that every measuring command shares: hosts, deadlines, output.

use super::credentials::CredentialSource;
use super::host_name::{self, HostName};
use super::value_parsers::{self, CpuList, Labels, parse_integer};
use super::{HOSTS_HELP_HEADING, OUTPUT_HELP_HEADING, TRIALS_HELP_HEADING, medium};
use crate::failure::Failure;
use clap::{ArgAction, Args, ValueHint};
use goodput_control::AgentRouterAddress;
use goodput_model::experiment::MetricRequirement;
use goodput_model::mtu::IpVersion;
use goodput_model::probe::{StopCondition, TransferDirection};
use goodput_model::trial::{HostBus, Medium, TrialTimeouts};
use goodput_model::{Bytes, Nanos, Probe};
use goodput_words::message;
use std::net::IpAddr;
use std::path::PathBuf;
use value_parsers::NamedChoices;

/// The two ends of a measurement.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct MeasureArgs {
    /// Remote host, which must run an agent: address, name, or lab:NAME
    ///
    /// The name is resolved by DNS first, then looked up among the agents.
    #[arg(value_name = "HOST")]
    pub host: HostName,
    /// Host at the other end of the path [default: this machine]
    ///
    /// The host must run an agent, or be lab:NAME.
    #[arg(long, value_name = "HOST")]
    pub from: Option<HostName>,
    #[command(flatten)]
    pub options: MeasureOptions,
}

/// The options that do not depend on which hosts are measured.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct MeasureOptions {
    /// Port of the agents for control connections [default: 5303]
    #[arg(long, value_name = "PORT", help_heading = HOSTS_HELP_HEADING, hide_short_help = true, value_parser = value_parsers::parse_port)]
    pub port: Option<u16>,
    /// Router through which agents are reached by name; data flows directly between the hosts
    #[arg(long, value_name = "HOST[:PORT]", env = "GOODPUT_ROUTER", value_parser = host_name::parse_router_address)]
    #[arg(help_heading = HOSTS_HELP_HEADING, hide_short_help = true)]
    pub router: Option<AgentRouterAddress>,
    #[command(flatten)]
    pub credentials: CredentialSource,
    /// Print one JSON document instead of tables
    #[arg(long)]
    pub json: bool,
    /// Save the run [default]
    #[arg(id = "always_save", long = "save", help_heading = OUTPUT_HELP_HEADING, hide_short_help = true)]
    #[arg(conflicts_with = "no_save")]
    pub always_save: bool,
    /// Do not save the run
    #[arg(id = "no_save", long = "no-save", help_heading = OUTPUT_HELP_HEADING, action = ArgAction::SetFalse, hide_short_help = true)]
    pub save: bool,
    /// Folder of the stored runs [env: GOODPUT_RUNS] [default: ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR", help_heading = OUTPUT_HELP_HEADING, hide_short_help = true, value_hint = ValueHint::DirPath)]
    pub runs: Option<PathBuf>,
    #[command(flatten)]
    pub labels: Labels,
    /// Number of trials [default: 1; for file measurements 5]
    #[arg(long, value_name = "N", value_parser = parse_integer::<u32>(1..=1000))]
    pub repeat: Option<u32>,
    /// CPUs to which the measuring threads of both hosts are pinned, for example 0,2-3
    #[arg(long, value_name = "LIST", help_heading = TRIALS_HELP_HEADING, hide_short_help = true)]
    pub cpus: Option<CpuList>,
    /// Timeout for each wait on the network, for example for a connection [default: name resolution 5s,
    /// connect 3s, first byte 3s, no progress 10s]
    #[arg(long, value_name = "TIME", help_heading = TRIALS_HELP_HEADING, hide_short_help = true, value_parser = value_parsers::NETWORK_TIMEOUT_RANGE)]
    pub deadline: Option<Nanos>,
    /// Run even if the agents are busy with other trials; the result notes this
    #[arg(long, help_heading = TRIALS_HELP_HEADING, hide_short_help = true)]
    pub shared: bool,
    /// Network medium of the path, to compare the result with the medium's limit: 1000base-t,
    /// 1000base-t:9000, ethernet:RATE …
    #[arg(long, value_name = "MEDIUM", help_heading = TRIALS_HELP_HEADING, hide_short_help = true)]
    #[arg(value_parser = medium::parse_network_medium)]
    pub medium: Option<Medium>,
    /// I/O bus of a host, to compare the result with the limit of that bus: pci-32-33, pcie3-x4, usb2 …
    #[arg(long, value_name = "BUS", help_heading = TRIALS_HELP_HEADING, hide_short_help = true)]
    #[arg(value_parser = medium::parse_host_bus)]
    pub bus: Option<HostBus>,
    /// Random seed of the run [default: a new seed for each run]
    #[arg(long, value_name = "NUMBER", help_heading = TRIALS_HELP_HEADING, hide_short_help = true)]
    #[arg(value_parser = parse_integer::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Add the trials to this unfinished run (used by `goodput run`)
    #[arg(long, value_name = "FOLDER", hide = true, conflicts_with = "no_save")]
    pub into: Option<PathBuf>,
    /// Print one JSON object per event on standard output (used by the web page)
    #[arg(long, hide = true, conflicts_with = "json")]
    pub events: bool,
}

impl MeasureOptions {
    pub fn trial_timeouts(&self) -> TrialTimeouts {
        let all = |d| TrialTimeouts { resolve: d, connect: d, first_byte: d, progress: d };
        self.deadline.map_or_else(TrialTimeouts::default, all)
    }

    pub fn repeat_count(&self) -> u32 {
        self.repeat.unwrap_or(1)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct MeasureInvocation {
    pub probe: Probe,
    /// Further probes to measure after this one in each round of trials.
    pub then: Vec<Probe>,
    pub host: HostName,
    /// The host at the other end; `None` means this machine.
    pub from: Option<HostName>,
    pub options: MeasureOptions,
    /// The file to write a sweep to, in NetPIPE's np.out format.
    pub np_out: Option<PathBuf>,
    /// Find out what limits the stream.
    pub diagnosis: Option<DiagnosisOptions>,
    /// Check the path, which must meet these requirements.
    pub check: Option<Vec<MetricRequirement>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiagnosisOptions {
    pub budget: Nanos,
    /// Host settings may be changed.
    pub allow_knob: bool,
}

impl MeasureArgs {
    /// `None` if HOST is not an address.
    pub fn ip_version(&self) -> Option<IpVersion> {
        let HostName::Address(at) = &self.host else { return None };
        let bare = at.host.split('%').next()?.parse::<IpAddr>().ok()?;
        Some(if bare.is_ipv4() { IpVersion::V4 } else { IpVersion::V6 })
    }

    pub fn into_invocation(self, probe: Probe) -> Result<MeasureInvocation, Failure> {
        let MeasureArgs { host, from, options } = self;
        if let (HostName::Lab(one), Some(HostName::Lab(other))) = (&host, &from)
            && one.lab != other.lab
        {
            let (one, other) = (one.lab.to_string(), other.lab.to_string());
            return Err(Failure::usage_error("the two hosts are in different labs")
                .with_cause(message!(cause_args_in_labs { one, other }))
                .with_hint("measure between hosts of one lab"));
        }
        let (then, np_out, diagnosis, check) = (Vec::new(), None, None, None);
        Ok(MeasureInvocation { probe, then, host, from, options, np_out, diagnosis, check })
    }
}

/// As seen from the `--from` host.
pub const DIRECTION_CHOICES: NamedChoices<TransferDirection> = NamedChoices(&[
    ("send", TransferDirection::Send),
    ("receive", TransferDirection::Receive),
    ("both", TransferDirection::Both),
]);

/// When a trial stops.
#[derive(Debug, Clone, Copy, Args)]
pub struct StopConditionArgs {
    /// Duration of the measurement
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = value_parsers::MEASUREMENT_WINDOW_RANGE)]
    #[arg(conflicts_with_all = ["bytes", "count"])]
    time: Nanos,
    /// Stop after this amount of data in each direction
    #[arg(long, value_name = "SIZE", value_parser = value_parsers::TOTAL_BYTES_RANGE, conflicts_with = "count", hide_short_help = true)]
    bytes: Option<Bytes>,
    /// Stop after this many messages or datagrams in each direction
    #[arg(long, value_name = "N", value_parser = parse_integer::<u64>(1..=1_000_000_000_000), hide_short_help = true)]
    count: Option<u64>,
}

impl StopConditionArgs {
    pub fn stop_condition(self) -> StopCondition {
        match (self.bytes, self.count) {
            (Some(bytes), _) => StopCondition::Bytes(bytes),
            (None, Some(count)) => StopCondition::Count(count),
            (None, None) => StopCondition::Time(self.time),
        }
    }
}

/// Only a trial that stops by time has a warm-up.
pub fn resolve_warm_up(asked: Option<Nanos>, stop: StopCondition, default: Nanos) -> Result<Nanos, Failure> {
    match (asked, stop) {
        (Some(asked), StopCondition::Time(_)) => Ok(asked),
        (Some(asked), _) if asked.0 > 0 => {
            Err(Failure::usage_error(message!(error_args_option_not_valid { option: "--warm-up" }))
                .with_cause("a trial that stops by bytes or count counts from its first byte")
                .with_hint("leave --warm-up out, or stop by --time"))
        }
        (None, StopCondition::Time(_)) => Ok(default),
        _ => Ok(Nanos(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_stopped_by_bytes_has_no_warm_up() {
        let (by_bytes, by_time) = (StopCondition::Bytes(Bytes(1 << 30)), StopCondition::Time(Nanos::SECOND));
        assert_eq!(resolve_warm_up(None, by_bytes, Nanos::SECOND), Ok(Nanos(0)));
        assert!(resolve_warm_up(Some(Nanos::SECOND), by_bytes, Nanos::SECOND).is_err());
        assert_eq!(resolve_warm_up(Some(Nanos(2)), by_time, Nanos(0)), Ok(Nanos(2)));
        assert_eq!(resolve_warm_up(None, by_time, Nanos(3)), Ok(Nanos(3)));
    }
}
