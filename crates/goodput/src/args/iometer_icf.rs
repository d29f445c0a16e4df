//! `goodput icf check|from-plan`: IOmeter configurations.

use super::host_name::parse_iometer_manager_host;
use super::load::LoadInvocation;
use super::value_parsers;
use clap::{Args, Subcommand, ValueHint};
use goodput_interop::iometer::{DiskWorkerPolicy, StageSettings};
use goodput_model::Nanos;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum IcfArgs {
    /// Print what goodput load would measure for an .icf file, with a warning for each ignored setting
    Check(IcfCheckArgs),
    /// Write a load as an .icf file, with the same options as goodput load
    #[command(name = "from-plan")]
    FromPlan {
        /// The .icf to write
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        load: Box<LoadInvocation>,
    },
}

#[derive(Debug, Clone, PartialEq, Args)]
pub struct IcfCheckArgs {
    /// IOmeter configuration file (.icf)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Host to use for a manager in the file, as MANAGER=HOST, or NAME#ID=HOST if several have the same name;
    /// may be repeated
    #[arg(long, value_name = "NAME=HOST", value_parser = parse_iometer_manager_host)]
    map: Vec<(String, String)>,
    /// Ignore the disk workers
    #[arg(long, conflicts_with = "allow_disk")]
    network_only: bool,
    /// Folder for the disk workers' test files; disks in the .icf file are never opened
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    allow_disk: Option<PathBuf>,
    /// Duration of each measurement [default: the run time in the file]
    #[arg(long, value_name = "TIME", value_parser = value_parsers::MEASUREMENT_WINDOW_RANGE)]
    time: Option<Nanos>,
    /// Warm-up before each measurement [default: the ramp-up time in the file]
    #[arg(long, value_name = "TIME", value_parser = value_parsers::WARM_UP_RANGE)]
    warm_up: Option<Nanos>,
    /// Print one JSON document instead of tables
    #[arg(long)]
    pub json: bool,
}

impl IcfCheckArgs {
    pub fn stage_settings(&self) -> StageSettings {
        let disk = match &self.allow_disk {
            Some(folder) => DiskWorkerPolicy::Below(folder.clone()),
            None if self.network_only => DiskWorkerPolicy::LeaveOut,
            None => DiskWorkerPolicy::Refuse,
        };
        let (time, warm_up) = (self.time, self.warm_up);
        StageSettings { map: self.map.clone(), disk, time, warm_up, ..StageSettings::default() }
    }
}
