//! Findings: a table of rules, each of which examines a trial and its summary. A rule has a stable id, a
//! severity and a place of display; its check yields a message and evidence each time it applies, which
//! `repeated.rs` combines. The texts are in `locales/`: `rule-ID` is the title, `.text` the sentence, `.try`
//! the advice. To add a rule, add a row, a function and the texts.

mod counter_totals;
mod cpu_and_buffers;
mod datagram;
mod driver;
pub mod file_findings;
mod host;
pub mod load_findings;
mod mtu;
mod relay;
mod repeated;
mod settings;
mod setup;
mod trial_conditions;

pub(crate) use host::{count_interface_drops, softnet_drops};

use FindingSection::{Counters, Cpu, Figures, Result, Whole};
use goodput_model::Severity::{Error, Note, Warning};
use goodput_model::summary::TrialSummary;
use goodput_model::{Finding, Message, MessageArg, Severity, Trial};
use goodput_words::typed_message::message_without_args;
use goodput_words::{message, message_argument};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingSection {
    Whole,
    /// The first figure of the section whose identifier begins with one of these.
    Figures(&'static [&'static str]),
    Result,
    Cpu,
    Counters,
}

pub struct FindingRule {
    pub id: &'static str,
    pub severity: Severity,
    pub shown_at: FindingSection,
    check: fn(&Trial, &TrialSummary) -> Vec<Hit>,
}

/// Names that a list in a sentence has at most.
const NAMES: usize = 5;

struct Hit {
    text: Message,
    evidence: Vec<String>,
}

impl Hit {
    fn new(text: impl Into<Message>, evidence: impl IntoIterator<Item = String>) -> Hit {
        Hit { text: text.into(), evidence: evidence.into_iter().collect() }
    }
}

pub const MIN_BUFFER_LIMITED_TIME_PERCENT: f64 = 20.0;
pub const MIN_SATURATED_CPU_PERCENT: f64 = 95.0;
pub const MAX_STEAL_PERCENT: f64 = 5.0;
/// Goodput and the rate of arrival may differ by this share.
pub const MAX_UNREAD_PERCENT: f64 = 1.0;
/// In per cent of the window.
pub const MAX_CPU_SNAPSHOT_OFFSET_PERCENT: f64 = 5.0;
pub const MAX_RETRANSMIT_PERCENT: f64 = 1.0;

const LOAD_TRAFFIC: FindingSection = Figures(&["size-traffic", "clients-traffic", "goodput"]);
const FILE_RATES: FindingSection = Figures(&["copies", "rows", "players-traffic", "classes"]);

/// In the order in which equally severe findings are shown.
#[rustfmt::skip]
pub const FINDING_RULES: &[FindingRule] = &[
    rule("intervals-do-not-add-up", Error, Whole, counter_totals::check_interval_totals),
    rule("receiver-total-differs", Error, Whole, counter_totals::check_receiver_total),
    rule("sender-total-differs", Error, Whole, counter_totals::check_sender_total),
    rule("ends-disagree", Error, Whole, counter_totals::check_both_ends_totals),
    rule("datagram-account-negative", Error, Whole, datagram::check_overcounted_losses),
    rule("datagram-totals-differ", Error, Whole, datagram::check_datagram_totals),
    rule("above-limit", Error, Whole, counter_totals::check_goodput_above_limit),
    rule("file-data-differs", Error, Whole, file_findings::check_unverified_data),
    rule("file-counts-differ", Error, Whole, file_findings::check_operation_counts),
    rule("faster-than-wire", Error, Whole, file_findings::check_faster_than_wire),
    rule("mtu-not-expected", Error, Result, mtu::check_unexpected_mtu),
    rule("relay-late", Error, Whole, relay::check_emulated_link_lateness),
    rule("partial-result", Warning, Whole, trial_conditions::check_partial_trial),
    rule("window-too-short", Warning, Whole, trial_conditions::check_measurement_window_too_short),
    rule("client-excluded", Warning, LOAD_TRAFFIC, load_findings::check_excluded_clients),
    rule("client-idle", Warning, LOAD_TRAFFIC, load_findings::check_idle_clients),
    rule("window-skew", Warning, LOAD_TRAFFIC, load_findings::check_measurement_window_skew),
    rule("client-slow", Warning, LOAD_TRAFFIC, load_findings::check_slow_clients),
    rule("connection-errors", Warning, LOAD_TRAFFIC, load_findings::check_connection_errors),
    rule("clients-cpu-saturated", Warning, Cpu, load_findings::check_clients_saturated),
    rule("adapter-differs", Warning, Counters, load_findings::check_adapter_bytes_differ),
    rule("accepted-by-cache", Warning, FILE_RATES, file_findings::check_write_accepted_by_cache),
    rule("read-from-cache", Warning, FILE_RATES, file_findings::check_read_from_cache),
    rule("server-cache-warm", Warning, FILE_RATES, file_findings::check_server_cache_warm),
    rule("no-disk", Warning, FILE_RATES, file_findings::check_memory_file_system),
    rule("direct-not-obtained", Warning, Whole, file_findings::check_not_direct_io),
    rule("unexpected-operations", Warning, Figures(&["players-traffic", "classes"]), file_findings::check_unexpected_operation_results),
    rule("stamping-cost", Warning, Figures(&["players-traffic", "classes"]), file_findings::check_block_stamping_time),
    rule("file-cpu-saturated", Warning, Cpu, cpu_and_buffers::check_cpu_saturated_by_files),
    rule("latency-count-differs", Warning, Figures(&["latency"]), counter_totals::check_latency_count),
    rule("held-back-at-sender", Warning, Figures(&["goodput"]), datagram::check_requested_rate_not_reached),
    rule("datagrams-refused", Warning, Result, datagram::check_refused_sends),
    rule("lost-at-receiver-socket", Warning, Result, datagram::check_datagrams_lost_at_socket),
    rule("lost-in-receiving-host", Warning, Result, datagram::check_datagrams_lost_in_host),
    rule("lost-in-sender-queue", Warning, Result, datagram::check_datagrams_lost_in_sender_queue),
    rule("lost-on-path", Warning, Result, datagram::check_datagrams_lost_on_path),
    rule("loss-unresolved", Warning, Result, datagram::check_unattributed_losses),
    rule("datagrams-copied", Warning, Result, datagram::check_duplicated_datagrams),
    rule("datagrams-sent-late", Warning, Result, datagram::check_datagrams_sent_late),
    rule("datagrams-malformed", Warning, Result, datagram::check_malformed_datagrams),
    rule("congestion-differs", Warning, Whole, settings::check_congestion_control_differs),
    rule("setting-differs", Warning, Whole, settings::check_socket_settings_differ),
    rule("shared-run", Warning, Whole, trial_conditions::check_concurrent_trials),
    rule("steal", Warning, Cpu, cpu_and_buffers::check_cpu_steal),
    rule("cpu-not-of-window", Warning, Cpu, cpu_and_buffers::check_cpu_snapshot_offset),
    rule("cpu-saturated", Warning, Cpu, cpu_and_buffers::check_cpu_saturated),
    rule("receiver-window-limited", Warning, Figures(&["goodput"]), cpu_and_buffers::check_receive_window_limited),
    rule("unread-at-edges", Warning, Figures(&["goodput"]), cpu_and_buffers::check_unread_data_at_edges),
    rule("send-buffer-limited", Warning, Figures(&["goodput"]), cpu_and_buffers::check_send_buffer_limited),
    rule("zero-copy-copied", Warning, Figures(&["goodput"]), trial_conditions::check_zero_copy_fallback),
    rule("mtu-black-hole", Warning, Result, mtu::check_black_hole),
    rule("mtu-below-least", Warning, Result, mtu::check_below_min_mtu),
    rule("mtu-interfaces-differ", Warning, Result, mtu::check_interface_mtus_differ),
    rule("mtu-asymmetric", Warning, Result, mtu::check_asymmetric_mtu),
    rule("mtu-undecided", Warning, Result, mtu::check_inconclusive_mtu),
    rule("mtu-route-differs", Note, Result, mtu::check_route_mtu_differs),
    rule("mtu-smaller-link", Note, Result, mtu::check_smaller_link_mtu),
    rule("interface-errors", Warning, Counters, host::check_interface_errors),
    rule("interface-drops", Warning, Counters, host::check_interface_drops),
    rule("queue-drops", Warning, Counters, host::check_qdisc_drops),
    rule("softnet-drops", Warning, Counters, host::check_softnet_drops),
    rule("protocol-losses", Warning, Counters, host::check_protocol_losses),
    rule("retransmits", Warning, Figures(&["goodput"]), host::check_retransmits),
    rule("told-to-wait", Warning, Counters, driver::check_driver_pause_frames),
    rule("driver-losses", Warning, Counters, driver::check_driver_losses),
    rule("allowance-exceeded", Warning, Counters, driver::check_instance_allowance_exceeded),
    rule("kernel-warnings", Warning, Counters, host::check_kernel_warnings),
    rule("half-duplex", Warning, Whole, setup::check_half_duplex),
    rule("slow-link", Warning, Whole, setup::check_slow_link),
    rule("narrow-slot", Warning, Whole, setup::check_narrow_pcie_slot),
    rule("slow-governor", Warning, Whole, setup::check_slow_cpu_governor),
    rule("server-cpu-saturated", Note, Cpu, load_findings::check_server_saturated),
    rule("medium-reached", Note, LOAD_TRAFFIC, load_findings::check_medium_limit_reached),
    rule("cap-reached", Note, Figures(&["time", "throughput"]), trial_conditions::check_time_limit_reached),
    rule("datagrams-reordered", Note, Result, datagram::check_reordered_datagrams),
    rule("offload-not-used", Note, Result, datagram::check_segmentation_not_offloaded),
    rule("not-available", Note, Result, datagram::check_unavailable_datagram_metrics),
    rule("server-cache-unknown", Note, FILE_RATES, file_findings::check_server_cache_unknown),
    rule("cache-took-part", Note, FILE_RATES, file_findings::check_files_in_cache),
    rule("not-durable", Note, FILE_RATES, file_findings::check_unflushed_writes),
    rule("share-encrypted", Note, Whole, file_findings::check_smb_encryption_enabled),
    rule("share-signed", Note, Whole, file_findings::check_smb_signing_enabled),
    rule("file-system-compresses", Note, Whole, file_findings::check_compressing_file_system),
    rule("shared-cpu", Note, Cpu, cpu_and_buffers::check_shared_cpu),
    rule("no-cpu-figure", Note, Cpu, cpu_and_buffers::check_missing_cpu_use),
    rule("feature-refused", Note, Whole, setup::check_refused_nic_features),
    rule("receive-coalescing", Note, Figures(&["goodput"]), trial_conditions::check_receive_coalescing_enabled),
    rule("relayed", Note, Whole, relay::report_emulated_link_counters),
    rule("kernel-messages", Note, Counters, host::report_kernel_messages),
    rule("counter-note", Note, Counters, host::report_counter_notes),
    rule("measurement-note", Note, Whole, trial_conditions::report_endpoint_notes),
];

const fn rule(
    id: &'static str,
    severity: Severity,
    shown_at: FindingSection,
    check: fn(&Trial, &TrialSummary) -> Vec<Hit>,
) -> FindingRule {
    FindingRule { id, severity, shown_at, check }
}

pub fn section_of_finding(id: &str) -> FindingSection {
    match (FINDING_RULES.iter().find(|rule| rule.id == id), id) {
        (Some(rule), _) => rule.shown_at,
        (None, "point-failed") => LOAD_TRAFFIC,
        (None, "pe-not-comparable") => Figures(&["size-pe"]),
        (None, _) => Whole,
    }
}

/// At most one of each rule.
pub fn find_problems(trial: &Trial, summary: &TrialSummary) -> Vec<Finding> {
    let hosts: Vec<&str> = trial.ends.iter().map(|end| end.host.as_str()).collect();
    let mut found: Vec<Finding> = FINDING_RULES
        .iter()
        .filter_map(|rule| Some((rule, repeated::combine_hits((rule.check)(trial, summary), &hosts)?)))
        .map(|(rule, hit)| Finding {
            id: rule.id.to_string(),
            severity: rule.severity,
            text: hit.text,
            evidence: hit.evidence.into_iter().map(Message::from).collect(),
            try_next: advice_for_finding(rule.id),
        })
        .collect();
    found.sort_by_key(|f| std::cmp::Reverse(f.severity));
    found
}

fn mbit(bits_per_second: u64) -> MessageArg {
    message_argument::fixed_decimals_arg(bits_per_second as f64 / 1e6, 2, "Mbit/s")
}

/// The first [`NAMES`] and how many more.
fn names<'a>(all: impl Iterator<Item = &'a str>) -> MessageArg {
    let all: Vec<&str> = all.collect();
    let names = all[..all.len().min(NAMES)].join(", ");
    match all.len().saturating_sub(NAMES) {
        0 => names.into(),
        count => message!(clause_and_more { names, count }).into(),
    }
}

fn of_host(host: &str, note: &str) -> Message {
    message!(finding_of_side { side: host, finding: Message::from(note) })
}

fn medium(summary: &TrialSummary) -> MessageArg {
    match summary.limit.limiting_medium_or_bus() {
        Some(name) => name.into(),
        None => message!(clause_the_medium).into(),
    }
}

pub fn advice_for_finding(id: &str) -> Message {
    message_without_args(&format!("rule-{}.try", id.replace('.', "-"))).unwrap_or_default()
}
