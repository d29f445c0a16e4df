//! A pinned lab: one host has a CPU of its own, everything else runs on the others, so that its CPU use can
//! be measured separately. Processes are pinned by affinity. The receiving half of the protocol runs on the
//! sender's CPU on a veth pair, unless receive packet steering (RPS, `Documentation/networking/scaling.rst`)
//! selects another; so every interface is steered.

use crate::lab_name::LabOrHostName;
use crate::namespace::run_with_namespace_sysfs;
use crate::start_failure::LabStartFailure;
use crate::sys;
use crate::topology::Topology;
use goodput_words::message;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;

/// Environment variable with the pinned host's CPU.
pub const PINNED_CPU_ENV: &str = "GOODPUT_PINNED_CPU";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuPin {
    pub host: LabOrHostName,
    pub cpu: u32,
    pub others: Vec<u32>,
}

impl CpuPin {
    /// The last allowed CPU, since the first has the machine's own interrupts.
    pub(crate) fn from_topology(topology: &Topology) -> Result<Option<CpuPin>, LabStartFailure> {
        let Some(host) = &topology.pin else { return Ok(None) };
        let failed = LabStartFailure::wrap_error(message!(error_lab_cannot_pin { host }));
        let mut cpus = sys::allowed_cpus().map_err(failed)?;
        match cpus.pop() {
            Some(cpu) if !cpus.is_empty() => Ok(Some(CpuPin { host: host.clone(), cpu, others: cpus })),
            _ => Err(LabStartFailure::new(message!(error_lab_pin_one_cpu { host }))),
        }
    }

    pub fn cpus_for_host(&self, host: &LabOrHostName) -> &[u32] {
        if self.host == *host { std::slice::from_ref(&self.cpu) } else { &self.others }
    }

    /// Verified by reading back.
    pub(crate) fn set_rps_cpus(
        &self,
        net: &File,
        interface: &str,
        host: Option<&LabOrHostName>,
    ) -> io::Result<()> {
        let mask = mask(host.map_or(self.others.as_slice(), |host| self.cpus_for_host(host)));
        run_with_namespace_sysfs(net, || write_all(interface, &mask))
    }
}

fn write_all(interface: &str, mask: &str) -> io::Result<()> {
    for entry in fs::read_dir(format!("/sys/class/net/{interface}/queues"))? {
        let queue = entry?.path();
        let file = queue.join("rps_cpus");
        if !file.exists() {
            continue;
        }
        fs::write(&file, mask)?;
        let found = fs::read_to_string(&file)?;
        if plain(&found) != plain(mask) {
            return Err(io::Error::other(format!("the kernel keeps {} instead of {mask}", found.trim())));
        }
    }
    Ok(())
}

/// The kernel's format: hexadecimal words of 32 CPUs, the highest first.
fn mask(cpus: &[u32]) -> String {
    let words = cpus.iter().max().map_or(1, |most| most / 32 + 1);
    let word = |n: u32| cpus.iter().filter(|c| **c / 32 == n).fold(0u32, |word, c| word | 1 << (c % 32));
    (0..words).rev().map(|n| format!("{:08x}", word(n))).collect::<Vec<_>>().join(",")
}

fn plain(mask: &str) -> String {
    mask.trim().replace(',', "").trim_start_matches('0').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_has_the_masks_of_the_kernel_and_leaves_the_rest_to_others() {
        assert_eq!(mask(&[0]), "00000001");
        assert_eq!(mask(&[1, 2, 3]), "0000000e");
        assert_eq!(mask(&[0, 33]), "00000002,00000001");
        assert_eq!(plain("00000002,00000001\n"), plain("2,00000001"));
        let name = |text: &str| text.parse::<LabOrHostName>().unwrap();
        let pin = CpuPin { host: name("server"), cpu: 3, others: vec![0, 1, 2] };
        assert_eq!(pin.cpus_for_host(&name("server")), [3]);
        assert_eq!(pin.cpus_for_host(&name("c1")), [0, 1, 2]);
    }
}
