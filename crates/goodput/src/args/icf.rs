//! `goodput icf check|from-plan`: IOmeter's configurations.

use super::Command;
use super::load::{TypedLoad, mapped};
use super::value;
use crate::failure::Failure;
use clap::{Args, Subcommand};
use goodput_interop::iometer::Disk;
use goodput_model::Nanos;
use std::path::PathBuf;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedIcf {
    #[command(subcommand)]
    command: TypedIcfCommand,
}

/// As typed.
#[derive(Debug, Subcommand)]
enum TypedIcfCommand {
    /// Say what goodput load would make of an .icf, with a warning for all that it passes over
    Check(TypedCheck),
    /// Write what goodput load would do as an .icf: the options are those of goodput load
    #[command(name = "from-plan")]
    FromPlan {
        /// The .icf to write
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        load: Box<TypedLoad>,
    },
}

/// As typed.
#[derive(Debug, Args)]
struct TypedCheck {
    /// The .icf
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Host for a manager of the file, NAME#ID where several have the name; may be repeated
    #[arg(long, value_name = "NAME=HOST")]
    map: Vec<String>,
    /// Leave disk workers out
    #[arg(long, conflicts_with = "allow_disk")]
    network_only: bool,
    /// Folder below which disk workers may work; the disks that the file names are never opened
    #[arg(long, value_name = "DIR")]
    allow_disk: Option<PathBuf>,
    /// Length of each window instead of the file's run time
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Warm-up instead of the file's ramp-up time
    #[arg(long, value_name = "TIME")]
    warm_up: Option<String>,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
}

/// Say what an `.icf` comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The file.
    pub file: PathBuf,
    /// Hosts for its managers.
    pub map: Vec<(String, String)>,
    /// What its disk workers may do.
    pub disk: Disk,
    /// Length of the window instead of the file's.
    pub time: Option<Nanos>,
    /// Warm-up instead of the file's.
    pub warm_up: Option<Nanos>,
    /// One document.
    pub json: bool,
}

impl TypedIcf {
    /// What is meant. Writing a plan is what `goodput load --write-icf` does.
    pub fn meaning(self) -> Result<Command, Failure> {
        match self.command {
            TypedIcfCommand::Check(typed) => Ok(Command::IcfCheck(typed.meaning()?)),
            TypedIcfCommand::FromPlan { file, load } => {
                let mut order = load.meaning()?;
                order.write_icf = Some(file);
                Ok(Command::Load(Box::new(order)))
            }
        }
    }
}

impl TypedCheck {
    fn meaning(self) -> Result<Check, Failure> {
        let disk = match self.allow_disk {
            Some(folder) => Disk::Below(folder),
            None if self.network_only => Disk::LeaveOut,
            None => Disk::Refuse,
        };
        let time = |option, typed: Option<String>, bounds| {
            typed.map(|t| value::quantity(option, &t, bounds)).transpose()
        };
        Ok(Check {
            file: self.file,
            map: self.map.iter().map(|t| mapped(t)).collect::<Result<_, _>>()?,
            disk,
            time: time("--time", self.time, &value::WINDOW)?,
            warm_up: time("--warm-up", self.warm_up, &value::WARM_UP)?,
            json: self.json,
        })
    }
}
