//! `goodput file`: copies, drive marks and file-server mixes in a folder, on a share, or at an agent.

mod clean;
mod copy;
mod disk;
mod how;
mod order;
mod place;
mod replay;
pub mod target;

pub use clean::{CleanOrder, CleanWhat};
pub use copy::CopyPlan;
pub use disk::DiskPlan;
pub use how::How;
pub use order::RoundOrder;
pub use place::Where;
pub use replay::{Played, ReplayPlan};

use super::host_name::HostName;
use super::measuring::{Options, TypedOptions};
use crate::failure::Failure;
use clap::{Args, Subcommand};
use copy::TypedCopy;
use disk::TypedDisk;
use how::TypedHow;
use order::TypedOrder;
use place::TypedPlace;
use replay::TypedReplay;

/// As typed.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(
    after_help = "goodput file /mnt/nas                       copy, then the drive mark, then one verdict\n\
    goodput file copy smb://ann@nas/media --local /home/ann\n\
    goodput file disk /mnt/nas --profile cdm3 --size 1000MB\n\
    goodput file replay office smb://ann@nas/media --clients 1,2,4,8\n\
    goodput file copy nas:disk=/srv/goodput       an agent on nas keeps the files\n\
    goodput file clean smb://ann@nas/media        after a crash: removes what carries our mark\n\
    Everything happens in a new folder of our own in TARGET, which is removed at the end."
)]
pub struct TypedFile {
    #[command(subcommand)]
    command: Option<TypedFileCommand>,
    #[command(flatten)]
    copy: TypedCopy,
    #[command(flatten)]
    disk: TypedDisk,
    #[command(flatten)]
    bytes: TypedBytes,
}

/// As typed.
#[derive(Debug, Subcommand)]
enum TypedFileCommand {
    /// Write and read one big file, timed, and say what limits it
    #[command(
        after_help = "goodput file copy smb://ann@nas/media --local /home/ann --server nas --server-folder /srv/media"
    )]
    Copy(Box<TypedCopyRun>),
    /// Sequential and random rows, with the parameters of CrystalDiskMark's versions
    #[command(
        after_help = "goodput file disk /mnt/nas --profile cdm3 --row Seq --row \"4K QD32\" --repeat 3\n\
        Without --repeat there is one round that does not count, then five, as in CrystalDiskMark."
    )]
    Disk(Box<TypedDiskRun>),
    /// A file server's life: a load file of dbench's, or our own office profile, by one client or many
    #[command(after_help = "goodput file replay office /mnt/nas --clients 1,2,4,8\n\
        goodput file replay /usr/share/dbench/client.txt smb://ann@nas/media --from pc1,pc2 --clients 2,8\n\
        goodput file replay office nas --net-only")]
    Replay(Box<TypedReplayRun>),
    /// Remove what a killed command left in TARGET; nothing but what carries our mark
    #[command(after_help = "goodput file clean /mnt/nas --list")]
    Clean(Box<clean::TypedClean>),
}

/// What copies and drive marks have in common, as typed.
#[derive(Debug, Args)]
struct TypedBytes {
    #[command(flatten)]
    place: TypedPlace,
    /// Length of the file [default: 600MB to copy, 1GiB for the drive mark]
    #[arg(long, value_name = "SIZE")]
    size: Option<String>,
    #[command(flatten)]
    order: TypedOrder,
    #[command(flatten)]
    how: TypedHow,
    #[command(flatten)]
    options: TypedOptions,
}

/// As typed.
#[derive(Debug, Args)]
struct TypedCopyRun {
    #[command(flatten)]
    bytes: TypedBytes,
    #[command(flatten)]
    copy: TypedCopy,
}

/// As typed.
#[derive(Debug, Args)]
struct TypedDiskRun {
    #[command(flatten)]
    bytes: TypedBytes,
    #[command(flatten)]
    disk: TypedDisk,
}

/// As typed.
#[derive(Debug, Args)]
struct TypedReplayRun {
    #[command(flatten)]
    replay: TypedReplay,
    #[command(flatten)]
    place: TypedPlace,
    #[command(flatten)]
    how: TypedHow,
    #[command(flatten)]
    options: TypedOptions,
}

/// What is asked of files.
#[derive(Debug, Clone, PartialEq)]
pub enum FileOrder {
    /// Measure.
    Measure(Box<FileMeasure>),
    /// Remove what was left.
    Clean(Box<CleanOrder>),
}

/// A measurement on files.
#[derive(Debug, Clone, PartialEq)]
pub struct FileMeasure {
    /// Where, and from which hosts.
    pub at: Where,
    /// What, one part after the other, each in a workspace of its own.
    pub parts: Vec<Part>,
    /// In which order the trials of a round are made.
    pub order: RoundOrder,
    /// Rounds.
    pub rounds: u32,
    /// Everything else; its `repeat` is without meaning here.
    pub options: Options,
}

/// A part of a measurement on files.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What.
    pub work: Work,
    /// How.
    pub how: How,
}

/// A kind of work.
#[derive(Debug, Clone, PartialEq)]
pub enum Work {
    /// Timed copies.
    Copy(CopyPlan),
    /// A drive mark.
    Disk(DiskPlan),
    /// A mix.
    Replay(ReplayPlan),
}

/// Rounds of copies and drive marks, as CrystalDiskMark makes them.
const ROUNDS: u32 = 5;

impl FileOrder {
    /// The hosts that a lab must have in one: those that work, and those at the other end.
    pub fn hosts(&self) -> (Vec<&HostName>, Vec<&HostName>) {
        match self {
            FileOrder::Measure(order) => {
                let Where { target, from, server, .. } = &order.at;
                (from.iter().collect(), target.host().into_iter().chain(server).collect())
            }
            FileOrder::Clean(order) => {
                (order.from.iter().collect(), order.target.host().into_iter().collect())
            }
        }
    }
}

impl TypedFile {
    /// What is meant.
    pub fn meaning(self) -> Result<FileOrder, Failure> {
        let measure = match self.command {
            Some(TypedFileCommand::Clean(clean)) => {
                return clean.meaning().map(|order| FileOrder::Clean(Box::new(order)));
            }
            Some(TypedFileCommand::Copy(run)) => run.bytes.meaning(Some(run.copy), None)?,
            Some(TypedFileCommand::Disk(run)) => run.bytes.meaning(None, Some(run.disk))?,
            Some(TypedFileCommand::Replay(run)) => run.meaning()?,
            None => self.bytes.meaning(Some(self.copy), Some(self.disk))?,
        };
        Ok(FileOrder::Measure(Box::new(measure)))
    }
}

impl TypedBytes {
    fn meaning(self, copy: Option<TypedCopy>, disk: Option<TypedDisk>) -> Result<FileMeasure, Failure> {
        let at = self.place.meaning(false)?;
        let (how, flush) = self.how.meaning(How::OF_BYTES)?;
        let rounds = self.options.repeats()?;
        let mut parts = Vec::new();
        if let Some(copy) = copy {
            let plan = copy.meaning(self.size.as_deref())?;
            one_client_with_a_disk(plan.local.as_ref(), &at)?;
            parts.push(Part { work: Work::Copy(plan), how });
        }
        if let Some(disk) = disk {
            let plan = disk.meaning(self.size.as_deref(), flush, rounds.is_some())?;
            parts.push(Part { work: Work::Disk(plan), how });
        }
        let rounds = rounds.unwrap_or(ROUNDS);
        Ok(FileMeasure { at, parts, order: self.order.meaning()?, rounds, options: self.options.meaning()? })
    }
}

impl TypedReplayRun {
    fn meaning(self) -> Result<FileMeasure, Failure> {
        let at = self.place.meaning(self.replay.net_only())?;
        let (how, _) = self.how.meaning(How::OF_A_MIX)?;
        let plan = self.replay.meaning()?;
        one_client_with_a_disk(plan.local.as_ref(), &at)?;
        if let Some(count) = plan.clients.iter().find(|n| !spread_evenly(**n, at.from.len())) {
            return Err(Failure::usage(format!(
                "{count} clients cannot be spread evenly over {} hosts",
                at.from.len()
            ))
            .because("hosts with more players than others would be measured at another load")
            .try_this("type multiples of the number of hosts, or numbers below it, with --clients"));
        }
        let rounds = self.options.repeats()?.unwrap_or(1);
        let parts = vec![Part { work: Work::Replay(plan), how }];
        Ok(FileMeasure { at, parts, order: RoundOrder::RANDOM, rounds, options: self.options.meaning()? })
    }
}

/// Fewer players than hosts leave hosts out; more must come out even.
fn spread_evenly(players: u16, hosts: usize) -> bool {
    let (players, hosts) = (usize::from(players), hosts.max(1));
    players <= hosts || players % hosts == 0
}

/// The local disk of several clients would be several results in one.
fn one_client_with_a_disk(local: Option<&String>, at: &Where) -> Result<(), Failure> {
    if local.is_none() || at.from.len() < 2 {
        return Ok(());
    }
    Err(Failure::usage("--local goes with one client only")
        .because("the disks of several would be measured as one")
        .try_this("leave --local out, or name one host with --from"))
}

#[cfg(test)]
mod tests;
