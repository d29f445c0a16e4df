//! Mixes over the number of players.

use super::spread::{self, PreferredDirection};
use super::{Measured, alike, location};
use crate::descriptive_statistics::median;
use crate::load_curve::saturation_from_intervals;
use crate::random::SplitMix64;
use goodput_model::File;
use goodput_model::file::{FileLocation, FileOperationMixSource, FileWorkload};
use goodput_model::summary::{FileOperationMixCurve, FileOperationMixPoint};
use std::collections::BTreeMap;

pub(super) struct WorkloadMixCurve {
    pub curve: FileOperationMixCurve,
    pub source: FileOperationMixSource,
    pub place: FileLocation,
}

/// One curve for each load and place, in the order of measurement.
pub(super) fn build_workload_mix_curves(trials: &[Measured<'_>]) -> Vec<WorkloadMixCurve> {
    let mut shapes: Vec<(File, Vec<(u64, Measured<'_>)>)> = Vec::new();
    for trial in trials {
        let Some((shape, players)) = shape(trial.settings) else { continue };
        match shapes.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, theirs)) => theirs.push((players, *trial)),
            None => shapes.push((shape, vec![(players, *trial)])),
        }
    }
    shapes.iter().filter_map(|(shape, theirs)| curve(shape, theirs)).collect()
}

fn shape(settings: &File) -> Option<(File, u64)> {
    let FileWorkload::Mix { players, .. } = &settings.work else { return None };
    let all = u64::from(*players).saturating_mul(settings.clients.len().max(1) as u64);
    let mut shape = File { clients: Vec::new(), ..alike(settings) };
    if let FileWorkload::Mix { players, load, .. } = &mut shape.work {
        *players = 0;
        // The same content is the same load, whatever its path.
        if let FileOperationMixSource::LoadFile { path, .. } = load {
            *path = String::new();
        }
    }
    Some((shape, all))
}

fn curve(shape: &File, theirs: &[(u64, Measured<'_>)]) -> Option<WorkloadMixCurve> {
    let (_, first) = theirs.first()?;
    let FileWorkload::Mix { load, .. } = &first.settings.work else { return None };
    let FileWorkload::Mix { load: source, .. } = &shape.work else { return None };
    let mut groups: BTreeMap<u64, Vec<Measured<'_>>> = BTreeMap::new();
    for (players, trial) in theirs {
        groups.entry(*players).or_default().push(*trial);
    }
    let points: Vec<FileOperationMixPoint> =
        groups.iter().filter_map(|(players, group)| point(*players, group)).collect();
    let best = points.iter().rev().max_by(|a, b| a.rate_bps.median.total_cmp(&b.rate_bps.median))?;
    let saturation = (points.len() > 1).then(|| {
        let places: Vec<u64> = points.iter().map(|p| p.players).collect();
        let rates: Vec<f64> = points.iter().map(|p| p.rate_bps.median).collect();
        let samples: Vec<Vec<&[(u64, u64)]>> = groups
            .values()
            .map(|group| group.iter().map(|t| t.file.intervals.as_slice()).collect())
            .collect();
        saturation_from_intervals(&places, &rates, &samples, &mut SplitMix64::new(first.settings.seed))
    });
    Some(WorkloadMixCurve {
        source: source.clone(),
        place: shape.place.clone(),
        curve: FileOperationMixCurve {
            load: location::workload_mix_name(load),
            place: location::summary_location(first.summary).unwrap_or_default(),
            best_bps: best.rate_bps.median,
            best_at: best.players,
            saturation,
            points,
        },
    })
}

fn point(players: u64, group: &[Measured<'_>]) -> Option<FileOperationMixPoint> {
    let p99: Option<Vec<f64>> =
        group.iter().map(|t| t.summary.latency_summary().map(|l| l.p99 as f64)).collect();
    Some(FileOperationMixPoint {
        players,
        clients: group.first()?.file.clients,
        trials: group.iter().map(|t| t.summary.trial).collect(),
        rate_bps: spread::summarize_trial_values(group, PreferredDirection::More, |t| {
            t.summary.goodput_bps.map(|b| b as f64)
        })?,
        operations_per_second: spread::summarize_trial_values(group, PreferredDirection::More, |t| {
            Some(t.file.operations_per_second)
        })?,
        latency_p99_ns: p99.and_then(|all: Vec<f64>| median(&all)),
        latency_max_ns: group.iter().filter_map(|t| t.summary.latency_summary()).map(|l| l.max).max(),
        unexpected: group.iter().fold(0, |sum: u64, t| sum.saturating_add(t.file.unexpected_status_count())),
    })
}
