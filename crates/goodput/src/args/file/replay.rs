//! The file-server mix: load file, number of clients, and duration.

use super::target;
use crate::args::value_parsers::{self, CommaList, ValueError, parse_integer};
use clap::{Args, ValueHint};
use goodput_model::file::MAX_PLAYERS;
use goodput_model::{BitRate, Nanos};

#[derive(Debug, Clone, PartialEq, Args)]
pub struct ReplayPlan {
    /// Load file of dbench, or office, the built-in profile
    ///
    /// The file (also gzip) must be on every client.
    #[arg(value_name = "LOADFILE|office", value_parser = load, value_hint = ValueHint::FilePath)]
    pub load: ReplaySource,
    /// Numbers of clients, for a curve: 1,2,4,8
    ///
    /// They are spread evenly over the hosts of --from.
    #[arg(long, value_name = "LIST", default_value = "1", value_parser = clients)]
    pub clients: CommaList<u16>,
    /// Length of each point's window
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = value_parsers::WINDOW_RANGE)]
    pub time: Nanos,
    /// Uncounted time before each window [default: a fifth of --time, as in dbench]
    #[arg(long, value_name = "TIME", value_parser = value_parsers::WARM_UP_RANGE, hide_short_help = true)]
    pub warm_up: Option<Nanos>,
    /// A client gives up after this many operations whose status differs from the load file
    #[arg(long, value_name = "N", default_value = "100", hide_short_help = true)]
    #[arg(value_parser = parse_integer::<u32>(0..=u32::MAX as u64))]
    pub max_errors: u32,
    /// Limit the data rate of each client [default: no limit]
    #[arg(long, value_name = "RATE", value_parser = value_parsers::CLIENT_RATE_RANGE)]
    pub rate: Option<BitRate>,
    /// Also replay in this folder of the client
    ///
    /// It shows the disk's part, best on a disk like the server's.
    #[arg(long, value_name = "DIR", value_parser = target::parse_folder, value_hint = ValueHint::DirPath)]
    pub local: Option<String>,
    /// Exchange the bytes without files, as tbench does
    ///
    /// TARGET is then a host, or a share whose server has the agent of --server.
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
    let counts = value_parsers::parse_list(parse_integer::<u16>(1..=MAX_PLAYERS as u64))(typed)?;
    if counts.0.is_sorted() {
        return Ok(counts);
    }
    Err(ValueError::new(
        "the numbers do not rise",
        "type each number once and the smallest first, for example 1,2,4,8",
    ))
}
