//! Which points belong on one curve: those that differ only in the request size or the number of clients.

use goodput_model::Load;
use goodput_model::load::{Mix, Traffic};
use goodput_model::units::Bytes;

/// A load without its one request size and its number of clients.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    traffic: Traffic,
    /// In the order of their first worker; without name and size where there is one size.
    mixes: Vec<Mix>,
    one_size: bool,
    /// For 1,000 clients.
    workers: u64,
    outstanding: u32,
    transactions_per_connection: Option<u32>,
}

impl Shape {
    pub fn of(load: &Load) -> Shape {
        let one_size = load.size().is_some();
        let mut mixes: Vec<Mix> = Vec::new();
        for worker in &load.workers {
            let Some(mix) = load.mixes.get(usize::from(worker.mix)) else { continue };
            let mix = if one_size { without_size(mix) } else { mix.clone() };
            if !mixes.contains(&mix) {
                mixes.push(mix);
            }
        }
        let replies = mixes.iter().flat_map(|m| &m.lines).any(|l| l.reply.0 > 0);
        Shape {
            traffic: load.traffic(),
            mixes,
            one_size,
            workers: load.workers.len() as u64 * 1_000 / u64::from(load.busy_clients().max(1)),
            // Without replies the setting has no meaning.
            outstanding: if replies { load.outstanding } else { 1 },
            transactions_per_connection: load.transactions_per_connection,
        }
    }

    fn lines(&self) -> impl Iterator<Item = &goodput_model::load::MixLine> {
        self.mixes.iter().flat_map(|m| &m.lines)
    }

    fn name(&self) -> String {
        let traffic = match self.traffic {
            Traffic::Transmit => "transmit",
            Traffic::Receive => "receive",
            Traffic::Duplex => "duplex",
            Traffic::Mixed => "mixed",
        };
        if !self.one_size {
            let names: Vec<&str> = self.mixes.iter().map(|m| m.name.as_str()).collect();
            return names.join(" + ");
        }
        let mut name = traffic.to_string();
        let reads = self.lines().next().map_or(0, |l| l.reads_percent);
        if self.traffic == Traffic::Mixed && self.lines().all(|l| l.reads_percent == reads) {
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
fn without_size(mix: &Mix) -> Mix {
    let mut mix = Mix { name: String::new(), ..mix.clone() };
    for line in &mut mix.lines {
        line.reply = if line.reply == line.size { Bytes(u64::MAX) } else { line.reply };
        line.size = Bytes(0);
    }
    mix
}

pub(super) fn names(shapes: &[&Shape]) -> Vec<String> {
    let mut names: Vec<String> = shapes.iter().map(|s| s.name()).collect();
    let additions: [fn(&Shape) -> String; 2] = [
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
    use goodput_model::load::{MixLine, Worker};

    fn load(mixes: Vec<Mix>, clients: u16, each: u16) -> Load {
        let count = mixes.len() as u16;
        let workers = (0..clients)
            .flat_map(|client| (0..each).map(move |i| Worker { client, mix: i % count }))
            .collect();
        Load { clients: (0..clients).map(|c| format!("c{c}")).collect(), mixes, workers, ..Load::default() }
    }

    fn shape(mixes: Vec<Mix>, clients: u16, each: u16) -> Shape {
        Shape::of(&load(mixes, clients, each))
    }

    #[test]
    fn sizes_and_clients_make_no_other_shape() {
        let of = |size, clients| shape(vec![Mix::transmit(Bytes(size))], clients, 1);
        assert_eq!(of(64, 1), of(65_536, 20));
        assert_ne!(of(64, 1), shape(vec![Mix::receive(Bytes(64))], 1, 1));
        assert_ne!(of(64, 1), shape(vec![Mix::transmit(Bytes(64))], 1, 2));
        let echo = |size| {
            let line = MixLine { reply: Bytes(size), ..MixLine::plain(Bytes(size), 0) };
            shape(vec![Mix { name: format!("echo {size}"), lines: vec![line], both_ways: false }], 2, 1)
        };
        assert_eq!(echo(64), echo(128));
    }

    #[test]
    fn names_tell_apart_what_differs() {
        let duplex = shape(vec![Mix::transmit(Bytes(64)), Mix::receive(Bytes(64))], 2, 2);
        let shapes = [
            shape(vec![Mix::transmit(Bytes(64))], 2, 1),
            shape(vec![Mix::transmit(Bytes(64))], 2, 4),
            duplex,
            shape(vec![Mix::both_ways(Bytes(64))], 2, 1),
        ];
        assert_eq!(
            names(&shapes.iter().collect::<Vec<_>>()),
            [
                "transmit, 1 worker a client",
                "transmit, 4 workers a client",
                "duplex",
                "duplex on one connection"
            ]
        );
    }

    #[test]
    fn a_mix_of_sizes_keeps_its_name() {
        let lines = vec![
            MixLine { share_percent: 50, ..MixLine::plain(Bytes(64), 67) },
            MixLine { share_percent: 50, ..MixLine::plain(Bytes(128), 67) },
        ];
        let mixed = |name: &str| Mix { name: name.into(), lines: lines.clone(), both_ways: false };
        let (a, b) = (shape(vec![mixed("web")], 1, 1), shape(vec![mixed("web")], 4, 1));
        assert_eq!(a, b);
        assert_eq!(names(&[&a]), ["web"]);
        let one = Mix { lines: vec![MixLine::plain(Bytes(512), 67)], ..mixed("x") };
        assert_eq!(names(&[&shape(vec![one], 1, 1)]), ["67 % reads"]);
    }
}
