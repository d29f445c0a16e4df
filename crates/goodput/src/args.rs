//! The command line: one clap struct per command, one file per command.
//!
//! clap parses every value with its type and bounds (`value`). What depends on several options is checked by each
//! command's `checked` or `validate`; [`Command`] is the result.

pub mod agent;
pub mod check;
pub mod credentials;
mod help;
pub mod host;
pub mod host_name;
pub mod hosts;
pub mod iometer_icf;
pub mod lab;
pub mod level_setter;
pub mod limits;
pub mod measure_args;
pub mod medium;
mod refusal;
pub mod results;
pub mod router;
pub mod run;
pub mod serve;
pub mod socket;
pub mod store;
pub mod value_parsers;
pub mod why;

use crate::exit;
use crate::failure::Failure;
use crate::language;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use goodput_words::Language;
use refusal::failure_from_clap_error;
use std::ffi::OsString;
use std::path::PathBuf;

macro_rules! probes {
    ($($variant:ident $module:ident,)*) => {
        $(pub mod $module;)*

        /// One command for each probe; its help is the documentation of its `Arguments`.
        #[derive(Debug, Subcommand)]
        enum ProbeArgs {
            $(
                #[command(name = stringify!($module))]
                $variant(Box<$module::Arguments>),
            )*
        }

        impl TryFrom<ProbeArgs> for ProbeInvocation {
            type Error = Failure;

            fn try_from(args: ProbeArgs) -> Result<ProbeInvocation, Failure> {
                match args {
                    $(ProbeArgs::$variant(args) => args.into_invocation(),)*
                }
            }
        }
    };
}

goodput_model::for_each_probe!(probes);

/// Help headings of options that several commands share.
pub const HOSTS_HELP_HEADING: &str = "Hosts and credentials";
pub const TRIALS_HELP_HEADING: &str = "Trials and environment";
pub const SOCKET_HELP_HEADING: &str = "Socket options";
pub const OUTPUT_HELP_HEADING: &str = "Output and saved runs";

/// Implements clap's `FromArgMatches` for a type that is converted from a derived type of arguments.
macro_rules! from_matches_as {
    ($args:ty => $target:ty) => {
        impl clap::FromArgMatches for $target {
            fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
                let args = <$args as clap::FromArgMatches>::from_arg_matches(matches)?;
                Self::try_from(args).map_err(|e| clap::Error::from(crate::failure::Failure::from(e)))
            }

            fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}
use from_matches_as;

/// Implements clap's `Args` for a type that is converted from a derived struct of arguments.
macro_rules! args_as {
    ($args:ty => $target:ty) => {
        crate::args::from_matches_as!($args => $target);

        impl clap::Args for $target {
            fn augment_args(command: clap::Command) -> clap::Command {
                <$args as clap::Args>::augment_args(command)
            }

            fn augment_args_for_update(command: clap::Command) -> clap::Command {
                <$args as clap::Args>::augment_args_for_update(command)
            }
        }
    };
}
use args_as;

from_matches_as!(ProbeArgs => ProbeInvocation);

impl Subcommand for ProbeInvocation {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        ProbeArgs::augment_subcommands(command)
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        ProbeArgs::augment_subcommands_for_update(command)
    }

    fn has_subcommand(name: &str) -> bool {
        ProbeArgs::has_subcommand(name)
    }
}

/// Measures throughput, latency and CPU time between two hosts
///
/// Run `goodput agent` on one host and `goodput stream HOST` on the other. To try both on one machine, run
/// `goodput lab up` and `goodput stream lab:b --from lab:a`.
#[derive(Debug, Parser)]
#[command(name = "goodput", version, subcommand_required = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// A command whose options are complete and fit together.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the agent, which carries out measurements on this host
    Agent(Box<agent::AgentArgs>),
    #[command(flatten)]
    Probe(ProbeInvocation),
    /// A path in under 30 s: MTU, latency, TCP, UDP, CPU, settings
    Check(Box<check::CheckInvocation>),
    /// What limits TCP throughput, proven by interventions
    Why(Box<why::WhyInvocation>),
    /// Run an experiment from its file
    Run(Box<run::RunArgs>),
    /// Check an IOmeter configuration (.icf), or write one
    #[command(subcommand)]
    Icf(iometer_icf::IcfArgs),
    /// Print the theoretical maximum rates of media and buses
    Limits(Box<limits::LimitsInvocation>),
    /// List the agents on the local network or at a router
    Hosts(hosts::HostsArgs),
    /// Run a router that connects the agents and coordinators of several sites
    Router(router::RouterArgs),
    /// Start the web server with the user interface and the HTTP API
    Serve(Box<serve::ServeArgs>),
    /// Show this machine's adapters, CPUs and kernel settings
    Host(host::HostArgs),
    /// Compare two runs or two experiments
    Compare(host::CompareArgs),
    /// Create an emulated network in namespaces on this machine
    #[command(subcommand)]
    Lab(Box<lab::LabArgs>),
    /// Print the tables of a recorded run
    Show(results::ShowArgs),
    /// List the recorded runs
    List(results::ListArgs),
    /// Export a run as JSON, CSV, Parquet, np.out (NetPIPE) or results.csv (IOmeter)
    Export(results::ExportArgs),
    /// Find, tag, prune, move and back up recorded runs
    #[command(subcommand)]
    Store(store::StoreArgs),
    /// Write a report with charts of a run or an experiment
    Report(results::ReportArgs),
    /// Create the lab key that the coordinator and the agents share
    Key {
        #[command(subcommand)]
        command: KeyArgs,
    },
    /// Run every probe in a lab and write a report, in about a minute
    Demo {
        /// Folder for the runs and the report
        #[arg(long, value_name = "DIR", default_value = "demo")]
        output: PathBuf,
    },
    /// Print shell completions
    ///
    /// For example: goodput completions bash > /etc/bash_completion.d/goodput
    Completions {
        /// Shell to generate completions for
        #[arg(value_parser = PossibleValuesParser::new(["bash", "zsh", "fish"]).try_map(|name| name.parse::<Shell>()))]
        shell: Shell,
    },
    /// Write the manual pages
    Man {
        /// Folder for goodput.1 and one page per subcommand; it is created if it does not exist
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Set the factor levels of an experiment on one host (started by goodput run)
    #[command(hide = true)]
    LevelSetter(Box<level_setter::LevelSetterArgs>),
    /// Print the table of exit codes
    #[command(hide = true, long_about = exit::format_exit_statuses())]
    ExitCodes,
}

#[derive(Debug, Subcommand)]
pub enum KeyArgs {
    /// Create a random lab key; copy the file to every host over a secure channel
    New {
        /// File to write [default: ~/.config/goodput/key]
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
}

/// A measurement with complete settings.
#[derive(Debug, Clone, PartialEq)]
pub enum ProbeInvocation {
    /// One of the probes that measure between two hosts.
    Measure(Box<measure_args::MeasureInvocation>),
    Load(Box<load::LoadInvocation>),
    File(Box<file::FileMeasurement>),
    CleanFiles(Box<file::CleanArgs>),
}

impl From<measure_args::MeasureInvocation> for ProbeInvocation {
    fn from(measure: measure_args::MeasureInvocation) -> ProbeInvocation {
        ProbeInvocation::Measure(Box::new(measure))
    }
}

impl Command {
    /// `None` for a command that makes no trial itself.
    pub fn measure_options(&self) -> Option<&measure_args::MeasureOptions> {
        match self {
            Command::Probe(ProbeInvocation::Measure(order)) => Some(&order.options),
            Command::Check(order) => Some(&order.0.options),
            Command::Why(order) => Some(order.options()),
            Command::Probe(ProbeInvocation::Load(order))
            | Command::Icf(iometer_icf::IcfArgs::FromPlan { load: order, .. }) => Some(&order.options),
            Command::Probe(ProbeInvocation::File(order)) => Some(&order.options),
            _ => None,
        }
    }

    pub fn appends_to_run(&self) -> bool {
        self.measure_options().is_some_and(|options| options.into.is_some())
    }

    pub fn emits_events(&self) -> bool {
        match self {
            Command::Run(order) => order.events,
            command => command.measure_options().is_some_and(|options| options.events),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum ParseOutcome {
    Text(String),
    Refused(Failure),
}

pub fn build_clap_command() -> clap::Command {
    help::with_short_help(derived_command(), &str::to_string)
}

/// Without the list of commands in the help.
fn derived_command() -> clap::Command {
    let tags = Language::ALL.map(Language::bcp47_tag);
    // `language` reads it first; here it only has to be accepted anywhere.
    let lang =
        Arg::new("lang").long("lang").value_name("LANGUAGE").value_parser(tags).global(true).hide(true);
    // "-5" is then a value, which its option refuses with its bounds, and not an unknown option.
    Arguments::command().arg(lang).mut_subcommands(|c| c.allow_negative_numbers(true))
}

/// `args` begin with the program's own name.
pub fn parse(args: &[OsString]) -> Result<Command, ParseOutcome> {
    let matches = build_clap_command().try_get_matches_from(args).map_err(|e| match e.kind() {
        ErrorKind::DisplayHelp if language::localizer().tag != Language::English.bcp47_tag() => {
            ParseOutcome::Text(help::translated_help(derived_command(), args, &language::translate_help))
        }
        _ => not_a_command(e),
    })?;
    let arguments = Arguments::from_arg_matches(&matches).map_err(not_a_command)?;
    let mut command = arguments.command;
    let checked = match &mut command {
        Command::Agent(args) => args.validate(),
        Command::Export(args) => args.validate(),
        Command::Report(args) => args.validate(),
        Command::Store(args) => args.validate(),
        Command::Icf(iometer_icf::IcfArgs::FromPlan { file, load }) => {
            load.write_icf = Some(file.clone());
            Ok(())
        }
        _ => Ok(()),
    };
    checked.map(|()| command).map_err(ParseOutcome::Refused)
}

fn not_a_command(error: clap::Error) -> ParseOutcome {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ParseOutcome::Text(error.render().to_string()),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => ParseOutcome::Refused(
            Failure::usage_error("a subcommand is missing")
                .with_hint("goodput --help lists the subcommands; goodput demo shows example results"),
        ),
        _ => ParseOutcome::Refused(failure_from_clap_error(&error)),
    }
}

#[cfg(test)]
pub mod tests;
