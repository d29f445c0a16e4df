//! What is said first of a load.

use crate::number::rate;
use goodput_model::summary::Summary;

/// What was measured, without the ends.
pub(super) fn load(summary: &Summary) -> Option<String> {
    let load = summary.load.as_ref()?;
    Some(format!("{} through the server", rate(load.transmit_bps + load.receive_bps)))
}

/// A few words for a list.
pub(super) fn short(summary: &Summary) -> Option<String> {
    load(summary)
}
