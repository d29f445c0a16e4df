//! fio: the rows of a drive mark in turn, each for a fixed time, with io_uring and direct I/O.

use crate::contender::{Load, ROW_TIME, Reading};
use crate::error::BenchError;
use crate::files;
use crate::peer::{Peer, cannot, json, misread, words};
use crate::process::Printed;

pub struct Row {
    pub name: &'static str,
    rw: &'static str,
    block: &'static str,
    depth: &'static str,
}

const fn row(name: &'static str, rw: &'static str, block: &'static str, depth: &'static str) -> Row {
    Row { name, rw, block, depth }
}

/// CrystalDiskMark 8's rows and order.
pub const ROWS: [Row; 8] = [
    row("SEQ1M Q8T1 read", "read", "1m", "8"),
    row("SEQ1M Q1T1 read", "read", "1m", "1"),
    row("RND4K Q32T1 read", "randread", "4k", "32"),
    row("RND4K Q1T1 read", "randread", "4k", "1"),
    row("SEQ1M Q8T1 write", "write", "1m", "8"),
    row("SEQ1M Q1T1 write", "write", "1m", "1"),
    row("RND4K Q32T1 write", "randwrite", "4k", "32"),
    row("RND4K Q1T1 write", "randwrite", "4k", "1"),
];

pub struct Fio;

impl Peer for Fio {
    fn server(&self, _load: &Load) -> (Vec<String>, u16) {
        (Vec::new(), 0)
    }

    fn client(&self, load: &Load) -> Vec<String> {
        let Load::Drive { bytes } = load else { return cannot("fio") };
        let (file, size) = (format!("--filename={}/fio", files::DISK), format!("--size={bytes}"));
        let time = format!("--runtime={ROW_TIME}");
        // Removes its file: there is space for one only.
        let run = format!("fio \"$@\"; code=$?; rm -f {}/fio; exit $code", files::DISK);
        let mut command =
            words(["sh", "-c", &run, "fio", "--output-format=json", &file, &size, &time, "--time_based"]);
        command.extend(words([
            "--ioengine=io_uring",
            "--direct=1",
            "--randrepeat=0",
            "--unlink_each_loop=0",
        ]));
        for row in &ROWS {
            let option = |name: &str, value: &str| format!("--{name}={value}");
            let named = [("name", row.name), ("rw", row.rw), ("bs", row.block), ("iodepth", row.depth)];
            command.extend(named.map(|(name, value)| option(name, value)));
            command.push("--stonewall".into());
        }
        command
    }

    fn read(&self, _load: &Load, client: &Printed, _server: &Printed) -> Result<Reading, BenchError> {
        let document = json("fio", &client.out)?;
        let of = |row: &Row| -> Option<(String, f64)> {
            let job = document["jobs"].as_array()?.iter().find(|j| j["jobname"] == row.name)?;
            let way = if row.rw.ends_with("read") { "read" } else { "write" };
            Some((row.name.to_string(), job[way]["bw_bytes"].as_f64()? * 8.0))
        };
        let rows: Option<_> = ROWS.iter().map(of).collect();
        let rows = rows.ok_or_else(|| misread("fio", "jobs[].read.bw_bytes", &client.out))?;
        Ok(Reading { rows, ..Reading::default() })
    }

    fn version(&self) -> Vec<String> {
        words(["fio", "--version"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_job_of_its_own() {
        let command = Fio.client(&Load::Drive { bytes: 256 << 20 });
        assert_eq!(command.iter().filter(|w| *w == "--stonewall").count(), 8);
        let first = command.iter().position(|w| w == "--name=SEQ1M Q8T1 read").unwrap();
        let job = ["--rw=read", "--bs=1m", "--iodepth=8", "--stonewall"];
        assert_eq!(command[first + 1..first + 5], job.map(String::from));
        assert!(command[..first].iter().any(|w| w == "--direct=1"));
    }
}
