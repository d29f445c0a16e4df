//! Throwaway: one end of a load or stream, for measurements by hand.
#![allow(clippy::unwrap_used, missing_docs)]
use goodput_model::load::{Load, Mix, Worker};
use goodput_model::probe::{Direction, Stop, Stream};
use goodput_model::trial::{Deadlines, Order};
use goodput_model::{Bytes, Nanos, Probe, Token, TrialId};
use goodput_probe::*;
use std::time::Instant;
struct Nobody;
impl Observer for Nobody {
    fn opened(&self, _: u64) {}
    fn tick(&self, _: Progress) {}
    fn closed(&self, _: u64) {}
}
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    // role addr client kind size seconds clients workers
    let n = |i: usize| a[i].parse::<u64>().unwrap();
    let (role, kind) = (a[0].as_str(), a[3].as_str());
    let addr: std::net::SocketAddr = a[1].parse().unwrap();
    let time = Nanos(n(5) * 1_000_000_000);
    let probe = if kind.starts_with("stream") {
        Probe::Stream(Stream {
            direction: if kind == "stream-receive" { Direction::Receive } else { Direction::Send },
            message: Bytes(n(4)), socket: goodput_model::probe::SocketOptions { no_delay: Some(true), ..Default::default() }, stop: Stop::Time(time), ..Stream::default() })
    } else {
        let size = Bytes(n(4));
        let mut mix = match kind { "transmit" | "rate" => Mix::transmit(size), "receive" => Mix::receive(size), "both" => Mix::both_ways(size), _ => { let mut m = Mix::receive(size); m.lines[0].reply = size; m } };
        if kind == "paced" { mix = Mix::transmit(size); mix.lines[0].delay = Nanos(100_000); }
        let clients = n(6) as u16;
        Probe::Load(Load {
            clients: (0..clients).map(|c| format!("c{c}")).collect(),
            mixes: vec![mix],
            workers: (0..clients).flat_map(|client| (0..n(7)).map(move |_| Worker { client, mix: 0 })).collect(),
            time,
            transactions_per_connection: (kind == "rate").then_some(1),
            ..Load::default()
        })
    };
    let order = Order { trial: TrialId(1), probe, token: Token(*b"sixteen byte key"), deadlines: Deadlines::default(), cpus: None, live: false, client: n(2) as u16 };
    let start = Instant::now();
    let m = if role == "listen" {
        let door = Door::open(addr).unwrap();
        let e = door.expect(order.token);
        listen(&order, e, &Nobody, &Cancel::default())
    } else {
        connect(&order, addr, &Nobody, &Cancel::default())
    };
    let s = m.window.elapsed().as_secs_f64();
    let of = |r: bool| m.flows.iter().filter(|f| f.receives == r).map(|f| f.window_bytes).sum::<u64>() as f64 * 8.0 / s / 1e6;
    println!("{role} {} took {:.2} s window {s:.3} received {:.1} Mbit/s sent {:.1} Mbit/s ops/s {:.0} threads {:.3} s flows {} broken {:?} excluded {:?} notes {:?} skew {:?}",
        a[2], start.elapsed().as_secs_f64(), of(true), of(false), m.operations as f64 / s, m.threads_ns as f64 / 1e9, m.flows.len(), m.broken.map(|b| b.to_string()), m.excluded, m.notes, m.skew);
    for name in ["handover", "reply", "connect"] {
        if let Some(x) = m.series.iter().find(|x| x.name == name) {
            let c: i64 = x.column("count").unwrap().iter().sum();
            println!("   {name}: {c}, {:.0}/s", c as f64 / s);
        }
    }
}
