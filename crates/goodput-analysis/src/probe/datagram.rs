//! UDP datagrams: the account of the whole trial, the rates of the window, jitter and delay variation. Series
//! of the receiving end: `intervals-<direction>-<flow>` (`end_ns` since t0, `bytes`, without duplicates) and
//! `delay-variation-<direction>-<flow>` (`value_ns`, absolute difference of consecutive datagrams; `count`).

use super::direction::{self, DirectionFlows, checked_ratio, saturating_sum, series_name};
use super::{ProbeAnalysis, ServiceDemandUnits, TrialMeasurement, find_series, seconds_if_positive};
use crate::datagram_losses::{self, DatagramLossTotals, FlowDatagramCounts, HostDrops};
use crate::latency::LatencyDistribution;
use crate::medium_limit::{IpVersion, TrafficDirections, TrafficKind, ip_version_of_flow};
use goodput_model::datagram::{DatagramSyscalls, DatagramsReceived, DatagramsSent};
use goodput_model::host::HostCounters;
use goodput_model::probe::StopCondition;
use goodput_model::run_comparison::ComparedQuantity;
use goodput_model::summary::{
    DatagramResult, DatagramSummary, DatagramTotals, DirectionSummary, LatencySummary, ProbeResult,
    TheoreticalGoodputLimit,
};
use goodput_model::trial::Flow;
use goodput_model::{BitRate, Bytes, Datagram, Message, Nanos, Trial};

impl ProbeAnalysis for Datagram {
    fn measure_trial(&self, trial: &Trial, _: &TheoreticalGoodputLimit) -> TrialMeasurement {
        measure(trial, self)
    }

    fn traffic_directions(&self, _: &Trial) -> Result<TrafficDirections, &'static str> {
        Ok(TrafficDirections {
            directions: self.direction.one_way_directions(),
            one_way: false,
            packets: TrafficKind::Datagrams(self.size.0),
        })
    }

    fn primary_metric(&self) -> &'static str {
        "goodput_bps"
    }

    fn compared_quantities(&self) -> &'static [ComparedQuantity] {
        &[ComparedQuantity::GoodputBps, ComparedQuantity::CpuPercent, ComparedQuantity::PeIndex]
    }

    fn describe_settings(&self) -> Message {
        format!("datagram {}, {} B", self.direction.name(), self.size.0).into()
    }
}

fn measure(trial: &Trial, settings: &Datagram) -> TrialMeasurement {
    let parts = parts(trial, settings);
    let measured = direction::measure_directions(trial, &parts);
    let directions: Vec<DirectionSummary> = parts.iter().map(|p| summary(p, settings)).collect();
    let size = settings.size.0.max(1) as f64;
    let totals: Vec<&DatagramTotals> =
        directions.iter().filter_map(|d| d.datagrams.as_ref()).map(|d| &d.totals).collect();
    // Without one direction there is no sum.
    let whole = totals.len() == settings.direction.one_way_directions().len();
    TrialMeasurement {
        result: Some(ProbeResult::Datagram(DatagramResult {
            totals: datagram_losses::sum_datagram_totals(&totals).filter(|_| whole),
            directions,
        })),
        work: measured
            .bytes
            .map(|b| ServiceDemandUnits::Datagrams { kib: b as f64 / 1024.0, count: b as f64 / size }),
        ..measured
    }
}

/// For the rules that look for contradictions.
pub(crate) fn datagram_loss_totals(
    trial: &Trial,
    settings: &Datagram,
) -> Vec<(&'static str, DatagramLossTotals)> {
    let named = |p: &DirectionFlows<'_>| (p.direction.name(), account_of(p));
    parts(trial, settings).iter().map(named).collect()
}

fn parts<'a>(trial: &'a Trial, settings: &Datagram) -> Vec<DirectionFlows<'a>> {
    let part = |d: &_| DirectionFlows::for_direction(trial, *d, settings.flows, settings.stop);
    settings.direction.one_way_directions().iter().filter_map(part).collect()
}

fn account_of(part: &DirectionFlows<'_>) -> DatagramLossTotals {
    let counts: Vec<FlowDatagramCounts> = part
        .receivers
        .iter()
        .map(|flow| {
            let told = flow.datagrams.as_ref().and_then(|a| a.told_sent);
            let own = part.senders.iter().find(|s| s.index == flow.index).and_then(|s| sent_on(s));
            FlowDatagramCounts { sent: own.map(DatagramsSent::totals).or(told), received: received_on(flow) }
        })
        .collect();
    datagram_losses::attribute_losses(&counts, host_drops(part), sender_queue_drops(part))
}

/// Drops of the receiving host below its sockets, from before the first datagram to after the drain; `None`
/// without counters. Softnet's are the whole kernel's, the rest is the receiver's network namespace:
/// interfaces (`rx_missed_errors` and `rx_fifo_errors` are full rings, linux/if_link.h) and what IP received
/// and did not deliver, such as a firewall's drops. UDP's errors are in the drops of its sockets. Counters may
/// overlap, so the sum is an upper bound.
fn host_drops(part: &DirectionFlows<'_>) -> Option<HostDrops> {
    const INTERFACE: [&str; 4] = ["rx_dropped", "rx_errors", "rx_fifo_errors", "rx_missed_errors"];
    let counters = part.receiver.whole_trial.as_ref()?;
    let softnet = counters.softnet.value()?.iter().map(|s| s.dropped.saturating_add(s.flow_limited));
    let interfaces = counters.interfaces.value()?.values();
    let dropped = interfaces.flat_map(|all| INTERFACE.iter().filter_map(|name| all.get(*name))).copied();
    let undelivered = undelivered_packets(counters, ip_version_of_flow(part.receivers.first()?))?;
    let received = part.receivers.iter().filter_map(|f| received_on(f)).map(|r| u64::from(r.most_a_packet));
    Some(HostDrops {
        packets: saturating_sum(softnet.chain(dropped).chain([undelivered])),
        datagrams_a_packet: received.chain([datagrams_a_sent_packet(part)]).max().unwrap_or(1),
    })
}

/// At the start and the end, when no datagrams are under way.
const PACKETS_WHILE_READING: u64 = 8;

/// RFC 4293. Unfinished reassemblies and what nobody here listens to (multicast) are not losses of the trial.
fn undelivered_packets(counters: &HostCounters, version: IpVersion) -> Option<u64> {
    const V4: &[&str] =
        &["Ip.InDelivers", "Ip.ForwDatagrams", "Ip.ReasmReqds", "IpExt.InMcastPkts", "IpExt.InBcastPkts"];
    const V6: &[&str] = &["Ip6.InDelivers", "Ip6.OutForwDatagrams", "Ip6.ReasmReqds", "Ip6.InMcastPkts"];
    let (received, reassembled, accounted) = match version {
        IpVersion::V4 => ("Ip.InReceives", "Ip.ReasmOKs", V4),
        IpVersion::V6 => ("Ip6.InReceives", "Ip6.ReasmOKs", V6),
    };
    let count = |name: &str| counters.protocol_counter(name);
    let all = count(received)?.saturating_add(count(reassembled)?);
    let rest = accounted.iter().try_fold(all, |rest, name| Some(rest.saturating_sub(count(name)?)))?;
    // The kernel adds up one counter after the other, so a packet of the control connection may be in some only.
    Some(u64::try_from(rest).ok().filter(|packets| *packets > PACKETS_WHILE_READING).unwrap_or(0))
}

/// Drops of the sender's queues that no call reported: a queue that cuts a buffer itself may drop a part and
/// report success. `None` without counters.
fn sender_queue_drops(part: &DirectionFlows<'_>) -> Option<HostDrops> {
    // sendmmsg gives no errno for a later datagram.
    const FULL: [i32; 2] = [0, 105];
    let interfaces = part.sender?.whole_trial.as_ref()?.interfaces.value()?.values();
    let dropped = saturating_sum(interfaces.filter_map(|all| all.get("qdisc_drops")).copied());
    let refused = part.senders.iter().filter_map(|f| sent_on(f)).flat_map(|s| &s.refused);
    let reported = saturating_sum(refused.filter(|r| FULL.contains(&r.errno)).map(|r| r.calls));
    Some(HostDrops {
        packets: dropped.saturating_sub(reported),
        datagrams_a_packet: datagrams_a_sent_packet(part),
    })
}

/// A packet of UDP_SEGMENT is one packet to the counters until it is cut.
fn datagrams_a_sent_packet(part: &DirectionFlows<'_>) -> u64 {
    let sent = part.senders.iter().filter_map(|f| sent_on(f)).filter(|s| s.by == DatagramSyscalls::Gso);
    sent.map(|s| s.most_a_call).max().map_or(1, u64::from)
}

fn sent_on(flow: &Flow) -> Option<&DatagramsSent> {
    flow.datagrams.as_ref()?.sent.as_ref()
}

fn received_on(flow: &Flow) -> Option<&DatagramsReceived> {
    flow.datagrams.as_ref()?.received.as_ref()
}

fn summary(part: &DirectionFlows<'_>, settings: &Datagram) -> DirectionSummary {
    let received = part.total_bytes();
    let sent_bytes = saturating_sum(part.senders.iter().map(|f| f.window_bytes));
    DirectionSummary {
        direction: part.direction,
        goodput_bps: part.goodput().map(|g| g.0),
        arrival_bps: None,
        bytes: received,
        total_bytes: saturating_sum(part.receivers.iter().map(|f| f.total_bytes())),
        bytes_per_read: checked_ratio(
            received as f64,
            saturating_sum(part.receivers.iter().map(|f| f.calls)) as f64,
        ),
        bytes_per_write: checked_ratio(
            sent_bytes as f64,
            saturating_sum(part.senders.iter().map(|f| f.calls)) as f64,
        ),
        segments_per_message: None,
        intervals: part.interval_bytes(),
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
    let each_second = |count: f64, span: Option<u64>| checked_ratio(count, seconds_if_positive(span?)?);
    let send_calls = (!sent.is_empty()).then(|| saturating_sum(sent.iter().map(|s| s.calls)));
    let receive_calls = (!received.is_empty()).then(|| saturating_sum(received.iter().map(|r| r.calls)));
    let read = saturating_sum(received.iter().map(|r| r.received));
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
            .then(|| each_second(saturating_sum(sent.iter().map(|s| s.window_offered)) as f64, span))
            .flatten(),
        sent_per_second: (!sent.is_empty())
            .then(|| each_second(sent_bytes as f64 / size as f64, span))
            .flatten(),
        received_per_second: Some(part.elapsed_ns)
            .filter(|_| !part.refused)
            .and_then(|span| each_second(part.total_bytes() as f64 / size as f64, Some(span))),
        sent_bps: span.and_then(|s| BitRate::from_bytes_and_time(Bytes(sent_bytes), Nanos(s))).map(|r| r.0),
        jitter_ns: received.iter().filter_map(|r| r.jitter_ns).filter(|j| j.is_finite()).reduce(f64::max),
        delay_variation_ns: delay_variation(part),
        sent_by: slowest(sent.iter().map(|s| s.by)),
        received_by: slowest(received.iter().map(|r| r.by)),
        datagrams_per_send: totals.sent.zip(send_calls).and_then(|(n, c)| checked_ratio(n as f64, c as f64)),
        datagrams_per_receive: receive_calls.and_then(|c| checked_ratio(read as f64, c as f64)),
        send_calls,
        receive_calls,
        fallbacks: fallbacks(&sent, &received),
        most_late_ns: sent.iter().filter_map(|s| s.most_late_ns).max(),
        late: sent.iter().map(|s| s.late).reduce(|a, b| Some(a?.saturating_add(b?))).flatten(),
        most_behind: received.iter().filter_map(|r| r.most_behind).max(),
        malformed: saturating_sum(received.iter().map(|r| r.malformed)),
        drain_ns: received.iter().map(|r| r.drain_ns).max(),
        not_available,
        totals,
    }
}

/// The time that window bytes are divided by, on the sender's clock.
fn sender_span(part: &DirectionFlows<'_>, stop: StopCondition) -> Option<u64> {
    let sender = part.sender?;
    let window = Some(sender.window.elapsed().0).filter(|w| *w > 0);
    let last = part.senders.iter().filter_map(|f| f.last_byte_ns).max();
    let until_last = last.map(|l| l.saturating_sub(sender.window.t0_ns)).filter(|l| *l > 0);
    match stop {
        StopCondition::Time(_) if sender.complete => window,
        StopCondition::Time(_) => until_last.or(window),
        StopCondition::Bytes(_) | StopCondition::Count(_) => until_last,
    }
}

fn delay_variation(part: &DirectionFlows<'_>) -> Option<LatencySummary> {
    let found = part.receivers.iter().filter_map(|flow| {
        LatencyDistribution::from_series(find_series(
            part.receiver,
            &series_name("delay-variation", flow, part.count),
        )?)
    });
    found.reduce(LatencyDistribution::merge)?.to_summary()
}

/// Of several forms the one with the fewest datagrams a call.
fn slowest(forms: impl Iterator<Item = DatagramSyscalls>) -> Option<DatagramSyscalls> {
    forms.min_by_key(|by| match by {
        DatagramSyscalls::Plain => 0,
        DatagramSyscalls::Mmsg => 1,
        DatagramSyscalls::Gso | DatagramSyscalls::Gro => 2,
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
