//! Splits the time of an operation over a share into disk, network and protocol. A player has one operation
//! in flight, so its time is players over operations a second. The load in a folder gives file system and
//! disk; the same sizes over the network with nothing stored give the network with both ends' sockets.

use super::mix::WorkloadMixCurve;
use goodput_model::file::{FileLocation, SinkStorageKind};
use goodput_model::summary::{FileOperationMixPoint, FileOperationTimeBreakdown};

/// One split for each load, share and number of players that was measured in all three ways.
pub(super) fn operation_time_breakdowns(curves: &[WorkloadMixCurve]) -> Vec<FileOperationTimeBreakdown> {
    let shares =
        curves.iter().filter(|c| matches!(c.place, FileLocation::Smb { .. } | FileLocation::Nfs { .. }));
    let mut found = Vec::new();
    for share in shares {
        let same = |wanted: fn(&FileLocation) -> bool| {
            curves.iter().find(move |c| c.source == share.source && wanted(&c.place))
        };
        let folder = same(|p| matches!(p, FileLocation::Folder { .. }));
        let net = same(|p| matches!(p, FileLocation::Sink { sink: SinkStorageKind::Net }));
        let (Some(folder), Some(net)) = (folder, net) else { continue };
        for point in &share.curve.points {
            let of = |curve: &WorkloadMixCurve| {
                each(curve.curve.points.iter().find(|p| p.players == point.players)?)
            };
            let (Some(share_ns), Some(disk_ns), Some(wire_ns)) = (each(point), of(folder), of(net)) else {
                continue;
            };
            let left = share_ns - disk_ns - wire_ns;
            found.push(FileOperationTimeBreakdown {
                load: share.curve.load.clone(),
                players: point.players,
                folder: folder.curve.place.clone(),
                share: share.curve.place.clone(),
                disk_ns,
                wire_ns,
                share_ns,
                protocol_ns: (left > 0.0).then_some(left),
            });
        }
    }
    found
}

/// Time of a player for one operation, in ns.
fn each(point: &FileOperationMixPoint) -> Option<f64> {
    let rate = point.operations_per_second.median;
    (rate > 0.0).then(|| point.players as f64 * 1e9 / rate).filter(|ns| ns.is_finite())
}
