//! The points of a load run: which clients send or receive what, point after point. Numbers of clients vary
//! slowest, then traffic, then sizes in ascending order, so neighbouring points differ in one thing only.

use goodput_model::load::{Load, LoadWorker, RequestMix, RequestMixLine, TrafficPattern};
use goodput_model::units::{Bytes, Nanos};

#[derive(Debug, Clone, PartialEq)]
pub struct LoadGrid {
    /// Each at least 1; empty for all clients, once.
    pub counts: Vec<u16>,
    pub traffics: Vec<TrafficPattern>,
    /// Ignored with `mix`.
    pub sizes: Vec<Bytes>,
    /// A mix of sizes and reads instead of one size after the other.
    pub mix: Option<Vec<RequestMixLine>>,
    /// For each client and direction, 1 or more.
    pub workers: u16,
    /// Both directions of duplex on one connection.
    pub one_connection: bool,
    pub reads_percent: u8,
    /// 0 for none.
    pub reply: Bytes,
    pub burst: u32,
    pub delay: Nanos,
}

impl Default for LoadGrid {
    fn default() -> Self {
        LoadGrid {
            counts: Vec::new(),
            traffics: vec![TrafficPattern::Transmit, TrafficPattern::Receive, TrafficPattern::Duplex],
            sizes: goodput_model::load::default_request_sizes(),
            mix: None,
            workers: 1,
            one_connection: false,
            reads_percent: 50,
            reply: Bytes(0),
            burst: 1,
            delay: Nanos(0),
        }
    }
}

impl LoadGrid {
    /// The points for these clients, with `settings` for what a grid does not define. A number above that of
    /// the clients means all of them, once.
    pub fn grid_points(&self, clients: &[String], settings: &Load) -> Vec<Load> {
        let all = clients.len().min(usize::from(u16::MAX)) as u16;
        let mut counts: Vec<u16> = self.counts.iter().map(|n| (*n).clamp(1, all.max(1))).collect();
        counts.dedup();
        if counts.is_empty() {
            counts.push(all);
        }
        let mut points = Vec::new();
        for count in counts {
            for traffic in &self.traffics {
                for mixes in self.mixes(*traffic) {
                    let workers = self.workers(count, mixes.len() as u16);
                    let clients = clients.iter().take(usize::from(count)).cloned().collect();
                    points.push(Load { clients, mixes, workers, ..settings.clone() });
                }
            }
        }
        points
    }

    /// The sets of mixes in sequence; within a set a generator of each runs on every client.
    fn mixes(&self, traffic: TrafficPattern) -> Vec<Vec<RequestMix>> {
        let line = |size: Bytes, reads_percent: u8| RequestMixLine {
            size,
            share_percent: 100,
            reads_percent,
            delay: self.delay,
            burst: self.burst,
            reply: self.reply,
        };
        let named =
            |name: String, lines: Vec<RequestMixLine>, both_ways| RequestMix { name, lines, both_ways };
        if let Some(lines) = &self.mix {
            return vec![vec![named("mix".to_string(), lines.clone(), false)]];
        }
        let of_size = |size: &Bytes| {
            let one =
                |word: &str, reads| named(format!("{word} {} B", size.0), vec![line(*size, reads)], false);
            match traffic {
                TrafficPattern::Transmit => vec![one("transmit", 0)],
                TrafficPattern::Receive => vec![one("receive", 100)],
                TrafficPattern::Duplex if self.one_connection => {
                    vec![named(format!("both ways {} B", size.0), vec![line(*size, 50)], true)]
                }
                TrafficPattern::Duplex => vec![one("transmit", 0), one("receive", 100)],
                TrafficPattern::Mixed => vec![one("mixed", self.reads_percent)],
            }
        };
        self.sizes.iter().map(of_size).collect()
    }

    /// Every client runs `self.workers` generators of each mix. Workers of one client are consecutive.
    fn workers(&self, clients: u16, mixes: u16) -> Vec<LoadWorker> {
        let of_client = |client: u16| {
            let of_mix =
                move |mix: u16| std::iter::repeat_n(LoadWorker { client, mix }, usize::from(self.workers));
            (0..mixes).flat_map(of_mix)
        };
        (0..clients).flat_map(of_client).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clients(n: usize) -> Vec<String> {
        (1..=n).map(|i| format!("c{i}")).collect()
    }

    #[test]
    fn the_article_has_thirty_nine_points() {
        let points = LoadGrid::default().grid_points(&clients(20), &Load::default());
        let head = |point: &Load| (point.traffic_pattern(), point.single_request_size(), point.workers.len());
        assert_eq!(points.len(), 39);
        assert_eq!(head(&points[0]), (TrafficPattern::Transmit, Some(Bytes(64)), 20));
        assert_eq!(head(&points[38]), (TrafficPattern::Duplex, Some(Bytes(256 << 10)), 40));
        assert_eq!(points[38].active_client_count(), 20);
    }

    #[test]
    fn one_connection_has_one_generator_a_client_and_clients_are_those_there_are() {
        let grid =
            LoadGrid { one_connection: true, traffics: vec![TrafficPattern::Duplex], ..LoadGrid::default() };
        let points = grid.grid_points(&clients(3), &Load::default());
        assert!(points.iter().all(|p| p.workers.len() == 3 && p.traffic_pattern() == TrafficPattern::Duplex));
        let (sizes, traffics) = (vec![Bytes(1024)], vec![TrafficPattern::Receive]);
        let grid = LoadGrid { counts: vec![1, 4, 8, 20], sizes, traffics, ..LoadGrid::default() };
        let points = grid.grid_points(&clients(5), &Load::default());
        assert_eq!(points.iter().map(|p| p.clients.len()).collect::<Vec<_>>(), [1, 4, 5]);
    }

    #[test]
    fn workers_name_clients_and_mixes_that_are_there() {
        let grid = LoadGrid { workers: 3, counts: vec![1, 2], ..LoadGrid::default() };
        for point in grid.grid_points(&clients(2), &Load::default()) {
            assert!(point.workers.iter().all(|w| usize::from(w.client) < point.clients.len()));
            assert!(point.workers.iter().all(|w| usize::from(w.mix) < point.mixes.len()));
            assert_eq!(point.workers.len(), point.clients.len() * point.mixes.len() * 3);
        }
    }
}
