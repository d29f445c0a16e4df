//! What to know about a result: a table of rules, each looking at a trial and its summary.
//!
//! A rule has one stable id, one severity and one thing to try; its check yields a sentence with its number
//! and the evidence for each time it applies. To add a rule, add a row and a function.

mod books;
mod circumstances;
mod machine;
mod settings;

use goodput_model::summary::Summary;
use goodput_model::{Finding, Severity, Trial};

/// One rule of the table.
pub struct Rule {
    /// Stable name, for scripts.
    pub id: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What to try; empty when there is nothing.
    pub try_next: &'static str,
    check: fn(&Trial, &Summary) -> Vec<Hit>,
}

/// A rule that applies: its sentence and what it rests on.
struct Hit {
    text: String,
    evidence: Vec<String>,
}

impl Hit {
    fn new(text: impl Into<String>, evidence: impl IntoIterator<Item = String>) -> Hit {
        Hit { text: text.into(), evidence: evidence.into_iter().collect() }
    }
}

/// A share of the sender's busy time above which a limit is worth naming, in per cent.
pub const LIMITED_PERCENT: f64 = 20.0;
/// A CPU busier than this, in per cent, may be what limits the result.
pub const SATURATED_PERCENT: f64 = 95.0;
/// More time than this taken by the hypervisor, in per cent, spoils a result.
pub const STEAL_PERCENT: f64 = 5.0;

const REPORT_IT: &str = "report this as a fault of goodput, with the run";

/// Every rule, in the order in which equally severe findings are shown.
pub const RULES: &[Rule] = &[
    Rule {
        id: "intervals-do-not-add-up",
        severity: Severity::Error,
        try_next: REPORT_IT,
        check: books::intervals,
    },
    Rule {
        id: "receiver-total-differs",
        severity: Severity::Error,
        try_next: REPORT_IT,
        check: books::receiver_total,
    },
    Rule {
        id: "sender-total-differs",
        severity: Severity::Error,
        try_next: REPORT_IT,
        check: books::sender_total,
    },
    Rule { id: "ends-disagree", severity: Severity::Error, try_next: REPORT_IT, check: books::both_ends },
    Rule {
        id: "above-limit",
        severity: Severity::Error,
        try_next: "check the rate and the MTU of the medium that was named",
        check: books::above_limit,
    },
    Rule {
        id: "window-too-short",
        severity: Severity::Error,
        try_next: "stop after more bytes or messages, or by --time",
        check: circumstances::too_short,
    },
    Rule {
        id: "partial-result",
        severity: Severity::Warning,
        try_next: "remove the cause and measure again",
        check: circumstances::partial,
    },
    Rule {
        id: "latency-count-differs",
        severity: Severity::Warning,
        try_next: REPORT_IT,
        check: books::latency_count,
    },
    Rule {
        id: "congestion-differs",
        severity: Severity::Warning,
        try_next: "load the kernel's module for it and allow it in net.ipv4.tcp_allowed_congestion_control",
        check: settings::congestion,
    },
    Rule {
        id: "setting-differs",
        severity: Severity::Warning,
        try_next: "raise the kernel's bound (net.core.wmem_max, net.core.rmem_max) or ask for what is allowed",
        check: settings::others,
    },
    Rule {
        id: "shared-run",
        severity: Severity::Warning,
        try_next: "measure without --shared",
        check: circumstances::shared_run,
    },
    Rule {
        id: "steal",
        severity: Severity::Warning,
        try_next: "measure while the machine below is quiet, or on dedicated CPUs",
        check: machine::steal,
    },
    Rule {
        id: "cpu-saturated",
        severity: Severity::Warning,
        try_next: "use larger messages or more connections, or give the measuring threads CPUs of their own with --cpus",
        check: machine::saturated,
    },
    Rule {
        id: "receiver-window-limited",
        severity: Severity::Warning,
        try_next: "raise the receive buffer (net.ipv4.tcp_rmem), or look at why the receiver reads slowly",
        check: machine::receiver_window,
    },
    Rule {
        id: "send-buffer-limited",
        severity: Severity::Warning,
        try_next: "raise the send buffer (net.ipv4.tcp_wmem)",
        check: machine::send_buffer,
    },
    Rule {
        id: "zero-copy-copied",
        severity: Severity::Warning,
        try_next: "measure across a real adapter; loopback and veth always copy",
        check: circumstances::zero_copy,
    },
    Rule {
        id: "cap-reached",
        severity: Severity::Note,
        try_next: "allow each size more time, or ask for a wider interval",
        check: circumstances::cap_reached,
    },
    Rule {
        id: "shared-cpu",
        severity: Severity::Note,
        try_next: "measure between two machines to see each end's own cost",
        check: machine::shared_cpu,
    },
    Rule {
        id: "no-cpu-figure",
        severity: Severity::Note,
        try_next: "measure for at least 1 s",
        check: machine::no_figure,
    },
    Rule { id: "measurement-note", severity: Severity::Note, try_next: "", check: circumstances::notes },
];

/// All findings of a trial, the gravest first.
pub fn findings(trial: &Trial, summary: &Summary) -> Vec<Finding> {
    let mut found: Vec<Finding> = RULES
        .iter()
        .flat_map(|rule| (rule.check)(trial, summary).into_iter().map(move |hit| (rule, hit)))
        .map(|(rule, hit)| Finding {
            id: rule.id.to_string(),
            severity: rule.severity,
            text: hit.text,
            evidence: hit.evidence,
            try_next: rule.try_next.to_string(),
        })
        .collect();
    found.sort_by_key(|f| std::cmp::Reverse(f.severity));
    found
}
