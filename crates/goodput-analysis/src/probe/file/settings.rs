//! Descriptions of file settings, and which quantities can be compared.

use crate::file_results::location;
use goodput_model::File;
use goodput_model::file::{FileDirection, FileOperationMixSource, FileWorkload};
use goodput_model::run_comparison::ComparedQuantity;

pub(super) fn clear_run_specific_settings(file: &mut File) {
    file.seed = 0;
    file.workspace = String::new();
    file.clients = (1..=file.clients.len()).map(|n| n.to_string()).collect();
    if let FileWorkload::Mix { load: FileOperationMixSource::LoadFile { path, .. }, .. } = &mut file.work {
        // The same content is the same load, whatever its path; the name is kept.
        *path = path.rsplit('/').next().unwrap_or_default().to_string();
    }
}

/// For example `write a copy of 600 MB to smb://nas/media`, `read 4K QD32 at /mnt/nas`.
pub(super) fn describe_file_workload(file: &File) -> String {
    let at = location::format_location(&file.place, None);
    let way = |way: &FileDirection| if *way == FileDirection::Write { "write" } else { "read" };
    match &file.work {
        FileWorkload::Copy { way: w, size, local, .. } => {
            let end = match (w, local) {
                (_, None) => "",
                (FileDirection::Write, Some(_)) => ", from a local disk",
                (FileDirection::Read, Some(_)) => ", to a local disk",
            };
            format!("{} {} MB at {at}{end}", way(w), size.0 as f64 / 1e6)
        }
        FileWorkload::Row { name, way: w, .. } => format!("{} {name} at {at}", way(w)),
        FileWorkload::Mix { load, players, .. } => {
            let all = usize::from(*players) * file.clients.len().max(1);
            let plural = if all == 1 { "" } else { "s" };
            format!("{} mix, {all} simulated client{plural}, at {at}", location::workload_mix_name(load))
        }
        FileWorkload::Prepare { .. } | FileWorkload::Remove => "no measurement".to_string(),
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
