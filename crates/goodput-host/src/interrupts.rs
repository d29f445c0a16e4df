//! Interrupts of a PCI device and their CPU affinity, from `msi_irqs` and `/proc/irq`.

use crate::machine::read_trimmed_text;
use crate::pci;
use goodput_model::host::inventory::{Fact, Interrupt};
use std::fs;

pub(crate) fn device_interrupts(bus: &str) -> Fact<Vec<Interrupt>> {
    let Some(folder) = pci::sysfs_device_folder(bus) else {
        return Fact::NotAvailable("it has no interrupts of its own".into());
    };
    let Ok(entries) = fs::read_dir(folder.join("msi_irqs")) else {
        return Fact::NotAvailable("the device has no message-signalled interrupts".into());
    };
    let actions = actions(&fs::read_to_string("/proc/interrupts").unwrap_or_default());
    let mut found: Vec<Interrupt> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .map(|number| interrupt(number, &actions))
        .collect();
    found.sort_by(|a, b| (&a.name, a.number).cmp(&(&b.name, b.number)));
    Fact::Value(found)
}

fn interrupt(number: u32, actions: &[(u32, String)]) -> Interrupt {
    // Empty if unknown.
    let list = |file: &str| read_trimmed_text(&format!("/proc/irq/{number}/{file}")).unwrap_or_default();
    let name = actions.iter().find(|(n, _)| *n == number).map(|(_, name)| name.clone());
    Interrupt {
        number,
        name: name.unwrap_or_else(|| "not in use".into()),
        allowed: list("smp_affinity_list"),
        effective: list("effective_affinity_list"),
    }
}

/// Number and action (the last word, because columns before it vary) of each line of `/proc/interrupts`.
pub(crate) fn actions(text: &str) -> Vec<(u32, String)> {
    let line = |line: &str| {
        let (number, rest) = line.split_once(':')?;
        let number = number.trim().parse().ok()?;
        Some((number, rest.split_ascii_whitespace().next_back()?.to_string()))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_of_a_captured_machine() {
        let actions = actions(include_str!("../../../fixtures/host/firecracker-2cpu-6.18/interrupts"));
        let name = |number| actions.iter().find(|(n, _)| *n == number).map(|(_, name)| name.as_str());
        assert_eq!(name(38), Some("virtio2-input.0"));
        assert_eq!(name(26), Some("ttyS0"));
        // Kernel lines (NMI, LOC) have no number.
        assert!(actions.iter().all(|(n, _)| *n < 1000));
        assert!(device_interrupts("").unavailable_reason().is_some(), "what is on no bus has none");
    }
}
