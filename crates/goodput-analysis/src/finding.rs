//! What to know about a result: a table of rules, each looking at a trial and its summary.
//!
//! A rule has one stable id, one severity and one thing to try; its check yields a sentence with its number
//! and the evidence for each time it applies. To add a rule, add a row and a function.

mod books;
mod circumstances;
mod datagram;
mod driver;
pub mod file;
mod host;
pub mod load;
mod machine;
mod mtu;
mod relay;
mod settings;
mod setup;

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
/// A CPU account that lies off its window by more than this, in per cent of the window, is worth naming.
pub const MISPLACED_PERCENT: f64 = 5.0;
/// More segments than this sent again, in per cent, are worth naming.
pub const RETRANSMIT_PERCENT: f64 = 1.0;

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
        id: "datagram-account-negative",
        severity: Severity::Error,
        try_next: REPORT_IT,
        check: datagram::overcounted,
    },
    Rule {
        id: "datagram-totals-differ",
        severity: Severity::Error,
        try_next: REPORT_IT,
        check: datagram::told_totals,
    },
    Rule {
        id: "above-limit",
        severity: Severity::Error,
        try_next: "check the rate and the MTU of the medium that was named",
        check: books::above_limit,
    },
    Rule {
        id: "file-data-differs",
        severity: Severity::Error,
        try_next: "do not trust this place with files; look for memory, cable and disk faults (dmesg) at both ends",
        check: file::unverified,
    },
    Rule { id: "file-counts-differ", severity: Severity::Error, try_next: REPORT_IT, check: file::differs },
    Rule {
        id: "faster-than-wire",
        severity: Severity::Error,
        try_next: "use --direct, a file larger than this host's memory, or an smb:// place, which no cache of this host is in front of",
        check: file::faster_than_wire,
    },
    Rule {
        id: "window-too-short",
        severity: Severity::Error,
        try_next: "stop after more bytes or messages, or by --time",
        check: circumstances::too_short,
    },
    Rule {
        id: "mtu-not-expected",
        severity: Severity::Error,
        try_next: "read the MTU back on both ends (ip link) and on every switch between: each must carry it",
        check: mtu::not_expected,
    },
    Rule {
        id: "relay-late",
        severity: Severity::Error,
        try_next: "measure while the machine is quiet, with fewer hosts or a slower medium",
        check: relay::late,
    },
    Rule {
        id: "partial-result",
        severity: Severity::Warning,
        try_next: "remove the cause and measure again",
        check: circumstances::partial,
    },
    Rule {
        id: "client-excluded",
        severity: Severity::Warning,
        try_next: "goodput hosts says whether they can be reached now; leave them out of --clients or measure again",
        check: load::excluded,
    },
    Rule {
        id: "client-idle",
        severity: Severity::Warning,
        try_next: "look at the path between them and the server",
        check: load::idle_clients,
    },
    Rule {
        id: "window-skew",
        severity: Severity::Warning,
        try_next: "see whether the clients' CPUs have time to spare; a longer --time makes the edges matter less",
        check: load::skew,
    },
    Rule {
        id: "client-slow",
        severity: Severity::Warning,
        try_next: "look at the links and CPUs of these clients, or measure them alone with goodput stream",
        check: load::slow_clients,
    },
    Rule {
        id: "connection-errors",
        severity: Severity::Warning,
        try_next: "look at the server's listening queue (net.core.somaxconn) and at the clients' free ports",
        check: load::connection_errors,
    },
    Rule {
        id: "clients-cpu-saturated",
        severity: Severity::Warning,
        try_next: "use more clients, or fewer workers a client",
        check: load::clients_saturated,
    },
    Rule {
        id: "adapter-differs",
        severity: Severity::Warning,
        try_next: "see what else uses the server's interface, for example with tcpdump",
        check: load::adapter_differs,
    },
    Rule {
        id: "accepted-by-cache",
        severity: Severity::Warning,
        try_next: "",
        check: file::accepted_by_cache,
    },
    Rule {
        id: "read-from-cache",
        severity: Severity::Warning,
        try_next: "use a file larger than this host's memory, or a file system with direct I/O",
        check: file::from_cache,
    },
    Rule {
        id: "server-cache-warm",
        severity: Severity::Warning,
        try_next: "let the agent on the server drop the file from its cache: --server HOST --server-folder PATH",
        check: file::server_cache,
    },
    Rule { id: "no-disk", severity: Severity::Warning, try_next: "", check: file::in_memory },
    Rule { id: "direct-not-obtained", severity: Severity::Warning, try_next: "", check: file::not_direct },
    Rule {
        id: "unexpected-operations",
        severity: Severity::Warning,
        try_next: "look at the lines of the load file that are named; a share may forbid what a folder allows",
        check: file::unexpected,
    },
    Rule { id: "stamping-cost", severity: Severity::Warning, try_next: "", check: file::stamping },
    Rule {
        id: "file-cpu-saturated",
        severity: Severity::Warning,
        try_next: "",
        check: machine::saturated_by_files,
    },
    Rule {
        id: "latency-count-differs",
        severity: Severity::Warning,
        try_next: REPORT_IT,
        check: books::latency_count,
    },
    Rule {
        id: "held-back-at-sender",
        severity: Severity::Warning,
        try_next: "ask for no more than that, larger datagrams or more --flows; look at the sender's interface with tc -s qdisc",
        check: datagram::held_back,
    },
    Rule {
        id: "datagrams-refused",
        severity: Severity::Warning,
        try_next: "ask for a lower rate; ENOBUFS is a full queue on the way out of the sender, see tc -s qdisc",
        check: datagram::refused,
    },
    Rule {
        id: "lost-at-receiver-socket",
        severity: Severity::Warning,
        try_next: "raise net.core.rmem_max and --receive-buffer on the receiver, or leave its program more CPU",
        check: datagram::lost_at_socket,
    },
    Rule {
        id: "lost-in-receiving-host",
        severity: Severity::Warning,
        try_next: "look at /proc/net/softnet_stat and at the ring sizes of the receiver's adapter (ethtool -g)",
        check: datagram::lost_in_host,
    },
    Rule {
        id: "lost-on-path",
        severity: Severity::Warning,
        try_next: "goodput datagram HOST --search finds the highest rate without loss",
        check: datagram::lost_on_path,
    },
    Rule {
        id: "loss-unresolved",
        severity: Severity::Warning,
        try_next: "measure with --plain and with offloads off for an account that is exact to one datagram",
        check: datagram::unresolved,
    },
    Rule { id: "datagrams-copied", severity: Severity::Warning, try_next: "", check: datagram::copied },
    Rule {
        id: "datagrams-sent-late",
        severity: Severity::Warning,
        try_next: "ask for a lower rate or a larger --burst, or let the sender --spin",
        check: datagram::sent_late,
    },
    Rule {
        id: "datagrams-malformed",
        severity: Severity::Warning,
        try_next: "see who else sends to the receiver's data port",
        check: datagram::malformed,
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
        id: "cpu-not-of-window",
        severity: Severity::Warning,
        try_next: "measure for a time, and for longer; on busy hosts let agents run before other programs: as root, or with LimitNICE=-20 in their service",
        check: machine::misplaced,
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
        id: "mtu-black-hole",
        severity: Severity::Warning,
        try_next: "let ICMP \"fragmentation needed\" (ICMPv6 \"packet too big\") pass, or give both ends the MTU that passes; net.ipv4.tcp_mtu_probing=1 helps TCP meanwhile",
        check: mtu::black_hole,
    },
    Rule {
        id: "mtu-below-least",
        severity: Severity::Warning,
        try_next: "look for a tunnel or an adapter with too small an MTU",
        check: mtu::below_least,
    },
    Rule {
        id: "mtu-interfaces-differ",
        severity: Severity::Warning,
        try_next: "give both ends the same MTU",
        check: mtu::interfaces_differ,
    },
    Rule {
        id: "mtu-asymmetric",
        severity: Severity::Warning,
        try_next: "look for different ways there and back, or a link whose ends have different MTUs",
        check: mtu::asymmetric,
    },
    Rule {
        id: "mtu-undecided",
        severity: Severity::Warning,
        try_next: "measure again when the path is quiet, or allow more time with --time",
        check: mtu::undecided,
    },
    Rule {
        id: "mtu-route-differs",
        severity: Severity::Note,
        try_next: "ip route get shows what is cached; ip route flush cache forgets it",
        check: mtu::route_differs,
    },
    Rule { id: "mtu-smaller-link", severity: Severity::Note, try_next: "", check: mtu::smaller_link },
    Rule {
        id: "interface-errors",
        severity: Severity::Warning,
        try_next: "change cable, port or module; read the kind of error in the evidence",
        check: host::interface_errors,
    },
    Rule {
        id: "interface-drops",
        severity: Severity::Warning,
        try_next: "make the rings larger (ethtool -G) or spread receiving over more CPUs (ethtool -L, RPS)",
        check: host::interface_drops,
    },
    Rule {
        id: "queue-drops",
        severity: Severity::Warning,
        try_next: "send more slowly, or look at the queue's limit with tc -s qdisc",
        check: host::queue_drops,
    },
    Rule {
        id: "softnet-drops",
        severity: Severity::Warning,
        try_next: "raise net.core.netdev_max_backlog, or spread receiving over more CPUs (RPS)",
        check: host::softnet_drops,
    },
    Rule {
        id: "protocol-losses",
        severity: Severity::Warning,
        try_next: "look at why the receiver reads slowly, and at the buffers' bounds (net.core.rmem_max, net.ipv4.tcp_mem)",
        check: host::protocol_losses,
    },
    Rule {
        id: "retransmits",
        severity: Severity::Warning,
        try_next: "look for drops on the way: goodput datagram HOST says where",
        check: host::retransmits,
    },
    Rule {
        id: "told-to-wait",
        severity: Severity::Warning,
        try_next: "look at what is slow behind the switch, or turn flow control off (ethtool -A) and measure again",
        check: driver::told_to_wait,
    },
    Rule {
        id: "driver-losses",
        severity: Severity::Warning,
        try_next: "the driver's documentation says what each name means; larger rings (ethtool -G) help against full ones",
        check: driver::losses,
    },
    Rule {
        id: "allowance-exceeded",
        severity: Severity::Warning,
        try_next: "send less, or ask the provider of the virtual machine for one with a larger allowance",
        check: driver::capped,
    },
    Rule {
        id: "kernel-warnings",
        severity: Severity::Warning,
        try_next: "read the kernel's log at that time",
        check: host::kernel_warnings,
    },
    Rule {
        id: "half-duplex",
        severity: Severity::Warning,
        try_next: "let both ends negotiate, or set both to the same mode",
        check: setup::half_duplex,
    },
    Rule {
        id: "slow-link",
        severity: Severity::Warning,
        try_next: "look at the cable and at what the other end offers (link.partner)",
        check: setup::slow_link,
    },
    Rule {
        id: "narrow-slot",
        severity: Severity::Warning,
        try_next: "put the card into a wider or faster slot",
        check: setup::narrow_slot,
    },
    Rule {
        id: "slow-governor",
        severity: Severity::Warning,
        try_next: "set another governor: cpupower frequency-set -g performance",
        check: setup::slow_governor,
    },
    Rule {
        id: "server-cpu-saturated",
        severity: Severity::Note,
        try_next: "",
        check: load::server_saturated,
    },
    Rule { id: "medium-reached", severity: Severity::Note, try_next: "", check: load::medium_reached },
    Rule {
        id: "cap-reached",
        severity: Severity::Note,
        try_next: "allow each size more time, or ask for a wider interval",
        check: circumstances::cap_reached,
    },
    Rule { id: "datagrams-reordered", severity: Severity::Note, try_next: "", check: datagram::reordered },
    Rule { id: "offload-not-used", severity: Severity::Note, try_next: "", check: datagram::not_offloaded },
    Rule { id: "not-available", severity: Severity::Note, try_next: "", check: datagram::not_available },
    Rule {
        id: "server-cache-unknown",
        severity: Severity::Note,
        try_next: "an agent on the server looks into it: --server HOST --server-folder PATH",
        check: file::server_cache_unknown,
    },
    Rule { id: "cache-took-part", severity: Severity::Note, try_next: "", check: file::cached },
    Rule {
        id: "not-durable",
        severity: Severity::Note,
        try_next: "measure with --flush end",
        check: file::not_durable,
    },
    Rule { id: "share-encrypted", severity: Severity::Note, try_next: "", check: file::encrypted },
    Rule { id: "share-signed", severity: Severity::Note, try_next: "", check: file::signed },
    Rule { id: "file-system-compresses", severity: Severity::Note, try_next: "", check: file::compresses },
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
    Rule {
        id: "feature-refused",
        severity: Severity::Note,
        try_next: "ethtool -k names what each offload needs",
        check: setup::refused_features,
    },
    Rule {
        id: "receive-coalescing",
        severity: Severity::Note,
        try_next: "leave --receive-coalescing out to measure what an ordinary application achieves",
        check: circumstances::receive_coalescing,
    },
    Rule { id: "relayed", severity: Severity::Note, try_next: "", check: relay::relayed },
    Rule { id: "kernel-messages", severity: Severity::Note, try_next: "", check: host::kernel_notes },
    Rule { id: "counter-note", severity: Severity::Note, try_next: "", check: host::counter_notes },
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
