//! Which points belong on one curve: those that differ only in the request size or the number of clients.

use goodput_model::Load;
use goodput_model::load::{RequestMix, TrafficPattern};
use goodput_model::units::Bytes;

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

    fn name(&self) -> String {
        let traffic = match self.traffic {
            TrafficPattern::Transmit => "transmit",
            TrafficPattern::Receive => "receive",
            TrafficPattern::Duplex => "duplex",
            TrafficPattern::Mixed => "mixed",
        };
        if !self.one_size {
            let names: Vec<&str> = self.mixes.iter().map(|m| m.name.as_str()).collect();
            return names.join(" + ");
        }
        let mut name = traffic.to_string();
        let reads = self.lines().next().map_or(0, |l| l.reads_percent);
        if self.traffic == TrafficPattern::Mixed && self.lines().all(|l| l.reads_percent == reads) {
            name = format!("{reads} % reads");
        }
        if self.mixes.iter().any(|m| m.both_ways) {
            name.push_str(" on one connection");
        }
        if self.lines().any(|l| l.reply.0 > 0) {
            name.push_str(" with replies");
        }
        if let Some(n) = self.transactions_per_connection {
            name.push_str(&format!(", a connection for {n}"));
        }
        name
    }
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

pub(super) fn load_curve_names(shapes: &[&LoadCurveKey]) -> Vec<String> {
    let mut names: Vec<String> = shapes.iter().map(|s| s.name()).collect();
    let additions: [fn(&LoadCurveKey) -> String; 2] = [
        |s| match s.workers {
            1_000 => ", 1 worker a client".to_string(),
            n => format!(", {} workers a client", n as f64 / 1_000.0),
        },
        |s| format!(", {} outstanding", s.outstanding),
    ];
    for addition in additions {
        let words: Vec<String> = shapes.iter().map(|s| addition(s)).collect();
        let plain = names.clone();
        for (i, name) in names.iter_mut().enumerate() {
            // Only where it tells two of the same name apart.
            if (0..plain.len()).any(|j| plain[j] == plain[i] && words[j] != words[i]) {
                name.push_str(&words[i]);
            }
        }
    }
    let plain = names.clone();
    for (i, name) in names.iter_mut().enumerate() {
        let before = plain[..i].iter().filter(|n| **n == plain[i]).count();
        if before > 0 {
            name.push_str(&format!(" ({})", before + 1));
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
