//! Descriptions of file settings, and which quantities can be compared.

use crate::file_results::location;
use goodput_model::file::{FileDirection, FileOperationMixSource, FileWorkload};
use goodput_model::run_comparison::ComparedQuantity;
use goodput_model::{File, Message, MessageArg};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;

pub(super) fn clear_run_specific_settings(file: &mut File) {
    file.seed = 0;
    file.workspace = String::new();
    file.clients = (1..=file.clients.len()).map(|n| n.to_string()).collect();
    if let FileWorkload::Mix { load: FileOperationMixSource::LoadFile { path, .. }, .. } = &mut file.work {
        // The same content is the same load, whatever its path; the name is kept.
        *path = path.rsplit('/').next().unwrap_or_default().to_string();
    }
}

/// For example `write 600 MB at smb://nas/media`, `read 4K QD32 at /mnt/nas`.
pub(super) fn describe_file_workload(file: &File) -> Message {
    let place = location::format_location(&file.place, None);
    let access = |way: &FileDirection, what: MessageArg, place: String| match way {
        FileDirection::Write => message!(part_compared_write { what, place }),
        FileDirection::Read => message!(part_compared_read { what, place }),
    };
    match &file.work {
        FileWorkload::Copy { way, size, local, .. } => {
            let megabytes = size.0 as f64 / 1e6;
            let copy = access(way, quantity_arg(megabytes, "MB", format!("{megabytes} MB")), place);
            match (way, local) {
                (_, None) => copy,
                (FileDirection::Write, Some(_)) => message!(part_compared_from_local_disk { copy }),
                (FileDirection::Read, Some(_)) => message!(part_compared_to_local_disk { copy }),
            }
        }
        FileWorkload::Row { name, way, .. } => access(way, name.into(), place),
        FileWorkload::Mix { load, players, .. } => {
            let count = usize::from(*players) * file.clients.len().max(1);
            let players = message!(part_file_simulated_clients { count });
            message!(part_compared_mix { name: location::workload_mix_name(load), players, place })
        }
        FileWorkload::Prepare { .. } | FileWorkload::Remove => "no measurement".into(),
    }
}

pub(super) fn compared_quantities(file: &File) -> &'static [ComparedQuantity] {
    match &file.work {
        FileWorkload::Copy { .. } => &[
            ComparedQuantity::AcceptedBps,
            ComparedQuantity::DurableBps,
            ComparedQuantity::PayloadBps,
            ComparedQuantity::CpuPercent,
        ],
        FileWorkload::Row { .. } => &[
            ComparedQuantity::PayloadBps,
            ComparedQuantity::OperationsPerSecond,
            ComparedQuantity::LatencyP50Ns,
            ComparedQuantity::LatencyP99Ns,
            ComparedQuantity::CpuPercent,
        ],
        FileWorkload::Mix { .. } => &[
            ComparedQuantity::PayloadBps,
            ComparedQuantity::OperationsPerSecond,
            ComparedQuantity::LatencyP50Ns,
            ComparedQuantity::LatencyP99Ns,
            ComparedQuantity::CpuPercent,
        ],
        FileWorkload::Prepare { .. } | FileWorkload::Remove => &[],
    }
}
