//! Rules about CPUs and buffers.

use super::{
    Hit, MAX_CPU_SNAPSHOT_OFFSET_PERCENT, MAX_STEAL_PERCENT, MAX_UNREAD_PERCENT,
    MIN_BUFFER_LIMITED_TIME_PERCENT, MIN_SATURATED_CPU_PERCENT, mbit,
};
use crate::cpu;
use goodput_model::host::CpuAccountingScope;
use goodput_model::summary::{CpuSummary, DirectionSummary, TrialSummary};
use goodput_model::trial::{EndpointReport, EndpointRole, Flow, TcpStatistics, ThreadTime};
use goodput_model::{Message, MessageArg, Nanos, Probe, Trial, TrialOutcome};
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, percent_arg, time_arg};

/// Hosts that share an account have one value together.
fn figures(summary: &TrialSummary) -> Vec<(MessageArg, &CpuSummary)> {
    let known = summary.hosts.iter().filter_map(|h| Some((MessageArg::from(&h.name), h.cpu.as_ref()?)));
    let (shared, mut all): (Vec<_>, Vec<_>) =
        known.partition(|(_, cpu)| cpu.scope == CpuAccountingScope::Shared);
    let whose = match all.iter().any(|(_, cpu)| cpu.scope == CpuAccountingScope::Pinned) {
        true => message!(clause_hosts_on_other_cpus),
        false if summary.hosts.len() > 2 => message!(clause_hosts_of_one_kernel),
        false => message!(clause_both_hosts),
    };
    if let Some((_, one)) = shared.first() {
        all.insert(0, (whose.into(), *one));
    }
    all
}

pub(super) fn check_cpu_steal(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    figures(summary)
        .into_iter()
        .filter(|(_, cpu)| cpu.steal_percent > MAX_STEAL_PERCENT)
        .map(|(whose, cpu)| {
            Hit::new(
                message!(rule_steal_text { percent: percent_arg(cpu.steal_percent), whose }),
                [format!("cpu.steal_percent = {:.1}", cpu.steal_percent)],
            )
        })
        .collect()
}

/// Ends with busy polling are always saturated.
pub(super) fn check_cpu_saturated(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let settings = trial.probe.settings();
    // Of work on files it has other hints: the next rule.
    if settings.uses_busy_polling()
        || !settings.is_cpu_use_relevant()
        || matches!(trial.probe, Probe::File(_))
    {
        return Vec::new();
    }
    full_cpus(trial, summary)
}

/// For file work, whose verdict says what a saturated CPU means for copies.
pub(super) fn check_cpu_saturated_by_files(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    if matches!(trial.probe, Probe::File(_)) { full_cpus(trial, summary) } else { Vec::new() }
}

/// In per cent of the window, the mean of several threads.
struct ThreadUse {
    running: f64,
    waiting: f64,
}

/// `None` where no thread was read.
fn thread_use<'a>(end: &EndpointReport, flows: impl Iterator<Item = &'a Flow>) -> Option<ThreadUse> {
    let threads: Vec<_> = flows.filter_map(|f| f.thread).collect();
    let percent = |of: fn(&ThreadTime) -> u64| {
        let sum: f64 = threads.iter().map(|t| of(t) as f64).sum();
        sum * 100.0 / threads.len() as f64 / end.window.elapsed().0 as f64
    };
    let found = ThreadUse { running: percent(|t| t.running_ns), waiting: percent(|t| t.waiting_ns) };
    (found.running.is_finite() && found.waiting.is_finite()).then_some(found)
}

/// Of the ends with this account, the one whose threads waited most for a CPU, or used it most.
fn busiest_threads<'a>(
    trial: &'a Trial,
    summary: &TrialSummary,
    account: &CpuSummary,
) -> Option<(&'a str, ThreadUse)> {
    let shares = |cpu: &CpuSummary| {
        std::ptr::eq(cpu, account) || [cpu.scope, account.scope] == [CpuAccountingScope::Shared; 2]
    };
    let ends = trial.ends.iter().zip(&summary.hosts);
    let ours = ends.filter(|(_, host)| host.cpu.as_ref().is_some_and(shares));
    let used = ours.filter_map(|(end, _)| Some((end.host.as_str(), thread_use(end, end.flows.iter())?)));
    used.max_by(|(_, a), (_, b)| a.waiting.max(a.running).total_cmp(&b.waiting.max(b.running)))
}

fn full_cpus(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let told_apart = matches!(&trial.probe, Probe::Load(_));
    let listening =
        summary.hosts.iter().find(|h| h.role == EndpointRole::Listen).and_then(|h| h.cpu.as_ref());
    let own = listening.is_some_and(|cpu| cpu.scope != CpuAccountingScope::Shared);
    let full = |(whose, cpu): (MessageArg, &CpuSummary)| {
        let busy: Vec<(usize, f64)> = cpu
            .busy_percent_per_cpu
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, percent)| *percent >= MIN_SATURATED_CPU_PERCENT)
            .collect();
        let (_, most) = busy.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let (count, percent, all) = (busy.len(), percent_arg(most), cpu.cpus);
        let text = match busiest_threads(trial, summary, cpu) {
            Some((host, threads)) if threads.waiting >= MIN_BUFFER_LIMITED_TIME_PERCENT => {
                let waited = fixed_decimals_arg(threads.waiting, 0, "%");
                message!(rule_cpu_saturated_text_2 { count, all, whose, percent, host, waited })
            }
            Some((host, threads)) if threads.running >= MIN_SATURATED_CPU_PERCENT => {
                message!(rule_cpu_saturated_text_3 { count, all, whose, percent, host })
            }
            _ => message!(rule_cpu_saturated_text { count, all, whose, percent }),
        };
        Some(Hit::new(text, busy.iter().map(|(n, p)| format!("cpu.busy_percent_per_cpu[{n}] = {p:.1}"))))
    };
    figures(summary)
        .into_iter()
        .filter(|(_, cpu)| !told_apart || cpu.scope == CpuAccountingScope::Shared && !own)
        .filter_map(full)
        .collect()
}

pub(super) fn check_shared_cpu(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    // P/E index and service demand refer to the listening end.
    let listening =
        summary.hosts.iter().find(|h| h.role == EndpointRole::Listen).and_then(|h| h.cpu.as_ref());
    let own = listening.is_some_and(|cpu| cpu.scope != CpuAccountingScope::Shared);
    let figure =
        figures(summary).into_iter().find(|(_, cpu)| cpu.scope == CpuAccountingScope::Shared && !own);
    let hit = |(_, cpu): (MessageArg, &CpuSummary)| {
        let percent = percent_arg(cpu.busy_percent);
        let text = if summary.hosts.len() > 2 {
            message!(rule_shared_cpu_text_2 { percent })
        } else {
            message!(rule_shared_cpu_text { percent })
        };
        Hit::new(text, ["cpu.scope = shared".to_string()])
    };
    figure.map(hit).into_iter().collect()
}

pub(super) fn check_missing_cpu_use(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let short = |e: &EndpointReport| {
        e.cpu.as_ref().is_some_and(|a| cpu::accounting_duration(a, &e.window) < Nanos::SECOND)
    };
    let short = trial.ends.iter().any(short);
    if !short
        || !trial.probe.settings().is_cpu_use_relevant()
        || summary.hosts.iter().any(|h| h.cpu.is_some())
    {
        return Vec::new();
    }
    let text = message!(rule_no_cpu_figure_text { time: time_arg(summary.elapsed_ns as f64) });
    vec![Hit::new(text, [format!("elapsed_ns = {}", summary.elapsed_ns)])]
}

/// Of ends that share an account, one on time is enough.
pub(super) fn check_cpu_snapshot_offset(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    if trial.outcome != TrialOutcome::Complete || !trial.probe.settings().is_cpu_use_relevant() {
        return Vec::new();
    }
    let known = |end: &'_ EndpointReport| {
        let (_, scope) = cpu::endpoint_cpu_accounting(trial, end)?;
        let account =
            end.cpu.as_ref().filter(|a| cpu::accounting_duration(a, &end.window) >= Nanos::SECOND)?;
        Some((scope, cpu::cpu_snapshot_offset_percent(account, &end.window)?))
    };
    let mut told: Vec<(CpuAccountingScope, f64, &EndpointReport)> = Vec::new();
    for end in &trial.ends {
        let Some((scope, percent)) = known(end) else { continue };
        let same = |other: &&mut (CpuAccountingScope, f64, &EndpointReport)| {
            (other.0, scope) == (CpuAccountingScope::Shared, CpuAccountingScope::Shared)
                && other.2.facts.shares_kernel_with(&end.facts)
        };
        match told.iter_mut().find(same) {
            Some(other) if percent < other.1 => *other = (scope, percent, end),
            Some(_) => {}
            None => told.push((scope, percent, end)),
        }
    }
    let late = told.into_iter().filter(|(_, percent, _)| *percent > MAX_CPU_SNAPSHOT_OFFSET_PERCENT);
    late.filter_map(|(_, percent, end)| misplaced_one(percent, end)).collect()
}

fn misplaced_one(share: f64, end: &EndpointReport) -> Option<Hit> {
    let account = end.cpu.as_ref()?;
    let off = [
        (cpu::snapshot_offset_ns(account.opened_ns, end.window.t0_ns), "opening"),
        (cpu::snapshot_offset_ns(account.closed_ns, end.window.t1_ns), "end"),
    ];
    let [opened, closed] = off.map(|(off, _)| off.unsigned_abs() as f64 / 1e6);
    let [opened, closed] = [opened, closed].map(|ms| fixed_decimals_arg(ms, 0, "ms"));
    let host = &end.host;
    let text = match share > cpu::MAX_USABLE_SNAPSHOT_OFFSET_PERCENT {
        true => message!(rule_cpu_not_of_window_text_2 { host, opened, closed }),
        false => {
            message!(rule_cpu_not_of_window_text {
                host,
                opened,
                closed,
                percent: fixed_decimals_arg(share, 0, "%")
            })
        }
    };
    let evidence = off.map(|(off, edge)| format!("{}: read {off} ns after the window's {edge}", end.host));
    Some(Hit::new(text, evidence))
}

/// Directions whose sender spent much of its busy time waiting, unless `excused` explains that share.
fn limited(
    summary: &TrialSummary,
    say: fn(&str, MessageArg) -> Message,
    field: &str,
    of: fn(&TcpStatistics) -> u64,
    excused: impl Fn(&DirectionSummary, f64) -> bool,
) -> Vec<Hit> {
    let check = |direction: &DirectionSummary| {
        let account = direction.sender_tcp.as_ref()?;
        let share = of(account) as f64 * 100.0 / account.busy_us as f64;
        let long = account.busy_us > 0 && share >= MIN_BUFFER_LIMITED_TIME_PERCENT;
        (long && !excused(direction, share)).then(|| {
            let name = direction.direction.name();
            Hit::new(
                say(name, fixed_decimals_arg(share, 0, "%")),
                [
                    format!("sender_tcp.{field} = {}", of(account)),
                    format!("sender_tcp.busy_us = {}", account.busy_us),
                ],
            )
        })
    };
    summary.direction_summaries().iter().filter_map(check).collect()
}

/// The window of a receiver without CPU time is full because nobody reads.
pub(super) fn check_receive_window_limited(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let say = |direction: &str, percent| message!(rule_receiver_window_limited_text { direction, percent });
    let starved = |direction: &DirectionSummary, share: f64| {
        let ours = |f: &&Flow| f.receives && f.direction == direction.direction;
        let threads = |end: &EndpointReport| thread_use(end, end.flows.iter().filter(ours));
        let no_time = |t: ThreadUse| t.waiting * 2.0 >= share || t.running >= MIN_SATURATED_CPU_PERCENT;
        trial.ends.iter().filter_map(threads).any(no_time)
    };
    limited(summary, say, "rwnd_limited_us", |t| t.rwnd_limited_us, starved)
}

/// What is read in a window may have arrived before it, and what arrives may be read after it.
pub(super) fn check_unread_data_at_edges(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let check = |d: &DirectionSummary| {
        let (read, arrived) = (d.goodput_bps?, d.arrival_bps?);
        (read.abs_diff(arrived) as f64 * 100.0 > read as f64 * MAX_UNREAD_PERCENT).then(|| {
            Hit::new(
                message!(rule_unread_at_edges_text {
                    direction: d.direction.name(),
                    read: mbit(read),
                    arrived: mbit(arrived),
                }),
                [format!("goodput_bps = {read}"), format!("arrival_bps = {arrived}")],
            )
        })
    };
    summary.direction_summaries().iter().filter_map(check).collect()
}

pub(super) fn check_send_buffer_limited(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let say = |direction: &str, percent| message!(rule_send_buffer_limited_text { direction, percent });
    limited(summary, say, "sndbuf_limited_us", |t| t.sndbuf_limited_us, |_, _| false)
}
