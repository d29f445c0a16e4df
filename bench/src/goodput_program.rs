//! This project's program: `goodput agent` in host B, the measuring command in host A.

mod file;

use crate::contender::{
    COALESCING_DELAY, Calls, DATAGRAM_SECONDS, Load, PACED_SECONDS, Point, REQUEST_SECONDS, Reading, Receive,
    STREAM_SECONDS, SWEEP_UP_TO, Sweep, WARM_UP,
};
use crate::error::BenchError;
use crate::network::Host;
use crate::peer::{Peer, json, misread, words};
use crate::process::Printed;
use serde_json::Value;
use std::path::PathBuf;

pub struct Ours {
    pub program: PathBuf,
    pub key: PathBuf,
}

const CONTROL_PORT: u16 = 5303;

impl Peer for Ours {
    fn server(&self, load: &Load) -> (Vec<String>, u16) {
        if let Some(server) = file::server(load) {
            return server;
        }
        let (program, key) = (self.program.to_string_lossy(), self.key.to_string_lossy());
        let at = Host::B.address().to_string();
        (words([&program, "agent", "--key-file", &key, "--bind", &at, "--name", "b"]), CONTROL_PORT)
    }

    fn client(&self, load: &Load) -> Vec<String> {
        let (program, key) = (self.program.to_string_lossy(), self.key.to_string_lossy());
        let (to, warm_up) = (Host::B.address().to_string(), format!("{}ms", WARM_UP.as_millis()));
        if let Some(client) = file::client(load, &program, &key) {
            return client;
        }
        let probe = match load {
            Load::Stream { .. } => "stream",
            Load::Sweep { .. } => "pingpong",
            Load::Request { .. } => "request",
            Load::Datagram { .. } => "datagram",
            Load::Share { .. } | Load::Mix { .. } | Load::Drive { .. } => "file",
        };
        let mut client = words([&program, probe, &to, "--key-file", &key, "--json", "--no-save"]);
        match load {
            Load::Stream { size, congestion, receive } => {
                let time = format!("{STREAM_SECONDS}s");
                client.extend(words(["--size", &format!("{size}B"), "--time", &time, "--warm-up", &warm_up]));
                if let Some(name) = congestion {
                    client.extend(words(["--congestion", name]));
                }
                if *receive == Receive::Coalescing {
                    client.extend(words(["--receive-coalescing", COALESCING_DELAY]));
                }
            }
            Load::Sweep { method, .. } => {
                let mode = if *method == Sweep::Native { "native" } else { "compat" };
                client.extend(words(["--mode", mode, "--largest", &format!("{SWEEP_UP_TO}B")]));
                if let Sweep::Repeats(n) = method {
                    client.extend(words(["--repeats", &n.to_string()]));
                }
            }
            Load::Request { size, spin } => {
                let time = format!("{REQUEST_SECONDS}s");
                client.extend(words(["--size", &format!("{size}B"), "--time", &time, "--warm-up", &warm_up]));
                if *spin {
                    client.push("--spin".into());
                }
            }
            Load::Datagram { size, calls, rate } => {
                let seconds = if rate.is_some() { PACED_SECONDS } else { DATAGRAM_SECONDS };
                let time = format!("{seconds}s");
                client.extend(words(["--size", &format!("{size}B"), "--time", &time, "--warm-up", &warm_up]));
                if *calls == Calls::Plain {
                    client.push("--plain".into());
                }
                if let Some(rate) = rate {
                    client.extend(words(["--rate", &format!("{rate}/s")]));
                }
            }
            Load::Share { .. } | Load::Mix { .. } | Load::Drive { .. } => {}
        }
        client
    }

    fn read(&self, load: &Load, client: &Printed, _server: &Printed) -> Result<Reading, BenchError> {
        let document = json("goodput", &client.out)?;
        let miss = |what| Err(misread("goodput", what, &format!("{} {}", client.out, client.err)));
        if document["outcome"].as_str().is_some_and(|o| o != "complete") {
            return miss("complete outcome");
        }
        if let Some(reading) = file::read(load, &document) {
            return reading.or_else(miss);
        }
        if let Load::Datagram { rate, .. } = load {
            let datagrams = &document["directions"][0]["datagrams"];
            let each_second = datagrams["received_per_second"].as_f64();
            let (Some(each_second), Some(total)) = (each_second, datagrams["received"].as_u64()) else {
                return miss("directions[].datagrams.received_per_second and received");
            };
            return Ok(Reading {
                datagrams_per_second: Some(each_second),
                total_datagrams: Some(total),
                rate_error: rate.map(|asked| (each_second / f64::from(asked) - 1.0).abs()),
                ..Reading::default()
            });
        }
        let reading = Reading {
            goodput_bps: document["goodput_bps"].as_f64(),
            total_bytes: total(&document),
            rate: document["transactions_per_second"].as_f64(),
            round_trip_ns: document.pointer("/latency_ns/p50").and_then(Value::as_f64),
            points: document["points"]
                .as_array()
                .map(|p| p.iter().filter_map(point).collect())
                .unwrap_or_default(),
            ..Reading::default()
        };
        match load {
            Load::Stream { .. } if reading.goodput_bps.is_none() => miss("goodput_bps"),
            Load::Stream { .. } if reading.total_bytes.is_none() => miss("directions[].total_bytes"),
            Load::Sweep { .. } if reading.points.is_empty() => miss("points[]"),
            Load::Request { .. } if reading.rate.is_none() || reading.round_trip_ns.is_none() => {
                miss("transactions_per_second and latency_ns.p50")
            }
            _ => Ok(reading),
        }
    }

    fn version(&self) -> Vec<String> {
        words([&self.program.to_string_lossy(), "--version"])
    }
}

fn total(document: &Value) -> Option<u64> {
    let directions = document["directions"].as_array()?;
    directions.iter().map(|d| d["total_bytes"].as_u64()).sum()
}

fn point(point: &Value) -> Option<Point> {
    let interval = point["interval_ns"].as_array();
    Some(Point {
        size: point["size_bytes"].as_u64()?,
        time_ns: point["time_ns"].as_f64()?,
        interval_ns: interval.and_then(|i| Some((i.first()?.as_f64()?, i.get(1)?.as_f64()?))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peer::tests::{STREAM, read};

    fn ours() -> Ours {
        Ours { program: "goodput".into(), key: "key".into() }
    }

    #[test]
    fn types_a_stream() {
        let load =
            Load::Stream { size: 8192, congestion: Some("cubic".into()), receive: Receive::Coalescing };
        let expected = "goodput stream 10.77.0.2 --key-file key --json --no-save --size 8192B --time 1s \
                        --warm-up 200ms --congestion cubic --receive-coalescing 50us";
        assert_eq!(ours().client(&load).join(" "), expected);
    }

    #[test]
    fn reads_the_fields_of_the_contract() {
        let stream = r#"{"schema":"goodput/result/1","outcome":"complete","goodput_bps":9000,"directions":[{"total_bytes":7}]}"#;
        let reading = read(&ours(), &STREAM, stream).unwrap();
        assert_eq!((reading.goodput_bps, reading.total_bytes), (Some(9000.0), Some(7)));
        let sweep = r#"{"points":[{"size_bytes":1,"time_ns":20000.5,"interval_ns":[19900.0,20100.0]}]}"#;
        let load = Load::Sweep { method: Sweep::Native, one_cpu: true };
        let reading = read(&ours(), &load, sweep).unwrap();
        assert_eq!(reading.points[0].interval_ns, Some((19_900.0, 20_100.0)));
        let partial = stream.replace("complete", "partial");
        assert!(read(&ours(), &STREAM, &partial).is_err());
    }

    #[test]
    fn datagrams_are_what_the_receiver_counted() {
        let load = |calls, rate| Load::Datagram { size: 64, calls, rate };
        let typed = ours().client(&load(Calls::Plain, None)).join(" ");
        assert!(typed.ends_with("--size 64B --time 1s --warm-up 200ms --plain"), "{typed}");
        let typed = ours().client(&load(Calls::Offload, Some(10_000))).join(" ");
        assert!(typed.ends_with("--size 64B --time 2s --warm-up 200ms --rate 10000/s"), "{typed}");
        let out = r#"{"outcome":"complete","directions":[{"datagrams":{"received_per_second":9990.0,"received":21978}}]}"#;
        let reading = read(&ours(), &load(Calls::Offload, Some(10_000)), out).unwrap();
        assert_eq!((reading.datagrams_per_second, reading.total_datagrams), (Some(9990.0), Some(21_978)));
        assert!((reading.rate_error.unwrap() - 0.001).abs() < 1e-12);
    }
}
