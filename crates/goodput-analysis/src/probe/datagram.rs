//! UDP datagrams: the account of the whole trial, the rates of the window, jitter and delay variation. Series
//! of the receiving end: `intervals-<direction>-<flow>` (`end_ns` since t0, `bytes`, without duplicates) and
//! `delay-variation-<direction>-<flow>` (`value_ns`, absolute difference of consecutive datagrams; `count`).

use super::direction::{self, DirectionFlows, ratio, series_name, sum};
use super::{Measured, ProbeAnalysis, Work, seconds, series};
use crate::datagram_account::{self, Account, FlowCounts, HostDrops};
use crate::latency::Distribution;
use crate::limit::{Carried, Packets};
use goodput_model::change::Quantity;
use goodput_model::datagram::{DatagramCalls, DatagramsReceived, DatagramsSent};
use goodput_model::probe::Stop;
use goodput_model::summary::{
    DatagramResult, DatagramSummary, DatagramTotals, DirectionSummary, LatencySummary, Limit, ProbeResult,
};
use goodput_model::trial::Flow;
use goodput_model::{BitRate, Bytes, Datagram, Nanos, Trial};

impl ProbeAnalysis for Datagram {
    fn measure(&self, trial: &Trial, _: &Limit) -> Measured {
        measure(trial, self)
    }

    fn carried(&self, _: &Trial) -> Result<Carried, &'static str> {
        Ok(Carried {
            directions: self.direction.parts(),
            one_way: false,
            packets: Packets::Datagrams(self.size.0),
        })
    }

    fn primary_metric(&self) -> &'static str {
        "goodput_bps"
    }

    fn compared(&self) -> &'static [Quantity] {
        &[Quantity::GoodputBps, Quantity::CpuPercent, Quantity::PeIndex]
    }

    fn describe(&self) -> String {
        format!("datagram {}, {} B", self.direction.name(), self.size.0)
    }
}

fn measure(trial: &Trial, settings: &Datagram) -> Measured {
    let parts = parts(trial, settings);
    let measured = direction::measured(trial, &parts);
    let directions: Vec<DirectionSummary> = parts.iter().map(|p| summary(p, settings)).collect();
    let size = settings.size.0.max(1) as f64;
    let totals: Vec<&DatagramTotals> =
        directions.iter().filter_map(|d| d.datagrams.as_ref()).map(|d| &d.totals).collect();
    // Without one direction there is no sum.
    let whole = totals.len() == settings.direction.parts().len();
    Measured {
        result: Some(ProbeResult::Datagram(DatagramResult {
            totals: datagram_account::total_account(&totals).filter(|_| whole),
            directions,
        })),
        work: measured.bytes.map(|b| Work::Datagrams { kib: b as f64 / 1024.0, count: b as f64 / size }),
        ..measured
    }
}

/// For the rules that look for contradictions.
pub(crate) fn accounts(trial: &Trial, settings: &Datagram) -> Vec<(&'static str, Account)> {
    let named = |p: &DirectionFlows<'_>| (p.direction.name(), account_of(p));
    parts(trial, settings).iter().map(named).collect()
}

fn parts<'a>(trial: &'a Trial, settings: &Datagram) -> Vec<DirectionFlows<'a>> {
    let part = |d: &_| DirectionFlows::of(trial, *d, settings.flows, settings.stop);
    settings.direction.parts().iter().filter_map(part).collect()
}

fn account_of(part: &DirectionFlows<'_>) -> Account {
    let counts: Vec<FlowCounts> = part
        .receivers
        .iter()
        .map(|flow| {
            let told = flow.datagrams.as_ref().and_then(|a| a.told_sent);
            let own = part.senders.iter().find(|s| s.index == flow.index).and_then(|s| sent_on(s));
            FlowCounts { sent: own.map(DatagramsSent::totals).or(told), received: received_on(flow) }
        })
        .collect();
    datagram_account::account(&counts, host_drops(part))
}

/// Drops of the receiving host below its sockets, from before the first datagram to after the drain; `None`
/// without counters. Softnet's are the whole kernel's, the rest is the receiver's network namespace:
/// interfaces (`rx_missed_errors` and `rx_fifo_errors` are full rings, linux/if_link.h) and IP discards.
/// UDP's errors are in the drops of its sockets. Counters may overlap, so the sum is an upper bound.
fn host_drops(part: &DirectionFlows<'_>) -> Option<HostDrops> {
    const INTERFACE: [&str; 4] = ["rx_dropped", "rx_errors", "rx_fifo_errors", "rx_missed_errors"];
    let counters = part.receiver.whole_trial.as_ref()?;
    let softnet = counters.softnet.value()?.iter().map(|s| s.dropped.saturating_add(s.flow_limited));
    let interfaces = counters.interfaces.value()?.values();
    let dropped = interfaces.flat_map(|all| INTERFACE.iter().filter_map(|name| all.get(*name))).copied();
    let discarded = ["Ip.InDiscards", "Ip6.InDiscards"].iter().map(|name| counters.protocol(name));
    let discarded: Option<Vec<u64>> = discarded.map(|n| Some(n?.max(0) as u64)).collect();
    // A packet of UDP_SEGMENT is one packet to the counters until it is cut.
    let sent = part.senders.iter().filter_map(|f| sent_on(f)).filter(|s| s.by == DatagramCalls::Gso);
    let received = part.receivers.iter().filter_map(|f| received_on(f)).map(|r| r.most_a_packet);
    Some(HostDrops {
        packets: sum(softnet.chain(dropped).chain(discarded?)),
        datagrams_a_packet: sent.map(|s| s.most_a_call).chain(received).max().map_or(1, u64::from),
    })
}

fn sent_on(flow: &Flow) -> Option<&DatagramsSent> {
    flow.datagrams.as_ref()?.sent.as_ref()
}

fn received_on(flow: &Flow) -> Option<&DatagramsReceived> {
    flow.datagrams.as_ref()?.received.as_ref()
}

fn summary(part: &DirectionFlows<'_>, settings: &Datagram) -> DirectionSummary {
    let received = part.bytes();
    let sent_bytes = sum(part.senders.iter().map(|f| f.window_bytes));
    DirectionSummary {
        direction: part.direction,
        goodput_bps: part.goodput().map(|g| g.0),
        bytes: received,
        total_bytes: sum(part.receivers.iter().map(|f| f.total_bytes())),
        bytes_per_read: ratio(received as f64, sum(part.receivers.iter().map(|f| f.calls)) as f64),
        bytes_per_write: ratio(sent_bytes as f64, sum(part.senders.iter().map(|f| f.calls)) as f64),
        segments_per_message: None,
        intervals: part.intervals(),
        sender_tcp: None,
        receiver_tcp: None,
        sender_socket: part.senders.first().map(|f| f.socket.clone()),
        receiver_socket: part.receivers.first().map(|f| f.socket.clone()),
        rfc6349: None,
        datagrams: Some(Box::new(datagrams(part, settings, sent_bytes))),
    }
}

fn datagrams(part: &DirectionFlows<'_>, settings: &Datagram, sent_bytes: u64) -> DatagramSummary {
    let totals = account_of(part).totals;
    let size = settings.size.0.max(1);
    let sent: Vec<&DatagramsSent> = part.senders.iter().filter_map(|f| sent_on(f)).collect();
    let received: Vec<&DatagramsReceived> = part.receivers.iter().filter_map(|f| received_on(f)).collect();
    let span = sender_span(part, settings.stop);
    let each_second = |count: f64, span: Option<u64>| ratio(count, seconds(span?)?);
    let send_calls = (!sent.is_empty()).then(|| sum(sent.iter().map(|s| s.calls)));
    let receive_calls = (!received.is_empty()).then(|| sum(received.iter().map(|r| r.calls)));
    let read = sum(received.iter().map(|r| r.received));
    let mut not_available = Vec::new();
    for one in received.iter().flat_map(|r| &r.not_available) {
        if !not_available.contains(one) {
            not_available.push(one.clone());
        }
    }
    DatagramSummary {
        size_bytes: settings.size.0,
        asked_per_second: settings.datagrams_per_second().filter(|n| n.is_finite()),
        offered_per_second: (!sent.is_empty())
            .then(|| each_second(sum(sent.iter().map(|s| s.window_offered)) as f64, span))
            .flatten(),
        sent_per_second: (!sent.is_empty())
            .then(|| each_second(sent_bytes as f64 / size as f64, span))
            .flatten(),
        received_per_second: Some(part.elapsed_ns)
            .filter(|_| !part.refused)
            .and_then(|span| each_second(part.bytes() as f64 / size as f64, Some(span))),
        sent_bps: span.and_then(|s| BitRate::over(Bytes(sent_bytes), Nanos(s))).map(|r| r.0),
        jitter_ns: received.iter().filter_map(|r| r.jitter_ns).filter(|j| j.is_finite()).reduce(f64::max),
        delay_variation_ns: delay_variation(part),
        sent_by: slowest(sent.iter().map(|s| s.by)),
        received_by: slowest(received.iter().map(|r| r.by)),
        datagrams_per_send: totals.sent.zip(send_calls).and_then(|(n, c)| ratio(n as f64, c as f64)),
        datagrams_per_receive: receive_calls.and_then(|c| ratio(read as f64, c as f64)),
        send_calls,
        receive_calls,
        fallbacks: fallbacks(&sent, &received),
        most_late_ns: sent.iter().filter_map(|s| s.most_late_ns).max(),
        late: sent.iter().map(|s| s.late).reduce(|a, b| Some(a?.saturating_add(b?))).flatten(),
        most_behind: received.iter().filter_map(|r| r.most_behind).max(),
        malformed: sum(received.iter().map(|r| r.malformed)),
        drain_ns: received.iter().map(|r| r.drain_ns).max(),
        not_available,
        totals,
    }
}

/// The time that window bytes are divided by, on the sender's clock.
fn sender_span(part: &DirectionFlows<'_>, stop: Stop) -> Option<u64> {
    let sender = part.sender?;
    let window = Some(sender.window.elapsed().0).filter(|w| *w > 0);
    let last = part.senders.iter().filter_map(|f| f.last_byte_ns).max();
    let until_last = last.map(|l| l.saturating_sub(sender.window.t0_ns)).filter(|l| *l > 0);
    match stop {
        Stop::Time(_) if sender.complete => window,
        Stop::Time(_) => until_last.or(window),
        Stop::Bytes(_) | Stop::Count(_) => until_last,
    }
}

fn delay_variation(part: &DirectionFlows<'_>) -> Option<LatencySummary> {
    let found = part.receivers.iter().filter_map(|flow| {
        Distribution::from_series(series(part.receiver, &series_name("delay-variation", flow, part.count))?)
    });
    found.reduce(Distribution::and)?.summary()
}

/// Of several forms the one with the fewest datagrams a call.
fn slowest(forms: impl Iterator<Item = DatagramCalls>) -> Option<DatagramCalls> {
    forms.min_by_key(|by| match by {
        DatagramCalls::Plain => 0,
        DatagramCalls::Mmsg => 1,
        DatagramCalls::Gso | DatagramCalls::Gro => 2,
    })
}

fn fallbacks(sent: &[&DatagramsSent], received: &[&DatagramsReceived]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for why in sent
        .iter()
        .filter_map(|s| s.fallback.as_ref())
        .chain(received.iter().filter_map(|r| r.fallback.as_ref()))
    {
        if !found.contains(why) {
            found.push(why.clone());
        }
    }
    found
}
