//! From the words on the command line to what they mean.
//!
//! What was typed (`Typed…`, clap's structs) and what it means ([`Command`], complete and within bounds) are
//! two types; each subcommand's pair stands in a file of its own below `args/`.

pub mod agent;
pub mod completions;
pub mod credentials;
pub mod datagram;
pub mod file;
pub mod host;
pub mod host_name;
pub mod hosts;
pub mod icf;
pub mod lab;
pub mod latency;
pub mod level_setter;
pub mod limits;
pub mod load;
pub mod many;
pub mod measuring;
pub mod medium;
pub mod mtu;
pub mod pingpong;
pub mod request;
pub mod results;
pub mod router;
pub mod run;
pub mod serve;
pub mod socket;
pub mod store;
pub mod stream;
pub mod value;

use crate::exit;
use crate::failure::Failure;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use goodput_words::Language;
use std::ffi::OsString;
use std::path::PathBuf;

/// Measures what a network really delivers between two hosts, shows both ends' CPU, and keeps every result.
///
/// Run `goodput agent` on one host and `goodput stream HOST` on the other; or try both on one machine:
/// `goodput lab up` and `goodput stream lab:b --from lab:a`.
#[derive(Debug, Parser)]
#[command(name = "goodput", version, subcommand_required = true)]
#[command(after_help = "Sizes: B kB MB GB KiB MiB GiB. Rates: bit kbit Mbit Gbit. Times: ns us ms s min.\n\
    Exit codes: goodput help exit-codes. Languages: --lang en|ja|ru, GOODPUT_LANG, or the locale")]
struct Typed {
    #[command(subcommand)]
    command: TypedCommand,
}

#[derive(Debug, Subcommand)]
enum TypedCommand {
    /// Wait on this host for orders
    Agent(agent::TypedAgent),
    /// Sweep over message sizes: half round trip and goodput of each
    #[command(name = "pingpong")]
    PingPong(Box<pingpong::TypedPingPong>),
    /// Bulk TCP: goodput counted at the receiver
    Stream(Box<stream::TypedStream>),
    /// Request and response: latency and transactions a second
    Request(Box<request::TypedRequest>),
    /// UDP datagrams: at a rate, at maximum, or the highest rate without loss; and where the lost ones were lost
    Datagram(Box<datagram::TypedDatagram>),
    /// Latency of probes on the idle path, and while TCP fills it one way, the other, both
    Latency(Box<latency::TypedLatency>),
    /// One server and many clients: traffic, CPU and P/E by request size, in one synchronised window
    Load(Box<load::TypedLoad>),
    /// Files in a folder, on a share or at an agent: timed copy, drive mark, file-server mix, and what limits them
    File(Box<file::TypedFile>),
    /// An experiment from its file: every combination of levels, in random order, resumably, with a report
    Run(Box<run::TypedRun>),
    /// IOmeter's configurations: check one, or write a load as one
    Icf(icf::TypedIcf),
    /// What a medium allows in theory: goodput by MTU, IP version, VLAN and duplex; buses; disks as measured
    Limits(Box<limits::TypedLimits>),
    /// Largest packet that passes, each way, and why nothing larger does
    Mtu(Box<mtu::TypedMtu>),
    /// Which agents there are, on this network or at a router
    Hosts(hosts::TypedHosts),
    /// Let agents and coordinators of several sites talk through this host
    Router(router::TypedRouter),
    /// The page and the API: look, compare, measure; on loopback, or with TLS and a login
    Serve(Box<serve::TypedServe>),
    /// What this machine is: adapters, offloads, queues, CPUs, kernel settings
    Host(host::TypedHost),
    /// Two runs or two experiments beside each other: which changes are real, better or worse, and how their hosts differ
    Compare(host::TypedCompare),
    /// Small networks on this machine to measure in
    Lab(lab::TypedLab),
    /// Print the tables of a recorded run
    Show(results::TypedShow),
    /// Print which runs are recorded
    List(results::TypedList),
    /// Write a recorded run as JSON, CSV, Parquet, NetPIPE's np.out or IOmeter's results.csv
    Export(results::TypedExport),
    /// Look for recorded runs, tag, prune, move, back up; make their index anew
    Store(store::TypedStore),
    /// Write a run, an experiment or published figures as report.html with figures, as Markdown, CSV or JSON
    Report(results::TypedReport),
    /// The lab key that coordinator and agents share
    Key {
        #[command(subcommand)]
        command: TypedKey,
    },
    /// Raise a lab, run every probe in it, and write a report: about a minute
    Demo {
        /// Folder for the runs and the report [default: demo]
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Print what a shell completes with: goodput completions bash > /etc/bash_completion.d/goodput
    Completions(completions::TypedCompletions),
    /// Write the manual: a page a subcommand
    Man(completions::TypedMan),
    /// Hold levels of an experiment in place on one host, for goodput run
    #[command(hide = true)]
    LevelSetter(Box<level_setter::TypedLevelSetter>),
    /// Print the table of exit codes
    #[command(hide = true, long_about = exit::table())]
    ExitCodes,
}

#[derive(Debug, Subcommand)]
enum TypedKey {
    /// Make a new random lab key; copy the file to every host, by a safe way
    New {
        /// File to write [default: ~/.config/goodput/key]
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
}

/// What the program is asked to do; complete and within bounds.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Wait for orders.
    Agent(agent::Agent),
    /// Run one probe between two hosts.
    Measure(Box<measuring::Measure>),
    /// One server and many clients.
    Load(Box<load::LoadOrder>),
    /// Work on files.
    File(file::FileOrder),
    /// Run an experiment.
    Run(Box<run::RunOrder>),
    /// Hold levels in place on one host.
    LevelSetter(Box<level_setter::LevelSetterOrder>),
    /// What an IOmeter configuration comes to.
    IcfCheck(icf::Check),
    /// Which agents there are.
    Hosts(hosts::HostsOrder),
    /// Be a router.
    Router(router::Router),
    /// Serve the page.
    Serve(serve::Serve),
    /// What this machine is.
    Host(host::Host),
    /// What differs between two runs.
    Compare(host::Compare),
    /// What media allow.
    Limits(Box<limits::Limits>),
    /// Labs.
    Lab(lab::Lab),
    /// Tables of a run.
    Show(results::Show),
    /// Which runs there are.
    List(results::List),
    /// A run in another form.
    Export(results::Export),
    /// A run as a report.
    Report(results::Report),
    /// The recorded runs as a whole.
    Store(store::StoreOrder),
    /// A new lab key.
    KeyNew {
        /// File to write; `None` is the usual place.
        output: Option<PathBuf>,
        /// One document.
        json: bool,
    },
    /// Everything once, in a lab.
    Demo {
        /// Folder for the runs and the report.
        output: PathBuf,
    },
    /// What a shell completes with.
    Completions(completions::Shell),
    /// The manual, into a folder.
    Man(PathBuf),
    /// The table of exit codes.
    ExitCodes,
}

impl Command {
    /// True for a measurement that an experiment has ordered.
    pub fn adds_to_a_run(&self) -> bool {
        let options = match self {
            Command::Measure(order) => &order.options,
            Command::Load(order) => &order.options,
            Command::File(file::FileOrder::Measure(order)) => &order.options,
            _ => return false,
        };
        options.into.is_some()
    }

    /// True for a measurement that a program has started which watches it.
    pub fn is_watched(&self) -> bool {
        match self {
            Command::Measure(order) => order.options.events,
            Command::Load(order) => order.options.events,
            Command::File(file::FileOrder::Measure(order)) => order.options.events,
            Command::Run(order) => order.events,
            _ => false,
        }
    }
}

/// What came of the arguments when it is not a command.
#[derive(Debug, Clone, PartialEq)]
pub enum NotACommand {
    /// Help or version was asked for: text for the screen.
    Text(String),
    /// Refused.
    Refused(Failure),
}

/// True when this option stands anywhere in our own arguments, however wrong the rest is.
/// What follows `--`, and what `lab exec` runs, is not ours.
pub fn wants(args: &[OsString], option: &str) -> bool {
    let foreign = args.windows(2).position(|w| w[0] == "lab" && w[1] == "exec");
    let ours = &args[..foreign.unwrap_or(args.len())];
    ours.iter().take_while(|a| *a != "--").any(|a| a == option)
}

/// Every command and option, as clap knows them.
pub fn table() -> clap::Command {
    let tags = Language::ALL.map(Language::tag);
    // It was read before everything else (crate::language); here it only has to be known wherever it stands.
    Typed::command()
        .arg(Arg::new("lang").long("lang").value_name("LANGUAGE").value_parser(tags).global(true).hide(true))
}

/// Reads the arguments, the program's own name first.
pub fn parse(args: &[OsString]) -> Result<Command, NotACommand> {
    // "-5" is then a value, which its option refuses with its bounds, and not an unknown option.
    let table = table().mut_subcommands(|c| c.allow_negative_numbers(true));
    let matches = table.try_get_matches_from(args).map_err(not_a_command)?;
    let typed = Typed::from_arg_matches(&matches).map_err(not_a_command)?;
    meaning(typed.command).map_err(NotACommand::Refused)
}

fn meaning(typed: TypedCommand) -> Result<Command, Failure> {
    Ok(match typed {
        TypedCommand::Agent(t) => Command::Agent(t.meaning()?),
        TypedCommand::PingPong(t) => Command::Measure(Box::new(t.meaning()?)),
        TypedCommand::Stream(t) => Command::Measure(Box::new(t.meaning()?)),
        TypedCommand::Request(t) => Command::Measure(Box::new(t.meaning()?)),
        TypedCommand::Datagram(t) => Command::Measure(Box::new(t.meaning()?)),
        TypedCommand::Mtu(t) => Command::Measure(Box::new(t.meaning()?)),
        TypedCommand::Latency(t) => Command::Measure(Box::new(t.meaning()?)),
        TypedCommand::Load(t) => Command::Load(Box::new(t.meaning()?)),
        TypedCommand::File(t) => Command::File(t.meaning()?),
        TypedCommand::Run(t) => Command::Run(Box::new(t.meaning()?)),
        TypedCommand::LevelSetter(t) => Command::LevelSetter(Box::new(t.meaning()?)),
        TypedCommand::Icf(t) => t.meaning()?,
        TypedCommand::Limits(t) => Command::Limits(Box::new(t.meaning()?)),
        TypedCommand::Hosts(t) => Command::Hosts(t.meaning()?),
        TypedCommand::Router(t) => Command::Router(t.meaning()?),
        TypedCommand::Serve(t) => Command::Serve(t.meaning()?),
        TypedCommand::Host(t) => Command::Host(t.meaning()),
        TypedCommand::Compare(t) => Command::Compare(t.meaning()?),
        TypedCommand::Lab(t) => Command::Lab(t.meaning()?),
        TypedCommand::Show(t) => Command::Show(t.meaning()?),
        TypedCommand::List(t) => Command::List(t.meaning()?),
        TypedCommand::Export(t) => Command::Export(t.meaning()?),
        TypedCommand::Report(t) => Command::Report(t.meaning()?),
        TypedCommand::Store(t) => Command::Store(t.meaning()?),
        TypedCommand::Key { command: TypedKey::New { output, json } } => Command::KeyNew { output, json },
        TypedCommand::Demo { output } => {
            Command::Demo { output: output.unwrap_or_else(|| PathBuf::from("demo")) }
        }
        TypedCommand::Completions(t) => Command::Completions(t.shell),
        TypedCommand::Man(t) => Command::Man(t.folder),
        TypedCommand::ExitCodes => Command::ExitCodes,
    })
}

/// clap's refusal in our words' form. Its first paragraph is the error; its suggestions are the hint.
fn not_a_command(error: clap::Error) -> NotACommand {
    let text = error.render().to_string();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return NotACommand::Text(text);
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let hint = "goodput --help lists them; goodput demo shows what comes out";
        return NotACommand::Refused(Failure::usage("a subcommand is missing").try_this(hint));
    }
    let first: Vec<&str> = text.lines().take_while(|l| !l.trim().is_empty()).map(str::trim).collect();
    let what = first.join(" ");
    let what = what.strip_prefix("error: ").unwrap_or(&what).to_string();
    let mut hints: Vec<String> =
        text.lines().filter_map(|l| l.trim().strip_prefix("tip: ")).map(str::to_string).collect();
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        // The usage may be on several lines; its first is the form that was meant.
        let plain = usage.to_string();
        let line = plain.lines().next().unwrap_or("").trim().trim_start_matches("Usage: ").to_string();
        hints.push(format!("the form is: {line}"));
    }
    hints.push("more: goodput --help".to_string());
    NotACommand::Refused(Failure::usage(what).try_this(hints.join("; ")))
}

#[cfg(test)]
mod tests;
