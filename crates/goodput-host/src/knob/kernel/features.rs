//! Offloads: groups of related features, by ethtool netlink.

use super::{InterfaceKnob, link, refused, said};
use crate::ethtool::EthtoolNetlink;
use crate::knob::restorer::KnobState;
use crate::knob::{KnobError, message};
use goodput_words::Message;
use std::collections::BTreeMap;

/// Compares the active state, restores the requested one, so that features held down by others return.
pub(super) fn read_offload(setting: &InterfaceKnob, group: &[&str]) -> Result<KnobState, KnobError> {
    let index = link(setting)?.index;
    let missing = |why: Message| KnobError::NotHere { setting: setting.to_string(), why };
    let sets =
        EthtoolNetlink::open().and_then(|mut e| e.features_by_state(index)).map_err(|e| missing(said(&e)))?;
    let changeable = |name: &str| sets.changeable.contains(name) && !sets.fixed.contains(name);
    let here: Vec<&str> =
        group.iter().copied().filter(|name| changeable(name) || sets.active.contains(*name)).collect();
    let word = |on: bool| if on { "on" } else { "off" };
    let on: Vec<&str> = here.iter().copied().filter(|name| sets.active.contains(*name)).collect();
    let off: Vec<&str> = here.iter().copied().filter(|name| !sets.active.contains(*name)).collect();
    let shown = match (on.is_empty(), off.is_empty()) {
        // Missing features are off.
        (true, _) => "off".to_string(),
        (false, true) => "on".to_string(),
        (false, false) => format!("on in part ({}; not {})", on.join(", "), off.join(", ")),
    };
    let asked = |name: &&str| format!("{name}={}", word(sets.asked.contains(*name)));
    let others = sets.changeable.iter().filter(|name| !group.contains(&name.as_str()));
    Ok(KnobState {
        shown,
        exact: here.iter().filter(|name| changeable(name)).map(asked).collect::<Vec<_>>().join(" "),
        linked: others.map(|name| (name.clone(), word(sets.active.contains(name)).to_string())).collect(),
    })
}

pub(super) fn set_offload(
    setting: &InterfaceKnob,
    value: &str,
    wanted: &BTreeMap<String, bool>,
) -> Result<(), KnobError> {
    if wanted.is_empty() {
        // The kernel would accept it without effect; reading back shows that.
        return Ok(());
    }
    let index = link(setting)?.index;
    let set = |mut ethtool: EthtoolNetlink| message::set_interface_features(&mut ethtool, index, wanted);
    EthtoolNetlink::open().and_then(set).map_err(|e| refused(setting, value, said(&e)))
}
