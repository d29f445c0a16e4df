//! Which points belong on one curve: those that differ only in the request size or the number of clients.

use goodput_model::load::{RequestMix, TrafficPattern};
use goodput_model::units::Bytes;
use goodput_model::{Load, Message, MessageArg};
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, quantity_arg};

/// A load without its one request size and its number of clients.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LoadCurveKey {
    traffic: TrafficPattern,
    /// In the order of their first worker; without name and size where there is one size.
    mixes: Vec<RequestMix>,
    one_size: bool,
    /// For 1,000 clients.
    workers: u64,
    outstanding: u32,
    transactions_per_connection: Option<u32>,
}

impl LoadCurveKey {
    pub fn from_load(load: &Load) -> LoadCurveKey {
        let one_size = load.single_request_size().is_some();
        let mut mixes: Vec<RequestMix> = Vec::new();
        for worker in &load.workers {
            let Some(mix) = load.mixes.get(usize::from(worker.mix)) else { continue };
            let mix = if one_size { without_size(mix) } else { mix.clone() };
            if !mixes.contains(&mix) {
                mixes.push(mix);
            }
        }
        let replies = mixes.iter().flat_map(|m| &m.lines).any(|l| l.reply.0 > 0);
        LoadCurveKey {
            traffic: load.traffic_pattern(),
            mixes,
            one_size,
            workers: load.workers.len() as u64 * 1_000 / u64::from(load.active_client_count().max(1)),
            // Without replies the setting has no meaning.
            outstanding: if replies { load.outstanding } else { 1 },
            transactions_per_connection: load.transactions_per_connection,
        }
    }

    fn lines(&self) -> impl Iterator<Item = &goodput_model::load::RequestMixLine> {
        self.mixes.iter().flat_map(|m| &m.lines)
    }

    fn name(&self) -> Message {
        if !self.one_size {
            let names: Vec<&str> = self.mixes.iter().map(|m| m.name.as_str()).collect();
            return message!(part_figure { figure: names.join(" + ") });
        }
        let reads = self.lines().next().map_or(0, |l| l.reads_percent);
        let mut name = match self.traffic {
            TrafficPattern::Mixed if self.lines().all(|l| l.reads_percent == reads) => {
                message!(part_load_reads { share: fixed_decimals_arg(reads.into(), 0, "%") })
            }
            TrafficPattern::Transmit => message!(report_transmit),
            TrafficPattern::Receive => message!(report_receive),
            TrafficPattern::Duplex => message!(report_duplex),
            TrafficPattern::Mixed => message!(report_mixed),
        };
        if self.mixes.iter().any(|m| m.both_ways) {
            name = message!(part_load_on_one_connection { what: name });
        }
        if self.lines().any(|l| l.reply.0 > 0) {
            name = message!(part_load_with_replies { what: name });
        }
        match self.transactions_per_connection {
            Some(n) => with(name, message!(part_load_connection_for { count: ungrouped(n.into()) })),
            None => name,
        }
    }
}

/// `name, addition`.
fn with(name: Message, addition: Message) -> Message {
    message!(list { items: vec![name, addition] })
}

/// `1000`, `1.5`.
fn ungrouped(value: f64) -> MessageArg {
    quantity_arg(value, "", value.to_string())
}

/// A reply as long as its request scales with it.
fn without_size(mix: &RequestMix) -> RequestMix {
    let mut mix = RequestMix { name: String::new(), ..mix.clone() };
    for line in &mut mix.lines {
        line.reply = if line.reply == line.size { Bytes(u64::MAX) } else { line.reply };
        line.size = Bytes(0);
    }
    mix
}

pub(super) fn load_curve_names(shapes: &[&LoadCurveKey]) -> Vec<Message> {
    let mut names: Vec<Message> = shapes.iter().map(|s| s.name()).collect();
    let additions: [fn(&LoadCurveKey) -> Message; 2] = [
        |s| match s.workers {
            1_000 => message!(part_load_one_worker_a_client),
            n => message!(part_load_workers_a_client { count: ungrouped(n as f64 / 1_000.0) }),
        },
        |s| message!(part_load_outstanding { count: ungrouped(s.outstanding.into()) }),
    ];
    let same = |one: &Message, other: &Message| one.as_str() == other.as_str();
    for addition in additions {
        let words: Vec<Message> = shapes.iter().map(|s| addition(s)).collect();
        let plain = names.clone();
        for (i, name) in names.iter_mut().enumerate() {
            // Only where it tells two of the same name apart.
            if (0..plain.len()).any(|j| same(&plain[j], &plain[i]) && !same(&words[j], &words[i])) {
                *name = with(plain[i].clone(), words[i].clone());
            }
        }
    }
    let plain = names.clone();
    for (i, name) in names.iter_mut().enumerate() {
        let before = plain[..i].iter().filter(|n| same(n, &plain[i])).count();
        if before > 0 {
            *name = message!(part_with_parts { what: plain[i].clone(), parts: before + 1 });
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::load::{LoadWorker, RequestMixLine};

    fn shape(mixes: Vec<RequestMix>, clients: u16, each: u16) -> LoadCurveKey {
        let count = mixes.len() as u16;
        let worker = |i| LoadWorker { client: i / each, mix: i % each % count };
        let workers = (0..clients * each).map(worker).collect();
        let clients = (0..clients).map(|c| format!("c{c}")).collect();
        LoadCurveKey::from_load(&Load { clients, mixes, workers, ..Load::default() })
    }

    fn transmit(size: u64) -> RequestMix {
        RequestMix::transmit_only(Bytes(size))
    }

    #[test]
    fn sizes_and_clients_make_no_other_shape() {
        let one = shape(vec![transmit(64)], 1, 1);
        assert_eq!(one, shape(vec![transmit(65_536)], 20, 1));
        assert_ne!(one, shape(vec![RequestMix::receive_only(Bytes(64))], 1, 1));
        assert_ne!(one, shape(vec![transmit(64)], 1, 2));
        let echo = |size| {
            let line = RequestMixLine { reply: Bytes(size), ..RequestMixLine::single_size(Bytes(size), 0) };
            RequestMix { name: format!("echo {size}"), lines: vec![line], both_ways: false }
        };
        assert_eq!(shape(vec![echo(64)], 2, 1), shape(vec![echo(128)], 2, 1));
    }

    #[test]
    fn names_tell_apart_what_differs() {
        let shapes = [
            shape(vec![transmit(64)], 2, 1),
            shape(vec![transmit(64)], 2, 4),
            shape(vec![transmit(64), RequestMix::receive_only(Bytes(64))], 2, 2),
            shape(vec![RequestMix::bidirectional(Bytes(64))], 2, 1),
        ];
        let names = load_curve_names(&shapes.each_ref());
        assert_eq!(names[..2], ["transmit, 1 worker a client", "transmit, 4 workers a client"]);
        assert_eq!(names[2..], ["duplex", "duplex on one connection"]);
    }

    #[test]
    fn a_mix_of_sizes_keeps_its_name() {
        let half =
            |size| RequestMixLine { share_percent: 50, ..RequestMixLine::single_size(Bytes(size), 67) };
        let lines = vec![half(64), half(128)];
        let mixed = |name: &str| RequestMix { name: name.into(), lines: lines.clone(), both_ways: false };
        let (a, b) = (shape(vec![mixed("web")], 1, 1), shape(vec![mixed("web")], 4, 1));
        assert_eq!(a, b);
        assert_eq!(load_curve_names(&[&a]), ["web"]);
        let one = RequestMix { lines: vec![RequestMixLine::single_size(Bytes(512), 67)], ..mixed("x") };
        assert_eq!(load_curve_names(&[&shape(vec![one], 1, 1)]), ["67 % reads"]);
    }
}
