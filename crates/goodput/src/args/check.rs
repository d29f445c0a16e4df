//! `goodput check`: a quick check of a path.

use super::args_as;
use super::measure_args::{MeasureArgs, MeasureInvocation};
use super::value_parsers::ValueError;
use crate::failure::Failure;
use clap::Args;
use goodput_experiment::parse_named_requirement;
use goodput_model::check::PathCheck;
use goodput_model::experiment::MetricRequirement;
use goodput_model::{Nanos, Probe, Stream};
use goodput_words::message;

/// The longest wait for an answer, and without any data in a trial.
const STALLED: Nanos = Nanos(3_000_000_000);

/// A path in under 30 s: MTU, latency, TCP, UDP, CPU, settings
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput check nas                           the path from this machine to nas
  goodput check nas --require \"tcp_send_bps >= 900Mbit\" --require \"idle_latency_p99_ns < 1ms\"
  goodput check lab:b --from lab:a --json")]
struct CheckArgs {
    #[command(flatten)]
    measure: MeasureArgs,
    /// Requirement that the result must meet, for example "tcp_send_bps >= 900Mbit"; may be repeated
    ///
    /// The exit code is 1 if it is not met. Names are the members of "check" in the JSON document.
    #[arg(long, value_name = "REQUIREMENT", value_parser = requirement)]
    require: Vec<MetricRequirement>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CheckInvocation(pub MeasureInvocation);

impl TryFrom<CheckArgs> for CheckInvocation {
    type Error = Failure;

    fn try_from(args: CheckArgs) -> Result<CheckInvocation, Failure> {
        let CheckArgs { mut measure, require } = args;
        if measure.options.repeat.is_some() {
            return Err(Failure::usage_error(message!(error_args_option_not_valid { option: "--repeat" }))
                .with_cause("a check measures everything once")
                .with_hint("repeat the probe in question, for example goodput stream HOST --repeat 5"));
        }
        // A path that loses all data in a direction must not take longer than a check may.
        measure.options.deadline = measure.options.deadline.or(Some(STALLED));
        // The check has a plan of its own; this is only how its hosts are reached.
        let order = measure.into_invocation(Probe::Stream(Stream::default()))?;
        Ok(CheckInvocation(MeasureInvocation { check: Some(require), ..order }))
    }
}

args_as!(CheckArgs => CheckInvocation);

fn requirement(typed: &str) -> Result<MetricRequirement, ValueError> {
    parse_named_requirement(typed, &PathCheck::metric_names()).map_err(|e| ValueError::new(e.what, e.hint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Command;
    use crate::args::tests::{parsed, refused};
    use crate::exit::ExitStatus;

    #[test]
    fn requirements_are_checked_before_anything_is_measured() {
        let line =
            "goodput check h --from g --require tcp_send_bps>=900Mbit --require cpu_to.busy_percent<50%";
        let Ok(Command::Check(check)) = parsed(line) else { panic!("{line}") };
        let CheckInvocation(order) = *check;
        let values: Vec<f64> = order.check.unwrap().iter().map(|r| r.value).collect();
        assert_eq!(values, [9e8, 50.0]);
        assert_eq!((order.host.to_string(), order.from.unwrap().to_string()), ("h".into(), "g".into()));
        let unknown = refused("goodput check h --require tcp_bps>=1Gbit");
        assert_eq!(unknown.exit, ExitStatus::Usage);
        assert_eq!(unknown.cause.as_deref(), Some("there is no metric tcp_bps"));
        assert!(unknown.hint.unwrap().contains("udp_lossless_bps"));
        let unit = refused("goodput check h --require tcp_send_bps>=1s");
        assert!(unit.cause.unwrap().contains("is not a unit of rate"));
        assert_eq!(refused("goodput check h --repeat 2").exit, ExitStatus::Usage);
    }
}
