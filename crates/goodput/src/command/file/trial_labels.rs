//! Short descriptions of file work for progress and refusals.

use goodput_analysis::file::location;
use goodput_model::File;
use goodput_model::file::{FileDirection, FileWork};

pub fn trial_label(file: &File) -> String {
    let at = location::format_location(&file.place, None);
    match &file.work {
        FileWork::Prepare { .. } => format!("preparing {at}"),
        FileWork::Remove => format!("removing the temporary folder in {at}"),
        FileWork::Copy { way: FileDirection::Write, .. } => format!("copy to {at}"),
        FileWork::Copy { way: FileDirection::Read, .. } => format!("copy from {at}"),
        FileWork::Row { name, way: FileDirection::Write, .. } => format!("{name} write"),
        FileWork::Row { name, way: FileDirection::Read, .. } => format!("{name} read"),
        FileWork::Mix { load, players, .. } => {
            let players = usize::from(*players) * file.clients.len();
            let s = if players == 1 { "" } else { "s" };
            format!("{} with {players} simulated client{s} at {at}", location::mix_source_name(load))
        }
    }
}
