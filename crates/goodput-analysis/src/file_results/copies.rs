//! Groups copies of equal settings, and distinguishes reference measurements.

use super::spread::{self, PreferredDirection};
use super::{Measured, grouped, location};
use crate::descriptive_statistics::median;
use goodput_model::file::{FileDirection, FileLocation, FileWorkload, SinkStorageKind};
use goodput_model::summary::{FileCopy, FileCopyKind, TrialSummary};
use goodput_model::trial::EndpointRole;
use goodput_model::{Bytes, File};

pub(super) struct CopyGroup<'a> {
    pub kind: FileCopyKind,
    pub settings: File,
    pub trials: Vec<Measured<'a>>,
    pub way: FileDirection,
    pub size: Bytes,
    pub block: Bytes,
    pub depth: u16,
    pub local: Option<String>,
}

/// Requested copies first, then the local disk alone, then the network alone; writes before reads.
pub(super) fn group_copies<'a>(trials: &[Measured<'a>]) -> Vec<CopyGroup<'a>> {
    let found = grouped(trials, |work| matches!(work, FileWorkload::Copy { .. }));
    let mut groups: Vec<CopyGroup<'a>> =
        found.into_iter().filter_map(|(settings, trials)| group(settings, trials)).collect();
    let locals: Vec<String> = groups.iter().filter_map(|g| g.local.clone()).collect();
    // A copy to the null sink is a reference only beside other copies.
    let elsewhere =
        groups.iter().any(|g| g.settings.place != (FileLocation::Sink { sink: SinkStorageKind::Null }));
    for group in &mut groups {
        group.kind = match &group.settings.place {
            FileLocation::Folder { path } if group.local.is_none() && locals.contains(path) => {
                FileCopyKind::LocalAlone
            }
            FileLocation::Sink { sink: SinkStorageKind::Null } if elsewhere => FileCopyKind::NetOnly,
            _ => FileCopyKind::Copy,
        };
    }
    groups.sort_by_key(|g| (g.kind, g.way));
    groups
}

fn group<'a>(settings: File, trials: Vec<Measured<'a>>) -> Option<CopyGroup<'a>> {
    let FileWorkload::Copy { way, size, block, depth, local } = settings.work.clone() else { return None };
    Some(CopyGroup { kind: FileCopyKind::Copy, settings, trials, way, size, block, depth, local })
}

impl CopyGroup<'_> {
    pub(super) fn format_location(&self) -> String {
        self.trials.first().and_then(|t| location::summary_location(t.summary)).unwrap_or_default()
    }

    pub(super) fn summarize_copy(&self) -> FileCopy {
        let of = |better, figure: &dyn Fn(&Measured<'_>) -> Option<f64>| {
            spread::summarize_trial_values(&self.trials, better, figure)
        };
        let cpu = |role| {
            let all: Option<Vec<f64>> = self.trials.iter().map(|t| busy(t.summary, role)).collect();
            all.and_then(|all| median(&all))
        };
        FileCopy {
            kind: self.kind,
            place: self.format_location(),
            way: self.way,
            size_bytes: self.size.0,
            block_bytes: self.block.0,
            depth: self.depth,
            trials: self.trials.iter().map(|t| t.summary.trial).collect(),
            rate_bps: of(PreferredDirection::More, &|t| t.summary.goodput_bps.map(|b| b as f64))
                .unwrap_or_default(),
            accepted_bps: of(PreferredDirection::More, &|t| t.file.accepted_bps.map(|b| b as f64)),
            durable_bps: of(PreferredDirection::More, &|t| t.file.durable_bps.map(|b| b as f64)),
            time_ns: of(PreferredDirection::Less, &|t| Some(copy_time_ns(t) as f64)).unwrap_or_default(),
            client_cpu_percent: cpu(EndpointRole::Connect),
            server_cpu_percent: cpu(EndpointRole::Listen),
            limit_bps: self.trials.iter().find_map(|t| t.summary.limit.goodput_bps),
        }
    }
}

pub(super) fn copy_time_ns(trial: &Measured<'_>) -> u64 {
    trial.file.durable_ns.or(trial.file.accepted_ns).unwrap_or(0).max(trial.summary.elapsed_ns)
}

fn busy(summary: &TrialSummary, role: EndpointRole) -> Option<f64> {
    summary.hosts.iter().find(|h| h.role == role)?.cpu.as_ref().map(|c| c.busy_percent)
}
