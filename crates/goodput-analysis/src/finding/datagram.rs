//! Rules about datagrams: contradicting counts, a limited sender, losses by place, and unknowns.

use super::Hit;
use crate::probe::datagram_accounts;
use goodput_model::summary::{CountBounds, DatagramSummary, DirectionSummary, TrialSummary};
use goodput_model::{Message, Probe, Trial};
use goodput_words::message;
use goodput_words::message_argument::fixed_decimals_arg;

/// Below this share of the requested rate the sender was the limit.
const HELD_BACK: f64 = 0.99;
/// A larger share of late datagrams is reported.
const LATE: f64 = 0.01;

fn directions(summary: &TrialSummary) -> impl Iterator<Item = (&'static str, &DatagramSummary)> {
    let known = |d| -> Option<_> {
        let d: &DirectionSummary = d;
        Some((d.direction.name(), d.datagrams.as_deref()?))
    };
    summary.direction_summaries().iter().filter_map(known)
}

fn each(summary: &TrialSummary, hit: impl Fn(&str, &DatagramSummary) -> Option<Hit>) -> Vec<Hit> {
    directions(summary).filter_map(|(name, d)| hit(name, d)).collect()
}

fn fact(direction: &str, field: &str, value: impl std::fmt::Display) -> String {
    format!("directions[{direction}].datagrams.{field} = {value}")
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

/// The remainder is below zero: some count is wrong.
pub(super) fn check_overcounted_losses(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let Probe::Datagram(settings) = &trial.probe else { return Vec::new() };
    let hit = |(name, account): (&str, crate::datagram_losses::DatagramLossTotals)| {
        let t = &account.totals;
        let lost = t.lost.receiver_socket_events;
        (account.overcounted > 0).then(|| {
            let text =
                message!(rule_datagram_account_negative_text { direction: name, count: account.overcounted });
            let known = [
                ("offered", t.offered),
                ("refused", t.refused),
                ("sent", t.sent),
                ("received", t.received),
                ("lost.receiver_socket_events", lost),
            ];
            Hit::new(text, known.into_iter().filter_map(|(field, n)| Some(fact(name, field, n?))))
        })
    };
    datagram_accounts(trial, settings).into_iter().filter_map(hit).collect()
}

pub(super) fn check_datagram_totals(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let flows = || trial.ends.iter().flat_map(|e| e.flows.iter().map(move |f| (e, f)));
    let other = |receives: bool, index| {
        flows().find(|(_, f)| f.receives == receives && f.index == index)?.1.datagrams.as_ref()
    };
    let check = |(end, flow): (&goodput_model::EndpointReport, &goodput_model::trial::Flow)| {
        let account = flow.datagrams.as_ref()?;
        let differs = if flow.receives {
            let own = other(false, flow.index)?.sent.as_ref()?.totals();
            account.told_sent.is_some_and(|told| told != own)
        } else {
            let own = other(true, flow.index)?.received.as_ref()?.totals();
            account.told_received.is_some_and(|told| told != own)
        };
        differs.then(|| {
            let (host, number) = (&end.host, flow.index.to_string());
            let text = if flow.receives {
                message!(rule_datagram_totals_differ_text { host, flow: number })
            } else {
                message!(rule_datagram_totals_differ_text_2 { host, flow: number })
            };
            Hit::new(text, [format!("told = {:?} {:?}", account.told_sent, account.told_received)])
        })
    };
    flows().filter_map(check).collect()
}

pub(super) fn check_requested_rate_not_reached(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |name, d| {
        let (asked, sent) = (d.asked_per_second?, d.sent_per_second?);
        (sent < asked * HELD_BACK).then(|| {
            let text = message!(rule_held_back_at_sender_text {
                direction: name,
                asked: fixed_decimals_arg(asked, 0, ""),
                sent: fixed_decimals_arg(sent, 0, ""),
            });
            let facts = [
                fact(name, "asked_per_second", format!("{asked:.1}")),
                fact(name, "sent_per_second", format!("{sent:.1}")),
            ];
            Hit::new(text, facts)
        })
    })
}

pub(super) fn check_refused_sends(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |name, d| {
        let (refused, offered) = (d.totals.refused.filter(|n| *n > 0)?, d.totals.offered?);
        let why = reasons(trial, name);
        let text = if why.is_empty() {
            message!(rule_datagrams_refused_text_2 { direction: name, refused, offered })
        } else {
            message!(rule_datagrams_refused_text { direction: name, refused, offered, reasons: why })
        };
        let facts = [fact(name, "refused", refused), fact(name, "offered", offered)];
        Some(Hit::new(text, facts.into_iter().chain(sender_counters(trial, name))))
    })
}

fn sender_counters(trial: &Trial, direction: &str) -> Vec<String> {
    let ours = |f: &goodput_model::trial::Flow| f.direction.name() == direction && !f.receives;
    let sender = trial.ends.iter().find(|end| end.flows.iter().any(ours));
    let Some((end, counters)) = sender.and_then(|end| Some((end, end.whole_trial.as_ref()?))) else {
        return Vec::new();
    };
    let errors = ["Udp.SndbufErrors", "Udp6.SndbufErrors"]
        .into_iter()
        .filter_map(|name| Some((name.to_string(), u64::try_from(counters.protocol_counter(name)?).ok()?)));
    let queues = counters
        .interfaces
        .value()
        .into_iter()
        .flatten()
        .filter_map(|(name, all)| Some((format!("{name}.qdisc_drops"), *all.get("qdisc_drops")?)));
    errors
        .chain(queues)
        .filter(|(_, n)| *n > 0)
        .map(|(name, n)| format!("{} {name} = {n}", end.host))
        .collect()
}

fn reasons(trial: &Trial, direction: &str) -> Vec<Message> {
    let mut by_errno: std::collections::BTreeMap<i32, u64> = std::collections::BTreeMap::new();
    let flows = trial.ends.iter().flat_map(|e| &e.flows);
    let ours = flows.filter(|f| f.direction.name() == direction);
    for r in ours.filter_map(|f| f.datagrams.as_ref()?.sent.as_ref()).flat_map(|s| &s.refused) {
        let n = by_errno.entry(r.errno).or_default();
        *n = n.saturating_add(r.datagrams);
    }
    let told = |(errno, n): (i32, u64)| message!(refused_by { count: n, why: errno.unsigned_abs() });
    by_errno.into_iter().map(told).collect()
}

fn between(b: CountBounds) -> Message {
    message!(clause_between { least: b.least, most: b.most })
}

fn lost(
    name: &str,
    d: &DatagramSummary,
    field: &str,
    bounds: Option<CountBounds>,
    say: impl FnOnce(Message) -> Message,
) -> Option<Hit> {
    let b = bounds.filter(|b| b.most > 0)?;
    let sent = d.totals.sent?;
    let share = |n| fixed_decimals_arg(percent(n, sent), 3, "%");
    let (lost, written) = if b.least == b.most {
        (message!(clause_lost_share { count: b.most, sent, share: share(b.most) }), b.most.to_string())
    } else {
        let (least, most) = (share(b.least), share(b.most));
        let count = between(b);
        let written = format!("between {} and {}", b.least, b.most);
        (message!(clause_lost_shares { count, sent, least, most }), written)
    };
    Some(Hit::new(say(lost), [fact(name, &format!("lost.{field}"), written), fact(name, "sent", sent)]))
}

pub(super) fn check_datagrams_lost_at_socket(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |direction, d| {
        let bounds = d.totals.lost.bounds?.receiver_socket?;
        let events = d.totals.lost.receiver_socket_events.filter(|_| bounds.least != bounds.most);
        lost(direction, d, "receiver_socket", Some(bounds), |lost| match events {
            Some(events) => message!(rule_lost_at_receiver_socket_text_2 { lost, direction, events }),
            None => message!(rule_lost_at_receiver_socket_text { lost, direction }),
        })
    })
}

pub(super) fn check_datagrams_lost_in_host(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |direction, d| {
        let bounds = d.totals.lost.bounds?.receiver_host;
        lost(direction, d, "receiver_host", bounds, |lost| {
            message!(rule_lost_in_receiving_host_text { lost, direction })
        })
    })
}

pub(super) fn check_datagrams_lost_in_sender_queue(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |direction, d| {
        let bounds = d.totals.lost.bounds?.sender_queue;
        lost(direction, d, "bounds.sender_queue", bounds, |lost| {
            message!(rule_lost_in_sender_queue_text { lost, direction })
        })
    })
}

/// Not where the hosts' own counters may account for all of it.
pub(super) fn check_datagrams_lost_on_path(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |direction, d| {
        let bounds = d.totals.lost.bounds?;
        let in_hosts = [bounds.receiver_host, bounds.sender_queue].into_iter().flatten();
        let in_hosts = in_hosts.fold(0, |sum: u64, place| sum.saturating_add(place.most));
        if bounds.path.least == 0 && in_hosts >= bounds.path.most {
            return None;
        }
        let uncounted: Vec<bool> = d
            .totals
            .lost
            .path_includes
            .iter()
            .map(|place| place == crate::datagram_losses::LOST_AT_RECEIVER_SOCKET)
            .collect();
        lost(direction, d, "path", Some(bounds.path), |lost| match uncounted.as_slice() {
            [] => message!(rule_lost_on_path_text { lost, direction }),
            [true] => message!(rule_lost_on_path_text_2 { lost, direction }),
            [false] => message!(rule_lost_on_path_text_3 { lost, direction }),
            _ => message!(rule_lost_on_path_text_4 { lost, direction }),
        })
    })
}

pub(super) fn check_unattributed_losses(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |name, d| {
        let n = Some(d.totals.unresolved).filter(|n| *n > 0)?;
        let copies = d.totals.duplicates.unwrap_or(0) > 0;
        let events = d.totals.lost.receiver_socket_events.unwrap_or(0);
        let why = match (copies, events > 0) {
            (true, true) => message!(part_copies),
            (false, true) => message!(part_events),
            (_, false) => message!(part_too_late),
        };
        let text = message!(rule_loss_unresolved_text { count: n, direction: name, why });
        Some(Hit::new(text, [fact(name, "unresolved", n)]))
    })
}

pub(super) fn check_duplicated_datagrams(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |name, d| {
        let n = d.totals.duplicates.filter(|n| *n > 0)?;
        let text = message!(rule_datagrams_copied_text { count: n, direction: name });
        Some(Hit::new(text, [fact(name, "duplicates", n)]))
    })
}

pub(super) fn check_reordered_datagrams(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |name, d| {
        let n = d.totals.reordered.filter(|n| *n > 0)?;
        let behind = d.most_behind.unwrap_or(0);
        let text = message!(rule_datagrams_reordered_text { count: n, direction: name, behind });
        Some(Hit::new(text, [fact(name, "reordered", n)]))
    })
}

pub(super) fn check_datagrams_sent_late(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |name, d| {
        let (late, offered) = (d.late?, d.totals.offered?);
        // A limited sender is always late, which another rule reports.
        if d.asked_per_second.zip(d.sent_per_second).is_some_and(|(asked, sent)| sent < asked * HELD_BACK) {
            return None;
        }
        (late as f64 > offered as f64 * LATE).then(|| {
            let most = fixed_decimals_arg(d.most_late_ns.unwrap_or(0) as f64 / 1e6, 1, "ms");
            let text = message!(rule_datagrams_sent_late_text { late, offered, direction: name, most });
            Hit::new(text, [fact(name, "late", late)])
        })
    })
}

pub(super) fn check_malformed_datagrams(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    each(summary, |name, d| {
        let n = Some(d.malformed).filter(|n| *n > 0)?;
        let text = message!(rule_datagrams_malformed_text { count: n, direction: name });
        Some(Hit::new(text, [fact(name, "malformed", n)]))
    })
}

pub(super) fn check_segmentation_not_offloaded(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let hits = |(name, d): (&str, &DatagramSummary)| -> Vec<Hit> {
        let hit = |why: &String| {
            let why = Message::from(why.as_str());
            Hit::new(message!(rule_offload_not_used_text { direction: name, why }), [])
        };
        d.fallbacks.iter().map(hit).collect()
    };
    directions(summary).flat_map(hits).collect()
}

pub(super) fn check_unavailable_datagram_metrics(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    use goodput_model::datagram::DatagramMeasurement as Check;
    let hits = |(name, d): (&str, &DatagramSummary)| -> Vec<Hit> {
        d.not_available
            .iter()
            .map(|n| {
                let check = match n.check {
                    Check::Duplicates => message!(clause_check_copies),
                    Check::Reordering => message!(clause_check_order),
                    Check::Jitter => message!(clause_check_jitter),
                    Check::DelayVariation => message!(clause_check_delay),
                    Check::SocketDrops => message!(clause_check_drops),
                };
                let why = Message::from(n.why.to_string());
                Hit::new(message!(rule_not_available_text { check, direction: name, why }), [])
            })
            .collect()
    };
    directions(summary).flat_map(hits).collect()
}
