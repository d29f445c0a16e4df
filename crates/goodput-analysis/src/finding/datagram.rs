//! Rules about datagrams: counts that contradict each other, a sender that was held back, losses by place, and
//! what could not be told.

use super::Hit;
use crate::probe::datagram_accounts;
use goodput_model::summary::{Bounds, DatagramSummary, DirectionSummary, Summary};
use goodput_model::{Probe, Trial};
use std::fmt::Write;

/// A sender below this share of what was asked was held back.
const HELD_BACK: f64 = 0.99;
/// More datagrams than this share of all sent after their instant are worth saying.
const LATE: f64 = 0.01;

/// Each direction's name with its figures.
fn directions(summary: &Summary) -> impl Iterator<Item = (&'static str, &DatagramSummary)> {
    let known = |d| -> Option<_> {
        let d: &DirectionSummary = d;
        Some((d.direction.name(), d.datagrams.as_deref()?))
    };
    summary.directions().iter().filter_map(known)
}

fn each(summary: &Summary, hit: impl Fn(&str, &DatagramSummary) -> Option<Hit>) -> Vec<Hit> {
    directions(summary).filter_map(|(name, d)| hit(name, d)).collect()
}

/// `name.field = value`.
fn fact(direction: &str, field: &str, value: impl std::fmt::Display) -> String {
    format!("directions[{direction}].datagrams.{field} = {value}")
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

/// The remainder is below zero: some count is wrong.
pub(super) fn overcounted(trial: &Trial, _: &Summary) -> Vec<Hit> {
    let Probe::Datagram(settings) = &trial.probe else { return Vec::new() };
    let hit = |(name, account): (&str, crate::account::Account)| {
        let t = &account.totals;
        let lost = t.lost.receiver_socket_events;
        (account.overcounted > 0).then(|| {
            let text = format!(
                "the counts of direction {name} claim {} datagrams more than there were",
                account.overcounted
            );
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

/// What one end told the other of its totals differs from what it reported.
pub(super) fn told_totals(trial: &Trial, _: &Summary) -> Vec<Hit> {
    let flows = || trial.ends.iter().flat_map(|e| e.flows.iter().map(move |f| (e, f)));
    let other = |receives: bool, index| {
        flows().find(|(_, f)| f.receives == receives && f.index == index)?.1.datagrams.as_ref()
    };
    let check = |(end, flow): (&goodput_model::EndReport, &goodput_model::trial::Flow)| {
        let account = flow.datagrams.as_ref()?;
        let differs = if flow.receives {
            let own = other(false, flow.index)?.sent.as_ref()?.totals();
            account.told_sent.is_some_and(|told| told != own)
        } else {
            let own = other(true, flow.index)?.received.as_ref()?.totals();
            account.told_received.is_some_and(|told| told != own)
        };
        let what = if flow.receives { "sender" } else { "receiver" };
        differs.then(|| {
            let text =
                format!("{} was told other totals of flow {} than its {what} reported", end.host, flow.index);
            Hit::new(text, [format!("told = {:?} {:?}", account.told_sent, account.told_received)])
        })
    };
    flows().filter_map(check).collect()
}

/// Less came onto the path than was asked.
pub(super) fn held_back(_: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |name, d| {
        let (asked, sent) = (d.asked_per_second?, d.sent_per_second?);
        (sent < asked * HELD_BACK).then(|| {
            let text = format!(
                "direction {name} was held back at the sender: {asked:.0} datagrams a second asked, {sent:.0} sent"
            );
            let facts = [
                fact(name, "asked_per_second", format!("{asked:.1}")),
                fact(name, "sent_per_second", format!("{sent:.1}")),
            ];
            Hit::new(text, facts)
        })
    })
}

/// The sender's own system did not take all that was offered.
pub(super) fn refused(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |name, d| {
        let (refused, offered) = (d.totals.refused.filter(|n| *n > 0)?, d.totals.offered?);
        let text = format!(
            "the sender's system refused {refused} of {offered} datagrams of direction {name}{}",
            reasons(trial, name)
        );
        let facts = [fact(name, "refused", refused), fact(name, "offered", offered)];
        Some(Hit::new(text, facts.into_iter().chain(sender_counters(trial, name))))
    })
}

/// What the sender's kernel counted of it over the whole trial: an outside witness of the refusals.
fn sender_counters(trial: &Trial, direction: &str) -> Vec<String> {
    let ours = |f: &goodput_model::trial::Flow| f.direction.name() == direction && !f.receives;
    let sender = trial.ends.iter().find(|end| end.flows.iter().any(ours));
    let Some((end, counters)) = sender.and_then(|end| Some((end, end.whole_trial.as_ref()?))) else {
        return Vec::new();
    };
    let errors = ["Udp.SndbufErrors", "Udp6.SndbufErrors"]
        .into_iter()
        .filter_map(|name| Some((name.to_string(), u64::try_from(counters.protocol(name)?).ok()?)));
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

/// `: 12 by ENOBUFS (105), 3 by errno 1`, from all flows of a direction.
fn reasons(trial: &Trial, direction: &str) -> String {
    let mut by_errno: std::collections::BTreeMap<i32, u64> = std::collections::BTreeMap::new();
    let flows = trial.ends.iter().flat_map(|e| &e.flows);
    let ours = flows.filter(|f| f.direction.name() == direction);
    for r in ours.filter_map(|f| f.datagrams.as_ref()?.sent.as_ref()).flat_map(|s| &s.refused) {
        let n = by_errno.entry(r.errno).or_default();
        *n = n.saturating_add(r.datagrams);
    }
    let mut text = String::new();
    for (errno, n) in by_errno {
        let name = match errno {
            0 => "a reason that sendmmsg does not tell".to_string(),
            1 => "EPERM (a packet filter of this host)".to_string(),
            90 => "EMSGSIZE (too long for the path)".to_string(),
            101 => "ENETUNREACH".to_string(),
            105 => "ENOBUFS (a full queue on the way out)".to_string(),
            111 => "ECONNREFUSED (nobody listened)".to_string(),
            113 => "EHOSTUNREACH".to_string(),
            other => format!("errno {other}"),
        };
        let _ = write!(text, "{} {n} by {name}", if text.is_empty() { ":" } else { "," });
    }
    text
}

/// One number, or what it is at the least and at the most.
fn between(b: Bounds) -> String {
    if b.least == b.most { b.most.to_string() } else { format!("between {} and {}", b.least, b.most) }
}

fn lost(name: &str, d: &DatagramSummary, field: &str, place: &str, bounds: Option<Bounds>) -> Option<Hit> {
    let b = bounds.filter(|b| b.most > 0)?;
    let sent = d.totals.sent?;
    let share = if b.least == b.most {
        format!(" ({:.3} %)", percent(b.most, sent))
    } else {
        format!(" ({:.3} to {:.3} %)", percent(b.least, sent), percent(b.most, sent))
    };
    let text = format!("{} of {sent} datagrams of direction {name}{share} were lost {place}", between(b));
    Some(Hit::new(text, [fact(name, &format!("lost.{field}"), between(b)), fact(name, "sent", sent)]))
}

/// The receiver's socket was full, or a checksum was wrong.
pub(super) fn lost_at_socket(_: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |name, d| {
        let bounds = d.totals.lost.bounds?.receiver_socket?;
        let events = d.totals.lost.receiver_socket_events.filter(|_| bounds.least != bounds.most);
        let place = match events {
            Some(k) => format!("at the receiver's socket (its kernel dropped {k} packets there)"),
            None => "at the receiver's socket".to_string(),
        };
        lost(name, d, "receiver_socket", &place, Some(bounds))
    })
}

/// Softnet, interface, checksum, memory.
pub(super) fn lost_in_host(_: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |name, d| {
        let place = "in the receiving host below its sockets";
        lost(name, d, "receiver_host", place, d.totals.lost.bounds?.receiver_host)
    })
}

/// The remainder.
pub(super) fn lost_on_path(_: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |name, d| {
        let includes = &d.totals.lost.path_includes;
        let place = if includes.is_empty() {
            "on the path".to_string()
        } else {
            let words: Vec<&str> = includes
                .iter()
                .map(|i| match i.as_str() {
                    crate::account::SOCKET => "at the receiver's socket",
                    _ => "in the receiving host below its sockets",
                })
                .collect();
            format!("on the path or {}, which was not counted", words.join(" or "))
        };
        lost(name, d, "path", &place, Some(d.totals.lost.bounds?.path))
    })
}

/// What the account leaves open.
pub(super) fn unresolved(_: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |name, d| {
        let n = Some(d.totals.unresolved).filter(|n| *n > 0)?;
        let copies = d.totals.duplicates.unwrap_or(0) > 0;
        let events = d.totals.lost.receiver_socket_events.unwrap_or(0);
        let why = match (copies, events > 0) {
            (true, true) => "the network made copies, so a drop at the socket need not be a loss",
            (false, true) => "a drop that the kernel counts at the socket may be several datagrams",
            (_, false) => {
                "some came too late to tell them from copies, or drops below the socket may be other traffic's"
            }
        };
        let text = format!("unresolved: {n} datagrams of direction {name}: {why}");
        Some(Hit::new(text, [fact(name, "unresolved", n)]))
    })
}

/// The network delivered datagrams more than once.
pub(super) fn copied(_: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |name, d| {
        let n = d.totals.duplicates.filter(|n| *n > 0)?;
        let text = format!("the network delivered {n} copies of datagrams of direction {name}");
        Some(Hit::new(text, [fact(name, "duplicates", n)]))
    })
}

/// The network changed the order.
pub(super) fn reordered(_: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |name, d| {
        let n = d.totals.reordered.filter(|n| *n > 0)?;
        let text = format!(
            "{n} datagrams of direction {name} came after later ones, up to {} behind",
            d.most_behind.unwrap_or(0)
        );
        Some(Hit::new(text, [fact(name, "reordered", n)]))
    })
}

/// A paced sender did not keep its instants.
pub(super) fn sent_late(_: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |name, d| {
        let (late, offered) = (d.late?, d.totals.offered?);
        // A sender that was held back is late as a matter of course, and that is said already.
        if d.asked_per_second.zip(d.sent_per_second).is_some_and(|(asked, sent)| sent < asked * HELD_BACK) {
            return None;
        }
        (late as f64 > offered as f64 * LATE).then(|| {
            let text = format!(
                "{late} of {offered} datagrams of direction {name} were sent more than 1 ms after their instant, up to {:.1} ms",
                d.most_late_ns.unwrap_or(0) as f64 / 1e6
            );
            Hit::new(text, [fact(name, "late", late)])
        })
    })
}

/// Something else came.
pub(super) fn malformed(_: &Trial, summary: &Summary) -> Vec<Hit> {
    each(summary, |name, d| {
        let n = Some(d.malformed).filter(|n| *n > 0)?;
        let text = format!("{n} datagrams of another form came to the sockets of direction {name}");
        Some(Hit::new(text, [fact(name, "malformed", n)]))
    })
}

/// Offload was wanted and the kernel did not give it.
pub(super) fn not_offloaded(_: &Trial, summary: &Summary) -> Vec<Hit> {
    let hits = |(name, d): (&str, &DatagramSummary)| -> Vec<Hit> {
        d.fallbacks.iter().map(|why| Hit::new(format!("direction {name}: {why}"), [])).collect()
    };
    directions(summary).flat_map(hits).collect()
}

/// Checks that this trial could not make.
pub(super) fn not_available(_: &Trial, summary: &Summary) -> Vec<Hit> {
    use goodput_model::datagram::DatagramCheck as Check;
    let hits = |(name, d): (&str, &DatagramSummary)| -> Vec<Hit> {
        d.not_available
            .iter()
            .map(|n| {
                let check = match n.check {
                    Check::Duplicates => "telling copies from first arrivals",
                    Check::Reordering => "reordering",
                    Check::Jitter => "jitter",
                    Check::DelayVariation => "delay variation",
                    Check::SocketDrops => "drops at the receiver's socket",
                };
                Hit::new(format!("not available in direction {name}: {check}: {}", n.why), [])
            })
            .collect()
    };
    directions(summary).flat_map(hits).collect()
}
