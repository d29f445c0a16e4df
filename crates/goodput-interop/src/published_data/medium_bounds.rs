//! The limits of levels that represent a medium.

use super::PublishedDataError;
use super::toml_form::{DescriptionToml, MediumToml, TransportToml};
use super::units::UnitConversion;
use goodput_analysis::medium_limit::{IpVersion, TransportProtocol, medium_catalog};
use goodput_model::experiment::data_set::{DataSet, TheoreticalBound};
use goodput_words::message_argument::quantity_arg;
use goodput_words::{ErrorMessage, Message, message};

pub(super) fn compute_theoretical_bounds(
    form: &DescriptionToml,
    unit: &UnitConversion,
    data: &DataSet,
) -> Result<Vec<TheoreticalBound>, PublishedDataError> {
    let mut bounds = Vec::new();
    for medium in &form.medium {
        let place = message!(part_published_medium_of { factor: &medium.factor, level: &medium.level });
        let known = data.factors.iter().any(|a| a.name == medium.factor && a.levels.contains(&medium.level));
        if !known {
            return Err(PublishedDataError::description(place, "there is no such level"));
        }
        if unit.base != "bit/s" {
            let why = message!(cause_published_medium_bounds_rates { unit: unit.name });
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
    place: &Message,
    medium: &MediumToml,
    measure: usize,
    transport: TransportToml,
) -> Result<TheoreticalBound, PublishedDataError> {
    let refuse = |why: Message| PublishedDataError::description(place, why);
    let entry = medium_catalog::find_medium(&medium.medium).ok_or_else(|| {
        let why = message!(cause_published_no_arithmetic { medium: format!("{:?}", medium.medium) });
        let names = medium_catalog::similar_medium_names(&medium.medium);
        refuse(match names.is_empty() {
            true => why,
            false => message!(list_semicolon { first: why, then: message!(part_published_near { names }) }),
        })
    })?;
    let link = entry.to_link(medium.mtu, 0, medium.half_duplex).map_err(|e| refuse(e.message()))?;
    let share = match transport {
        TransportToml::Tcp => link.tcp_payload_share(IpVersion::V4, medium.timestamps, u64::from(link.mtu)),
        TransportToml::Udp => link.full_mtu_payload_share(IpVersion::V4, TransportProtocol::Udp),
    };
    let share =
        share.ok_or_else(|| refuse(message!(cause_published_small_mtu { mtu: link.mtu.to_string() })))?;
    let transport = match (transport, medium.timestamps) {
        (TransportToml::Tcp, true) => message!(part_published_tcp_with_timestamps),
        (TransportToml::Tcp, false) => message!(part_published_tcp_without_timestamps),
        (TransportToml::Udp, _) => message!(part_published_udp),
    };
    let goodput = share.goodput_at_rate(link.rate);
    let name = match medium.level == entry.name {
        true => entry.name.to_string(),
        false => format!("{}, {}", medium.level, entry.name),
    };
    let (mtu, mbit) = (link.mtu.to_string(), goodput.0 as f64 / 1e6);
    let rate = quantity_arg(mbit, "Mbit/s", format!("{mbit:.2} Mbit/s"));
    Ok(TheoreticalBound {
        measure,
        levels: [(medium.factor.clone(), medium.level.clone())].into(),
        value: goodput.0 as f64,
        reason: match link.half_duplex {
            true => message!(part_published_bound_half_duplex { name, transport, mtu, rate }),
            false => message!(part_published_bound { name, transport, mtu, rate }),
        },
    })
}
