//! A host's inventory as tables, for `goodput host` and the report.

use super::cell::{bytes, optional_cell, ordinal, rate, size, volume};
use super::{Align, Cell, Table};
use crate::display_text::{DisplayText, comma_list, semicolon_list};
use goodput_model::host::inventory::{
    Driver, Fact, Interface, Interrupt, Inventory, LinkMode, PauseFrameSettings, PciLink, Qdisc,
};
use goodput_model::{Message, MessageArg, Trial};
use goodput_words::message;
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

fn listing(title: impl Into<DisplayText>) -> Table {
    Table::new(title, &[("", Align::Left), ("", Align::Left)])
}

fn not_available(why: &str) -> Cell {
    message!(report_not_available_cause { cause: Message::from(why) }).into()
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
    let architecture = &m.architecture;
    let kernel = text(&m.kernel).worded(|kernel| message!(report_inventory_kernel { kernel, architecture }));
    row("kernel", kernel);
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
    let mut table = listing(message!(report_interface_name { name }));
    let mut row = |name: &str, value: Cell| table.add_row([name.into(), value]);
    row("interface type and state", comma_list([&one.kind, &one.state]).into());
    let mtu = ordinal(one.mtu);
    let mtu = match one.largest_mtu {
        Some(largest) => mtu.worded(|mtu| message!(report_largest_mtu { mtu, largest: ordinal(largest) })),
        None => mtu,
    };
    row("MTU", mtu);
    row("driver", words(&one.driver, driver));
    row("PCI", words(&one.pci, pci));
    row("link speed and duplex", words(&one.link, link));
    if let Some(mode) = one.link.value() {
        row("advertised link modes", list(&mode.asked).into());
        row("link partner modes", list(&mode.partner).into());
    }
    let (receive, transmit) = (one.receive_queues, one.transmit_queues);
    row("queues", message!(report_receive_and_transmit_queues { receive, transmit }).into());
    row("NIC channels", words(&one.channels, numbers));
    row("ring sizes", words(&one.rings, numbers));
    row("interrupt coalescing", words(&one.coalescing, numbers));
    row("Ethernet flow control", words(&one.pause, flow_control));
    row("enabled offloads", words(&one.features, |f| features(f, true)));
    row("disabled offloads", words(&one.features, |f| features(f, false)));
    let largest = |bytes: Option<u32>| optional_cell(bytes, |n| size(n.into()));
    row("maximum GSO size", largest(one.gso_max_size));
    row("maximum GRO size", largest(one.gro_max_size));
    row("qdiscs", words(&one.qdiscs, |all| semicolon_list(all.iter().map(qdisc))));
    row("transmit queue length", ordinal(one.transmit_queue_length));
    row("interrupts", words(&one.interrupts, |all| semicolon_list(all.iter().map(interrupt))));
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

fn driver(d: &Driver) -> Message {
    let known = |text: &str| !text.is_empty() && text != "N/A";
    let firmware = known(&d.firmware).then(|| message!(part_driver_firmware { version: &d.firmware }));
    let bus = known(&d.bus).then(|| message!(part_driver_bus { address: &d.bus }));
    let name = MessageArg::from(format!("{} {}", d.name, d.version));
    comma_list([name].into_iter().chain(firmware.map(Into::into)).chain(bus.map(Into::into)))
}

fn flow_control(pause: &PauseFrameSettings) -> Message {
    let state = |on| if on { message!(part_flow_control_on) } else { message!(part_flow_control_off) };
    message!(report_flow_control_states {
        receive: state(pause.receive),
        transmit: state(pause.transmit),
        negotiated: state(pause.autonegotiation)
    })
}

fn interrupt(i: &Interrupt) -> Message {
    message!(report_interrupt_on_cpu {
        interrupt: format!("{} {}", i.number, i.name),
        cpu: &i.effective,
        allowed: &i.allowed
    })
}

fn pci(link: &PciLink) -> Message {
    let of = |speed: &Option<String>, width: Option<u32>| {
        let lanes = width.map_or_else(|| "?".to_string(), |width| width.to_string());
        match (speed, width) {
            (None, None) => None,
            (None, Some(_)) => Some(message!(part_pci_unknown_speed { lanes })),
            (Some(speed), _) => Some(format!("{speed} x{lanes}").into()),
        }
    };
    let state = match (of(&link.speed, link.width), of(&link.largest_speed, link.largest_width)) {
        (None, _) => message!(part_pci_no_link),
        (Some(now), Some(most)) if now != most => message!(part_pci_could_use { now, most }),
        (Some(now), _) => now,
    };
    let node = link.numa_node.map(|node| message!(part_pci_numa_node { number: node.to_string() }));
    comma_list([MessageArg::from(&link.device), state.into()].into_iter().chain(node.map(Into::into)))
}

fn link(mode: &LinkMode) -> Message {
    let speed = mode.speed_mbps.map(|speed| format!("{speed} Mbit/s").into());
    let duplex = mode.duplex.as_ref().map(|duplex| message!(part_link_duplex { duplex }));
    let negotiation = match mode.autonegotiation {
        Some(true) => message!(part_link_autonegotiation_on),
        Some(false) => message!(part_link_autonegotiation_off),
        None => message!(part_link_autonegotiation_unknown),
    };
    comma_list([
        speed.unwrap_or_else(|| message!(part_link_speed_unknown)),
        duplex.unwrap_or_else(|| message!(part_link_duplex_unknown)),
        negotiation,
    ])
}

fn qdisc(q: &Qdisc) -> Message {
    let name = format!("{} ({})", q.kind, q.parent);
    let shaped = match q.rate_bps {
        Some(bps) => message!(part_qdisc_at { qdisc: name, rate: rate(bps) }).into(),
        None => MessageArg::from(name),
    };
    let overhead = q.overhead.map(|o| message!(part_qdisc_overhead { size: bytes(o.into()) }).into());
    comma_list([shaped].into_iter().chain(overhead))
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
    table.columns.extend(ends.iter().map(|(end, _)| (DisplayText::from(&end.host), Align::Left)));
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
