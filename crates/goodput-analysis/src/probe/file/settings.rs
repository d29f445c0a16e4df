//! Descriptions of file settings, and which quantities can be compared.

use crate::file::place;
use goodput_model::File;
use goodput_model::change::Quantity;
use goodput_model::file::{FileWay, FileWork, MixSource};

pub(super) fn without_random_parts(file: &mut File) {
    file.seed = 0;
    file.workspace = String::new();
    file.clients = (1..=file.clients.len()).map(|n| n.to_string()).collect();
    if let FileWork::Mix { load: MixSource::LoadFile { path, .. }, .. } = &mut file.work {
        // The same content is the same load, whatever its path; the name is kept.
        *path = path.rsplit('/').next().unwrap_or_default().to_string();
    }
}

/// For example `write a copy of 600 MB to smb://nas/media`, `read 4K QD32 at /mnt/nas`.
pub(super) fn words(file: &File) -> String {
    let at = place::words(&file.place, None);
    let way = |way: &FileWay| if *way == FileWay::Write { "write" } else { "read" };
    match &file.work {
        FileWork::Copy { way: w, size, local, .. } => {
            let end = match (w, local) {
                (_, None) => "",
                (FileWay::Write, Some(_)) => ", from a local disk",
                (FileWay::Read, Some(_)) => ", to a local disk",
            };
            format!("{} {} MB at {at}{end}", way(w), size.0 as f64 / 1e6)
        }
        FileWork::Row { name, way: w, .. } => format!("{} {name} at {at}", way(w)),
        FileWork::Mix { load, players, .. } => {
            let all = usize::from(*players) * file.clients.len().max(1);
            let plural = if all == 1 { "" } else { "s" };
            format!("{} mix, {all} simulated client{plural}, at {at}", place::load(load))
        }
        FileWork::Prepare { .. } | FileWork::Remove => "no measurement".to_string(),
    }
}

pub(super) fn quantities(file: &File) -> &'static [Quantity] {
    match &file.work {
        FileWork::Copy { .. } => {
            &[Quantity::AcceptedBps, Quantity::DurableBps, Quantity::PayloadBps, Quantity::CpuPercent]
        }
        FileWork::Row { .. } => &[
            Quantity::PayloadBps,
            Quantity::OperationsPerSecond,
            Quantity::LatencyP50Ns,
            Quantity::LatencyP99Ns,
            Quantity::CpuPercent,
        ],
        FileWork::Mix { .. } => &[
            Quantity::PayloadBps,
            Quantity::OperationsPerSecond,
            Quantity::LatencyP50Ns,
            Quantity::LatencyP99Ns,
            Quantity::CpuPercent,
        ],
        FileWork::Prepare { .. } | FileWork::Remove => &[],
    }
}
