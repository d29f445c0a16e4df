//! The limits of levels that represent a medium.

use super::PublishedDataError;
use super::toml_form::{DescriptionToml, MediumToml, TransportToml};
use super::units::UnitConversion;
use goodput_analysis::medium_limit::{IpVersion, TransportProtocol, medium_catalog};
use goodput_model::experiment::data_set::{DataSet, TheoreticalBound};

pub(super) fn compute_theoretical_bounds(
    form: &DescriptionToml,
    unit: &UnitConversion,
    data: &DataSet,
) -> Result<Vec<TheoreticalBound>, PublishedDataError> {
    let mut bounds = Vec::new();
    for medium in &form.medium {
        let place = format!("medium of {} {}", medium.factor, medium.level);
        let known = data.factors.iter().any(|a| a.name == medium.factor && a.levels.contains(&medium.level));
        if !known {
            return Err(PublishedDataError::description(place, "there is no such level"));
        }
        if unit.base != "bit/s" {
            let why = format!("a medium bounds rates, and the figures are in {}", unit.name);
            return Err(PublishedDataError::description(place, why));
        }
        for (measure, line) in form.probes.lines.iter().enumerate() {
            if let Some(transport) = line.transport {
                bounds.push(bound(&place, medium, measure, transport)?);
            }
        }
    }
    Ok(bounds)
}

fn bound(
    place: &str,
    medium: &MediumToml,
    measure: usize,
    transport: TransportToml,
) -> Result<TheoreticalBound, PublishedDataError> {
    let refuse = |why: String| PublishedDataError::description(place, why);
    let entry = medium_catalog::find_medium(&medium.medium).ok_or_else(|| {
        let near = medium_catalog::similar_medium_names(&medium.medium);
        let near = if near.is_empty() { String::new() } else { format!("; near to it: {}", near.join(", ")) };
        refuse(format!("there is no arithmetic for {:?}{near}", medium.medium))
    })?;
    let link = entry.to_link(medium.mtu, 0, medium.half_duplex).map_err(|e| refuse(e.to_string()))?;
    let share = match transport {
        TransportToml::Tcp => link.tcp_payload_share(IpVersion::V4, medium.timestamps, u64::from(link.mtu)),
        TransportToml::Udp => link.full_mtu_payload_share(IpVersion::V4, TransportProtocol::Udp),
    };
    let share =
        share.ok_or_else(|| refuse(format!("an MTU of {} B leaves no room for user data", link.mtu)))?;
    let what = match (transport, medium.timestamps) {
        (TransportToml::Tcp, true) => "TCP with timestamps",
        (TransportToml::Tcp, false) => "TCP without timestamps",
        (TransportToml::Udp, _) => "UDP in full packets",
    };
    let duplex = if link.half_duplex { ", half duplex, no collisions counted" } else { "" };
    let goodput = share.goodput_at_rate(link.rate);
    Ok(TheoreticalBound {
        measure,
        levels: [(medium.factor.clone(), medium.level.clone())].into(),
        value: goodput.0 as f64,
        reason: format!(
            "{}{}: {what} over IPv4, MTU {}{duplex}: {:.2} Mbit/s",
            if medium.level == entry.name { String::new() } else { format!("{}, ", medium.level) },
            entry.name,
            link.mtu,
            goodput.0 as f64 / 1e6
        ),
    })
}
