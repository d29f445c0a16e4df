//! `goodput file`: copies, drive marks and file-server mixes in a folder, on a share, or at an agent.

mod replay;
pub mod target;
mod target_args;

pub use replay::{ReplayPlan, ReplaySource};
pub use target_args::{FileEndpoints, IoOptions};

use super::OUTPUT_HELP_HEADING;
use super::ProbeInvocation;
use super::host_name::HostName;
use super::measure_args::MeasureOptions;
use super::value_parsers::{self, NamedChoices, ValueError, any_of, option_conflict_failure, parse_integer};
use crate::failure::Failure;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueHint};
use goodput_file::benchmark_profile::{
    BenchmarkProfile, BenchmarkWorkload, DEFAULT_PROFILE, PROFILES, find_profile,
};
use goodput_file::workspace::WorkspaceSelection;
use goodput_model::file::{FileDirection, FlushMode, MAX_BLOCK_SIZE};
use goodput_model::{Bytes, Message, Nanos};
use goodput_words::message;
use target::FileTarget;
use target_args::{IoOptionArgs, PasswordArgs, TargetArgs};

/// File read and write speed in a folder or share, or on an agent
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_long_help = "Examples:
  goodput file /mnt/nas                       copy, then drive mark, with one conclusion
  goodput file copy smb://ann@nas/media --local /home/ann
  goodput file replay office smb://ann@nas/media --clients 1,2,4,8

All files are in a new folder in TARGET, which is removed at the end.")]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<FileCommand>,
    #[command(flatten)]
    copy: CopyPlan,
    #[command(flatten)]
    disk: DiskArgs,
    #[command(flatten)]
    bytes: BytesArgs,
}

#[derive(Debug, Subcommand)]
enum FileCommand {
    /// Time to write and read one large file
    #[command(after_long_help = "Examples:
  goodput file copy /mnt/nas                  600 MB to and from a mounted folder
  goodput file copy smb://ann@nas/media --local /home/ann --server nas --server-folder /srv/media
  goodput file copy nas:disk=/srv/goodput     an agent on nas stores the file")]
    Copy(Box<CopyRunArgs>),
    /// Sequential and random access, measured as in CrystalDiskMark
    #[command(after_long_help = "Examples:
  goodput file disk /mnt/nas                  as CrystalDiskMark 8
  goodput file disk /mnt/nas --profile cdm3 --row Seq --row \"4K QD32\" --repeat 3
  goodput file disk smb://ann@nas/media --size 64MiB --time 2s

Without --repeat there are five rounds after one that is not counted, as in CrystalDiskMark.")]
    Disk(Box<DiskRunArgs>),
    /// Replay a file server's load: dbench, or a built-in profile
    #[command(after_long_help = "Examples:
  goodput file replay office /mnt/nas --clients 1,2,4,8
  goodput file replay /usr/share/dbench/client.txt smb://ann@nas/media --from pc1,pc2 --clients 2,8
  goodput file replay office nas --net-only")]
    Replay(Box<ReplayRunArgs>),
    /// Remove folders left behind by killed file measurements
    Clean(Box<CleanArgs>),
}

/// What copies and drive marks have in common.
#[derive(Debug, Args)]
struct BytesArgs {
    #[command(flatten)]
    place: TargetArgs,
    /// Size of the test file [default: 600MB; for disk 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = value_parsers::FILE_SIZE_RANGE)]
    size: Option<Bytes>,
    /// Order of write and read trials in each round; the values write and read run only that type
    #[arg(long, value_name = "ORDER", default_value = "random", value_parser = ORDERS, hide_short_help = true)]
    order: ReadWriteOrder,
    #[command(flatten)]
    how: IoOptionArgs,
    #[command(flatten)]
    options: MeasureOptions,
}

#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct CopyPlan {
    #[arg(skip)]
    pub size: Bytes,
    /// Client folder to copy to and from [default: memory]
    ///
    /// The speed of the disk that contains this folder is also measured.
    #[arg(long, value_name = "DIR", value_parser = target::parse_folder, value_hint = ValueHint::DirPath)]
    pub local: Option<String>,
    /// Block size of each copy operation
    #[arg(long, value_name = "SIZE", default_value = "1MiB", value_parser = parse_block_size, hide_short_help = true)]
    pub block: Bytes,
    /// Number of copy operations in flight
    #[arg(long, value_name = "N", default_value = "8", value_parser = parse_integer::<u16>(1..=1_024))]
    #[arg(hide_short_help = true)]
    pub depth: u16,
}

#[derive(Debug, Args)]
struct DiskArgs {
    /// CrystalDiskMark version whose tests are run
    #[arg(long, value_name = "NAME", default_value = DEFAULT_PROFILE, value_parser = profiles())]
    #[arg(hide_short_help = true)]
    profile: &'static BenchmarkProfile,
    /// Run only this test of the profile, for example "RND4K Q1T1"; may be repeated
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    row: Vec<String>,
    /// Duration of each test [default: 5s]
    #[arg(long, value_name = "TIME", value_parser = value_parsers::MEASUREMENT_WINDOW_RANGE)]
    time: Option<Nanos>,
}

#[derive(Debug, Args)]
struct CopyRunArgs {
    #[command(flatten)]
    bytes: BytesArgs,
    #[command(flatten)]
    copy: CopyPlan,
}

#[derive(Debug, Args)]
struct DiskRunArgs {
    #[command(flatten)]
    bytes: BytesArgs,
    #[command(flatten)]
    disk: DiskArgs,
}

#[derive(Debug, Args)]
struct ReplayRunArgs {
    #[command(flatten)]
    replay: ReplayPlan,
    #[command(flatten)]
    place: TargetArgs,
    #[command(flatten)]
    how: IoOptionArgs,
    #[command(flatten)]
    options: MeasureOptions,
}

/// `goodput file clean`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct CleanArgs {
    /// Folder or share to clean: a path, smb://user@host/share/folder, nfs://host/export/folder
    #[arg(value_name = "TARGET")]
    pub target: FileTarget,
    #[command(flatten)]
    pub password: PasswordArgs,
    /// Lab host on which TARGET is accessible
    #[arg(long, value_name = "lab:NAME")]
    pub from: Option<HostName>,
    /// List the folders without removing them
    #[arg(long, conflicts_with = "workspace")]
    pub list: bool,
    /// Remove this goodput folder even if its command may still be running
    #[arg(long, value_name = "NAME")]
    pub workspace: Option<String>,
    /// Print one JSON document
    #[arg(long, help_heading = OUTPUT_HELP_HEADING)]
    pub json: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FileMeasurement {
    pub at: FileEndpoints,
    /// The file tests to run one after the other, each in its own workspace.
    pub parts: Vec<FileBenchmark>,
    pub order: ReadWriteOrder,
    pub rounds: u32,
    pub options: MeasureOptions,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FileBenchmark {
    pub work: FileTask,
    pub how: IoOptions,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FileTask {
    Copy(CopyPlan),
    Disk(DiskBenchmarkPlan),
    Replay(ReplayPlan),
}

impl FileTask {
    /// The client folder that takes part.
    pub fn client_folder(&self) -> Option<&String> {
        match self {
            FileTask::Copy(plan) => plan.local.as_ref(),
            FileTask::Replay(plan) => plan.local.as_ref(),
            FileTask::Disk(_) => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskBenchmarkPlan {
    pub profile: &'static BenchmarkProfile,
    pub rows: Vec<&'static BenchmarkWorkload>,
    pub size: Bytes,
    pub time: Nanos,
    /// When to flush; `None` uses the setting of the profile.
    pub flush: Option<FlushMode>,
    pub uncounted: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadWriteOrder {
    /// The transfer directions to measure, in this order unless `random` is set.
    pub ways: &'static [FileDirection],
    /// Whether each round uses a random order derived from the run's seed.
    pub random: bool,
}

impl ReadWriteOrder {
    pub const RANDOM: ReadWriteOrder =
        ReadWriteOrder { ways: &[FileDirection::Write, FileDirection::Read], random: true };
}

const ORDERS: NamedChoices<ReadWriteOrder> = NamedChoices(&[
    ("random", ReadWriteOrder::RANDOM),
    ("write-read", ReadWriteOrder { random: false, ..ReadWriteOrder::RANDOM }),
    ("read-write", ReadWriteOrder { ways: &[FileDirection::Read, FileDirection::Write], random: false }),
    ("write", ReadWriteOrder { ways: &[FileDirection::Write], random: true }),
    ("read", ReadWriteOrder { ways: &[FileDirection::Read], random: true }),
]);

/// As in CrystalDiskMark.
const ROUNDS: u32 = 5;
const COPY_SIZE: Bytes = Bytes(600_000_000);

impl Arguments {
    pub fn into_invocation(self) -> Result<ProbeInvocation, Failure> {
        let measure = match self.command {
            Some(FileCommand::Clean(clean)) => return clean.checked().map(ProbeInvocation::CleanFiles),
            Some(FileCommand::Copy(run)) => run.bytes.measure(Some(run.copy), None)?,
            Some(FileCommand::Disk(run)) => run.bytes.measure(None, Some(run.disk))?,
            Some(FileCommand::Replay(run)) => run.measure()?,
            None => self.bytes.measure(Some(self.copy), Some(self.disk))?,
        };
        Ok(ProbeInvocation::File(Box::new(measure)))
    }
}

impl BytesArgs {
    fn measure(self, copy: Option<CopyPlan>, disk: Option<DiskArgs>) -> Result<FileMeasurement, Failure> {
        let at = self.place.validate(false, self.options.port)?;
        let (how, rounds) = (self.how.with_defaults(IoOptions::DISK_DEFAULTS), self.options.repeat);
        let mut parts = Vec::new();
        if let Some(copy) = copy {
            one_client_with_a_disk(copy.local.as_ref(), &at)?;
            let size = self.size.unwrap_or(COPY_SIZE);
            parts.push(FileBenchmark { work: FileTask::Copy(CopyPlan { size, ..copy }), how });
        }
        if let Some(DiskArgs { profile, row, time }) = disk {
            let plan = DiskBenchmarkPlan {
                profile,
                rows: chosen(profile, &row)?,
                size: self.size.unwrap_or(profile.size),
                time: time.unwrap_or(profile.time),
                flush: self.how.flush,
                uncounted: if rounds.is_some() { 0 } else { profile.uncounted.into() },
            };
            parts.push(FileBenchmark { work: FileTask::Disk(plan), how });
        }
        let rounds = rounds.unwrap_or(ROUNDS);
        Ok(FileMeasurement { at, parts, order: self.order, rounds, options: self.options })
    }
}

impl ReplayRunArgs {
    fn measure(self) -> Result<FileMeasurement, Failure> {
        let at = self.place.validate(self.replay.net_only, self.options.port)?;
        one_client_with_a_disk(self.replay.local.as_ref(), &at)?;
        let hosts = at.from.len();
        if let Some(count) = self.replay.clients.0.iter().find(|n| !spread_evenly(**n, hosts)) {
            let (count, hosts) = (count.to_string(), hosts.to_string());
            return Err(Failure::usage_error(message!(error_args_clients_uneven { count, hosts }))
                .with_cause("hosts with more simulated clients than others would have a different load")
                .with_hint("type multiples of the number of hosts, or numbers below it, with --clients"));
        }
        let rounds = self.options.repeat_count();
        let parts = vec![FileBenchmark {
            how: self.how.with_defaults(IoOptions::REPLAY_DEFAULTS),
            work: FileTask::Replay(self.replay),
        }];
        Ok(FileMeasurement { at, parts, order: ReadWriteOrder::RANDOM, rounds, options: self.options })
    }
}

impl CleanArgs {
    pub fn workspace_selection(&self) -> WorkspaceSelection<'_> {
        match &self.workspace {
            Some(name) => WorkspaceSelection::Named(name),
            // No folder has this name, so nothing is removed.
            None if self.list => WorkspaceSelection::Named(""),
            None => WorkspaceSelection::Dead,
        }
    }

    fn checked(self: Box<Self>) -> Result<Box<CleanArgs>, Failure> {
        if let FileTarget::Sink { host, .. } = &self.target {
            let host = match host {
                HostName::Lab(host) => host.to_string(),
                HostName::Name(name) => name.clone(),
                HostName::Address(address) => address.host.clone(),
            };
            return Err(Failure::usage_error("an agent's sink cannot be cleaned from here")
                .with_cause("what it keeps in memory ends with the trial; its disk is its own host's")
                .with_hint(message!(hint_args_clean_on_host { host })));
        }
        if let Some(HostName::Address(_) | HostName::Name(_)) = self.from {
            return Err(Failure::usage_error("--from can only be a lab's host here")
                .with_cause("other hosts clean up their own folders")
                .with_hint("type goodput file clean TARGET on that host"));
        }
        Ok(self)
    }
}

/// Each host runs the same number of players.
fn spread_evenly(players: u16, hosts: usize) -> bool {
    let (players, hosts) = (usize::from(players), hosts.max(1));
    players <= hosts || players % hosts == 0
}

/// A local disk with several clients would mix several results in one.
fn one_client_with_a_disk(local: Option<&String>, at: &FileEndpoints) -> Result<(), Failure> {
    if local.is_none() || at.from.len() < 2 {
        return Ok(());
    }
    Err(Failure::usage_error("--local goes with one client only")
        .with_cause("several disks would be measured as one")
        .with_hint("leave --local out, or name one host with --from"))
}

fn profiles() -> impl TypedValueParser<Value = &'static BenchmarkProfile> {
    let names = PossibleValuesParser::new(PROFILES.map(|profile| profile.name));
    names.try_map(|name| find_profile(&name).ok_or("there is no such profile"))
}

pub(super) fn parse_block_size(typed: &str) -> Result<Bytes, ValueError> {
    let hint = "type a size from 4KiB to 64MiB, in steps of 4KiB";
    let block = value_parsers::MESSAGE_SIZE_RANGE.parse(typed).map_err(|e| {
        let hint = message!(list_semicolon { first: &e.hint, then: Message::from(hint) });
        ValueError { hint, ..e }
    })?;
    if !(4_096..=MAX_BLOCK_SIZE.0).contains(&block.0) {
        return Err(ValueError::new("the value is out of range", hint));
    }
    match block.0.is_multiple_of(4_096) {
        true => Ok(block),
        false => Err(ValueError::new(
            "direct I/O and data verification require a multiple of the page \
            size",
            hint,
        )),
    }
}

fn chosen(
    profile: &'static BenchmarkProfile,
    names: &[String],
) -> Result<Vec<&'static BenchmarkWorkload>, Failure> {
    for name in names {
        if !profile.rows.iter().any(|row| row.name.eq_ignore_ascii_case(name)) {
            let known: Vec<String> =
                profile.rows.iter().map(|row| format!("--row \"{}\"", row.name)).collect();
            let why = message!(cause_args_no_such_row { profile: profile.name });
            let hint = message!(hint_args_type { value: any_of(known.iter().map(String::as_str)) });
            return Err(option_conflict_failure("--row", name, why, hint));
        }
    }
    let wanted =
        |row: &&BenchmarkWorkload| names.is_empty() || names.iter().any(|n| row.name.eq_ignore_ascii_case(n));
    Ok(profile.rows.iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests;
