//! Basic facts of this host, for every end's report; the rest is in `inventory.rs`.

use crate::machine::read_trimmed_text;
use crate::sys;
use goodput_model::HostFacts;

/// Unknown facts are empty or 0, so an empty boot id says nothing about shared kernels, see
/// [`HostFacts::shares_kernel`]. The version is the workspace's.
pub fn host_facts() -> HostFacts {
    HostFacts {
        hostname: line("/proc/sys/kernel/hostname"),
        boot_id: line("/proc/sys/kernel/random/boot_id"),
        kernel: kernel(&line("/proc/sys/kernel/ostype"), &line("/proc/sys/kernel/osrelease")),
        cpu_model: cpu_model(&text("/proc/cpuinfo")),
        cpus: cpus_online(&text("/proc/stat")),
        user_hz: sys::clock_ticks_per_second().unwrap_or(0),
        version: env!("CARGO_PKG_VERSION").to_string(),
        // Set by a lab that pins its hosts.
        pinned_cpu: std::env::var("GOODPUT_PINNED_CPU").ok().and_then(|cpu| cpu.parse().ok()),
    }
}

fn text(file: &str) -> String {
    std::fs::read(file).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default()
}

fn line(file: &str) -> String {
    read_trimmed_text(file).unwrap_or_default()
}

/// Name and release; outside Linux the compile-time name.
fn kernel(name: &str, release: &str) -> String {
    let name = if name.is_empty() { std::env::consts::OS } else { name };
    format!("{name} {release}").trim_end().to_string()
}

/// From `/proc/cpuinfo`: `model name`; on ARM the board (`EffectsModel`, `Hardware`), else the core's codes.
pub(crate) fn cpu_model(cpuinfo: &str) -> String {
    let field = |name: &str| {
        cpuinfo
            .lines()
            .filter_map(|l| l.split_once(':'))
            .find(|(key, value)| key.trim_end() == name && !value.trim().is_empty())
            .map(|(_, value)| value.trim().to_string())
    };
    ["model name", "Model", "Hardware", "cpu model", "cpu"].into_iter().find_map(field).unwrap_or_else(|| {
        match (field("CPU implementer"), field("CPU part")) {
            (Some(maker), Some(part)) => format!("ARM implementer {maker} part {part}"),
            _ => String::new(),
        }
    })
}

/// CPUs online, as in the CPU account; not those available to this process.
fn cpus_online(stat: &str) -> u32 {
    if let Ok(lines) = crate::stat::parse_cpu_times(stat, 1) {
        return lines.cpus.len() as u32;
    }
    std::thread::available_parallelism().map_or(0, |n| n.get() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_named_by_their_model_their_board_or_their_codes() {
        let cpuinfo = include_str!("../../../fixtures/host/firecracker-2cpu-6.18/cpuinfo");
        let stat = include_str!("../../../fixtures/host/firecracker-2cpu-6.18/stat");
        assert_eq!((cpu_model(cpuinfo).as_str(), cpus_online(stat)), ("AMD EPYC", 2));
        let core = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n";
        assert_eq!(cpu_model(core), "ARM implementer 0x41 part 0xd08");
        assert_eq!(cpu_model(&format!("{core}\nModel\t\t: Board 4\n")), "Board 4");
        assert_eq!((cpu_model("").as_str(), kernel("", "").as_str()), ("", std::env::consts::OS));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_host_can_be_described() {
        let facts = host_facts();
        assert!(facts.cpus >= 1 && facts.user_hz >= 1);
        assert_eq!(facts.boot_id.len(), 36, "{facts:?}");
        assert!(facts.kernel.starts_with("Linux "));
        assert!(facts.shares_kernel_with(&facts.clone()));
    }
}
