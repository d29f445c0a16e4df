//! The file-server mix: what is played, by how many, for how long.

use crate::args::value::{self, Bounds, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_model::file::MOST_PLAYERS;
use goodput_model::{BitRate, Nanos};

/// As typed.
#[derive(Debug, Args)]
pub struct TypedReplay {
    /// A load file of dbench's (gzip too), which lies on every host that works; or office, our own profile
    #[arg(value_name = "LOADFILE|office")]
    load: String,
    /// Numbers of clients to go through, for a curve: 1,2,4,8. They are spread evenly over the hosts of --from [default: 1]
    #[arg(long, value_name = "LIST")]
    clients: Option<String>,
    /// Length of each point's window [default: 10s]
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Time before each window that is not counted [default: a fifth of --time, as in dbench]
    #[arg(long, value_name = "TIME")]
    warm_up: Option<String>,
    /// Operations of a client that end otherwise than the load file says, until it gives up [default: 100]
    #[arg(long, value_name = "N")]
    max_errors: Option<String>,
    /// Hold each client to this rate of data [default: as fast as it goes]
    #[arg(long, value_name = "RATE")]
    rate: Option<String>,
    /// Play it in this folder of the client as well, for the disk's part: best on a disk like the server's
    #[arg(long, value_name = "DIR")]
    local: Option<String>,
    /// Only the bytes that the operations would exchange with a server, between two agents, and no file (tbench's idea).
    /// TARGET is then HOST, or a share whose server has an agent: --server
    #[arg(long, conflicts_with_all = ["direct", "cached", "flush", "verify", "server_folder", "local"])]
    net_only: bool,
}

/// A file-server mix.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayPlan {
    /// What is played.
    pub load: Played,
    /// Players of all hosts together, one number a point.
    pub clients: Vec<u16>,
    /// The window.
    pub time: Nanos,
    /// Before it.
    pub warm_up: Nanos,
    /// Unexpected ends of a player's operations, at the most.
    pub max_errors: u32,
    /// Rate of one player.
    pub rate: Option<BitRate>,
    /// Folder of the client in which it is played as well, as an absolute path.
    pub local: Option<String>,
    /// Bytes on the wire alone.
    pub net_only: bool,
}

/// What a mix plays, as named by the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Played {
    /// Our own profile.
    Office,
    /// A load file, as an absolute path.
    File(String),
}

/// The usual window.
const TIME: Nanos = Nanos(10_000_000_000);
/// Rates of one player.
const RATE: Bounds<BitRate> =
    Bounds { range: BitRate(8_000)..=BitRate(1_000_000_000_000), words: "8kbit to 1000Gbit" };

impl TypedReplay {
    /// Whether no file is worked on at all.
    pub fn net_only(&self) -> bool {
        self.net_only
    }

    /// What is meant.
    pub fn meaning(self) -> Result<ReplayPlan, Failure> {
        let time = self.time.as_deref().map(|t| value::quantity("--time", t, &value::WINDOW)).transpose()?;
        let time = time.unwrap_or(TIME);
        let warm_up = self.warm_up.as_deref().map(|t| value::quantity("--warm-up", t, &value::WARM_UP));
        let errors = self.max_errors.as_deref().map(|t| value::whole("--max-errors", t, 0..=u32::MAX.into()));
        Ok(ReplayPlan {
            load: match self.load.as_str() {
                "office" => Played::Office,
                path => Played::File(load_file(path)?),
            },
            clients: self.clients.as_deref().map_or(Ok(vec![1]), clients)?,
            time,
            warm_up: warm_up.transpose()?.unwrap_or(Nanos(time.0 / 5)),
            max_errors: errors.transpose()?.map_or(100, |n| n as u32),
            rate: self.rate.as_deref().map(|t| value::quantity("--rate", t, &RATE)).transpose()?,
            local: self.local.as_deref().map(|t| super::target::folder("--local", t)).transpose()?,
            net_only: self.net_only,
        })
    }
}

fn load_file(typed: &str) -> Result<String, Failure> {
    let absolute = std::path::absolute(typed).ok().and_then(|path| path.to_str().map(String::from));
    absolute.ok_or_else(|| {
        Failure::usage(format!("LOADFILE {} is refused", shown(typed)))
            .because("it names nothing")
            .try_this("name a load file of dbench's, or type office")
    })
}

/// Numbers of clients, each once and in rising order: a curve.
fn clients(typed: &str) -> Result<Vec<u16>, Failure> {
    let mut counts = Vec::new();
    for word in typed.split(',') {
        let count = value::whole("--clients", word.trim(), 1..=MOST_PLAYERS as u64)? as u16;
        if counts.last().is_some_and(|last| *last >= count) {
            return Err(Failure::usage(format!("--clients {} is refused", shown(typed)))
                .because("the numbers do not rise")
                .try_this("type each number once and the smallest first, for example 1,2,4,8"));
        }
        counts.push(count);
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_clients_rise() {
        assert_eq!(clients("1, 2,8"), Ok(vec![1, 2, 8]));
        for bad in ["", "0", "2,1", "1,1", "5000", "lab:a"] {
            assert!(clients(bad).unwrap_err().hint.is_some(), "{bad}");
        }
    }
}
