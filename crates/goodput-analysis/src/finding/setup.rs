//! Rules about a host's configuration, from its inventory: a link, a slot or a setting below the request.

use super::Hit;
use goodput_model::host::Inventory;
use goodput_model::host::inventory::Interface;
use goodput_model::summary::TrialSummary;
use goodput_model::trial::EndpointReport;
use goodput_model::{Message, Trial};
use goodput_words::message;
use goodput_words::message_argument::fixed_decimals_arg;

fn interfaces(trial: &Trial) -> Vec<(&EndpointReport, &String, &Interface)> {
    let of_end = |end| {
        let end: &EndpointReport = end;
        let inventory = end.inventory.as_ref();
        let known = inventory.filter(|i| i.path.value().is_some()).and_then(|i| i.interfaces.value());
        known.into_iter().flatten().map(move |(name, interface)| (end, name, interface))
    };
    trial.ends.iter().flat_map(of_end).collect()
}

pub(super) fn check_half_duplex(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let hit = |(end, name, interface): (&EndpointReport, &String, &Interface)| {
        let link = interface.link.value()?;
        (link.duplex.as_deref() == Some("half")).then(|| {
            Hit::new(
                message!(rule_half_duplex_text { interface: name, host: &end.host }),
                [
                    format!("interfaces.{name}.link.duplex = half"),
                    format!("interfaces.{name}.link.autonegotiation = {:?}", link.autonegotiation),
                ],
            )
        })
    };
    interfaces(trial).into_iter().filter_map(hit).collect()
}

pub(super) fn check_slow_link(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let hit = |(end, name, interface): (&EndpointReport, &String, &Interface)| {
        let link = interface.link.value()?;
        let asked = link.asked.iter().filter_map(|mode| mode_mbps(mode)).max()?;
        let obtained = link.speed_mbps.filter(|speed| *speed < asked)?;
        Some(Hit::new(
            message!(rule_slow_link_text {
                interface: name,
                host: &end.host,
                obtained: fixed_decimals_arg(obtained.into(), 0, "Mbit/s"),
                asked: fixed_decimals_arg(asked.into(), 0, "Mbit/s"),
            }),
            [
                format!("interfaces.{name}.link.speed_mbps = {obtained}"),
                format!("interfaces.{name}.link.asked = {}", link.asked.join(" ")),
                format!("interfaces.{name}.link.partner = {}", link.partner.join(" ")),
            ],
        ))
    };
    interfaces(trial).into_iter().filter_map(hit).collect()
}

/// The speed at the start of a mode's name, `1000baseT/Full`; `None` for others (`Autoneg`, `TP`).
fn mode_mbps(mode: &str) -> Option<u32> {
    let digits = mode.find(|c: char| !c.is_ascii_digit())?;
    mode.get(digits..).filter(|rest| rest.starts_with("base")).and_then(|_| mode[..digits].parse().ok())
}

pub(super) fn check_narrow_pcie_slot(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let hit = |(end, name, interface): (&EndpointReport, &String, &Interface)| {
        let pci = interface.pci.value()?;
        let narrow = pci.width.zip(pci.largest_width).is_some_and(|(now, most)| now < most);
        let slow = pci.speed.as_ref().zip(pci.largest_speed.as_ref()).is_some_and(|(now, most)| now != most);
        (narrow || slow).then(|| {
            let link = |speed: &Option<String>, width: Option<u32>| match (speed, width) {
                (Some(speed), Some(lanes)) => format!("{speed} x{lanes}").into(),
                (Some(speed), None) => Message::from(speed),
                (None, Some(lanes)) => message!(part_slot_unknown_speed_lanes { lanes }),
                (None, None) => message!(part_slot_unknown_speed),
            };
            let (now, most) = (link(&pci.speed, pci.width), link(&pci.largest_speed, pci.largest_width));
            let evidence = format!("interfaces.{name}.pci = {now} of {most}");
            Hit::new(
                message!(rule_narrow_slot_text { interface: name, host: &end.host, now, most }),
                [evidence],
            )
        })
    };
    interfaces(trial).into_iter().filter_map(hit).collect()
}

pub(super) fn check_refused_nic_features(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let hit = |(end, name, interface): (&EndpointReport, &String, &Interface)| {
        let all = interface.features.value()?;
        // Without checksum offload the kernel disables segmentation offload, too (netdev_fix_features).
        let checksums = all.iter().filter(|(name, _)| name.starts_with("tx-checksum-ip"));
        let switched_off =
            checksums.clone().count() > 0 && checksums.clone().all(|(_, state)| state == "off");
        let follows = |name: &str| switched_off && name.ends_with("-segmentation");
        let refused: Vec<_> =
            all.iter().filter(|(name, state)| state.ends_with(" asked)") && !follows(name)).collect();
        (!refused.is_empty()).then(|| {
            let names: Vec<&str> = refused.iter().map(|(n, _)| n.as_str()).collect();
            Hit::new(
                message!(rule_feature_refused_text { interface: name, host: &end.host, names }),
                refused.iter().map(|(n, state)| format!("interfaces.{name}.features.{n} = {state}")),
            )
        })
    };
    interfaces(trial).into_iter().filter_map(hit).collect()
}

/// With `intel_pstate` and `amd-pstate` a governor of this name does not limit the CPUs.
pub(super) fn check_slow_cpu_governor(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let hit = |end: &EndpointReport| {
        let inventory: &Inventory = end.inventory.as_ref()?;
        let governor = inventory.processor.governor.value().filter(|g| g.contains("powersave"))?;
        let driver = inventory.processor.frequency_driver.value()?;
        (!driver.contains("pstate")).then(|| {
            Hit::new(
                message!(rule_slow_governor_text { host: &end.host, governor }),
                [
                    format!("processor.governor = {governor}"),
                    format!("processor.frequency_driver = {driver}"),
                ],
            )
        })
    };
    trial.ends.iter().filter_map(hit).collect()
}
