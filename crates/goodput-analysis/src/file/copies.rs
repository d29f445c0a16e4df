//! Groups copies of equal settings, and distinguishes reference measurements.

use super::spread::{self, Better};
use super::{Measured, grouped, place};
use crate::describe::median;
use goodput_model::file::{FileWay, FileWork, Place, Sink};
use goodput_model::summary::{FileCopy, FileCopyKind, Summary};
use goodput_model::trial::Role;
use goodput_model::{Bytes, File};

pub(super) struct Group<'a> {
    pub kind: FileCopyKind,
    pub settings: File,
    pub trials: Vec<Measured<'a>>,
    pub way: FileWay,
    pub size: Bytes,
    pub block: Bytes,
    pub depth: u16,
    pub local: Option<String>,
}

/// Requested copies first, then the local disk alone, then the network alone; writes before reads.
pub(super) fn groups<'a>(trials: &[Measured<'a>]) -> Vec<Group<'a>> {
    let found = grouped(trials, |work| matches!(work, FileWork::Copy { .. }));
    let mut groups: Vec<Group<'a>> =
        found.into_iter().filter_map(|(settings, trials)| group(settings, trials)).collect();
    let locals: Vec<String> = groups.iter().filter_map(|g| g.local.clone()).collect();
    // A copy to the null sink is a reference only beside other copies.
    let elsewhere = groups.iter().any(|g| g.settings.place != (Place::Sink { sink: Sink::Null }));
    for group in &mut groups {
        group.kind = match &group.settings.place {
            Place::Folder { path } if group.local.is_none() && locals.contains(path) => {
                FileCopyKind::LocalAlone
            }
            Place::Sink { sink: Sink::Null } if elsewhere => FileCopyKind::NetOnly,
            _ => FileCopyKind::Copy,
        };
    }
    groups.sort_by_key(|g| (g.kind, g.way));
    groups
}

fn group<'a>(settings: File, trials: Vec<Measured<'a>>) -> Option<Group<'a>> {
    let FileWork::Copy { way, size, block, depth, local } = settings.work.clone() else { return None };
    Some(Group { kind: FileCopyKind::Copy, settings, trials, way, size, block, depth, local })
}

impl Group<'_> {
    pub(super) fn place(&self) -> String {
        self.trials.first().and_then(|t| place::of(t.summary)).unwrap_or_default()
    }

    pub(super) fn copy(&self) -> FileCopy {
        let of = |better, figure: &dyn Fn(&Measured<'_>) -> Option<f64>| {
            spread::of_all(&self.trials, better, figure)
        };
        let cpu = |role| {
            let all: Option<Vec<f64>> = self.trials.iter().map(|t| busy(t.summary, role)).collect();
            all.and_then(|all| median(&all))
        };
        FileCopy {
            kind: self.kind,
            place: self.place(),
            way: self.way,
            size_bytes: self.size.0,
            block_bytes: self.block.0,
            depth: self.depth,
            trials: self.trials.iter().map(|t| t.summary.trial).collect(),
            rate_bps: of(Better::More, &|t| t.summary.goodput_bps.map(|b| b as f64)).unwrap_or_default(),
            accepted_bps: of(Better::More, &|t| t.file.accepted_bps.map(|b| b as f64)),
            durable_bps: of(Better::More, &|t| t.file.durable_bps.map(|b| b as f64)),
            time_ns: of(Better::Less, &|t| Some(time(t) as f64)).unwrap_or_default(),
            client_cpu_percent: cpu(Role::Connect),
            server_cpu_percent: cpu(Role::Listen),
            limit_bps: self.trials.iter().find_map(|t| t.summary.limit.goodput_bps),
        }
    }
}

pub(super) fn time(trial: &Measured<'_>) -> u64 {
    trial.file.durable_ns.or(trial.file.accepted_ns).unwrap_or(0).max(trial.summary.elapsed_ns)
}

fn busy(summary: &Summary, role: Role) -> Option<f64> {
    summary.hosts.iter().find(|h| h.role == role)?.cpu.as_ref().map(|c| c.busy_percent)
}
