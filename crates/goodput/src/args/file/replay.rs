//! The file-server mix: load file, number of clients, and duration.

use super::target;
use crate::args::value_parsers::{self, CommaList, ValueError, parse_integer};
use clap::{Args, ValueHint};
use goodput_model::file::MAX_SIMULATED_CLIENTS;
use goodput_model::{BitRate, Nanos};

#[derive(Debug, Clone, PartialEq, Args)]
pub struct ReplayPlan {
    /// dbench load file to replay, or office for the built-in profile
    ///
    /// The file must exist on every client and may be gzip-compressed.
    #[arg(value_name = "LOADFILE|office", value_parser = load, value_hint = ValueHint::FilePath)]
    pub load: ReplaySource,
    /// Numbers of clients to measure with, one measurement for each, for example 1,2,4,8
    ///
    /// The clients are distributed evenly over the --from hosts.
    #[arg(long, value_name = "LIST", default_value = "1", value_parser = clients)]
    pub clients: CommaList<u16>,
    /// Duration of the measurement at each point
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = value_parsers::MEASUREMENT_WINDOW_RANGE)]
    pub time: Nanos,
    /// Warm-up before each measurement, not counted [default: a fifth of --time, as in dbench]
    #[arg(long, value_name = "TIME", value_parser = value_parsers::WARM_UP_RANGE, hide_short_help = true)]
    pub warm_up: Option<Nanos>,
    /// Stop a client after this many operations whose status differs from the load file
    #[arg(long, value_name = "N", default_value = "100", hide_short_help = true)]
    #[arg(value_parser = parse_integer::<u32>(0..=u32::MAX as u64))]
    pub max_errors: u32,
    /// Maximum data rate of each client [default: no limit]
    #[arg(long, value_name = "RATE", value_parser = value_parsers::CLIENT_RATE_RANGE)]
    pub rate: Option<BitRate>,
    /// Also replay the load in this local folder of the client
    ///
    /// This shows how much of the result is due to the disk. Use a disk similar to the server's.
    #[arg(long, value_name = "DIR", value_parser = target::parse_folder, value_hint = ValueHint::DirPath)]
    pub local: Option<String>,
    /// Transfer the same data over the network without file access, as tbench does
    ///
    /// With this option, TARGET is a host with an agent, or a share; for a share, --server specifies the agent on its server.
    #[arg(long, conflicts_with_all = ["direct", "cached", "flush", "verify", "server_folder", "local"])]
    pub net_only: bool,
}

impl ReplayPlan {
    pub fn warm_up_or_default(&self) -> Nanos {
        self.warm_up.unwrap_or(Nanos(self.time.0 / 5))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplaySource {
    Office,
    File(String),
}

fn load(typed: &str) -> Result<ReplaySource, ValueError> {
    if typed == "office" {
        return Ok(ReplaySource::Office);
    }
    let absolute = std::path::absolute(typed).ok().and_then(|path| path.to_str().map(String::from));
    absolute
        .map(ReplaySource::File)
        .ok_or_else(|| ValueError::new("it names nothing", "name a load file of dbench's, or type office"))
}

fn clients(typed: &str) -> Result<CommaList<u16>, ValueError> {
    let counts =
        value_parsers::comma_list_parser(parse_integer::<u16>(1..=MAX_SIMULATED_CLIENTS as u64))(typed)?;
    if counts.0.is_sorted() {
        return Ok(counts);
    }
    Err(ValueError::new(
        "the numbers are not in ascending order",
        "type each number once, in ascending order, for example 1,2,4,8",
    ))
}
