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
