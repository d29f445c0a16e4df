//! Two network namespaces joined by a veth pair, 10.77.0.1 and 10.77.0.2, with mounts of their own and a file
//! system in memory at `/srv`.
//!
//! Each nameless namespace lives as long as one sleeping process, which the kernel kills with the bench, so
//! nothing remains even after SIGKILL.

use crate::error::{BenchError, tail};
use crate::sys;
use std::fs;
use std::io;
use std::net::Ipv4Addr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Sender or client.
    A,
    /// Receiver or server.
    B,
}

impl Host {
    pub fn address(self) -> Ipv4Addr {
        match self {
            Host::A => Ipv4Addr::new(10, 77, 0, 1),
            Host::B => Ipv4Addr::new(10, 77, 0, 2),
        }
    }
}

#[derive(Debug)]
pub struct Network {
    a: Child,
    b: Child,
}

impl Network {
    /// Needs root and iproute2.
    pub fn raise() -> Result<Network, BenchError> {
        let a = anchor()?;
        let b = match anchor() {
            Ok(b) => b,
            Err(e) => {
                end(a);
                return Err(e);
            }
        };
        let network = Network { a, b };
        network.wire()?;
        Ok(network)
    }

    /// A command pinned to a CPU of this host. Both wrappers exec, so the child's PID is the program's.
    pub fn command(&self, host: Host, cpu: u32, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        let cpu = cpu.to_string();
        command.args(["-t", &self.pid(host).to_string(), "-n", "-m", "taskset", "-c", &cpu, program]);
        command
    }

    /// Includes headers (a large segment's once).
    pub fn received(&self, host: Host) -> Result<u64, BenchError> {
        let file = format!("/proc/{}/net/dev", self.pid(host));
        let text = read(&file)?;
        cable_bytes(&text)
            .ok_or_else(|| BenchError::Machine(format!("{file} does not show the link gpbench")))
    }

    pub fn listens(&self, host: Host, port: u16) -> Result<bool, BenchError> {
        let of = |table: &str| read(&format!("/proc/{}/net/{table}", self.pid(host)));
        Ok(listens(&of("tcp")?, port) || of("tcp6").is_ok_and(|t| listens(&t, port)))
    }

    fn wire(&self) -> Result<(), BenchError> {
        let (a, b) = (self.pid(Host::A).to_string(), self.pid(Host::B).to_string());
        run(Command::new("ip").args([
            "link", "add", "gpbench", "netns", &a, "type", "veth", "peer", "name", "gpbench", "netns", &b,
        ]))?;
        for host in [Host::A, Host::B] {
            let address = format!("{}/24", host.address());
            self.run_in(host, "ip", &["addr", "add", &address, "dev", "gpbench"])?;
            self.run_in(host, "ip", &["link", "set", "lo", "up"])?;
            self.run_in(host, "ip", &["link", "set", "gpbench", "up"])?;
        }
        Ok(())
    }

    /// Limits the cable to 1 Gbit/s each way, or removes the limit. Frames count with FCS, preamble and gap.
    pub fn limit(&self, limited: bool) -> Result<(), BenchError> {
        let shape = ["rate", "1gbit", "overhead", "24", "burst", "60000", "latency", "20ms"];
        for host in [Host::A, Host::B] {
            let there = self.run_in(host, "tc", &["qdisc", "show", "dev", "gpbench"])?.contains("tbf");
            if limited && !there {
                let words: Vec<&str> =
                    ["qdisc", "add", "dev", "gpbench", "root", "tbf"].into_iter().chain(shape).collect();
                self.run_in(host, "tc", &words)?;
            } else if there && !limited {
                self.run_in(host, "tc", &["qdisc", "del", "dev", "gpbench", "root"])?;
            }
        }
        Ok(())
    }

    pub fn run_in(&self, host: Host, program: &str, words: &[&str]) -> Result<String, BenchError> {
        let pid = self.pid(host).to_string();
        run(Command::new("nsenter").args(["-t", &pid, "-n", "-m", program]).args(words))
    }

    fn pid(&self, host: Host) -> u32 {
        match host {
            Host::A => self.a.id(),
            Host::B => self.b.id(),
        }
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for child in [&mut self.a, &mut self.b] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn anchor() -> Result<Child, BenchError> {
    let mut command = Command::new("unshare");
    let inside = "mount -t tmpfs bench /srv && exec sleep infinity";
    command.args(["--net", "--mount", "--propagation", "private", "sh", "-c", inside]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    sys::kill_with_parent(&mut command);
    let mut child =
        command.spawn().map_err(|source| BenchError::Start { program: "unshare".into(), source })?;
    // It is in its namespace once it has become `sleep`.
    let (file, deadline) = (format!("/proc/{}/comm", child.id()), Duration::from_secs(3));
    let start = Instant::now();
    while fs::read_to_string(&file).unwrap_or_default().trim() != "sleep" {
        if let Ok(Some(status)) = child.try_wait() {
            let said = "namespaces need root".to_string();
            return Err(BenchError::Ended { program: "unshare".into(), status: status.to_string(), said });
        }
        if start.elapsed() > deadline {
            end(child);
            return Err(BenchError::Deadline { program: "unshare".into(), what: "start", deadline });
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(child)
}

fn end(mut child: Child) {
    let _ = child.kill();
    let _ = child.wait();
}

fn run(command: &mut Command) -> Result<String, BenchError> {
    let program = format!("{command:?}").replace('"', "");
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|source: io::Error| BenchError::Start { program: program.clone(), source })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = tail(&String::from_utf8_lossy(&output.stderr));
    Err(BenchError::Ended { program, status: output.status.to_string(), said })
}

fn read(file: &str) -> Result<String, BenchError> {
    fs::read_to_string(file)
        .map_err(|source| BenchError::File { what: format!("cannot read {file}"), source })
}

fn cable_bytes(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.trim_start().strip_prefix("gpbench:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Socket state LISTEN (0A) in `/proc/net/tcp` or `tcp6`.
fn listens(text: &str, port: u16) -> bool {
    let end = format!(":{port:04X}");
    text.lines().skip(1).any(|line| {
        let mut words = line.split_whitespace().skip(1);
        words.next().is_some_and(|local| local.ends_with(&end)) && words.nth(1) == Some("0A")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_kernels_tables() {
        let dev = "Inter-|   Receive  |\n face |bytes packets\n    lo: 5 1 0\ngpbench: 4242 17 0 0\n";
        assert_eq!(cable_bytes(dev), Some(4242));
        assert_eq!(cable_bytes("lo: 5"), None);
        let tcp = "  sl  local_address rem_address   st\n   0: 00000000:1451 00000000:0000 0A 0\n   1: 0100007F:14B7 0100007F:9999 01 0\n";
        assert!(listens(tcp, 5201) && !listens(tcp, 5303));
    }
}
