//! Findings: a table of rules, each of which examines a trial and its summary. A rule has a stable id, a
//! severity and a place of display; its check yields a message and evidence each time it applies. The texts
//! are in `locales/`: `rule-ID` is the title, `.text` the sentence, `.try` the advice. To add a rule, add a
//! row, a function and the texts.

mod counter_totals;
mod cpu_and_buffers;
mod datagram;
mod driver;
pub mod file;
mod host;
pub mod load;
mod mtu;
mod relay;
mod settings;
mod setup;
mod trial_conditions;

use ShownAt::{Counters, Cpu, Figures, Result, Whole};
use goodput_model::Severity::{Error, Note, Warning};
use goodput_model::summary::Summary;
use goodput_model::{Arg, Finding, Message, Severity, Trial};
use goodput_words::typed::fixed;
use goodput_words::{message, message_argument};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownAt {
    Whole,
    /// The first figure of the section whose identifier begins with one of these.
    Figures(&'static [&'static str]),
    Result,
    Cpu,
    Counters,
}

pub struct Rule {
    pub id: &'static str,
    pub severity: Severity,
    pub shown_at: ShownAt,
    check: fn(&Trial, &Summary) -> Vec<Hit>,
}

struct Hit {
    text: Message,
    evidence: Vec<String>,
}

impl Hit {
    fn new(text: impl Into<Message>, evidence: impl IntoIterator<Item = String>) -> Hit {
        Hit { text: text.into(), evidence: evidence.into_iter().collect() }
    }
}

pub const LIMITED_PERCENT: f64 = 20.0;
pub const SATURATED_PERCENT: f64 = 95.0;
pub const STEAL_PERCENT: f64 = 5.0;
/// In per cent of the window.
pub const MISPLACED_PERCENT: f64 = 5.0;
pub const RETRANSMIT_PERCENT: f64 = 1.0;

const LOAD_TRAFFIC: ShownAt = Figures(&["size-traffic", "clients-traffic", "goodput"]);
const FILE_RATES: ShownAt = Figures(&["copies", "rows", "players-traffic", "classes"]);

/// In the order in which equally severe findings are shown.
#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    rule("intervals-do-not-add-up", Error, Whole, counter_totals::intervals),
    rule("receiver-total-differs", Error, Whole, counter_totals::receiver_total),
    rule("sender-total-differs", Error, Whole, counter_totals::sender_total),
    rule("ends-disagree", Error, Whole, counter_totals::both_ends),
    rule("datagram-account-negative", Error, Whole, datagram::overcounted),
    rule("datagram-totals-differ", Error, Whole, datagram::totals_differ),
    rule("above-limit", Error, Whole, counter_totals::above_limit),
    rule("file-data-differs", Error, Whole, file::unverified),
    rule("file-counts-differ", Error, Whole, file::differs),
    rule("faster-than-wire", Error, Whole, file::faster_than_wire),
    rule("window-too-short", Error, Whole, trial_conditions::too_short),
    rule("mtu-not-expected", Error, Result, mtu::not_expected),
    rule("relay-late", Error, Whole, relay::late),
    rule("partial-result", Warning, Whole, trial_conditions::partial),
    rule("client-excluded", Warning, LOAD_TRAFFIC, load::excluded),
    rule("client-idle", Warning, LOAD_TRAFFIC, load::idle_clients),
    rule("window-skew", Warning, LOAD_TRAFFIC, load::skew),
    rule("client-slow", Warning, LOAD_TRAFFIC, load::slow_clients),
    rule("connection-errors", Warning, LOAD_TRAFFIC, load::connection_errors),
    rule("clients-cpu-saturated", Warning, Cpu, load::clients_saturated),
    rule("adapter-differs", Warning, Counters, load::adapter_differs),
    rule("accepted-by-cache", Warning, FILE_RATES, file::accepted_by_cache),
    rule("read-from-cache", Warning, FILE_RATES, file::from_cache),
    rule("server-cache-warm", Warning, FILE_RATES, file::server_cache),
    rule("no-disk", Warning, FILE_RATES, file::in_memory),
    rule("direct-not-obtained", Warning, Whole, file::not_direct),
    rule("unexpected-operations", Warning, Figures(&["players-traffic", "classes"]), file::unexpected),
    rule("stamping-cost", Warning, Figures(&["players-traffic", "classes"]), file::stamping),
    rule("file-cpu-saturated", Warning, Cpu, cpu_and_buffers::saturated_by_files),
    rule("latency-count-differs", Warning, Figures(&["latency"]), counter_totals::latency_count),
    rule("held-back-at-sender", Warning, Figures(&["goodput"]), datagram::sender_limited),
    rule("datagrams-refused", Warning, Result, datagram::refused),
    rule("lost-at-receiver-socket", Warning, Result, datagram::lost_at_socket),
    rule("lost-in-receiving-host", Warning, Result, datagram::lost_in_host),
    rule("lost-on-path", Warning, Result, datagram::lost_on_path),
    rule("loss-unresolved", Warning, Result, datagram::unresolved),
    rule("datagrams-copied", Warning, Result, datagram::copied),
    rule("datagrams-sent-late", Warning, Result, datagram::late_datagrams),
    rule("datagrams-malformed", Warning, Result, datagram::malformed),
    rule("congestion-differs", Warning, Whole, settings::congestion),
    rule("setting-differs", Warning, Whole, settings::others),
    rule("shared-run", Warning, Whole, trial_conditions::shared_run),
    rule("steal", Warning, Cpu, cpu_and_buffers::steal),
    rule("cpu-not-of-window", Warning, Cpu, cpu_and_buffers::misplaced),
    rule("cpu-saturated", Warning, Cpu, cpu_and_buffers::saturated),
    rule("receiver-window-limited", Warning, Figures(&["goodput"]), cpu_and_buffers::receiver_window),
    rule("send-buffer-limited", Warning, Figures(&["goodput"]), cpu_and_buffers::send_buffer),
    rule("zero-copy-copied", Warning, Figures(&["goodput"]), trial_conditions::zero_copy),
    rule("mtu-black-hole", Warning, Result, mtu::black_hole),
    rule("mtu-below-least", Warning, Result, mtu::below_least),
    rule("mtu-interfaces-differ", Warning, Result, mtu::interfaces_differ),
    rule("mtu-asymmetric", Warning, Result, mtu::asymmetric),
    rule("mtu-undecided", Warning, Result, mtu::undecided),
    rule("mtu-route-differs", Note, Result, mtu::route_differs),
    rule("mtu-smaller-link", Note, Result, mtu::smaller_link),
    rule("interface-errors", Warning, Counters, host::interface_errors),
    rule("interface-drops", Warning, Counters, host::interface_drops),
    rule("queue-drops", Warning, Counters, host::queue_drops),
    rule("softnet-drops", Warning, Counters, host::softnet_drops),
    rule("protocol-losses", Warning, Counters, host::protocol_losses),
    rule("retransmits", Warning, Figures(&["goodput"]), host::retransmits),
    rule("told-to-wait", Warning, Counters, driver::driver_pause_frames),
    rule("driver-losses", Warning, Counters, driver::losses),
    rule("allowance-exceeded", Warning, Counters, driver::capped),
    rule("kernel-warnings", Warning, Counters, host::kernel_warnings),
    rule("half-duplex", Warning, Whole, setup::half_duplex),
    rule("slow-link", Warning, Whole, setup::slow_link),
    rule("narrow-slot", Warning, Whole, setup::narrow_slot),
    rule("slow-governor", Warning, Whole, setup::slow_governor),
    rule("server-cpu-saturated", Note, Cpu, load::server_saturated),
    rule("medium-reached", Note, LOAD_TRAFFIC, load::medium_reached),
    rule("cap-reached", Note, Figures(&["time", "throughput"]), trial_conditions::cap_reached),
    rule("datagrams-reordered", Note, Result, datagram::reordered),
    rule("offload-not-used", Note, Result, datagram::not_offloaded),
    rule("not-available", Note, Result, datagram::not_available),
    rule("server-cache-unknown", Note, FILE_RATES, file::server_cache_unknown),
    rule("cache-took-part", Note, FILE_RATES, file::cached),
    rule("not-durable", Note, FILE_RATES, file::not_durable),
    rule("share-encrypted", Note, Whole, file::encrypted),
    rule("share-signed", Note, Whole, file::signed),
    rule("file-system-compresses", Note, Whole, file::compresses),
    rule("shared-cpu", Note, Cpu, cpu_and_buffers::shared_cpu),
    rule("no-cpu-figure", Note, Cpu, cpu_and_buffers::no_figure),
    rule("feature-refused", Note, Whole, setup::refused_features),
    rule("receive-coalescing", Note, Figures(&["goodput"]), trial_conditions::receive_coalescing),
    rule("relayed", Note, Whole, relay::relayed),
    rule("kernel-messages", Note, Counters, host::kernel_notes),
    rule("counter-note", Note, Counters, host::counter_notes),
    rule("measurement-note", Note, Whole, trial_conditions::notes),
];

const fn rule(
    id: &'static str,
    severity: Severity,
    shown_at: ShownAt,
    check: fn(&Trial, &Summary) -> Vec<Hit>,
) -> Rule {
    Rule { id, severity, shown_at, check }
}

pub fn shown_at(id: &str) -> ShownAt {
    match (RULES.iter().find(|rule| rule.id == id), id) {
        (Some(rule), _) => rule.shown_at,
        (None, "point-failed") => LOAD_TRAFFIC,
        (None, "pe-not-comparable") => Figures(&["size-pe"]),
        (None, _) => Whole,
    }
}

pub fn findings(trial: &Trial, summary: &Summary) -> Vec<Finding> {
    let mut found: Vec<Finding> = RULES
        .iter()
        .flat_map(|rule| (rule.check)(trial, summary).into_iter().map(move |hit| (rule, hit)))
        .map(|(rule, hit)| Finding {
            id: rule.id.to_string(),
            severity: rule.severity,
            text: hit.text,
            evidence: hit.evidence,
            try_next: advice(rule.id),
        })
        .collect();
    found.sort_by_key(|f| std::cmp::Reverse(f.severity));
    found
}

fn mbit(bits_per_second: u64) -> Arg {
    message_argument::fixed(bits_per_second as f64 / 1e6, 2, "Mbit/s")
}

fn of_host(host: &str, note: &str) -> Message {
    message!(finding_of_side { side: host, finding: Message::from(note) })
}

fn medium(summary: &Summary) -> Arg {
    match summary.limit.by() {
        Some(name) => name.into(),
        None => message!(clause_the_medium).into(),
    }
}

pub fn advice(id: &str) -> Message {
    fixed(&format!("rule-{}.try", id.replace('.', "-"))).unwrap_or_default()
}
