//! CPU facts: model, layout, frequency, idling, mitigations, from `/sys/devices/system/cpu` (the kernel's
//! `Documentation/ABI/testing/sysfs-devices-system-cpu`), which is global to the machine.

use crate::machine::{read_file_as_fact, read_trimmed_text};
use goodput_model::host::inventory::{Fact, ProcessorFacts};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const FOLDER: &str = "/sys/devices/system/cpu";

pub(crate) fn read_processor_facts() -> ProcessorFacts {
    let at = |file: &str| read_file_as_fact(&format!("{FOLDER}/{file}"));
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let online = at("online");
    let cpus = online.value().map(|list| numbers(list)).unwrap_or_default();
    ProcessorFacts {
        model: model(&cpuinfo),
        microcode: microcode(&cpuinfo),
        packages: places(&cpus, "physical_package_id"),
        cores: places(&cpus, "core_cpus_list"),
        online,
        smt: at("smt/control"),
        governor: policies(&cpus, "scaling_governor"),
        frequency_driver: policies(&cpus, "scaling_driver"),
        boost: boost(at("cpufreq/boost"), at("intel_pstate/no_turbo")),
        idle: idle(at("cpuidle/current_driver"), at("cpuidle/current_governor")),
        isolated: at("isolated"),
        vulnerabilities: vulnerabilities(),
    }
}

fn model(cpuinfo: &str) -> Fact<String> {
    let name = crate::facts::cpu_model(cpuinfo);
    Some(name).filter(|name| !name.is_empty()).ok_or("/proc/cpuinfo does not name it").into()
}

pub(crate) fn microcode(cpuinfo: &str) -> Fact<String> {
    let of = |l: &str| {
        let (key, value) = l.split_once(':')?;
        (key.trim() == "microcode").then(|| value.trim().to_string())
    };
    let found: BTreeSet<String> = cpuinfo.lines().filter_map(of).collect();
    let known = (!found.is_empty()).then(|| Vec::from_iter(found).join(", "));
    known.ok_or("/proc/cpuinfo does not tell it").into()
}

fn places(cpus: &[u32], file: &str) -> Fact<u32> {
    let of = |cpu: &u32| read_file_as_fact(&format!("{FOLDER}/cpu{cpu}/topology/{file}"));
    let values: BTreeSet<String> = cpus.iter().filter_map(|cpu| of(cpu).value().cloned()).collect();
    match (values.len(), cpus.first()) {
        (0, Some(cpu)) => Fact::NotAvailable(of(cpu).unavailable_reason().unwrap_or_default().to_string()),
        (0, None) => Fact::NotAvailable("the CPUs online are undetermined".into()),
        (n, _) => Fact::Value(n as u32),
    }
}

/// Values of a frequency policy file: one if all CPUs agree, else with the CPUs.
fn policies(cpus: &[u32], file: &str) -> Fact<String> {
    let mut groups: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for cpu in cpus {
        if let Ok(word) = read_trimmed_text(&format!("{FOLDER}/cpu{cpu}/cpufreq/{file}")) {
            groups.entry(word).or_default().push(*cpu);
        }
    }
    grouped(groups).ok_or("the kernel does not control the frequency").into()
}

fn grouped(groups: BTreeMap<String, Vec<u32>>) -> Option<String> {
    if groups.len() < 2 {
        return groups.into_keys().next();
    }
    let group = |(word, cpus): (String, Vec<u32>)| {
        let cpus: Vec<String> = cpus.iter().map(u32::to_string).collect();
        format!("{word} (CPU {})", cpus.join(" "))
    };
    Some(groups.into_iter().map(group).collect::<Vec<_>>().join(", "))
}

/// `boost` 1 means allowed, `no_turbo` 1 means not.
fn boost(boost: Fact<String>, no_turbo: Fact<String>) -> Fact<String> {
    let word = |allowed: bool| Fact::Value(if allowed { "allowed" } else { "not allowed" }.to_string());
    match (boost.value().map(String::as_str), no_turbo.value().map(String::as_str)) {
        (Some("1"), _) | (_, Some("0")) => word(true),
        (Some("0"), _) | (_, Some("1")) => word(false),
        _ => Fact::NotAvailable("the kernel does not control it".into()),
    }
}

fn idle(driver: Fact<String>, governor: Fact<String>) -> Fact<String> {
    match (driver, governor) {
        (Fact::Value(driver), Fact::Value(governor)) => Fact::Value(format!("{driver}, governor {governor}")),
        (Fact::NotAvailable(why), _) | (_, Fact::NotAvailable(why)) => Fact::NotAvailable(why),
    }
}

fn vulnerabilities() -> Fact<BTreeMap<String, String>> {
    let folder = format!("{FOLDER}/vulnerabilities");
    let one = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        read_trimmed_text(&format!("{folder}/{name}")).ok().map(|text| (name, text))
    };
    let entries = fs::read_dir(&folder).map_err(|e| format!("cannot read {folder}: {e}"));
    entries.map(|all| all.filter_map(Result::ok).filter_map(one).collect::<BTreeMap<_, _>>()).into()
}

/// Parses CPU lists like `0-3,8`; skips invalid parts.
pub(crate) fn numbers(list: &str) -> Vec<u32> {
    // Limits the expansion of an invalid list, whose parts may overlap too.
    const MOST: u32 = 65_536;
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse::<u32>().ok()?, last.trim().parse::<u32>().ok()?);
        (last < MOST).then_some(first..=last)
    };
    list.split(',').filter_map(range).flatten().take(MOST as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cpus_and_the_microcode_are_read() {
        assert_eq!(numbers("0-3,8"), [0, 1, 2, 3, 8]);
        assert_eq!(numbers("0"), [0]);
        assert_eq!(numbers(&"0-65535,".repeat(99)).len(), 65_536);
        assert!(numbers("").is_empty() && numbers("0-99999999").is_empty() && numbers("x").is_empty());
        let cpuinfo = include_str!("../../../fixtures/host/firecracker-2cpu-6.18/cpuinfo");
        assert!(microcode(cpuinfo).value().is_some_and(|m| m.starts_with("0x") && !m.contains(',')));
        assert!(microcode("").unavailable_reason().is_some());
    }

    #[test]
    fn different_governors_are_told_apart() {
        let told = |rows: &[(&str, &[u32])]| {
            grouped(rows.iter().map(|(w, c)| (w.to_string(), c.to_vec())).collect())
        };
        assert_eq!(told(&[("schedutil", &[0, 1])]).as_deref(), Some("schedutil"));
        let both = told(&[("powersave", &[0, 2]), ("performance", &[1])]);
        assert_eq!(both.as_deref(), Some("performance (CPU 1), powersave (CPU 0 2)"));
        assert_eq!(told(&[]), None);
    }

    #[test]
    fn boost_has_two_files_of_opposite_sense() {
        let no = || Fact::NotAvailable("no".to_string());
        let is = |text: &str| Fact::Value(text.to_string());
        assert_eq!(boost(is("1"), no()), is("allowed"));
        assert_eq!(boost(no(), is("1")), is("not allowed"));
        assert!(boost(no(), no()).unavailable_reason().is_some());
    }
}
