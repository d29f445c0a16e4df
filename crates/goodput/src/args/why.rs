//! `goodput why`: what limits a stream, or whether storage limits a copy.

use super::ProbeInvocation;
use super::file::target::FileTarget;
use super::file::{self, FileEndpoints};
use super::host_name::HostName;
use super::measure_args::{DiagnosisOptions, MeasureArgs, MeasureInvocation, MeasureOptions};
use super::stream;
use super::value_parsers::{self, ValueError, option_conflict_failure};
use crate::failure::Failure;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use goodput_model::file::{FileDirection, SinkStorageKind};
use goodput_model::probe::TransferDirection;
use goodput_model::{Bytes, Nanos};
use goodput_words::message;
use std::ffi::OsStr;

/// What limits TCP throughput, proven by interventions
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput why nas                             what limits the transfer from this machine to nas
  goodput why nas --direction receive
  goodput why lab:b --from lab:a --congestion cubic --budget 2min
  goodput why nas:disk=/srv                   whether the disk of nas limits a copy to it")]
struct WhyArgs {
    /// Time limit; it stops earlier when the cause is proven
    #[arg(long, value_name = "TIME", default_value = "90s", value_parser = value_parsers::DIAGNOSIS_BUDGET_RANGE)]
    budget: Nanos,
    /// Also change host settings: buffer limits and the backlog length; each is restored after its trial
    #[arg(long)]
    allow_knob: bool,
    /// Block size of each copy operation, with HOST:disk [default: up to 1MiB]
    #[arg(long, value_name = "SIZE", value_parser = file::parse_block_size, hide_short_help = true)]
    block: Option<Bytes>,
    #[command(flatten)]
    stream: stream::Arguments,
}

/// Of `stream::Arguments`.
const HOST: &str = "host";
const SIZE: &str = "size";
const SIZE_HELP: &str =
    "Size of each message; with HOST:disk the size of the file, otherwise chosen by its speed";
const SMALLEST_FILE: u64 = 1 << 20;
/// Besides the options that every measurement has.
const COPY_OPTIONS: [&str; 4] = ["budget", "direction", SIZE, "block"];

/// A trial without progress, as on a path with an MTU black hole, ends after this time.
const STALLED: Nanos = Nanos(3 * Nanos::SECOND.0);

#[derive(Debug, Clone, PartialEq)]
pub enum WhyInvocation {
    Stream(Box<MeasureInvocation>),
    Copy(Box<CopyDiagnosis>),
}

/// A copy to or from the disk of an agent's host.
#[derive(Debug, Clone, PartialEq)]
pub struct CopyDiagnosis {
    pub at: FileEndpoints,
    pub way: FileDirection,
    /// `None` is chosen by the speed of the disk.
    pub size: Option<Bytes>,
    pub block: Option<Bytes>,
    pub budget: Nanos,
    pub options: MeasureOptions,
}

impl WhyInvocation {
    pub fn options(&self) -> &MeasureOptions {
        match self {
            WhyInvocation::Stream(order) => &order.options,
            WhyInvocation::Copy(order) => &order.options,
        }
    }
}

impl WhyArgs {
    fn into_stream(self) -> Result<WhyInvocation, Failure> {
        match self.stream.into_invocation()? {
            ProbeInvocation::Measure(mut order) => {
                refuse_repetitions(&order.options)?;
                order.options.deadline.get_or_insert(STALLED);
                order.diagnosis = Some(DiagnosisOptions { budget: self.budget, allow_knob: self.allow_knob });
                Ok(WhyInvocation::Stream(order))
            }
            _ => Err(Failure::usage_error("only a stream can be diagnosed")),
        }
    }

    /// Without its size.
    fn into_copy(self, host: HostName, sink: SinkStorageKind) -> Result<CopyDiagnosis, Failure> {
        let WhyArgs { budget, block, stream, .. } = self;
        let MeasureArgs { from, options, .. } = stream.measure;
        refuse_repetitions(&options)?;
        let way = match stream.direction {
            TransferDirection::Send => FileDirection::Write,
            TransferDirection::Receive => FileDirection::Read,
            TransferDirection::Both => {
                let hint = "type --direction send to write the file, or receive to read it";
                return Err(option_conflict_failure("--direction", "both", "a copy has one direction", hint));
            }
        };
        let at = FileEndpoints::for_sink(host, sink, from, options.port)?;
        Ok(CopyDiagnosis { at, way, size: None, block, budget, options })
    }
}

fn refuse_repetitions(options: &MeasureOptions) -> Result<(), Failure> {
    match options.repeat {
        None => Ok(()),
        Some(_) => Err(Failure::usage_error(message!(error_args_option_not_valid { option: "--repeat" }))
            .with_cause("goodput why repeats its trials until the cause is proven")
            .with_hint("give it more time, for example --budget 3min")),
    }
}

/// `HOST:disk[=PATH]`; `None` for a host alone.
fn disk_of_host(typed: &str) -> Result<Option<(HostName, SinkStorageKind)>, ValueError> {
    match typed.parse::<FileTarget>() {
        Ok(FileTarget::Sink { host, sink: sink @ SinkStorageKind::Disk { .. } }) => Ok(Some((host, sink))),
        Ok(FileTarget::Sink { .. }) => Err(ValueError::new(
            "it stores nothing on a disk",
            "type HOST:disk or HOST:disk=PATH, or HOST alone to test network and hosts",
        )),
        Err(e) if typed.contains(":disk=") => Err(e),
        Ok(_) | Err(_) => Ok(None),
    }
}

fn parse_host(typed: &str) -> Result<HostName, ValueError> {
    match disk_of_host(typed)? {
        Some((host, _)) => Ok(host),
        None => typed.parse(),
    }
}

fn is_typed(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

fn refuse_typed(
    matches: &ArgMatches,
    is_refused: impl Fn(&str) -> bool,
    cause: &str,
    hint: &str,
) -> Result<(), Failure> {
    let command = WhyArgs::augment_args(Command::new("why"));
    let refused = command.get_arguments().find(|arg| {
        let id = arg.get_id().as_str();
        is_refused(id) && is_typed(matches, id)
    });
    match refused.and_then(|arg| arg.get_long()) {
        None => Ok(()),
        Some(long) => {
            let error = message!(error_args_option_not_valid { option: format!("--{long}") });
            Err(Failure::usage_error(error).with_cause(cause).with_hint(hint))
        }
    }
}

fn invocation(args: WhyArgs, matches: &ArgMatches) -> Result<WhyInvocation, Failure> {
    let typed = matches.get_raw(HOST).and_then(|mut values| values.next()).and_then(OsStr::to_str);
    let typed = typed.unwrap_or_default();
    let target = disk_of_host(typed).map_err(|e| e.into_failure_for_option("HOST", typed))?;
    let Some((host, sink)) = target else {
        let hint = "leave it out, or type HOST:disk";
        refuse_typed(matches, |id| id == "block", "it belongs to a copy to or from storage", hint)?;
        return args.into_stream();
    };
    let common = MeasureArgs::augment_args(Command::new("why"));
    let is_common = |id: &str| common.get_arguments().any(|arg| arg.get_id().as_str() == id);
    let is_of_stream = |id: &str| !is_common(id) && !COPY_OPTIONS.contains(&id);
    let hint = "leave it out, or type HOST alone to test network and hosts";
    refuse_typed(matches, is_of_stream, "it belongs to a stream; HOST:disk tests a copy", hint)?;
    let size = is_typed(matches, SIZE).then_some(args.stream.size);
    if let Some(size) = size.filter(|size| size.0 < SMALLEST_FILE) {
        let hint = "type at least 1MiB, or leave it out";
        return Err(option_conflict_failure("--size", size.0, "a shorter copy shows no rate", hint));
    }
    let copy = args.into_copy(host, sink)?;
    Ok(WhyInvocation::Copy(Box::new(CopyDiagnosis { size, ..copy })))
}

impl FromArgMatches for WhyInvocation {
    fn from_arg_matches(matches: &ArgMatches) -> Result<WhyInvocation, clap::Error> {
        let args = WhyArgs::from_arg_matches(matches)?;
        invocation(args, matches).map_err(clap::Error::from)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = WhyInvocation::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for WhyInvocation {
    fn augment_args(command: Command) -> Command {
        // A host may have a disk behind it, which its type does not hold.
        let host = |arg: clap::Arg| arg.value_name("HOST[:disk[=PATH]]").value_parser(parse_host);
        WhyArgs::augment_args(command)
            .mut_arg(HOST, host)
            .mut_arg(SIZE, |arg| arg.help(SIZE_HELP))
            // Always refused.
            .mut_arg("repeat", |arg| arg.hide(true))
    }

    fn augment_args_for_update(command: Command) -> Command {
        WhyInvocation::augment_args(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::tests::{parsed, refused};
    use crate::exit::ExitStatus;

    fn why(line: &str) -> WhyInvocation {
        match parsed(&format!("goodput why {line}")) {
            Ok(crate::args::Command::Why(order)) => *order,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn copy(line: &str) -> CopyDiagnosis {
        match why(line) {
            WhyInvocation::Copy(copy) => *copy,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_host_alone_is_a_stream_and_a_disk_a_copy() {
        let WhyInvocation::Stream(stream) = why("nas --direction both --size 1KiB") else { panic!() };
        assert_eq!(stream.host.to_string(), "nas");
        let found = copy("nas:disk");
        let FileTarget::Sink { host, sink } = &found.at.target else { panic!("{found:?}") };
        assert_eq!((host.to_string().as_str(), sink), ("nas", &SinkStorageKind::Disk { path: None }));
        assert_eq!((found.way, found.size, found.block), (FileDirection::Write, None, None));
        let options = "--direction receive --size 1GiB --block 64KiB --budget 2min --json";
        let found = copy(&format!("lab:b:disk=/srv --from lab:a {options}"));
        let FileTarget::Sink { host, sink } = &found.at.target else { panic!("{found:?}") };
        let path = Some("/srv".to_string());
        assert_eq!((host.to_string().as_str(), sink), ("lab:b", &SinkStorageKind::Disk { path }));
        assert_eq!(found.at.from.len(), 1);
        let sizes = (found.size, found.block);
        assert_eq!((found.way, sizes), (FileDirection::Read, (Some(Bytes(1 << 30)), Some(Bytes(65_536)))));
        assert!(found.options.json && found.budget == Nanos(120 * Nanos::SECOND.0));
    }

    #[test]
    fn options_of_the_other_kind_are_named() {
        for (line, error) in [
            ("nas:disk --connections 2", "--connections is not valid"),
            ("nas:disk --receive-buffer 64KiB", "--receive-buffer is not valid"),
            ("nas:disk --allow-knob", "--allow-knob is not valid"),
            ("nas:disk --repeat 2", "--repeat is not valid"),
            ("nas --block 64KiB", "--block is not valid"),
            ("nas:disk --direction both", "--direction both is not accepted"),
        ] {
            let failure = refused(&format!("goodput why {line}"));
            assert_eq!((failure.exit, failure.error.as_str()), (ExitStatus::Usage, error), "{line}");
        }
        for line in ["nas:memory", "nas:disk=srv", "lab:b:disk --from lab:a@other"] {
            assert_eq!(refused(&format!("goodput why {line}")).exit, ExitStatus::Usage, "{line}");
        }
    }
}
