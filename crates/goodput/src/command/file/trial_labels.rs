//! Short descriptions of file work for progress and refusals.

use goodput_analysis::file_results::location;
use goodput_model::File;
use goodput_model::file::{FileDirection, FileWorkload};

pub fn trial_label(file: &File) -> String {
    let at = location::format_location(&file.place, None);
    match &file.work {
        FileWorkload::Prepare { .. } => format!("preparing {at}"),
        FileWorkload::Remove => format!("removing the temporary folder in {at}"),
        FileWorkload::Copy { way: FileDirection::Write, .. } => format!("copy to {at}"),
        FileWorkload::Copy { way: FileDirection::Read, .. } => format!("copy from {at}"),
        FileWorkload::Row { name, way: FileDirection::Write, .. } => format!("{name} write"),
        FileWorkload::Row { name, way: FileDirection::Read, .. } => format!("{name} read"),
        FileWorkload::Mix { load, players, .. } => {
            let players = usize::from(*players) * file.clients.len();
            let s = if players == 1 { "" } else { "s" };
            format!("{} with {players} simulated client{s} at {at}", location::workload_mix_name(load))
        }
    }
}
