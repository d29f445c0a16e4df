//! Short descriptions of file work for progress and refusals.

use goodput_analysis::file::place;
use goodput_model::File;
use goodput_model::file::{FileWay, FileWork};

pub fn piece(file: &File) -> String {
    let at = place::words(&file.place, None);
    match &file.work {
        FileWork::Prepare { .. } => format!("making ready {at}"),
        FileWork::Remove => format!("removing our folder in {at}"),
        FileWork::Copy { way: FileWay::Write, .. } => format!("copy to {at}"),
        FileWork::Copy { way: FileWay::Read, .. } => format!("copy from {at}"),
        FileWork::Row { name, way: FileWay::Write, .. } => format!("{name} write"),
        FileWork::Row { name, way: FileWay::Read, .. } => format!("{name} read"),
        FileWork::Mix { load, players, .. } => {
            let players = usize::from(*players) * file.clients.len();
            let s = if players == 1 { "" } else { "s" };
            format!("{} with {players} simulated client{s} at {at}", place::load(load))
        }
    }
}
