//! Machine facts: kernel, firmware, hypervisor, clock, memory.

use crate::sys;
use goodput_model::host::inventory::{Fact, MachineFacts};
use std::fs;
use std::io;

pub(crate) fn read_machine_facts() -> MachineFacts {
    MachineFacts {
        kernel: read_file_as_fact("/proc/sys/kernel/osrelease"),
        kernel_build: read_file_as_fact("/proc/sys/kernel/version"),
        architecture: std::env::consts::ARCH.to_string(),
        product: product(),
        firmware: joined(&["/sys/class/dmi/id/bios_version", "/sys/class/dmi/id/bios_date"]),
        hypervisor: hypervisor(),
        clock_source: clock_source(),
        memory_bytes: memory(&fs::read_to_string("/proc/meminfo").unwrap_or_default()),
    }
}

pub(crate) fn read_file_as_fact(file: &str) -> Fact<String> {
    read_trimmed_text(file).map_err(|e| format!("cannot read {file}: {e}")).into()
}

pub(crate) fn read_trimmed_text(file: &str) -> io::Result<String> {
    let bytes = fs::read(file)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.trim_matches(|c: char| c.is_whitespace() || c == '\0').to_string())
}

/// Joins the readable files' lines; the first error if none is readable.
fn joined(files: &[&str]) -> Fact<String> {
    let words: Vec<String> =
        files.iter().filter_map(|file| read_trimmed_text(file).ok()).filter(|w| !w.is_empty()).collect();
    match (words.is_empty(), files.first()) {
        (true, Some(first)) => match read_file_as_fact(first) {
            Fact::Value(_) => Fact::NotAvailable(format!("{first} is empty")),
            missing => missing,
        },
        _ => Fact::Value(words.join(" ")),
    }
}

fn product() -> Fact<String> {
    let dmi = joined(&["/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name"]);
    if dmi.value().is_some() {
        return dmi;
    }
    let tree = read_trimmed_text("/proc/device-tree/model");
    tree.map_err(|_| "the machine has neither DMI nor a device tree").into()
}

fn clock_source() -> Fact<String> {
    const FOLDER: &str = "/sys/devices/system/clocksource/clocksource0";
    let current = read_file_as_fact(&format!("{FOLDER}/current_clocksource"));
    match (current, read_trimmed_text(&format!("{FOLDER}/available_clocksource"))) {
        (Fact::Value(current), Ok(all)) => Fact::Value(format!("{current} (of {all})")),
        (current, _) => current,
    }
}

fn hypervisor() -> Fact<String> {
    // Paravirtual Xen guests have no CPUID leaf for it.
    if let Ok(kind) = read_trimmed_text("/sys/hypervisor/type") {
        return Fact::Value(kind);
    }
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let tree = read_trimmed_text("/proc/device-tree/hypervisor/compatible");
    told(virtual_cpu(&cpuinfo), sys::hypervisor_signature, tree.ok())
}

/// The x86 hypervisor flag; `None` on other CPUs.
fn virtual_cpu(cpuinfo: &str) -> Option<bool> {
    let flags = cpuinfo.lines().find_map(|l| l.strip_prefix("flags"))?;
    Some(flags.split_ascii_whitespace().any(|f| f == "hypervisor"))
}

fn told(flag: Option<bool>, signature: impl Fn() -> Option<String>, tree: Option<String>) -> Fact<String> {
    match (flag, tree) {
        (Some(true), _) => Fact::Value(match signature() {
            Some(signature) => known(&signature),
            None => "one that does not name itself".into(),
        }),
        (Some(false), _) => Fact::Value("none".into()),
        (None, Some(tree)) => Fact::Value(tree),
        (None, None) => {
            Fact::NotAvailable("this kind of CPU does not say whether it is a virtual one".into())
        }
    }
}

/// Adds the vendor's name, from the kernel's `arch/x86/kernel/cpu` and manuals.
fn known(signature: &str) -> String {
    let name = match signature {
        "KVMKVMKVM" | "Linux KVM Hv" => "KVM",
        "Microsoft Hv" => "Hyper-V",
        "VMwareVMware" => "VMware",
        "XenVMMXenVMM" => "Xen",
        "VBoxVBoxVBox" => "VirtualBox",
        "bhyve bhyve" => "bhyve",
        "ACRNACRNACRN" => "ACRN",
        "TCGTCGTCGTCG" => "QEMU without hardware virtualisation",
        _ => return signature.to_string(),
    };
    format!("{name} ({signature})")
}

/// MemTotal, proc_meminfo(5).
pub(crate) fn memory(meminfo: &str) -> Fact<u64> {
    let total = meminfo.lines().find_map(|l| l.strip_prefix("MemTotal:")?.trim().strip_suffix("kB"));
    let kb = total.and_then(|kb| kb.trim().parse::<u64>().ok());
    kb.map(|kb| kb.saturating_mul(1024)).ok_or("/proc/meminfo has no line MemTotal").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_captured_machine_is_virtual() {
        let cpuinfo = include_str!("../../../fixtures/host/firecracker-2cpu-6.18/cpuinfo");
        assert_eq!(virtual_cpu(cpuinfo), Some(true));
        assert_eq!(virtual_cpu("flags\t\t: fpu vme\n"), Some(false));
        assert_eq!(virtual_cpu("Features\t: fp asimd\n"), None);
    }

    #[test]
    fn who_runs_it_is_told_or_not() {
        let kvm = || Some("KVMKVMKVM".to_string());
        assert_eq!(told(Some(true), kvm, None), Fact::Value("KVM (KVMKVMKVM)".into()));
        assert_eq!(told(Some(true), || None, None).value().unwrap(), "one that does not name itself");
        // Without a hypervisor the leaf is undefined and must not be read.
        assert_eq!(told(Some(false), || panic!("asked"), None), Fact::Value("none".into()));
        assert_eq!(told(None, || None, Some("linux,kvm".into())), Fact::Value("linux,kvm".into()));
        assert!(told(None, || None, None).unavailable_reason().is_some());
    }

    #[test]
    fn memory_is_in_bytes_and_a_file_that_is_not_there_is_named() {
        assert_eq!(memory("MemTotal:       24046280 kB\nMemFree: 1 kB\n"), Fact::Value(24_046_280 * 1024));
        assert!(memory("").unavailable_reason().is_some());
        assert!(joined(&["/proc/no/such"]).unavailable_reason().is_some_and(|r| r.contains("/proc/no/such")));
    }
}
