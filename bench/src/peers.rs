//! The measured programs, one file each.

mod dbench;
mod fio;
mod iperf3;
mod nptcp;
mod nuttcp;
mod qperf;
mod smbclient;
mod sockperf;

pub use dbench::LOAD_FILE;
pub use fio::ROWS;

use crate::contender::Program;
use crate::goodput_program::Ours;
use crate::peer::Peer;
use crate::raw::Raw;
use std::path::PathBuf;
use std::process::Command;

#[derive(Debug, Clone)]
pub struct Programs {
    pub goodput: PathBuf,
    pub key: PathBuf,
    pub bench: PathBuf,
    /// Not in Debian.
    pub riperf3: PathBuf,
}

impl Programs {
    pub fn peer(&self, program: Program) -> Box<dyn Peer> {
        match program {
            Program::Goodput => Box::new(Ours { program: self.goodput.clone(), key: self.key.clone() }),
            Program::Raw => Box::new(Raw { program: self.bench.clone() }),
            Program::Iperf3 => Box::new(iperf3::Iperf3 { program: "iperf3".into() }),
            Program::NpTcp => Box::new(nptcp::NpTcp),
            Program::Nuttcp => Box::new(nuttcp::Nuttcp),
            Program::Sockperf => Box::new(sockperf::Sockperf),
            Program::Qperf => Box::new(qperf::Qperf),
            Program::Riperf3 => Box::new(iperf3::Iperf3 { program: self.riperf3.clone() }),
            Program::Smbclient => Box::new(smbclient::Smbclient),
            Program::Dbench | Program::Tbench => Box::new(dbench::Dbench),
            Program::Fio => Box::new(fio::Fio),
        }
    }

    /// The version, or why it is missing.
    pub fn version(&self, program: Program) -> Result<String, String> {
        let words = self.peer(program).version();
        let output = Command::new(&words[0]).args(&words[1..]).output();
        let output = output.map_err(|e| format!("cannot start {}: {e}", words[0]))?;
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        Ok(text.lines().next().unwrap_or("").trim().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::{Calls, Load, MixAt, Receive, Sweep};
    use crate::peer::tests::{STREAM, read};

    #[test]
    fn captured_runs_are_read() {
        let request = Load::Request { size: 14, spin: false };
        let ask = read(&qperf::Qperf, &request, include_str!("../fixtures/qperf-0.4.11.txt")).unwrap();
        assert_eq!(ask.round_trip_ns, Some(99_000.0), "twice its half trip");
        assert!((ask.rate.unwrap() - 10_101.0).abs() < 1.0);
        let ask = read(&sockperf::Sockperf, &request, include_str!("../fixtures/sockperf-3.7.txt")).unwrap();
        assert_eq!(ask.round_trip_ns, Some(100_446.0));
        assert!((ask.rate.unwrap() - 5345.0 / 0.548).abs() < 1e-6);
        let stream = read(&nuttcp::Nuttcp, &STREAM, include_str!("../fixtures/nuttcp-6.1.2.txt")).unwrap();
        assert_eq!(stream.goodput_bps, Some(2_240_069_800.0));
        // Its two values agree only with a megabyte of 2^20 bytes and a megabit of 10^6 bits.
        assert!((stream.total_bytes.unwrap() as f64 * 8.0 / 2_240_069_800.0 - 1.0).abs() < 0.01);
        let np_out = include_str!("../fixtures/NPtcp-3.7.2.np.out");
        let out = format!("Sending output to /dev/stdout\n{np_out}");
        let load = Load::Sweep { method: Sweep::Repeats(100), one_cpu: false };
        let points = read(&nptcp::NpTcp, &load, &out).unwrap().points;
        assert_eq!((points.len(), points[0].size), (22, 1), "-u 64");
        assert!((points[0].time_ns - 35_220.0).abs() < 15.0, "{}", points[0].time_ns);
        let drive = Load::Drive { bytes: 256 << 20 };
        let rows = read(&fio::Fio, &drive, include_str!("../fixtures/fio-3.33.json")).unwrap().rows;
        assert_eq!(rows.len(), ROWS.len());
        assert!(rows["SEQ1M Q8T1 read"] > rows["RND4K Q1T1 read"]);
        let (mix, share) = (Load::Mix { at: MixAt::Folder }, Load::Share { bytes: 1 });
        let dbench = read(&dbench::Dbench, &mix, include_str!("../fixtures/dbench-4.0.txt")).unwrap();
        assert!(dbench.mix_bps.unwrap() > 8e8, "{dbench:?}");
        let smb =
            read(&smbclient::Smbclient, &share, include_str!("../fixtures/smbclient-4.17.txt")).unwrap();
        assert!(smb.written_bps.unwrap() > 1e9 && smb.read_bps.unwrap() > 1e9);
        assert!(read(&dbench::Dbench, &mix, "").is_err() && read(&smbclient::Smbclient, &share, "").is_err());
    }

    #[test]
    fn captured_runs_of_iperf3_are_read() {
        let iperf3 = iperf3::Iperf3 { program: "iperf3".into() };
        let stream = read(&iperf3, &STREAM, include_str!("../fixtures/iperf3-3.12.json")).unwrap();
        let goodput = stream.goodput_bps.map(f64::round);
        assert_eq!((stream.total_bytes, goodput), (Some(407_633_920), Some(1_630_265_056.0)));
        let load = Load::Stream { size: 8192, congestion: Some("cubic".into()), receive: Receive::Default };
        assert_eq!(iperf3.client(&load).join(" "), "iperf3 -c 10.77.0.2 -l 8192 -t 1 -J -C cubic");
        let load = Load::Datagram { size: 64, calls: Calls::Plain, rate: None };
        let datagrams = read(&iperf3, &load, include_str!("../fixtures/iperf3-3.12-udp.json")).unwrap();
        // 518,181 is its receiver's highest sequence, 379,656 its gaps; 8,865,600 B its bytes.
        assert_eq!(datagrams.total_datagrams, Some(518_181 - 379_656));
        assert_eq!(datagrams.datagrams_per_second.map(f64::round), Some(138_484.0));
        assert_eq!(iperf3.client(&load).join(" "), "iperf3 -c 10.77.0.2 -u -b 0 -l 64 -t 1 -J");
        assert!(read(&iperf3, &STREAM, r#"{"start":{},"error":"the server is busy"}"#).is_err());
    }
}
