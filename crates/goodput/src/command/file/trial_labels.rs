//! Short descriptions of file work for progress and refusals.

use goodput_analysis::file_results::location;
use goodput_model::file::{FileDirection, FileWorkload};
use goodput_model::{File, Message};
use goodput_words::message;

pub fn trial_label(file: &File) -> Message {
    let place = location::location_text(&location::format_location(&file.place, None));
    match &file.work {
        FileWorkload::Prepare { .. } => message!(progress_making_ready { place }),
        FileWorkload::Remove => message!(progress_removing_folder { place }),
        FileWorkload::Copy { way: FileDirection::Write, .. } => message!(progress_copy_to { place }),
        FileWorkload::Copy { way: FileDirection::Read, .. } => message!(progress_copy_from { place }),
        FileWorkload::Row { name, way, .. } => match way {
            FileDirection::Write => message!(progress_file_row_write { name }),
            FileDirection::Read => message!(progress_file_row_read { name }),
        },
        FileWorkload::Mix { load, players, .. } => {
            let count = usize::from(*players) * file.clients.len();
            let clients = message!(part_file_simulated_clients { count });
            message!(progress_file_mix { load: location::workload_mix_name(load), clients, place })
        }
    }
}
