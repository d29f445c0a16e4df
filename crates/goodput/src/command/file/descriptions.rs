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

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::Nanos;
    use goodput_model::file::{Access, Flush, MixSource, Place, Verify};

    #[test]
    fn who_watches_reads_what_and_where() {
        let mix = FileWork::Mix {
            load: MixSource::Office { seed: 1 },
            players: 2,
            warm_up: Nanos(0),
            time: Nanos(1),
            max_errors: 0,
            rate: None,
        };
        let file = File {
            clients: vec!["a".into(), "b".into()],
            place: Place::Folder { path: "/mnt/nas".into() },
            workspace: String::new(),
            work: mix,
            access: Access::Cached,
            flush: Flush::None,
            verify: Verify::Off,
            seed: 1,
            interval: Nanos(1),
            server_folder: None,
        };
        assert_eq!(piece(&file), "office with 4 simulated clients at /mnt/nas");
        assert_eq!(piece(&File { work: FileWork::Remove, ..file }), "removing our folder in /mnt/nas");
    }
}
