//! Network namespaces that contain only a test's programs: sites and networks.

use crate::stage::*;
use std::process::Command;

pub struct Sites {
    names: Vec<String>,
}

impl Sites {
    /// One network: 10.97.0.1 and 10.97.0.2.
    pub fn pair(story: &str) -> Result<Sites, Failed> {
        let sites = Sites::empty(story, 2)?;
        sites.join(0, "10.97.0.1", 1, "10.97.0.2")?;
        Ok(sites)
    }

    /// 10.98.0.2 and 10.98.1.2 on separate networks; the third host, 10.98.0.1 and 10.98.1.1, forwards.
    pub fn three(story: &str) -> Result<Sites, Failed> {
        let sites = Sites::empty(story, 3)?;
        for (site, network) in [(0, "10.98.0"), (1, "10.98.1")] {
            let hub = format!("{network}.1");
            sites.join(2, &hub, site, &format!("{network}.2"))?;
            ip(&["-n", &sites.names[site], "route", "add", "default", "via", &hub])?;
        }
        sites.set(2, "net/ipv4/ip_forward", "1")?;
        Ok(sites)
    }

    fn empty(story: &str, count: usize) -> Result<Sites, Failed> {
        let mut sites = Sites { names: Vec::new() };
        for n in 0..count {
            let name = format!("gp-{story}-{}-{n}", std::process::id());
            ip(&["netns", "add", &name])?;
            sites.names.push(name);
            // Only the programs' packets: no neighbour discovery, no router solicitations.
            sites.set(n, "net/ipv6/conf/all/disable_ipv6", "1")?;
            ip(&["-n", &sites.names[n], "link", "set", "lo", "up"])?;
        }
        Ok(sites)
    }

    pub fn why_not() -> Option<String> {
        Sites::pair("try").err().map(|e| e.message().unwrap_or("no network namespaces").to_string())
    }

    /// Each end of the link is named after the other site.
    fn join(&self, one: usize, its: &str, other: usize, others: &str) -> Result<(), Failed> {
        let (a, b) = (&self.names[one], &self.names[other]);
        let (to_b, to_a) = (format!("to{other}"), format!("to{one}"));
        ip(&["link", "add", &to_b, "netns", a, "type", "veth", "peer", "name", &to_a, "netns", b])?;
        for (site, link, address) in [(a, &to_b, its), (b, &to_a, others)] {
            ip(&["-n", site, "address", "add", &format!("{address}/24"), "dev", link])?;
            ip(&["-n", site, "link", "set", link, "up"])?;
        }
        Ok(())
    }

    fn set(&self, site: usize, setting: &str, value: &str) -> Result<(), Failed> {
        let line = format!("echo {value} > /proc/sys/{setting}");
        ip(&["netns", "exec", &self.names[site], "sh", "-c", &line])
    }

    pub fn command(&self, site: usize, home: &Home, line: &str) -> Command {
        home.command_by(&["ip", "netns", "exec", &self.names[site]], line.split_whitespace())
    }

    pub fn line(&self, site: usize, home: &Home, line: &str) -> ProcessRun {
        running(self.command(site, home, line)).end()
    }

    fn read(&self, site: usize, file: &str) -> Result<String, Failed> {
        let out = Command::new("ip").args(["netns", "exec", &self.names[site], "cat", file]).output()?;
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    }

    /// RFC 4293, ipIfStatsOutForwDatagrams.
    pub fn forwarded(&self, site: usize) -> Result<u64, Failed> {
        snmp(&self.read(site, "/proc/net/snmp")?, "Ip", "ForwDatagrams")
    }

    /// Received and sent.
    pub fn packets(&self, site: usize) -> Result<[u64; 2], Failed> {
        let counters = link_counters(&self.read(site, "/proc/net/dev")?);
        Ok([counters[1], counters[9]])
    }
}

impl Drop for Sites {
    fn drop(&mut self) {
        for name in &self.names {
            let _ = ip(&["netns", "delete", name]);
        }
    }
}

fn ip(words: &[&str]) -> CommandOutput {
    let out = Command::new("ip").args(words).output().map_err(|e| format!("ip: {e}"))?;
    must!(out.status.success(), "ip {}: {}", words.join(" "), String::from_utf8_lossy(&out.stderr).trim());
    Ok(())
}
