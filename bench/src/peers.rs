//! The programs that are measured, one file a tool: how it is started and how its output is read.

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

use crate::contender::{Load, Program, Reading};
use crate::error::{BenchError, tail};
use crate::ours::Ours;
use crate::process::Printed;
use crate::raw::Raw;
use std::path::PathBuf;
use std::process::Command;

/// How to run one program.
pub trait Peer {
    /// The command of the answering end in host B, and the TCP port on which it is ready; no words where there is none.
    fn server(&self, load: &Load) -> (Vec<String>, u16);
    /// The command of the asking end in host A.
    fn client(&self, load: &Load) -> Vec<String>;
    /// True when the server ends by itself after one trial and what it prints is wanted.
    fn server_prints(&self) -> bool {
        false
    }
    /// Takes the figures from what both ends printed.
    fn read(&self, load: &Load, client: &Printed, server: &Printed) -> Result<Reading, BenchError>;
    /// A command whose first line of output is the version.
    fn version(&self) -> Vec<String>;
}

/// Where the programs are.
#[derive(Debug, Clone)]
pub struct Programs {
    /// This project's program.
    pub goodput: PathBuf,
    /// The lab key for it.
    pub key: PathBuf,
    /// This very bench, for the raw loop.
    pub bench: PathBuf,
    /// riperf3, which Debian does not have.
    pub riperf3: PathBuf,
}

impl Programs {
    /// How to run this one.
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

    /// The version as the program tells it, or why it cannot be measured.
    pub fn version(&self, program: Program) -> Result<String, String> {
        let words = self.peer(program).version();
        let output = Command::new(&words[0]).args(&words[1..]).output();
        let output = output.map_err(|e| format!("cannot start {}: {e}", words[0]))?;
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        Ok(text.lines().next().unwrap_or("").trim().to_string())
    }
}

/// Words of a command line.
pub fn words<const N: usize>(list: [&str; N]) -> Vec<String> {
    list.iter().map(|w| w.to_string()).collect()
}

/// The error for an output without what is looked for.
pub fn misread(program: &str, what: &'static str, text: &str) -> BenchError {
    BenchError::Misread { program: program.into(), what, said: tail(text) }
}

/// A load that the program has no means for. The plan does not ask for it.
pub fn cannot(program: &str) -> Vec<String> {
    words(["false", program])
}

/// The JSON object that an output begins with, whatever stands before its first brace.
pub fn json(program: &str, text: &str) -> Result<serde_json::Value, BenchError> {
    let from = text.find('{').ok_or_else(|| misread(program, "JSON", text))?;
    let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter();
    values.next().and_then(Result::ok).ok_or_else(|| misread(program, "JSON", text))
}
