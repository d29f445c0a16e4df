//! The datagram account: where datagrams went, from the counts of both ends and of the receiving kernel.
//! `offered = refused + sent`, and `sent = received once + lost at the socket + lost in the receiving host
//! below the socket + path`. `path` is the remainder, less what the sender's queue may have dropped; below zero
//! a count is wrong: [`Account::check_overcounted_losses`].
//! A count is a range where a kernel drop may be several datagrams (UDP_SEGMENT, UDP_GRO) or a duplicate, and
//! for counters of the whole host.

use goodput_model::datagram::{DatagramsReceived, SentTotals};
use goodput_model::summary::{CountBounds, DatagramTotals, LostDatagramBounds, LostDatagrams};

pub const LOST_AT_RECEIVER_SOCKET: &str = "receiver_socket";
pub const LOST_IN_RECEIVER_HOST: &str = "receiver_host";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatagramLossTotals {
    pub totals: DatagramTotals,
    /// Datagrams that the parts claim beyond what was sent; not 0 is an error of counting.
    pub overcounted: u64,
}

/// `None` where the count of that end is missing.
#[derive(Debug, Clone, Copy)]
pub struct FlowDatagramCounts<'a> {
    /// The sender's own totals, or those that it sent to the receiver.
    pub sent: Option<SentTotals>,
    pub received: Option<&'a DatagramsReceived>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostDrops {
    pub packets: u64,
    /// Most datagrams in one of them; 1 without UDP_SEGMENT.
    pub datagrams_a_packet: u64,
}

/// `host` is the receiver's, `queue` the sender's: drops without an error. Both may be of other traffic.
pub fn attribute_losses(
    flows: &[FlowDatagramCounts<'_>],
    host: Option<HostDrops>,
    queue: Option<HostDrops>,
) -> DatagramLossTotals {
    let sent: Option<Vec<SentTotals>> = flows.iter().map(|f| f.sent).collect();
    let received: Option<Vec<&DatagramsReceived>> = flows.iter().map(|f| f.received).collect();
    // A direction without flows has no counts; zero would be wrong.
    let (sent, received) = (sent.filter(|s| !s.is_empty()), received.filter(|r| !r.is_empty()));
    let of_sender = |f: fn(&SentTotals) -> u64| sent.as_ref().map(|all| sum(all.iter().map(f)));
    let of_receiver = |f: fn(&DatagramsReceived) -> Option<u64>| {
        received.as_ref()?.iter().map(|r| f(r)).try_fold(0u64, |a, b| Some(a.saturating_add(b?)))
    };
    let each: Option<Vec<Loss>> =
        flows.iter().map(|f| f.sent.zip(f.received).and_then(|(s, r)| loss(s.sent, r))).collect();
    let place = each.filter(|e| !e.is_empty()).map(|each| Places::of(&each, host, queue));
    let delivered = |r: &DatagramsReceived| Some(r.once.unwrap_or(r.received));
    let (all_sent, all_received) = (of_sender(|s| s.sent), of_receiver(delivered));
    let totals = DatagramTotals {
        offered: of_sender(|s| s.offered),
        refused: of_sender(|s| s.refused),
        sent: all_sent,
        received: all_received,
        difference: all_sent.zip(all_received).map(|(sent, received)| difference(sent, received)),
        lost: lost(place.as_ref(), of_receiver(|r| r.socket_drops)),
        duplicates: of_receiver(|r| r.duplicates),
        reordered: of_receiver(|r| r.reordered),
        unresolved: place.as_ref().map_or(0, Places::unresolved),
    };
    let books = sent.iter().flatten().map(|s| s.offered.abs_diff(s.refused.saturating_add(s.sent)));
    let overcounted = sum(books).saturating_add(place.map_or(0, |p| p.overcounted));
    DatagramLossTotals { totals, overcounted }
}

/// Sum over directions; what is unknown in one is unknown in the sum.
pub fn sum_datagram_totals(directions: &[&DatagramTotals]) -> Option<DatagramTotals> {
    let mut rest = directions.iter().map(|d| (*d).clone());
    let first = rest.next()?;
    Some(rest.fold(first, |a, b| DatagramTotals {
        offered: both(a.offered, b.offered),
        refused: both(a.refused, b.refused),
        sent: both(a.sent, b.sent),
        received: both(a.received, b.received),
        difference: a.difference.zip(b.difference).map(|(a, b)| a.saturating_add(b)),
        lost: lost_together(a.lost, b.lost),
        duplicates: both(a.duplicates, b.duplicates),
        reordered: both(a.reordered, b.reordered),
        unresolved: a.unresolved.saturating_add(b.unresolved),
    }))
}

struct Loss {
    missing: CountBounds,
    /// `None` where the system does not tell.
    socket: Option<CountBounds>,
    /// In the host below the socket and on the path.
    rest: CountBounds,
    overcounted: u64,
}

/// `None` without a sequence: duplicates may then hide losses.
fn loss(sent: u64, r: &DatagramsReceived) -> Option<Loss> {
    let once = r.once?;
    let (copies, unresolved) = (r.duplicates.unwrap_or(0), r.unresolved.unwrap_or(0));
    let told_apart = once.saturating_add(copies).saturating_add(unresolved);
    let mut overcounted = once.saturating_sub(sent).saturating_add(r.received.abs_diff(told_apart));
    let most = sent.saturating_sub(once);
    let missing = CountBounds { least: most.saturating_sub(unresolved), most };
    let copies = copies > 0 || unresolved > 0;
    let socket = r.socket_drops.map(|events| {
        let at_most = r.socket_drops_at_most.unwrap_or(events).max(events);
        if !copies {
            overcounted = overcounted.saturating_add(events.saturating_sub(missing.most));
        }
        let least = if copies { 0 } else { events.min(missing.most) };
        CountBounds { least, most: at_most.min(missing.most) }
    });
    let rest = remainder(missing, socket.unwrap_or_default());
    Some(Loss { missing, socket, rest, overcounted })
}

struct Places {
    missing: CountBounds,
    socket: Option<CountBounds>,
    host: Option<CountBounds>,
    queue: Option<CountBounds>,
    path: CountBounds,
    overcounted: u64,
}

impl Places {
    fn of(flows: &[Loss], host: Option<HostDrops>, queue: Option<HostDrops>) -> Places {
        let rest = add(flows.iter().map(|f| f.rest));
        let [host, queue] = [host, queue].map(|drops| {
            let all = drops.map(|d| d.packets.saturating_mul(d.datagrams_a_packet.max(1)));
            all.map(|all| CountBounds { least: 0, most: all.min(rest.most) })
        });
        let sockets: Option<Vec<CountBounds>> = flows.iter().map(|f| f.socket).collect();
        Places {
            missing: add(flows.iter().map(|f| f.missing)),
            socket: sockets.map(|s| add(s.into_iter())),
            host,
            queue,
            path: remainder(rest, add([host, queue].into_iter().flatten())),
            overcounted: sum(flows.iter().map(|f| f.overcounted)),
        }
    }

    fn unresolved(&self) -> u64 {
        [Some(self.missing), self.socket, self.host, self.queue, Some(self.path)]
            .into_iter()
            .flatten()
            .map(|b| b.most - b.least)
            .max()
            .unwrap_or(0)
    }
}

fn lost(places: Option<&Places>, events: Option<u64>) -> LostDatagrams {
    let Some(p) = places else {
        return LostDatagrams { receiver_socket_events: events, ..LostDatagrams::default() };
    };
    let unknown = |known: Option<CountBounds>, name: &str| known.is_none().then(|| name.to_string());
    LostDatagrams {
        total: exact(p.missing),
        path: exact(p.path),
        receiver_socket: p.socket.and_then(exact),
        receiver_host: p.host.and_then(exact),
        path_includes: [unknown(p.socket, LOST_AT_RECEIVER_SOCKET), unknown(p.host, LOST_IN_RECEIVER_HOST)]
            .into_iter()
            .flatten()
            .collect(),
        receiver_socket_events: events,
        bounds: Some(LostDatagramBounds {
            total: p.missing,
            path: p.path,
            receiver_socket: p.socket,
            receiver_host: p.host,
            sender_queue: p.queue,
        }),
    }
}

fn lost_together(a: LostDatagrams, b: LostDatagrams) -> LostDatagrams {
    let mut path_includes = a.path_includes;
    for name in b.path_includes {
        if !path_includes.contains(&name) {
            path_includes.push(name);
        }
    }
    let pair =
        |x: Option<CountBounds>, y: Option<CountBounds>| x.zip(y).map(|(x, y)| add([x, y].into_iter()));
    LostDatagrams {
        total: both(a.total, b.total),
        path: both(a.path, b.path),
        receiver_socket: both(a.receiver_socket, b.receiver_socket),
        receiver_host: both(a.receiver_host, b.receiver_host),
        path_includes,
        receiver_socket_events: both(a.receiver_socket_events, b.receiver_socket_events),
        bounds: a.bounds.zip(b.bounds).map(|(a, b)| LostDatagramBounds {
            total: add([a.total, b.total].into_iter()),
            path: add([a.path, b.path].into_iter()),
            receiver_socket: pair(a.receiver_socket, b.receiver_socket),
            receiver_host: pair(a.receiver_host, b.receiver_host),
            sender_queue: pair(a.sender_queue, b.sender_queue),
        }),
    }
}

fn exact(b: CountBounds) -> Option<u64> {
    (b.least == b.most).then_some(b.most)
}

fn remainder(whole: CountBounds, part: CountBounds) -> CountBounds {
    CountBounds { least: whole.least.saturating_sub(part.most), most: whole.most.saturating_sub(part.least) }
}

fn add(all: impl Iterator<Item = CountBounds>) -> CountBounds {
    all.fold(CountBounds::default(), |a, b| CountBounds {
        least: a.least.saturating_add(b.least),
        most: a.most.saturating_add(b.most),
    })
}

fn both(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    Some(a?.saturating_add(b?))
}

fn sum(values: impl Iterator<Item = u64>) -> u64 {
    values.fold(0, u64::saturating_add)
}

fn difference(sent: u64, received: u64) -> i64 {
    let d = i128::from(sent) - i128::from(received);
    i64::try_from(d).unwrap_or(if d < 0 { i64::MIN } else { i64::MAX })
}

#[cfg(test)]
mod tests;
