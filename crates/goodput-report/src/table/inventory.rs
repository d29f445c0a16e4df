//! A host's inventory as tables, for `goodput host` and the report.

use super::cell::{optional_cell, ordinal, size, volume};
use super::{Align, Cell, Table};
use goodput_model::Trial;
use goodput_model::host::inventory::{Fact, Interface, Inventory, LinkMode, PciLink, Qdisc};
use std::collections::BTreeMap;

pub fn inventory_tables(inventory: &Inventory) -> Vec<Table> {
    let mut tables = vec![machine(inventory)];
    match &inventory.interfaces {
        Fact::Value(all) => tables.extend(all.iter().map(|(name, one)| interface(name, one))),
        Fact::NotAvailable(why) => {
            let mut table = listing("Interfaces");
            table.add_row(["interfaces".into(), not_available(why)]);
            tables.push(table);
        }
    }
    tables.push(settings(inventory));
    tables
}

fn listing(title: impl Into<String>) -> Table {
    Table::new(title, &[("", Align::Left), ("", Align::Left)])
}

fn not_available(why: &str) -> Cell {
    format!("not available: {why}").into()
}

fn words<T, C: Into<Cell>>(fact: &Fact<T>, f: impl FnOnce(&T) -> C) -> Cell {
    match fact {
        Fact::Value(value) => match f(value).into() {
            cell if cell == "" => "none".into(),
            cell => cell,
        },
        Fact::NotAvailable(why) => not_available(why),
    }
}

fn machine(inventory: &Inventory) -> Table {
    let mut table = listing("This host");
    let (m, p, now) = (&inventory.machine, &inventory.processor, &inventory.moment);
    let mut row = |name: &str, value: Cell| table.add_row([name.into(), value]);
    let text = |fact: &Fact<String>| words(fact, String::clone);
    row("host name", (&now.hostname).into());
    row("kernel", format!("{} {}", text(&m.kernel), m.architecture).into());
    row("kernel build", text(&m.kernel_build));
    row("machine", text(&m.product));
    row("firmware", text(&m.firmware));
    row("hypervisor", text(&m.hypervisor));
    row("memory", words(&m.memory_bytes, |bytes| volume(*bytes)));
    row("clock source", text(&m.clock_source));
    row("CPU", text(&p.model));
    row("microcode", text(&p.microcode));
    row("online CPUs", text(&p.online));
    row("CPU packages", words(&p.packages, |n| ordinal(*n)));
    row("CPU cores", words(&p.cores, |n| ordinal(*n)));
    row("simultaneous multithreading", text(&p.smt));
    row("CPU frequency governor", text(&p.governor));
    row("CPU frequency driver", text(&p.frequency_driver));
    row("CPU frequency boost", text(&p.boost));
    row("CPU idle driver and governor", text(&p.idle));
    row("isolated CPUs", text(&p.isolated));
    row("CPU vulnerabilities", words(&p.vulnerabilities, weaknesses));
    row("boot ID", text(&now.boot_id));
    row("network namespace", text(&now.network_namespace));
    row("hash of this inventory", (&inventory.hash).into());
    table
}

fn weaknesses(all: &BTreeMap<String, String>) -> String {
    let affected: Vec<String> = all
        .iter()
        .filter(|(_, state)| *state != "Not affected")
        .map(|(name, state)| format!("{name}: {state}"))
        .collect();
    if affected.is_empty() { "not affected by any known vulnerability".into() } else { affected.join("; ") }
}

fn interface(name: &str, one: &Interface) -> Table {
    let mut table = listing(format!("Interface {name}"));
    let mut row = |name: &str, value: Cell| table.add_row([name.into(), value]);
    row("interface type and state", format!("{}, {}", one.kind, one.state).into());
    row(
        "MTU",
        match one.largest_mtu {
            Some(largest) => ordinal(one.mtu).with_suffix(format_args!(" (maximum {largest})")),
            None => ordinal(one.mtu),
        },
    );
    row(
        "driver",
        words(&one.driver, |d| {
            let part = |name: &str, text: &str| {
                if text.is_empty() || text == "N/A" { String::new() } else { format!(", {name} {text}") }
            };
            let (firmware, bus) = (part("firmware", &d.firmware), part("bus", &d.bus));
            format!("{} {}{firmware}{bus}", d.name, d.version)
        }),
    );
    row("PCI", words(&one.pci, pci));
    row("link speed and duplex", words(&one.link, link));
    if let Some(mode) = one.link.value() {
        row("advertised link modes", list(&mode.asked).into());
        row("link partner modes", list(&mode.partner).into());
    }
    let queues = format!("{} receive, {} transmit", one.receive_queues, one.transmit_queues);
    row("queues", queues.into());
    row("NIC channels", words(&one.channels, numbers));
    row("ring sizes", words(&one.rings, numbers));
    row("interrupt coalescing", words(&one.coalescing, numbers));
    row(
        "Ethernet flow control",
        words(&one.pause, |p| {
            let word = |on| if on { "on" } else { "off" };
            format!(
                "receive {}, transmit {}, negotiated {}",
                word(p.receive),
                word(p.transmit),
                word(p.autonegotiation)
            )
        }),
    );
    row("enabled offloads", words(&one.features, |f| features(f, true)));
    row("disabled offloads", words(&one.features, |f| features(f, false)));
    let largest = |bytes: Option<u32>| optional_cell(bytes, |n| size(n.into()));
    row("maximum GSO size", largest(one.gso_max_size));
    row("maximum GRO size", largest(one.gro_max_size));
    row("qdiscs", words(&one.qdiscs, |q| q.iter().map(qdisc).collect::<Vec<_>>().join("; ")));
    row("transmit queue length", ordinal(one.transmit_queue_length));
    row(
        "interrupts",
        words(&one.interrupts, |all| {
            let one = |i: &goodput_model::host::inventory::Interrupt| {
                format!("{} {} on CPU {} (allowed {})", i.number, i.name, i.effective, i.allowed)
            };
            all.iter().map(one).collect::<Vec<_>>().join("; ")
        }),
    );
    row(
        "packet steering (CPU masks)",
        words(&one.steering, |all| {
            all.iter().map(|(queue, cpus)| format!("{queue} {cpus}")).collect::<Vec<_>>().join("; ")
        }),
    );
    for (name, other) in [("lower interface", &one.lower), ("upper interface", &one.master)] {
        if let Some(other) = other {
            row(name, other.into());
        }
    }
    table
}

fn pci(link: &PciLink) -> String {
    let of = |speed: &Option<String>, width: Option<u32>| match (speed, width) {
        (None, None) => None,
        (speed, width) => Some(format!(
            "{} x{}",
            speed.as_deref().unwrap_or("unknown speed"),
            width.map_or_else(|| "?".to_string(), |w| w.to_string())
        )),
    };
    let mut text = link.device.clone();
    match (of(&link.speed, link.width), of(&link.largest_speed, link.largest_width)) {
        (None, _) => text.push_str(", no link (a virtual device)"),
        (Some(now), Some(most)) if now != most => text.push_str(&format!(", {now} (could use {most})")),
        (Some(now), _) => text.push_str(&format!(", {now}")),
    }
    if let Some(node) = link.numa_node {
        text.push_str(&format!(", NUMA node {node}"));
    }
    text
}

fn link(mode: &LinkMode) -> String {
    let speed = mode.speed_mbps.map_or("speed undetermined".to_string(), |s| format!("{s} Mbit/s"));
    let duplex = mode.duplex.as_ref().map_or("duplex undetermined".to_string(), |d| format!("{d} duplex"));
    let negotiated = match mode.autonegotiation {
        Some(true) => "autonegotiation on",
        Some(false) => "autonegotiation off",
        None => "autonegotiation undetermined",
    };
    format!("{speed}, {duplex}, {negotiated}")
}

fn qdisc(q: &Qdisc) -> String {
    let rate = q.rate_bps.map_or(String::new(), |r| format!(" at {}", crate::number_format::format_rate(r)));
    let overhead = q.overhead.map_or(String::new(), |o| format!(", overhead {o} B"));
    format!("{} ({}){rate}{overhead}", q.kind, q.parent)
}

fn list(words: &[String]) -> String {
    if words.is_empty() { "none".into() } else { words.join(" ") }
}

fn numbers(all: &BTreeMap<String, u64>) -> String {
    all.iter().map(|(name, n)| format!("{} {n}", name.replace('_', " "))).collect::<Vec<_>>().join(", ")
}

fn features(all: &BTreeMap<String, String>, on: bool) -> String {
    let word = if on { "on" } else { "off" };
    let odd = |state: &str| state.strip_prefix(word).map(|rest| rest.trim().to_string());
    all.iter()
        .filter_map(|(name, state)| odd(state).map(|rest| format!("{name} {rest}").trim().to_string()))
        .collect::<Vec<_>>()
        .join(", ")
}

fn settings(inventory: &Inventory) -> Table {
    let mut table = listing("Kernel parameters");
    for (name, value) in &inventory.sysctls {
        table.add_row([name.into(), words(value, String::clone)]);
    }
    table
}

pub fn trial_hosts_table(trial: &Trial) -> Option<Table> {
    let ends: Vec<_> =
        trial.ends.iter().filter_map(|e| Some((e, e.inventory.as_ref()?.flatten_stable_facts()))).collect();
    let mut names: Vec<&String> = ends.iter().flat_map(|(_, facts)| facts.keys()).collect();
    names.sort();
    names.dedup();
    let mut table = Table::new("Hardware and software of both ends", &[("", Align::Left)]);
    table.columns.extend(ends.iter().map(|(end, _)| (end.host.clone(), Align::Left)));
    for name in names {
        let mut cells = vec![Cell::from(name)];
        cells.extend(ends.iter().map(|(_, facts)| optional_cell(facts.get(name), Cell::from)));
        table.add_row(cells);
    }
    (!table.rows.is_empty()).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::host::inventory::Driver;

    #[test]
    fn an_interface_is_told_in_words() {
        let eth0 = Interface {
            kind: "device".into(),
            state: "up".into(),
            mtu: 1500,
            driver: Fact::Value(Driver { name: "igb".into(), version: "6.18".into(), ..Driver::default() }),
            pci: Fact::Value(PciLink {
                device: "8086:1533".into(),
                speed: Some("2.5 GT/s PCIe".into()),
                width: Some(1),
                largest_speed: Some("5.0 GT/s PCIe".into()),
                largest_width: Some(4),
                numa_node: None,
            }),
            features: Fact::Value(BTreeMap::from([
                ("rx-gro".into(), "on".into()),
                ("tx-lro".into(), "off (on asked)".into()),
                ("tx-x".into(), "on (fixed)".into()),
            ])),
            ..Interface::default()
        };
        let interfaces = Fact::Value(BTreeMap::from([("eth0".into(), eth0)]));
        let tables = inventory_tables(&Inventory { interfaces, ..Inventory::default() });
        assert_eq!(tables.len(), 3);
        let row = |name: &str| tables[1].rows.iter().find(|r| r[0] == name).unwrap()[1].clone();
        assert_eq!(row("driver"), "igb 6.18");
        assert_eq!(row("PCI"), "8086:1533, 2.5 GT/s PCIe x1 (could use 5.0 GT/s PCIe x4)");
        assert_eq!(row("enabled offloads"), "rx-gro, tx-x (fixed)");
        assert_eq!(row("disabled offloads"), "tx-lro (on asked)");
        assert_eq!(row("link speed and duplex"), "not available: not asked");
    }
}
