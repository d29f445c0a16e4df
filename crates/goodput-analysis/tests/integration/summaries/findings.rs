//! Every rule of the table: when it applies, and when not.

use super::sample::*;
use goodput_analysis::finding::FINDING_RULES;
use goodput_analysis::summary::summarize_trial;
use goodput_model::probe::TransferDirection;
use goodput_model::*;

/// The findings of the sample stream after a change.
fn after(change: impl FnOnce(&mut Trial)) -> Vec<Finding> {
    let mut t = stream();
    change(&mut t);
    summarize_trial(&t).findings
}

fn only(found: &[Finding], id: &str, severity: Severity) -> String {
    assert_eq!(found.iter().map(|f| f.id.as_str()).collect::<Vec<_>>(), [id]);
    assert_eq!(found[0].severity, severity);
    found[0].text.to_string()
}

#[test]
fn ids_are_unique_and_every_sentence_stands() {
    let mut ids: Vec<_> = FINDING_RULES.iter().map(|r| r.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), FINDING_RULES.len());
}

#[test]
fn books_that_do_not_agree_are_errors() {
    let found = after(|t| t.ends[1].series[0].columns[1].values[0] += 1);
    let text = only(&found, "intervals-do-not-add-up", Severity::Error);
    assert_eq!(
        text,
        "the intervals of connection-send-0 add up to 100,000,001 B, but the window total is 100,000,000 B"
    );
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
    assert_eq!(
        text,
        "direction send reached 100.00 Mbit/s, more than the 94.15 Mbit/s that ethernet 100 Mbit/s allows"
    );
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
    let found = after(|t| {
        for f in &mut t.ends[0].flows {
            f.socket.congestion = Setting { asked: Some("cubic".into()), obtained: Some("bbr".into()) };
        }
    });
    let text = only(&found, "congestion-differs", Severity::Warning);
    assert_eq!(text, "a uses congestion control bbr instead of the requested cubic");
    let found = after(|t| {
        t.ends[1].flows[0].socket.receive_buffer =
            Setting { asked: Some(Bytes(1 << 20)), obtained: Some(Bytes(212_992)) };
        t.ends[1].flows[0].socket.no_delay = Setting { asked: Some(true), obtained: Some(true) };
    });
    let text = only(&found, "setting-differs", Severity::Warning);
    assert_eq!(text, "b uses a receive buffer of 212992 B instead of the requested 1048576 B");
}

#[test]
fn limits_inside_the_hosts() {
    let found = after(|t| t.ends[0].flows[0].tcp.as_mut().unwrap().rwnd_limited_us = 5_000_000);
    let text = only(&found, "receiver-window-limited", Severity::Warning);
    assert_eq!(
        text,
        "the sender of direction send was limited by the receive window for 25 % of its busy time"
    );
    let found = after(|t| t.ends[0].flows[0].tcp.as_mut().unwrap().sndbuf_limited_us = 4_000_000);
    only(&found, "send-buffer-limited", Severity::Warning);
    let found = after(|t| t.ends[0].flows[0].tcp.as_mut().unwrap().sndbuf_limited_us = 3_900_000);
    assert_eq!(found, []);
}

#[test]
fn receive_coalescing_is_named() {
    let measured_with = |delay| {
        after(|t| {
            let Probe::Stream(settings) = &mut t.probe else { panic!("a stream") };
            settings.receive_coalescing = Nanos(delay);
        })
    };
    assert_eq!(measured_with(0), []);
    assert_eq!(
        only(&measured_with(50_000), "receive-coalescing", Severity::Note),
        "measured with receive coalescing: the receiver waited 50 µs after short reads"
    );
}

#[test]
fn cpus() {
    let found = after(|t| t.ends[1].cpu = end(goodput_model::trial::EndRole::Listen, [96, 10]).cpu);
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
            end.cpu.as_mut().unwrap().closed_ns = (T0 + S / 2, T0 + S / 2);
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
    let off = "the CPU counters of b were read 500 ms off the window's start and 300 ms off its end: ";
    assert_eq!(told(&read(500, 300)), format!("{off}up to 8 % of the CPU usage may lie outside the window"));
    assert_eq!(figures(&read(500, 300)), 2);
    let far = told(&read(800, 300));
    assert!(
        far.ends_with("800 ms off the window's start and 300 ms off its end, so CPU usage is not available")
    );
    assert_eq!(figures(&read(800, 300)), 1);
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
    for end in &mut trial.ends {
        end.facts.boot_id = "the same".into();
    }
    let late = trial.ends[0].cpu.as_mut().unwrap();
    late.opened_ns = (T0 + 2 * S, T0 + 2 * S);
    late.total.idle_ns = 0;
    let found = summarize_trial(&trial);
    let of = |s: &goodput_model::summary::TrialSummary| {
        s.hosts.iter().map(|h| h.cpu.as_ref().map(|c| c.busy_percent)).collect::<Vec<_>>()
    };
    assert_eq!(of(&found), [Some(40.0), Some(40.0)]);
    let threads = found.hosts[0].cpu.as_ref().map(|c| c.probe_threads_percent);
    assert!(threads.is_some_and(|t| t > 0.0), "{threads:?}");
    assert!(found.findings.iter().all(|f| f.id != "cpu-not-of-window"), "{:?}", found.findings);
}

#[test]
fn circumstances() {
    let found = after(|t| t.shared = true);
    only(&found, "shared-run", Severity::Warning);
    let found = after(|t| t.ends[0].flows[0].zero_copy = Some((3, 10)));
    let text = only(&found, "zero-copy-copied", Severity::Warning);
    assert_eq!(text, "the kernel copied 3 of 10 zero-copy sends");
    assert_eq!(after(|t| t.ends[0].flows[0].zero_copy = Some((0, 10))), []);
    let found = after(|t| t.ends[0].notes = vec!["the clock steps by 4 ns".into()]);
    assert_eq!(only(&found, "measurement-note", Severity::Note), "a: the clock steps by 4 ns");
}

#[test]
fn the_gravest_comes_first() {
    let found = after(|t| {
        t.ends[0].notes = vec!["a note".into()];
        t.shared = true;
        t.ends[1].series[0].columns[1].values[0] += 1;
    });
    let severities: Vec<_> = found.iter().map(|f| f.severity).collect();
    assert_eq!(severities, [Severity::Error, Severity::Warning, Severity::Note]);
}
