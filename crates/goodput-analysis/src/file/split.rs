//! Splits the time of an operation over a share into disk, network and protocol. A player has one operation
//! in flight, so its time is players over operations a second. The load in a folder gives file system and
//! disk; the same sizes over the network with nothing stored give the network with both ends' sockets.

use super::mix::Curve;
use goodput_model::file::{Place, Sink};
use goodput_model::summary::{FileMixPoint, FileSplit};

/// One split for each load, share and number of players that was measured in all three ways.
pub(super) fn splits(curves: &[Curve]) -> Vec<FileSplit> {
    let shares = curves.iter().filter(|c| matches!(c.place, Place::Smb { .. } | Place::Nfs { .. }));
    let mut found = Vec::new();
    for share in shares {
        let same = |wanted: fn(&Place) -> bool| {
            curves.iter().find(move |c| c.source == share.source && wanted(&c.place))
        };
        let folder = same(|p| matches!(p, Place::Folder { .. }));
        let net = same(|p| matches!(p, Place::Sink { sink: Sink::Net }));
        let (Some(folder), Some(net)) = (folder, net) else { continue };
        for point in &share.curve.points {
            let of = |curve: &Curve| each(curve.curve.points.iter().find(|p| p.players == point.players)?);
            let (Some(share_ns), Some(disk_ns), Some(wire_ns)) = (each(point), of(folder), of(net)) else {
                continue;
            };
            let left = share_ns - disk_ns - wire_ns;
            found.push(FileSplit {
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
fn each(point: &FileMixPoint) -> Option<f64> {
    let rate = point.operations_per_second.median;
    (rate > 0.0).then(|| point.players as f64 * 1e9 / rate).filter(|ns| ns.is_finite())
}
