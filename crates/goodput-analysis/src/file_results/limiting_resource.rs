//! What limits a copy: the network, a CPU or a disk at either end, or "cannot tell". A pure function of
//! [`CopyObservations`]. A resource is named only when it was saturated and no other was; where another was
//! nearly saturated or not observed, only beyond a higher threshold. Unattributable resources (a shared CPU,
//! an unobserved disk) are never named. Thresholds: [`thresholds`] and `docs/methods/file.md`.

mod observations;
mod resource_level;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
pub mod thresholds;
mod wording;

pub use observations::{CopyObservations, CpuObservation, CpuQuotaObservation, DiskObservation};
pub(super) use wording::megabytes_arg;
pub use wording::suggested_next_step;

use goodput_model::Message;
use goodput_model::summary::{LimitingResource, ResourceUse, SaturationLevel};
use goodput_words::message;
use resource_level::ResourceSaturation;

#[derive(Debug, Clone, PartialEq)]
pub struct LimitingResourceVerdict {
    /// `None` is "cannot tell".
    pub cause: Option<LimitingResource>,
    /// A clause that follows "limited by …" or "the bottleneck cannot be determined".
    pub because: Message,
    pub resources: Vec<ResourceUse>,
}

pub fn determine_limiting_resource(seen: &CopyObservations) -> LimitingResourceVerdict {
    let used = resource_level::resource_saturations(seen);
    let resources: Vec<ResourceUse> = used
        .iter()
        .map(|u| ResourceUse { resource: u.resource, level: u.level, text: u.text.clone() })
        .collect();
    let (cause, because) = decide(seen, &used);
    LimitingResourceVerdict { cause, because, resources }
}

fn decide(seen: &CopyObservations, used: &[ResourceSaturation]) -> (Option<LimitingResource>, Message) {
    if let Some(why) = resource_level::explain_impossible_rate(seen) {
        return (None, why);
    }
    let at = |level: SaturationLevel| -> Vec<&ResourceSaturation> {
        used.iter().filter(|u| u.level == level).collect()
    };
    let (full, near) = (at(SaturationLevel::Saturated), at(SaturationLevel::Near));
    let unknown = at(SaturationLevel::Unknown).into_iter().map(|u| Message::from(u.resource.description()));
    let unknown = wording::and_list(unknown.collect());
    let why = match full.as_slice() {
        [one] if one.is_limiting || near.is_empty() && unknown.is_empty() => {
            return (Some(one.resource), one.text.clone());
        }
        [_] if near.is_empty() => message!(part_cause_may_be { told: resource_list(&full) }),
        [_] => {
            let (told, near) = (resource_list(&full), resource_list(&near));
            message!(part_cause_may_be { told: message!(part_file_or_near { told, near }) })
        }
        [] if near.is_empty() => message!(part_cause_nothing),
        [] => message!(part_cause_nearest { near: resource_list(&near) }),
        _ => return (None, message!(part_cause_each_enough { told: resource_list(&full) })),
    };
    let why = match (unknown.is_empty(), full.is_empty()) {
        (true, _) => why,
        (false, true) => message!(part_file_and_no_data { why, unknown }),
        (false, false) => message!(part_file_but_no_data { why, unknown }),
    };
    (None, why)
}

fn resource_list(used: &[&ResourceSaturation]) -> Message {
    let each = used.iter().map(|u| {
        let (resource, why) = (Message::from(u.resource.description()), u.text.clone());
        message!(part_resource_why { resource, why })
    });
    wording::and_list(each.collect())
}
