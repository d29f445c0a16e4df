//! How it was measured, in rows of name and value: the probe's settings, the sockets' options as asked and as
//! obtained, the machines and the window.

pub mod file;
pub mod load;

use crate::headline::{self, end_name};
use crate::table::cell::{bytes, count, nanos, per_second, rate_setting, size_setting, time_setting};
use crate::table::{Align, Cell, Table};
use goodput_model::datagram::{DatagramRate, Segmentation};
use goodput_model::probe::{Direction, Pattern, PingPongMethod, Probe, Receiver, RequestKind, Stop, Wait};
use goodput_model::summary::Summary;
use goodput_model::trial::{Role, SocketReport, Trial};
use goodput_model::{Datagram, EndReport, Latency, Mtu, Nanos, PingPong, Request, Setting, Stream};

/// The probe's settings, one row each.
pub fn probe_table(probe: &Probe) -> Table {
    let mut table = Table::new("Settings", &[("setting", Align::Left), ("value", Align::Left)]);
    let rows = match probe {
        Probe::PingPong(p) => pingpong(p),
        Probe::Stream(s) => stream(s),
        Probe::Request(r) => request(r),
        Probe::Mtu(m) => mtu(m),
        Probe::Datagram(d) => datagram(d),
        Probe::Latency(l) => latency(l),
        Probe::Load(l) => load::load(l),
        Probe::File(f) => file::file(f),
    };
    for (name, value) in rows {
        table.row([name.into(), value]);
    }
    table
}

/// A setting with its value.
fn row(name: &'static str, value: impl Into<Cell>) -> (&'static str, Cell) {
    (name, value.into())
}

fn pingpong(p: &PingPong) -> Vec<(&'static str, Cell)> {
    let sizes = match (p.sizes.first(), p.sizes.last()) {
        (Some(first), Some(last)) => format!(
            "{} sizes, {} to {}",
            count(p.sizes.len() as u64),
            size_setting(*first),
            size_setting(*last)
        ),
        _ => "none".into(),
    };
    let pattern = match p.pattern {
        Pattern::PingPong => "there and back; the time is half a round trip",
        Pattern::Streaming => "one way, timed by the receiver",
        Pattern::TwoWay => "both ways at once; the time is the whole exchange",
    };
    let mut rows = vec![row("message sizes", sizes), row("pattern", pattern)];
    match &p.method {
        PingPongMethod::Native { width_percent, cap, passes, batches, seed } => {
            rows.push(row("method", "native: median of batch medians with its 95 % interval"));
            rows.push(row(
                "stops when",
                format!(
                    "the interval is {width_percent} % wide after {passes} passes and {batches} batches, or after {} a size",
                    time_setting(*cap)
                ),
            ));
            rows.push(row("seed of the order", seed.to_string()));
        }
        PingPongMethod::Compat { trials, run_time, repeats, reset } => {
            rows.push(row("method", format!("NetPIPE 3.7.2: best of {trials} loops, one shared buffer")));
            rows.push(row(
                "loop",
                repeats.map_or_else(
                    || format!("about {}", time_setting(*run_time)),
                    |n| format!("{} repeats", count(n.into())),
                ),
            ));
            rows.push(row("new connection for each loop", yes(*reset)));
        }
    }
    rows.push(row("cold caches", yes(p.cold)));
    rows.push(row("every byte checked", yes(p.integrity)));
    rows
}

fn stream(s: &Stream) -> Vec<(&'static str, Cell)> {
    let direction = match s.direction {
        Direction::Send => "the connecting end sends",
        Direction::Receive => "the connecting end receives",
        Direction::Both => "both at once, on separate connections",
    };
    let receiver = match s.receiver {
        Receiver::Read => "read into a buffer",
        Receiver::Discard => "discarded by the kernel (MSG_TRUNC)",
    };
    vec![
        row("direction", direction),
        row("connections each way", count(s.connections.into())),
        row("message", size_setting(s.message)),
        row("sent by", headline::sender(s.sender)),
        row("received by", format!("{receiver}, up to {} a call{}", size_setting(s.read), coalescing(s))),
        row("stops", stop(s.stop)),
        row("warm-up, not counted", time_setting(s.warm_up)),
        row("interval of samples", time_setting(s.interval)),
    ]
}

/// How the receiver coalesces, or nothing.
fn coalescing(s: &Stream) -> String {
    let waits = |delay: Nanos| {
        format!(", receive coalescing: waits {} after a short read that returns at once", nanos(delay.0))
    };
    s.coalescing_delay().map(waits).unwrap_or_default()
}

fn request(r: &Request) -> Vec<(&'static str, Cell)> {
    let transport = match r.transport {
        RequestKind::TcpRr => "TCP, one connection (TCP_RR)",
        RequestKind::UdpRr => "UDP (UDP_RR)",
        RequestKind::TcpCrr => "TCP, a new connection for each transaction (TCP_CRR)",
    };
    let load = match r.rate {
        Some(rate) => format!("open: {} on schedule, latency from the intended time", per_second(rate)),
        None => format!("closed: {} outstanding", count(r.outstanding.into())),
    };
    let wait = match r.wait {
        Wait::Sleep => "asleep in the kernel",
        Wait::Spin => "spinning; costs a CPU at each end",
    };
    vec![
        row("transport", transport),
        row("request and response", format!("{} and {}", size_setting(r.request), size_setting(r.response))),
        row("loop", load),
        row("ends wait", wait),
        row("stops", stop(r.stop)),
        row("warm-up, not counted", time_setting(r.warm_up)),
    ]
}

fn datagram(d: &Datagram) -> Vec<(&'static str, Cell)> {
    let direction = match d.direction {
        Direction::Send => "the connecting end sends",
        Direction::Receive => "the connecting end receives",
        Direction::Both => "both at once, on separate sockets",
    };
    let rate = match d.rate {
        None => "as many as the kernel takes".to_string(),
        Some(DatagramRate::Datagrams(n)) => format!("{} in each direction", per_second(n)),
        Some(DatagramRate::Bits(bits)) => format!("{} of payload in each direction", rate_setting(bits)),
    };
    let offload = match d.offload {
        Segmentation::Auto => "UDP_SEGMENT and UDP_GRO where the kernel takes them",
        Segmentation::Plain => "one system call a datagram",
        Segmentation::Mmsg => "several datagrams a call (sendmmsg, recvmmsg)",
    };
    let wait = match d.wait {
        Wait::Sleep => "asleep in the kernel",
        Wait::Spin => "spinning; costs a CPU at each end",
    };
    let mut rows = vec![
        row("direction", direction.to_string()),
        row("flows each way", count(d.flows.into())),
        row("payload of a datagram", size_setting(d.size)),
        row("rate", rate),
        row("datagrams and calls", offload),
        row("ends wait", wait),
        row("stops", stop(d.stop)),
        row("warm-up, not counted", time_setting(d.warm_up)),
        row("interval of samples", time_setting(d.interval)),
    ];
    if d.rate.is_some() {
        rows.insert(4, row("offered together", count(d.burst.into())));
    }
    if let Some(s) = &d.search {
        let ceiling = match s.ceiling {
            None => String::new(),
            Some(DatagramRate::Datagrams(n)) => format!(", up to {}", per_second(n)),
            Some(DatagramRate::Bits(bits)) => format!(", up to {}", rate_setting(bits)),
        };
        let text = format!("highest rate with at most {} % lost{ceiling}", s.loss_percent);
        rows.push(row("search", text));
    }
    rows
}

fn mtu(m: &Mtu) -> Vec<(&'static str, Cell)> {
    let size = |size: Option<u32>, otherwise: &str| size.map_or(otherwise.into(), bytes);
    let packets = if m.icmp {
        "ICMP echo, don't-fragment set, the way there only"
    } else {
        "UDP, don't-fragment set, both directions at once"
    };
    vec![
        row("packets", packets),
        row("expected", size(m.expect, "nothing in particular")),
        row("largest tried", size(m.largest, "one above the sender's interface")),
        row("tries a size among known ones", count(m.tries.into())),
        row("wait for an answer", format!("four round trips, {} at the least", time_setting(m.timer))),
        row("search ends after", time_setting(m.time)),
    ]
}

fn latency(l: &Latency) -> Vec<(&'static str, Cell)> {
    let load = match l.load {
        None => "none: the path is idle".to_string(),
        Some(direction) => {
            let way = match direction {
                Direction::Send => "the connecting end sends",
                Direction::Receive => "the connecting end receives",
                Direction::Both => "both ways at once",
            };
            format!("TCP, {way}, {} connections each way", count(l.connections.into()))
        }
    };
    let wait = match l.wait {
        Wait::Sleep => "asleep in the kernel",
        Wait::Spin => "spinning; costs a CPU at each end",
    };
    vec![
        row("load", load),
        row(
            "probes",
            format!("UDP, {} and back, one each {}", size_setting(l.size), time_setting(l.interval)),
        ),
        row("ends wait", wait),
        row("stops", stop(Stop::Time(l.time))),
        row("warm-up, not counted", time_setting(l.warm_up)),
    ]
}

fn stop(stop: Stop) -> String {
    match stop {
        Stop::Time(t) => format!("after {}", time_setting(t)),
        Stop::Bytes(b) => format!("after {} in each direction", size_setting(b)),
        Stop::Count(n) => format!("after {} in each direction", count(n)),
    }
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// One socket option of one socket: name, asked, obtained, whether they differ.
struct Option3(&'static str, Option<Cell>, Option<Cell>, bool);

fn option<T: PartialEq + Clone, C: Into<Cell>>(
    name: &'static str,
    s: &Setting<T>,
    f: impl Fn(T) -> C,
) -> Option3 {
    let cell = |value: &Option<T>| value.clone().map(|v| f(v).into());
    Option3(name, cell(&s.asked), cell(&s.obtained), s.differs())
}

fn options(socket: &SocketReport) -> Vec<Option3> {
    vec![
        option("send buffer", &socket.send_buffer, size_setting),
        option("receive buffer", &socket.receive_buffer, size_setting),
        option("congestion control", &socket.congestion, |c| c),
        option("no-delay", &socket.no_delay, yes),
        option("pacing", &socket.pacing, rate_setting),
        Option3("segment size (MSS)", None, socket.mss.map(bytes), false),
        Option3("TCP timestamps", None, socket.timestamps.map(|is| yes(is).into()), false),
    ]
}

/// The sockets of these ends with a label each, which says what they do where `told` says so.
fn sockets_of(ends: &[EndReport], told: bool) -> Vec<(String, &SocketReport)> {
    let mut found = Vec::new();
    for end in ends {
        for direction in [Direction::Send, Direction::Receive, Direction::Both] {
            for receives in [false, true] {
                let flow = end.flows.iter().find(|f| f.direction == direction && f.receives == receives);
                let does = if receives { "receives" } else { "sends" };
                let label = if told { format!("{} {does}", end.host) } else { end.host.clone() };
                found.extend(flow.map(|f| (label, &f.socket)));
            }
        }
    }
    found
}

/// The sockets of a trial with a label each: from the stored reports where there are any, else from the summary.
fn sockets<'a>(summary: &'a Summary, trial: Option<&'a Trial>) -> Vec<(String, &'a SocketReport)> {
    let told = matches!(summary.probe, Probe::Stream(_) | Probe::Datagram(_) | Probe::Latency(_));
    let mut found = sockets_of(trial.map_or(&[][..], |t| &t.ends), told);
    if found.is_empty() {
        for d in summary.directions() {
            let (sender, receiver) = match d.direction {
                Direction::Receive => (Role::Listen, Role::Connect),
                _ => (Role::Connect, Role::Listen),
            };
            let label = |role, does: &str| format!("{} {does}", end_name(summary, role));
            found.extend(d.sender_socket.as_ref().map(|s| (label(sender, "sends"), s)));
            found.extend(d.receiver_socket.as_ref().map(|s| (label(receiver, "receives"), s)));
        }
    }
    found
}

/// Every socket option as asked and as obtained at each end; `None` when nothing is known.
pub fn socket_table(summary: &Summary, trial: Option<&Trial>) -> Option<Table> {
    table_of_sockets(&sockets(summary, trial))
}

fn table_of_sockets(sockets: &[(String, &SocketReport)]) -> Option<Table> {
    if sockets.is_empty() {
        return None;
    }
    let mut columns = vec![("option".to_string(), Align::Left), ("asked".to_string(), Align::Left)];
    columns.extend(sockets.iter().map(|(label, _)| (label.clone(), Align::Left)));
    let mut table = Table::new("Socket options, asked and obtained", &[]);
    table.columns = columns;
    let all: Vec<Vec<Option3>> = sockets.iter().map(|(_, s)| options(s)).collect();
    for row in 0..all[0].len() {
        let asked = all.iter().find_map(|o| o[row].1.clone());
        let mut cells = vec![all[0][row].0.into(), asked.unwrap_or_default()];
        for one in &all {
            let obtained = one[row].2.clone().unwrap_or_default();
            cells.push(if one[row].3 { obtained.followed(" (not as asked)") } else { obtained });
        }
        table.row_if_known(cells);
    }
    table.notes.push("Of each end's first connection. A buffer is what the application may fill.".into());
    Some(table)
}

/// Sentences for the options that were asked and not obtained.
pub fn not_as_asked(summary: &Summary) -> Vec<String> {
    let mut out = Vec::new();
    for (label, socket) in sockets(summary, None) {
        for Option3(name, asked, obtained, differs) in options(socket) {
            if differs {
                let words = |cell: Option<Cell>| cell.map(|c| c.to_string()).unwrap_or_default();
                let (asked, obtained) = (words(asked), words(obtained));
                out.push(format!("{label}: {name} {asked} asked, {obtained} obtained"));
            }
        }
    }
    out
}

/// The machines at both ends; `None` when the trial was not given.
pub fn machine_table(trial: Option<&Trial>) -> Option<Table> {
    let trial = trial.filter(|t| !t.ends.is_empty())?;
    let mut table = Table::new("Both ends", &[("", Align::Left)]);
    table.columns.extend(trial.ends.iter().map(|e| {
        let role = if e.role == Role::Connect { "connects" } else { "listens" };
        (format!("{} ({role})", e.host), Align::Left)
    }));
    let mut row = |name: &str, f: &dyn Fn(&goodput_model::EndReport) -> Cell| {
        let mut cells = vec![Cell::from(name)];
        cells.extend(trial.ends.iter().map(f));
        table.row_if_known(cells);
    };
    row("host name", &|e| (&e.facts.hostname).into());
    row("kernel", &|e| (&e.facts.kernel).into());
    row("CPU", &|e| (&e.facts.cpu_model).into());
    row("logical CPUs", &|e| count(e.facts.cpus.into()));
    row("goodput", &|e| (&e.facts.version).into());
    row("window", &|e| nanos(e.window.elapsed().0));
    row("clock known to", &|e| nanos(e.window.clock_error_ns).preceded("± "));
    row("notes", &|e| e.notes.join("; ").into());
    Some(table)
}
