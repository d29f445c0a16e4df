//! How it was measured: probe settings, socket options, machines, window.

use crate::display_text::{DisplayText, semicolon_list};
use crate::probe::{self, yes_or_no};
use crate::table::cell::{bytes, count, nanos, rate_setting, size_setting};
use crate::table::host_cpu_usage::host_with_role;
use crate::table::{Align, Cell, Table};
use crate::wording::endpoint_name;
use goodput_model::probe::{Probe, TransferDirection};
use goodput_model::summary::TrialSummary;
use goodput_model::trial::{EndpointRole, SocketReport, Trial};
use goodput_model::{EndpointReport, Message, MessageArg, Setting};
use goodput_words::message;

pub fn probe_settings_table(probe: &Probe) -> Table {
    let mut table = Table::new("Settings", &[("setting", Align::Left), ("value", Align::Left)]);
    for (name, value) in probe::probe_report(probe).settings_rows() {
        table.add_row([name.into(), value]);
    }
    table
}

struct Option3(&'static str, Option<Cell>, Option<Cell>, bool);

fn option<T: PartialEq + Clone, C: Into<Cell>>(
    name: &'static str,
    s: &Setting<T>,
    f: impl Fn(T) -> C,
) -> Option3 {
    let cell = |value: &Option<T>| value.clone().map(|v| f(v).into());
    Option3(name, cell(&s.asked), cell(&s.obtained), s.differs_from_requested())
}

fn options(socket: &SocketReport) -> Vec<Option3> {
    let negotiated = |name, is: Option<bool>| Option3(name, None, is.map(|is| yes_or_no(is).into()), false);
    // Options of a segment leave less of it for user data: that is no difference.
    let exceeded = socket.segment_size_asked.zip(socket.mss).is_some_and(|(asked, mss)| mss > asked);
    vec![
        option("send buffer", &socket.send_buffer, size_setting),
        option("receive buffer", &socket.receive_buffer, size_setting),
        option("congestion control", &socket.congestion, |c| c),
        option("TCP_NODELAY", &socket.no_delay, yes_or_no),
        option("pacing", &socket.pacing, rate_setting),
        Option3("segment size (MSS)", socket.segment_size_asked.map(bytes), socket.mss.map(bytes), exceeded),
        negotiated("TCP timestamps", socket.timestamps),
        negotiated("TCP window scaling", socket.window_scaling),
        negotiated("TCP selective acknowledgements", socket.selective_acks),
        negotiated("TCP ECN", socket.ecn),
    ]
}

fn host_of_flow(host: &str, receives: bool) -> Message {
    if receives { message!(report_host_receives { host }) } else { message!(report_host_sends { host }) }
}

pub(crate) fn labeled_sockets(ends: &[EndpointReport], told: bool) -> Vec<(Message, &SocketReport)> {
    let mut found = Vec::new();
    for end in ends {
        for direction in [TransferDirection::Send, TransferDirection::Receive, TransferDirection::Both] {
            for receives in [false, true] {
                let flow = end.flows.iter().find(|f| f.direction == direction && f.receives == receives);
                let label = if told { host_of_flow(&end.host, receives) } else { (&end.host).into() };
                found.extend(flow.map(|f| (label, &f.socket)));
            }
        }
    }
    found
}

fn sockets<'a>(summary: &'a TrialSummary, trial: Option<&'a Trial>) -> Vec<(Message, &'a SocketReport)> {
    let told = matches!(summary.probe, Probe::Stream(_) | Probe::Datagram(_) | Probe::Latency(_));
    let mut found = labeled_sockets(trial.map_or(&[][..], |t| &t.ends), told);
    if found.is_empty() {
        for d in summary.direction_summaries() {
            let (sender, receiver) = match d.direction {
                TransferDirection::Receive => (EndpointRole::Listen, EndpointRole::Connect),
                _ => (EndpointRole::Connect, EndpointRole::Listen),
            };
            let label = |role, receives| host_of_flow(&endpoint_name(summary, role), receives);
            found.extend(d.sender_socket.as_ref().map(|s| (label(sender, false), s)));
            found.extend(d.receiver_socket.as_ref().map(|s| (label(receiver, true), s)));
        }
    }
    found
}

pub fn socket_options_table(summary: &TrialSummary, trial: Option<&Trial>) -> Option<Table> {
    build_socket_table(&sockets(summary, trial))
}

pub(crate) fn build_socket_table(sockets: &[(Message, &SocketReport)]) -> Option<Table> {
    if sockets.is_empty() {
        return None;
    }
    let columns = [("socket option", Align::Left), ("requested", Align::Left)];
    let mut table = Table::new("Socket options: requested and obtained", &columns);
    table.columns.extend(sockets.iter().map(|(label, _)| (DisplayText::from(label), Align::Left)));
    let all: Vec<Vec<Option3>> = sockets.iter().map(|(_, s)| options(s)).collect();
    for row in 0..all[0].len() {
        let asked = all.iter().find_map(|o| o[row].1.clone()).unwrap_or_default();
        let obtained = all.iter().map(|one| match &one[row] {
            Option3(.., obtained, true) => obtained
                .clone()
                .unwrap_or_default()
                .worded(|value| message!(report_not_as_asked_cell { value })),
            Option3(.., obtained, false) => obtained.clone().unwrap_or_default(),
        });
        table.add_row_unless_empty(all[0][row].0, std::iter::once(asked).chain(obtained));
    }
    table.notes.push(
        "Options of the first connection at each end. The buffer size is what the application can fill."
            .into(),
    );
    Some(table)
}

pub fn unmet_socket_options(summary: &TrialSummary) -> Vec<Message> {
    let mut out = Vec::new();
    for (label, socket) in sockets(summary, None) {
        for Option3(name, asked, obtained, differs) in options(socket) {
            if differs {
                let value = |cell: Option<Cell>| cell.map(MessageArg::from).unwrap_or_default();
                out.push(message!(report_socket_option_unmet {
                    label: label.clone(),
                    option: Message::from(name),
                    asked: value(asked),
                    obtained: value(obtained)
                }));
            }
        }
    }
    out
}

pub fn host_environment_table(trial: Option<&Trial>) -> Option<Table> {
    let trial = trial.filter(|t| !t.ends.is_empty())?;
    let mut table = Table::new("Hosts at both ends", &[("", Align::Left)]);
    let column = |e: &EndpointReport| (DisplayText::from(host_with_role(&e.host, e.role)), Align::Left);
    table.columns.extend(trial.ends.iter().map(column));
    let mut row = |name: &str, f: &dyn Fn(&EndpointReport) -> Cell| {
        table.add_row_unless_empty(name, trial.ends.iter().map(f));
    };
    row("host name", &|e| (&e.facts.hostname).into());
    row("kernel", &|e| (&e.facts.kernel).into());
    row("CPU", &|e| (&e.facts.cpu_model).into());
    row("logical CPUs", &|e| count(e.facts.cpus.into()));
    row("goodput", &|e| (&e.facts.version).into());
    row("measurement window", &|e| nanos(e.window.elapsed().0));
    row("clock uncertainty", &|e| nanos(e.window.clock_error_ns).with_prefix("± "));
    row("notes", &|e| semicolon_list(e.notes.iter().map(Message::from)).into());
    Some(table)
}
