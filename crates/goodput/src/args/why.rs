//! `goodput why`: what limits a stream.

use super::measure_args::MeasureInvocation;
use super::stream;
use super::value_parsers;
use super::{ProbeInvocation, args_as};
use crate::failure::Failure;
use clap::Args;
use goodput_model::Nanos;

/// What limits TCP throughput, proven by interventions
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput why nas                             what limits the transfer from this machine to nas
  goodput why nas --direction receive
  goodput why lab:b --from lab:a --congestion cubic --budget 2min")]
struct WhyArgs {
    /// Time limit; it stops earlier when the cause is proven
    #[arg(long, value_name = "TIME", default_value = "90s", value_parser = value_parsers::DIAGNOSIS_BUDGET_RANGE)]
    budget: Nanos,
    #[command(flatten)]
    stream: stream::Arguments,
}

/// A trial without progress, as on a path with an MTU black hole, ends after this time.
const STALLED: Nanos = Nanos(3 * Nanos::SECOND.0);

#[derive(Debug, Clone, PartialEq)]
pub struct WhyInvocation(pub MeasureInvocation);

impl TryFrom<WhyArgs> for WhyInvocation {
    type Error = Failure;

    fn try_from(args: WhyArgs) -> Result<WhyInvocation, Failure> {
        match args.stream.into_invocation()? {
            ProbeInvocation::Measure(order) if order.options.repeat.is_some() => {
                Err(Failure::usage_error("--repeat is not valid")
                    .with_cause("goodput why repeats its trials until the cause is proven")
                    .with_hint("give it more time, for example --budget 3min"))
            }
            ProbeInvocation::Measure(mut order) => {
                order.options.deadline.get_or_insert(STALLED);
                Ok(WhyInvocation(MeasureInvocation { diagnosis: Some(args.budget), ..*order }))
            }
            _ => Err(Failure::usage_error("only a stream can be diagnosed")),
        }
    }
}

args_as!(WhyArgs => WhyInvocation);
