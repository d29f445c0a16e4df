//! Every rule of the table: when it applies, and when not.

use super::sample::*;
use goodput_analysis::finding::FINDING_RULES;
use goodput_analysis::summary::summarize_trial;
use goodput_model::probe::TransferDirection;
use goodput_model::trial::{EndpointRole, IntervalTcpStatistics, TcpStatistics, ThreadTime};
use goodput_model::*;

/// The findings of the sample stream after a change.
fn after(change: impl FnOnce(&mut Trial)) -> Vec<Finding> {
    let mut t = stream();
    change(&mut t);
    summarize_trial(&t).findings
}

fn only(found: &[Finding], id: &str, severity: Severity) -> String {
    let finding = super::sample::only(found, id);
    assert_eq!(finding.severity, severity, "{id}");
    finding.text.to_string()
}

#[test]
fn ids_are_unique_and_every_sentence_stands() {
    let ids: std::collections::BTreeSet<_> = FINDING_RULES.iter().map(|r| r.id).collect();
    assert_eq!(ids.len(), FINDING_RULES.len());
}

#[test]
fn books_that_do_not_agree_are_errors() {
    let found = after(|t| t.ends[1].series[0].columns[1].values[0] += 1);
    let text = only(&found, "intervals-do-not-add-up", Severity::Error);
    assert!(text.ends_with("0 add up to 100,000,001 B, but the window total is 100,000,000 B"), "{text}");
    let found = after(|t| t.ends[1].flows[1].tcp.as_mut().unwrap().bytes_received -= 1);
    only(&found, "receiver-total-differs", Severity::Error);
    let found = after(|t| t.ends[0].flows[1].tcp.as_mut().unwrap().bytes_acked += 1);
    only(&found, "sender-total-differs", Severity::Error);
    let found = after(|t| {
        t.ends[0].flows[1].after_bytes += 7;
        t.ends[0].flows[1].tcp.as_mut().unwrap().bytes_acked += 7;
    });
    let text = only(&found, "ends-disagree", Severity::Error);
    assert_eq!(text, "25,001,507 B were sent on connection-send-1, but 25,001,500 B were received");
}

#[test]
fn a_result_above_its_limit_is_an_error() {
    let found = after(|t| t.medium = ethernet(100));
    let text = only(&found, "above-limit", Severity::Error);
    assert!(text.ends_with("100.00 Mbit/s, more than the 94.15 Mbit/s that ethernet 100 Mbit/s allows"));
    // 94.148 Mbit/s and one train of 64 KiB for each connection at the window's edge are possible.
    let limit = 941_482_444 / 10 * 10 / 8;
    let at = |bytes: u64| {
        after(|t| {
            t.medium = ethernet(100);
            for (end, receives) in [(0, false), (1, true)] {
                t.ends[end].flows = vec![flow(0, TransferDirection::Send, receives, bytes)];
            }
            t.ends[1].series.clear();
        })
    };
    assert_eq!(at(limit + 100_000), []);
    assert_eq!(at(limit + 200_000)[0].id, "above-limit");
}

#[test]
fn settings_not_obtained() {
    let congestion = Setting { asked: Some("cubic".into()), obtained: Some("bbr".into()) };
    let found = after(|t| t.ends[0].flows.iter_mut().for_each(|f| f.socket.congestion = congestion.clone()));
    let text = only(&found, "congestion-differs", Severity::Warning);
    assert_eq!(text, "a uses congestion control bbr instead of the requested cubic");
    let found = after(|t| {
        let socket = &mut t.ends[1].flows[0].socket;
        socket.receive_buffer = Setting { asked: Some(Bytes(1 << 20)), obtained: Some(Bytes(212_992)) };
        socket.no_delay = Setting { asked: Some(true), obtained: Some(true) };
    });
    let text = only(&found, "setting-differs", Severity::Warning);
    assert_eq!(text, "b uses a receive buffer of 212992 B instead of the requested 1048576 B");
}

#[test]
fn limits_inside_the_hosts() {
    let stream_tcp = || stream().ends[0].flows[0].tcp.unwrap();
    let limited = |window, buffer| {
        let tcp = TcpStatistics { rwnd_limited_us: window, sndbuf_limited_us: buffer, ..stream_tcp() };
        after(|t| t.ends[0].flows[0].tcp = Some(tcp))
    };
    let text = only(&limited(5_000_000, 0), "receiver-window-limited", Severity::Warning);
    assert!(text.ends_with("was limited by the receive window for 25 % of its busy time"), "{text}");
    only(&limited(0, 4_000_000), "send-buffer-limited", Severity::Warning);
    assert_eq!(limited(0, 3_900_000), []);
}

#[test]
fn a_receiver_without_cpu_time_is_no_window_limit() {
    let starved = |receives: bool, waiting: u64| {
        after(|t| {
            let tcp = t.ends[0].flows[0].tcp.as_mut().unwrap();
            tcp.rwnd_limited_us = 16_000_000;
            let end = &mut t.ends[usize::from(receives)];
            let thread = Some(ThreadTime { running_ns: S, waiting_ns: waiting * S });
            end.flows.iter_mut().for_each(|f| f.thread = thread);
        })
    };
    // 80 % of the sender's busy time, and 30 or 50 % of the window.
    for (receives, waiting) in [(true, 3), (false, 5)] {
        only(&starved(receives, waiting), "receiver-window-limited", Severity::Warning);
    }
    assert_eq!(starved(true, 5), []);
}

#[test]
fn a_saturated_cpu_names_whose_threads_waited() {
    let told = |side: usize, running: u64, waiting: u64| {
        let found = after(|t| {
            t.ends.iter_mut().for_each(|end| end.facts.boot_id = "the same".into());
            t.ends.iter_mut().for_each(|e| e.cpu = end(EndpointRole::Listen, [20, 100]).cpu);
            let thread = ThreadTime { running_ns: running * S / 10, waiting_ns: waiting * S / 10 };
            t.ends[side].flows[0].thread = Some(thread);
        });
        found.into_iter().find(|f| f.id == "cpu-saturated").unwrap().text
    };
    for (side, running, waiting, end) in [
        (0, 5, 93, "; the measuring threads of a waited for a CPU for 93 % of the window"),
        (1, 5, 93, "; the measuring threads of b waited for a CPU for 93 % of the window"),
        (1, 97, 2, "; the measuring threads of b ran for the whole window"),
        (1, 60, 10, "up to 100.0 % busy"),
    ] {
        let text = told(side, running, waiting);
        assert!(text.ends_with(end), "{text}");
    }
}

#[test]
fn what_was_read_and_what_arrived_are_told_apart() {
    // The readings are later than the window's edges, and their time is what counts.
    let with = |bytes_received: u64| {
        let mut trial = stream();
        let account = TcpStatistics { bytes_received, ..TcpStatistics::default() };
        let counts = IntervalTcpStatistics { opened_ns: T0 + S, closed_ns: T0 + 3 * S, account };
        trial.ends[1].flows.iter_mut().for_each(|f| f.tcp_window = Some(counts));
        summarize_trial(&trial)
    };
    let summary = with(10_000_000);
    let direction = &summary.direction_summaries()[0];
    assert_eq!((direction.goodput_bps, direction.arrival_bps), (Some(100_000_000), Some(80_000_000)));
    let text = only(&summary.findings, "unread-at-edges", Severity::Warning);
    assert!(text.contains("read 100.00 Mbit/s in the window, but 80.00 Mbit/s arrived"), "{text}");
    for same in [12_400_000, 12_600_000] {
        assert_eq!(with(same).findings, []);
    }
}

#[test]
fn cpus() {
    let found = after(|t| t.ends[1].cpu = end(EndpointRole::Listen, [96, 10]).cpu);
    let text = only(&found, "cpu-saturated", Severity::Warning);
    assert_eq!(text, "1 of 2 CPUs of b was saturated, up to 96.0 % busy");
    let found = after(|t| {
        let total = &mut t.ends[0].cpu.as_mut().unwrap().total;
        total.steal_ns = 2 * S;
        total.idle_ns -= 2 * S;
    });
    let text = only(&found, "steal", Severity::Warning);
    assert_eq!(text, "10.0 % of the CPU time of a was steal (taken by the hypervisor)");
    let found = after(|t| {
        for end in &mut t.ends {
            end.window.t1_ns = T0 + S / 2;
            end.cpu.as_mut().unwrap().closed_ns = (end.window.t1_ns, end.window.t1_ns);
        }
    });
    let text = only(&found, "no-cpu-figure", Severity::Note);
    assert_eq!(text, "a window of 500.0 ms is too short to measure CPU usage");
}

#[test]
fn cpus_read_off_the_edges() {
    let ms = |n: u64| n * 1_000_000;
    let read = |opened: u64, closed: u64| {
        let mut trial = stream();
        let account = trial.ends[1].cpu.as_mut().unwrap();
        let (t0, t1) = (T0 + ms(opened), T0 + 10 * S + ms(closed));
        (account.opened_ns, account.closed_ns) = ((t0, t0), (t1, t1));
        trial
    };
    let figures = |trial: &Trial| summarize_trial(trial).hosts.iter().filter(|h| h.cpu.is_some()).count();
    let told = |trial: &Trial| only(&summarize_trial(trial).findings, "cpu-not-of-window", Severity::Warning);
    assert_eq!((summarize_trial(&read(250, 200)).findings, figures(&read(250, 200))), (Vec::new(), 2));
    for (off, hosts, then) in
        [(500, 2, ": up to 8 % of the CPU usage"), (800, 1, ", so CPU usage is not available")]
    {
        let told = told(&read(off, 300));
        let edges = format!("of b were read {off} ms off the window's start and 300 ms off its end{then}");
        assert!(told.contains(&edges), "{told}");
        assert_eq!(figures(&read(off, 300)), hosts);
    }
    let early = |mut trial: Trial| {
        trial.ends[1].cpu.as_mut().unwrap().closed_ns = (T0 + 5 * S, T0 + 5 * S);
        trial
    };
    assert_eq!(figures(&early(stream())), 1);
    let broken = Trial { outcome: TrialOutcome::Partial { cause: "the peer is gone".into() }, ..stream() };
    assert_eq!(figures(&early(broken)), 2);
}

#[test]
fn one_kernel_is_read_on_time_if_one_end_of_it_is() {
    let mut trial = stream();
    trial.ends.iter_mut().for_each(|end| end.facts.boot_id = "the same".into());
    let late = trial.ends[0].cpu.as_mut().unwrap();
    late.opened_ns = (T0 + 2 * S, T0 + 2 * S);
    late.total.idle_ns = 0;
    let found = summarize_trial(&trial);
    let cpus: Vec<_> = found.hosts.iter().map(|h| h.cpu.as_ref().unwrap()).collect();
    assert_eq!([cpus[0].busy_percent, cpus[1].busy_percent], [40.0, 40.0]);
    assert!(cpus[0].probe_threads_percent > 0.0, "{cpus:?}");
    assert!(found.findings.iter().all(|f| f.id != "cpu-not-of-window"), "{:?}", found.findings);
}

#[test]
fn circumstances() {
    let receive_coalescing = Nanos(50_000);
    let probe = Probe::Stream(Stream { connections: 2, receive_coalescing, ..Stream::default() });
    let told = only(&after(|t| t.probe = probe), "receive-coalescing", Severity::Note);
    assert_eq!(told, "measured with receive coalescing: the receiver waited 50 µs after short reads");
    let found = after(|t| t.ends[0].flows[0].zero_copy = Some((3, 10)));
    let text = only(&found, "zero-copy-copied", Severity::Warning);
    assert_eq!(text, "the kernel copied 3 of 10 zero-copy sends");
    assert_eq!(after(|t| t.ends[0].flows[0].zero_copy = Some((0, 10))), []);
    let found = after(|t| {
        t.ends[0].notes = vec!["the clock steps by 4 ns".into()];
        t.shared = true;
        t.ends[1].series[0].columns[1].values[0] += 1;
    });
    let gravest_first: Vec<_> = found.iter().map(|f| (f.severity, f.id.as_str())).collect();
    let others = [(Severity::Warning, "shared-run"), (Severity::Note, "measurement-note")];
    assert_eq!(gravest_first[0], (Severity::Error, "intervals-do-not-add-up"));
    assert_eq!(gravest_first[1..], others);
    assert_eq!(found[2].text, "a: the clock steps by 4 ns");
}
