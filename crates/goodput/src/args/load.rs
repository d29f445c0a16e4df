//! `goodput load`: one server and many clients.

use super::ProbeInvocation;
use super::host_name::{HostList, HostName, parse_iometer_manager_host};
use super::measure_args::MeasureOptions;
use super::socket::SocketArgs;
use super::value_parsers::{
    self, CommaList, NamedChoices, ValueError, comma_list_parser, parse_integer, quote_value,
};
use crate::failure::Failure;
use clap::Args;
use goodput_analysis::load_grid::LoadGrid;
use goodput_interop::iometer::{DiskWorkerPolicy, StageSettings};
use goodput_model::load::{Load, RequestMixLine, TrafficPattern};
use goodput_model::{Bytes, Message, Nanos};
use goodput_words::message;
use std::path::PathBuf;

/// Throughput and CPU of one server with many clients
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput load server --clients c[1-8]        13 request sizes in 3 directions
  goodput load server --clients c[1-8] --client-counts 1,2,4,8 --size 64KiB
  goodput load server --group lab --mix 4KiB:70:67,64KiB:30:100 --direction mixed")]
pub struct Arguments {
    /// Server, which must run an agent: address, name, or lab:NAME
    #[arg(value_name = "SERVER", required_unless_present = "icf")]
    server: Option<HostName>,
    /// Clients, each with an agent: a,b or c[1-20]
    #[arg(long, value_name = "LIST", conflicts_with = "icf")]
    clients: Option<HostList>,
    /// Use the agents of this group or label as clients
    #[arg(long, value_name = "GROUP", conflicts_with_all = ["icf", "clients"])]
    group: Option<String>,
    /// Request sizes [default: 64B,128B, … 256KiB]
    #[arg(long, value_name = "LIST", value_parser = comma_list_parser(|t: &str| value_parsers::MESSAGE_SIZE_RANGE.parse(t)))]
    size: Option<CommaList<Bytes>>,
    /// Directions to measure, as seen from the server [default: transmit,receive,duplex]
    ///
    /// Possible directions: transmit, receive, duplex, mixed.
    #[arg(long, value_name = "LIST", value_parser = comma_list_parser(|t: &str| TRAFFICS.parse(t)))]
    direction: Option<CommaList<TrafficPattern>>,
    /// Numbers of clients to measure with, one measurement for each, for example 1,4,8 [default: all clients]
    #[arg(long, value_name = "LIST", value_parser = comma_list_parser(parse_integer::<u16>(1..=10_000)))]
    client_counts: Option<CommaList<u16>>,
    /// Load generators per client in each direction
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_integer::<u16>(1..=1_000), hide_short_help = true)]
    workers: u16,
    /// In duplex, use one connection for both directions instead of one generator per direction
    #[arg(long, hide_short_help = true)]
    one_connection: bool,
    /// Percentage of requests that the server receives (direction mixed only)
    #[arg(long, value_name = "PERCENT", default_value = "50", value_parser = parse_integer::<u8>(0..=100))]
    #[arg(hide_short_help = true)]
    reads: u8,
    /// Mix of request sizes instead of --size, as SIZE:SHARE:READS (in per cent), for example
    /// 4KiB:70:67,64KiB:30:100
    ///
    /// Each entry is SIZE:SHARE:READS[:REPLY]; the shares must add up to 100.
    #[arg(long, value_name = "LINES", hide_short_help = true)]
    #[arg(conflicts_with_all = ["size", "direction", "reads", "reply", "one_connection"])]
    mix: Option<Mix>,
    /// Size of the reply to each request
    #[arg(long, value_name = "SIZE", default_value = "0B", value_parser = value_parsers::REPLY_SIZE_RANGE, hide_short_help = true)]
    reply: Bytes,
    /// Maximum requests in flight per connection, if --reply is set
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_integer::<u32>(1..=65_536), hide_short_help = true)]
    outstanding: u32,
    /// Number of transactions per burst
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_integer::<u32>(1..=1_000_000))]
    #[arg(hide_short_help = true)]
    burst: u32,
    /// Idle time before each burst
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = value_parsers::WARM_UP_RANGE, hide_short_help = true)]
    delay: Nanos,
    /// Open a new connection after this many transactions (connection-rate mode)
    #[arg(long, value_name = "N", value_parser = parse_integer::<u32>(1..=1_000_000_000), hide_short_help = true)]
    transactions_per_connection: Option<u32>,
    /// Duration of the measurement at each point [default: 5s]
    #[arg(long, value_name = "TIME", value_parser = value_parsers::MEASUREMENT_WINDOW_RANGE)]
    time: Option<Nanos>,
    /// Warm-up before each measurement, not counted [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = value_parsers::WARM_UP_RANGE, hide_short_help = true)]
    warm_up: Option<Nanos>,
    /// Read the load from an IOmeter configuration file (.icf)
    ///
    /// Check the file with `goodput icf check`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["size", "direction", "client_counts", "workers", "one_connection",
        "reads", "mix", "reply", "outstanding", "burst", "delay", "transactions_per_connection"])]
    icf: Option<PathBuf>,
    /// Host to use for a manager in the .icf file, as MANAGER=HOST; may be repeated
    #[arg(long, value_name = "NAME=HOST", requires = "icf", hide_short_help = true, value_parser = parse_iometer_manager_host)]
    map: Vec<(String, String)>,
    /// Ignore the disk workers in the .icf file
    #[arg(long, requires = "icf", hide_short_help = true)]
    network_only: bool,
    /// Write the load as an .icf file for IOmeter, without measuring
    #[arg(long, value_name = "FILE", conflicts_with = "icf", hide_short_help = true)]
    write_icf: Option<PathBuf>,
    #[command(flatten)]
    socket: SocketArgs,
    #[command(flatten)]
    options: MeasureOptions,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LoadInvocation {
    pub source: LoadPlanSource,
    pub settings: Load,
    /// File to write the load to, for IOmeter, instead of measuring.
    pub write_icf: Option<PathBuf>,
    pub options: MeasureOptions,
}

#[derive(Debug, Clone, PartialEq)]
pub enum LoadPlanSource {
    Grid { server: HostName, clients: LoadClients, grid: Box<LoadGrid> },
    Icf { file: PathBuf, stages: Box<StageSettings> },
}

#[derive(Debug, Clone, PartialEq)]
pub enum LoadClients {
    Named(Vec<HostName>),
    Group(String),
}

const TRAFFICS: NamedChoices<TrafficPattern> = NamedChoices(&[
    ("transmit", TrafficPattern::Transmit),
    ("receive", TrafficPattern::Receive),
    ("duplex", TrafficPattern::Duplex),
    ("mixed", TrafficPattern::Mixed),
]);

impl Arguments {
    pub fn into_invocation(self) -> Result<ProbeInvocation, Failure> {
        Ok(ProbeInvocation::Load(Box::new(self.try_into()?)))
    }
}

impl TryFrom<Arguments> for LoadInvocation {
    type Error = Failure;

    fn try_from(args: Arguments) -> Result<LoadInvocation, Failure> {
        let defaults = Load::default();
        let settings = Load {
            outstanding: args.outstanding,
            transactions_per_connection: args.transactions_per_connection,
            time: args.time.unwrap_or(defaults.time),
            warm_up: args.warm_up.unwrap_or(defaults.warm_up),
            seed: args.options.seed.unwrap_or(defaults.seed),
            socket: args.socket.with_defaults(defaults.socket),
            ..defaults
        };
        let source = match args.icf {
            Some(file) => {
                let disk =
                    if args.network_only { DiskWorkerPolicy::LeaveOut } else { DiskWorkerPolicy::Refuse };
                let (base, map, time, warm_up) = (settings.clone(), args.map, args.time, args.warm_up);
                let stages = Box::new(StageSettings { base, map, disk, time, warm_up });
                LoadPlanSource::Icf { file, stages }
            }
            None => {
                let (server, clients) = hosts(args.server, args.clients, args.group)?;
                let defaults = LoadGrid::default();
                let grid = LoadGrid {
                    counts: args.client_counts.map_or_else(Vec::new, |counts| counts.0),
                    traffics: match (&args.mix, args.direction) {
                        // The lines of a mix contain its reads and writes.
                        (Some(_), _) => vec![TrafficPattern::Mixed],
                        (None, directions) => directions.map_or(defaults.traffics, |list| list.0),
                    },
                    sizes: args.size.map_or(defaults.sizes, |sizes| sizes.0),
                    mix: args.mix.map(|mix| mix.0),
                    workers: args.workers,
                    one_connection: args.one_connection,
                    reads_percent: args.reads,
                    reply: args.reply,
                    burst: args.burst,
                    delay: args.delay,
                };
                LoadPlanSource::Grid { server, clients, grid: Box::new(grid) }
            }
        };
        Ok(LoadInvocation { source, settings, write_icf: args.write_icf, options: args.options })
    }
}

super::args_as!(Arguments => LoadInvocation);

fn hosts(
    server: Option<HostName>,
    clients: Option<HostList>,
    group: Option<String>,
) -> Result<(HostName, LoadClients), Failure> {
    let clients = match (clients, group) {
        (Some(list), _) => Some(LoadClients::Named(list.0)),
        (None, group) => group.map(LoadClients::Group),
    };
    let (Some(server), Some(clients)) = (server, clients) else {
        return Err(Failure::usage_error("the clients are missing")
            .with_cause("a load needs a server and at least one client")
            .with_hint("name them with --clients a,b,c or --group NAME; goodput hosts lists the agents"));
    };
    match &clients {
        LoadClients::Named(list) if list.contains(&server) => {
            Err(Failure::usage_error("the server is among its clients")
                .with_cause("its own traffic would not pass its adapter")
                .with_hint("remove it from --clients"))
        }
        _ => Ok((server, clients)),
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Mix(Vec<RequestMixLine>);

const MAX_LINES: usize = 100;

impl std::str::FromStr for Mix {
    type Err = ValueError;

    fn from_str(typed: &str) -> Result<Mix, ValueError> {
        const HINT: &str = "type SIZE:SHARE:READS[:REPLY] for each line, for example 4KiB:70:67,64KiB:30:100";
        let refuse = |why: Message| ValueError::new(why, HINT);
        let percent = parse_integer::<u8>(0..=100);
        let mut lines = Vec::new();
        for word in typed.split(',') {
            let fields: Vec<&str> = word.trim().split(':').collect();
            let (size, share, reads, reply) = match fields[..] {
                [size, share, reads] => (size, share, reads, "0B"),
                [size, share, reads, reply] => (size, share, reads, reply),
                _ => {
                    let (line, count) = (quote_value(word), fields.len().to_string());
                    return Err(refuse(message!(cause_args_mix_fields { line, count })));
                }
            };
            lines.push(RequestMixLine {
                share_percent: percent(share)?,
                reads_percent: percent(reads)?,
                reply: value_parsers::REPLY_SIZE_RANGE.parse(reply)?,
                ..RequestMixLine::single_size(value_parsers::MESSAGE_SIZE_RANGE.parse(size)?, 0)
            });
        }
        let sum: u32 = lines.iter().map(|l| u32::from(l.share_percent)).sum();
        if sum != 100 {
            return Err(refuse(message!(cause_args_shares_sum { sum: sum.to_string() })));
        }
        if lines.len() > MAX_LINES {
            let (count, most) = (lines.len().to_string(), MAX_LINES.to_string());
            return Err(refuse(message!(cause_args_mix_lines { count, most })));
        }
        Ok(Mix(lines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mix_adds_up_to_a_hundred() {
        let Mix(lines) = "4KiB:70:67,64KiB:30:100:512B".parse().unwrap();
        assert_eq!((lines[0].size, lines[0].share_percent, lines[0].reads_percent), (Bytes(4096), 70, 67));
        assert_eq!(lines[1].reply, Bytes(512));
        for bad in ["", "4KiB", "4KiB:70:67", "4KiB:50:0,4KiB:51:0", "0B:100:0", "4K:100:0", "1KiB:100:101"] {
            assert!(bad.parse::<Mix>().is_err(), "{bad}");
        }
    }
}
