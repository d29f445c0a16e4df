//! `goodput load`: one server, many clients, point after point.

use super::host_name::HostName;
use super::many;
use super::measuring::{Options, TypedOptions, port};
use super::socket::TypedSocket;
use super::stream::warm_up;
use super::value::{self, Bounds, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_analysis::grid::Grid;
use goodput_model::load::{Load, MixLine, Traffic};
use goodput_model::probe::Stop;
use goodput_model::{Bytes, Nanos};
use std::path::PathBuf;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedLoad {
    /// The server: address, name, or lab:NAME. An agent must run there
    #[arg(value_name = "SERVER", required_unless_present = "icf")]
    server: Option<String>,
    /// The clients: names separated by commas, ranges as c[1-20]. An agent must run on each
    #[arg(long, value_name = "LIST", conflicts_with = "icf")]
    clients: Option<String>,
    /// The clients: all agents of a group or with a label, found on this network
    #[arg(long, value_name = "GROUP", conflicts_with_all = ["icf", "clients"])]
    group: Option<String>,
    /// Control port of all agents [default: 5303]
    #[arg(long, value_name = "PORT")]
    port: Option<String>,
    /// Request sizes, one after the other [default: 64B,128B, … 256KiB, thirteen of them]
    #[arg(long, value_name = "LIST")]
    size: Option<String>,
    /// Ways of the data, seen from the server: transmit, receive, duplex, mixed [default: transmit,receive,duplex]
    #[arg(long, value_name = "LIST")]
    direction: Option<String>,
    /// Numbers of clients to go through, for a curve: 1,4,8,12,16,20 [default: all at once]
    #[arg(long, value_name = "LIST")]
    client_counts: Option<String>,
    /// Generators a client in each direction [default: 1]
    #[arg(long, value_name = "N")]
    workers: Option<String>,
    /// Duplex by both directions on one connection, instead of a generator for each
    #[arg(long)]
    one_connection: bool,
    /// Share of requests that the server receives, for direction mixed, in per cent [default: 50]
    #[arg(long, value_name = "PERCENT")]
    reads: Option<String>,
    /// A mix instead of sizes: SIZE:SHARE:READS[:REPLY] a line, shares add up to 100, for example 4KiB:70:67,64KiB:30:100
    #[arg(long, value_name = "LINES", conflicts_with_all = ["size", "direction", "reads", "reply", "one_connection"])]
    mix: Option<String>,
    /// Bytes that go back after each request [default: none]
    #[arg(long, value_name = "SIZE")]
    reply: Option<String>,
    /// Requests in flight on a connection, where there are replies [default: 1]
    #[arg(long, value_name = "N")]
    outstanding: Option<String>,
    /// Transactions in a burst [default: 1]
    #[arg(long, value_name = "N")]
    burst: Option<String>,
    /// Pause before each burst [default: none]
    #[arg(long, value_name = "TIME")]
    delay: Option<String>,
    /// A new connection after so many transactions (connection-rate mode)
    #[arg(long, value_name = "N")]
    transactions_per_connection: Option<String>,
    /// Length of each point's window [default: 5s]
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Time before each window that is not counted [default: 1s]
    #[arg(long, value_name = "TIME")]
    warm_up: Option<String>,
    /// Take everything from an IOmeter configuration (.icf); see goodput icf check
    #[arg(long, value_name = "FILE", conflicts_with_all = ["size", "direction", "client_counts", "workers", "one_connection",
        "reads", "mix", "reply", "outstanding", "burst", "delay", "transactions_per_connection"])]
    icf: Option<PathBuf>,
    /// Host for a manager of the .icf; may be repeated
    #[arg(long, value_name = "NAME=HOST", requires = "icf")]
    map: Vec<String>,
    /// Leave the disk workers of the .icf out
    #[arg(long, requires = "icf")]
    network_only: bool,
    /// Write the plan as an .icf for IOmeter, and measure nothing
    #[arg(long, value_name = "FILE", conflicts_with = "icf")]
    write_icf: Option<PathBuf>,
    #[command(flatten)]
    socket: TypedSocket,
    #[command(flatten)]
    options: TypedOptions,
}

/// What a load run is asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadOrder {
    /// What is gone through.
    pub source: Source,
    /// Settings that all points share.
    pub settings: Load,
    /// Control port of all agents; `None` is the usual one, or the lab's.
    pub port: Option<u16>,
    /// Where to write the plan for IOmeter instead of measuring it.
    pub write_icf: Option<PathBuf>,
    /// Everything else.
    pub options: Options,
}

/// Where the points come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// From the options.
    Grid {
        /// The server.
        server: HostName,
        /// The clients.
        clients: Clients,
        /// What they do.
        grid: Box<Grid>,
    },
    /// From IOmeter's configuration.
    Icf {
        /// The file.
        file: PathBuf,
        /// Hosts for its managers.
        map: Vec<(String, String)>,
        /// Whether disk workers in it are left out rather than refused.
        network_only: bool,
        /// Length of the window instead of the file's.
        time: Option<Nanos>,
        /// Warm-up instead of the file's.
        warm_up: Option<Nanos>,
    },
}

/// Which clients.
#[derive(Debug, Clone, PartialEq)]
pub enum Clients {
    /// These.
    Named(Vec<HostName>),
    /// All agents of a group.
    Group(String),
}

/// A reply, or none.
const REPLY: Bounds<Bytes> = Bounds { range: Bytes(0)..=Bytes(1 << 30), words: "0B to 1GiB" };
/// A pause before a burst.
const DELAY: Bounds<Nanos> = Bounds { range: Nanos(0)..=Nanos(3_600_000_000_000), words: "0s to 60min" };
/// Lines of a mix, as in IOmeter.
const MOST_LINES: usize = 100;

impl TypedLoad {
    /// What is meant.
    pub fn meaning(self) -> Result<LoadOrder, Failure> {
        let defaults = Load::default();
        let time = self.time.as_deref().map(|t| value::quantity("--time", t, &value::WINDOW)).transpose()?;
        let stop = Stop::Time(time.unwrap_or(defaults.time));
        let warm = self.warm_up.as_deref().map(|t| warm_up(Some(t), stop, defaults.warm_up)).transpose()?;
        let outstanding = self.outstanding.as_deref().map(|t| value::whole("--outstanding", t, 1..=65_536));
        let per_connection = self
            .transactions_per_connection
            .as_deref()
            .map(|t| value::whole("--transactions-per-connection", t, 1..=1_000_000_000));
        let settings = Load {
            outstanding: outstanding.transpose()?.map_or(defaults.outstanding, |n| n as u32),
            transactions_per_connection: per_connection.transpose()?.map(|n| n as u32),
            time: time.unwrap_or(defaults.time),
            warm_up: warm.unwrap_or(defaults.warm_up),
            ..defaults
        };
        let port = port("--port", self.port.as_deref())?;
        let source = match &self.icf {
            Some(file) => {
                let map = self.map.iter().map(|t| mapped(t)).collect::<Result<_, _>>()?;
                Source::Icf { file: file.clone(), map, network_only: self.network_only, time, warm_up: warm }
            }
            None => self.grid()?,
        };
        let socket = self.socket.meaning(settings.socket)?;
        let options = self.options.meaning()?;
        let settings = Load { socket, seed: options.seed.unwrap_or(settings.seed), ..settings };
        Ok(LoadOrder { source, settings, port, write_icf: self.write_icf, options })
    }

    fn grid(&self) -> Result<Source, Failure> {
        let defaults = Grid::default();
        let server = HostName::parse("SERVER", self.server.as_deref().unwrap_or_default())?;
        let clients = match (&self.clients, &self.group) {
            (Some(list), _) => Clients::Named(many::hosts("--clients", list)?),
            (None, Some(group)) => Clients::Group(group.clone()),
            (None, None) => {
                return Err(Failure::usage("the clients are missing")
                    .because("a load needs a server and at least one client")
                    .try_this(
                        "name them with --clients a,b,c or --group NAME; goodput hosts lists the agents",
                    ));
            }
        };
        if let Clients::Named(clients) = &clients
            && clients.contains(&server)
        {
            return Err(Failure::usage("the server is among its clients")
                .because("its own traffic would not pass its adapter")
                .try_this("leave it out of --clients"));
        }
        let count = |option: &str, typed: &Option<String>, most: u64, default: u64| {
            typed.as_deref().map_or(Ok(default), |t| value::whole(option, t, 1..=most))
        };
        let counts = list(self.client_counts.as_deref(), |t| value::whole("--client-counts", t, 1..=10_000))?;
        let sizes = list(self.size.as_deref(), |t| value::quantity("--size", t, &value::SIZE))?;
        let traffics = list(self.direction.as_deref(), |t| value::word("--direction", t, &TRAFFICS))?;
        let mix = self.mix.as_deref().map(mix).transpose()?;
        let grid = Grid {
            counts: counts.unwrap_or_default().into_iter().map(|n| n as u16).collect(),
            traffics: match &mix {
                // One set of lines has its reads and writes in it.
                Some(_) => vec![Traffic::Mixed],
                None => traffics.unwrap_or(defaults.traffics),
            },
            sizes: sizes.unwrap_or(defaults.sizes),
            mix,
            workers: count("--workers", &self.workers, 1_000, defaults.workers.into())? as u16,
            one_connection: self.one_connection,
            reads_percent: self
                .reads
                .as_deref()
                .map_or(Ok(defaults.reads_percent.into()), |t| value::whole("--reads", t, 0..=100))?
                as u8,
            reply: self
                .reply
                .as_deref()
                .map_or(Ok(defaults.reply), |t| value::quantity("--reply", t, &REPLY))?,
            burst: count("--burst", &self.burst, 1_000_000, defaults.burst.into())? as u32,
            delay: self
                .delay
                .as_deref()
                .map_or(Ok(defaults.delay), |t| value::quantity("--delay", t, &DELAY))?,
        };
        Ok(Source::Grid { server, clients, grid: Box::new(grid) })
    }
}

const TRAFFICS: [(&str, Traffic); 4] = [
    ("transmit", Traffic::Transmit),
    ("receive", Traffic::Receive),
    ("duplex", Traffic::Duplex),
    ("mixed", Traffic::Mixed),
];

/// The values of a list, each once.
fn list<T: PartialEq>(
    typed: Option<&str>,
    one: impl Fn(&str) -> Result<T, Failure>,
) -> Result<Option<Vec<T>>, Failure> {
    let Some(typed) = typed else { return Ok(None) };
    let mut values = Vec::new();
    for word in typed.split(',') {
        let value = one(word.trim())?;
        if values.contains(&value) {
            return Err(Failure::usage(format!("{} is refused", shown(typed)))
                .because(format!("{} is named twice", word.trim()))
                .try_this("name each once, or ask for more trials with --repeat"));
        }
        values.push(value);
    }
    Ok(Some(values))
}

/// The lines of a mix.
fn mix(typed: &str) -> Result<Vec<MixLine>, Failure> {
    let refuse = |why: String| {
        Failure::usage(format!("--mix {} is refused", shown(typed)))
            .because(why)
            .try_this("type SIZE:SHARE:READS[:REPLY] for each line, for example 4KiB:70:67,64KiB:30:100")
    };
    let mut lines = Vec::new();
    for word in typed.split(',') {
        let fields: Vec<&str> = word.trim().split(':').collect();
        let (size, share, reads, reply) = match fields[..] {
            [size, share, reads] => (size, share, reads, None),
            [size, share, reads, reply] => (size, share, reads, Some(reply)),
            _ => {
                return Err(refuse(format!("{} has {} fields instead of 3 or 4", shown(word), fields.len())));
            }
        };
        let percent = |field: &str| value::whole("--mix", field, 0..=100).map(|n| n as u8);
        lines.push(MixLine {
            share_percent: percent(share)?,
            reads_percent: percent(reads)?,
            reply: reply.map_or(Ok(Bytes(0)), |t| value::quantity("--mix", t, &REPLY))?,
            ..MixLine::plain(value::quantity("--mix", size, &value::SIZE)?, 0)
        });
    }
    let sum: u32 = lines.iter().map(|l| u32::from(l.share_percent)).sum();
    if sum != 100 {
        return Err(refuse(format!("the shares add up to {sum}, not to 100")));
    }
    if lines.len() > MOST_LINES {
        return Err(refuse(format!("{} lines, at most {MOST_LINES}", lines.len())));
    }
    Ok(lines)
}

/// `NAME=HOST` of `--map`.
pub fn mapped(typed: &str) -> Result<(String, String), Failure> {
    match typed.split_once('=') {
        Some((name, host)) if !name.is_empty() => {
            HostName::parse("--map", host)?;
            Ok((name.to_string(), host.to_string()))
        }
        _ => Err(Failure::usage(format!("--map {} is refused", shown(typed)))
            .because("it has no manager's name and host")
            .try_this("type --map SERVER=10.0.0.1")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mix_adds_up_to_a_hundred() {
        let lines = mix("4KiB:70:67,64KiB:30:100:512B").unwrap();
        assert_eq!((lines[0].size, lines[0].share_percent, lines[0].reads_percent), (Bytes(4096), 70, 67));
        assert_eq!(lines[1].reply, Bytes(512));
        for bad in ["", "4KiB", "4KiB:70:67", "4KiB:50:0,4KiB:51:0", "0B:100:0", "4K:100:0", "1KiB:100:101"] {
            assert!(mix(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lists_name_each_value_once() {
        let one = |t: &str| value::whole("--client-counts", t, 1..=20);
        assert_eq!(list(Some("1, 4,20"), one), Ok(Some(vec![1, 4, 20])));
        assert!(list(Some("1,1"), one).is_err() && list(Some("21"), one).is_err());
    }

    #[test]
    fn maps() {
        assert_eq!(mapped("SERVER=10.0.0.1"), Ok(("SERVER".into(), "10.0.0.1".into())));
        assert!(mapped("SERVER").is_err() && mapped("=x").is_err() && mapped("S=").is_err());
    }
}
