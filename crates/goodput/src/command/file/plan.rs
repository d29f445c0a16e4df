//! Plans the trials of one part of a file run: preparation, order of measurements, removal. Pure.

use crate::args::file::{
    CopyPlan, DiskBenchmarkPlan, FileBenchmark, FileTask, IoOptions, ReadWriteOrder, ReplayPlan,
};
use goodput_analysis::random::SplitMix64;
use goodput_file::benchmark_profile::{BenchmarkProfile, BenchmarkWorkload};
use goodput_model::file::{
    FileDirection, FileLocation, FileOperationMixSource, FileWorkload, SinkStorageKind,
};
use goodput_model::{Bytes, File};

pub struct FileBenchmarkContext<'a> {
    pub place: &'a FileLocation,
    pub clients: &'a [String],
    /// An agent at the server can measure the network alone.
    pub agent: bool,
    /// The folder behind the target, as that agent sees it.
    pub server_folder: Option<&'a str>,
    pub workspace: &'a str,
    pub beside: &'a str,
    pub source: Option<&'a FileOperationMixSource>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileBenchmarkTrials {
    pub prepare: Vec<File>,
    /// Executed like measurements, but not counted.
    pub warm_up: Vec<File>,
    pub measure: Vec<File>,
    /// Always executed afterwards, for every prepared place.
    pub remove: Vec<File>,
}

/// The measurements of one round before ordering.
struct Round {
    /// The additional places, with the length of the file that must exist there.
    places: Vec<(FileLocation, Option<Bytes>)>,
    trials: Vec<File>,
}

impl FileBenchmarkContext<'_> {
    /// Each round measures the same; with random order, each has its own.
    pub fn build_benchmark_trials(
        &self,
        part: &FileBenchmark,
        order: ReadWriteOrder,
        rounds: u32,
        seed: u64,
    ) -> FileBenchmarkTrials {
        let round = match &part.work {
            FileTask::Copy(plan) => self.copy(plan, part.how, order),
            FileTask::Disk(plan) => self.disk(plan, part.how, order),
            FileTask::Replay(plan) => self.replay(plan, part.how),
        };
        let mut random = SplitMix64::new(seed);
        // A curve measured once goes up.
        let shuffled = order.random && !(rounds == 1 && matches!(part.work, FileTask::Replay(_)));
        let mut measure = Vec::new();
        for _ in 0..rounds {
            let mut trials = round.trials.clone();
            if shuffled {
                random.shuffle(&mut trials);
            }
            measure.append(&mut trials);
        }
        let (mut prepare, mut remove) = (Vec::new(), Vec::new());
        for (place, file) in &round.places {
            prepare.push(self.at(place, part.how, FileWorkload::Prepare { file: *file }));
            remove.push(self.at(place, part.how, FileWorkload::Remove));
        }
        let uncounted = match &part.work {
            FileTask::Disk(plan) => plan.uncounted as usize,
            FileTask::Copy(_) | FileTask::Replay(_) => 0,
        };
        let warm_up = (0..uncounted).flat_map(|_| round.trials.clone()).collect();
        FileBenchmarkTrials { prepare, warm_up, measure, remove }
    }

    /// The trial's own seed is set when it is made.
    fn at(&self, place: &FileLocation, how: IoOptions, work: FileWorkload) -> File {
        let behind = self.server_folder.filter(|_| place == self.place);
        let is_beside = matches!(place, FileLocation::Sink { .. }) && place != self.place;
        let workspace = if is_beside { self.beside } else { self.workspace }.to_string();
        File {
            access: how.access,
            flush: how.flush,
            verify: how.verify,
            server_folder: behind.map(str::to_string),
            ..File::new(self.clients.to_vec(), place.clone(), workspace, work)
        }
    }

    /// The copy, and each part of its path alone: the client's disk, the network.
    fn copy(&self, plan: &CopyPlan, how: IoOptions, order: ReadWriteOrder) -> Round {
        let CopyPlan { size, block, depth, local, .. } = plan;
        let copy = |way: FileDirection, local: Option<&String>| FileWorkload::Copy {
            way,
            size: *size,
            block: *block,
            depth: *depth,
            local: local.cloned(),
        };
        let disk = local.as_ref().map(|path| FileLocation::Folder { path: path.clone() });
        let null = FileLocation::Sink { sink: SinkStorageKind::Null };
        let wire = (self.agent && *self.place != null).then_some(null);
        let mut trials = Vec::new();
        for way in order.ways.iter().copied() {
            trials.push(self.at(self.place, how, copy(way, local.as_ref())));
            if let Some(disk) = &disk {
                // Data written to the target is read from the disk.
                trials.push(self.at(disk, how, copy(other(way), None)));
            }
            if let Some(wire) = &wire {
                trials.push(self.at(wire, how, copy(way, None)));
            }
        }
        // Data to be read must exist: at the target or on the disk.
        let file = |way: FileDirection| order.ways.contains(&way).then_some(*size);
        let mut places = vec![(self.place.clone(), file(FileDirection::Read))];
        places.extend(disk.filter(|disk| disk != self.place).map(|disk| (disk, file(FileDirection::Write))));
        places.extend(wire.map(|wire| (wire, file(FileDirection::Read))));
        Round { places, trials }
    }

    fn disk(&self, plan: &DiskBenchmarkPlan, how: IoOptions, order: ReadWriteOrder) -> Round {
        let timed = BenchmarkProfile { time: plan.time, ..*plan.profile };
        let trial = |row: &BenchmarkWorkload, way: FileDirection| {
            // The profile version determines the flush, unless it was typed.
            let flush = plan.flush.unwrap_or(timed.flush_mode(way));
            self.at(self.place, IoOptions { flush, ..how }, timed.build_file_workload(row, way, plan.size))
        };
        let ways = order.ways.iter().copied();
        let trials = ways.flat_map(|way| plan.rows.iter().map(move |row| (*row, way)));
        let trials = trials.map(|(row, way)| trial(row, way)).collect();
        Round { places: vec![(self.place.clone(), Some(plan.size))], trials }
    }

    /// The mix with each client count; also the network alone with an agent, and a named folder alone.
    fn replay(&self, plan: &ReplayPlan, how: IoOptions) -> Round {
        let net = FileLocation::Sink { sink: SinkStorageKind::Net };
        let place = if plan.net_only { &net } else { self.place };
        let beside = (self.agent && !plan.net_only).then_some(&net);
        let disk = plan.local.as_ref().map(|path| FileLocation::Folder { path: path.clone() });
        let others = beside.into_iter().chain(&disk).filter(|other| *other != place);
        let places: Vec<&FileLocation> = [place].into_iter().chain(others).collect();
        let mut trials = Vec::new();
        for count in &plan.clients.0 {
            let hosts = usize::from(*count).min(self.clients.len());
            for place in &places {
                let mix = FileWorkload::Mix {
                    load: self
                        .source
                        .cloned()
                        .unwrap_or(FileOperationMixSource::Office { seed: OFFICE_WORKLOAD_SEED }),
                    players: (usize::from(*count) / hosts.max(1)) as u16,
                    warm_up: plan.warm_up_or_default(),
                    time: plan.time,
                    max_errors: plan.max_errors,
                    rate: plan.rate,
                };
                let clients = self.clients.iter().take(hosts).cloned().collect();
                trials.push(File { clients, ..self.at(place, how, mix) });
            }
        }
        // A network-only trial has no file and no folder.
        let kept = places.into_iter().filter(|place| **place != net);
        Round { places: kept.map(|place| (place.clone(), None)).collect(), trials }
    }
}

/// The same office day in every run, so that runs can be compared.
pub const OFFICE_WORKLOAD_SEED: u64 = 1;

fn other(way: FileDirection) -> FileDirection {
    match way {
        FileDirection::Write => FileDirection::Read,
        FileDirection::Read => FileDirection::Write,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, ProbeInvocation, tests::parsed};

    fn setting<'a>(place: &'a FileLocation, clients: &'a [String], agent: bool) -> FileBenchmarkContext<'a> {
        FileBenchmarkContext {
            place,
            clients,
            agent,
            server_folder: Some("/srv"),
            workspace: ".goodput-x",
            beside: ".goodput-y",
            source: None,
        }
    }

    fn share() -> FileLocation {
        let (host, share) = ("nas".into(), "s".into());
        FileLocation::Smb { host, port: 445, domain: None, user: None, share, path: String::new() }
    }

    fn step(options: &str) -> FileBenchmark {
        match parsed(&format!("goodput file {options}")) {
            Ok(Command::Probe(ProbeInvocation::File(order))) => order.parts[0].clone(),
            other => panic!("{options}: {other:?}"),
        }
    }

    const COPY: &str = "copy smb://nas/s --size 1MiB";
    const WITH_LOCAL: &str = "copy smb://nas/s --size 1MiB --local /home";

    #[test]
    fn a_copy_has_each_part_of_its_way_beside_it() {
        let (place, one) = (share(), vec!["a".to_string()]);
        let plan = || {
            setting(&place, &one, true).build_benchmark_trials(
                &step(WITH_LOCAL),
                ReadWriteOrder::RANDOM,
                3,
                7,
            )
        };
        let course = plan();
        assert_eq!((course.prepare.len(), course.measure.len(), course.remove.len()), (3, 18, 3));
        let local = FileLocation::Folder { path: "/home".into() };
        let null = FileLocation::Sink { sink: SinkStorageKind::Null };
        for round in course.measure.chunks(6) {
            let at = [&place, &local, &null].map(|at| round.iter().filter(|f| f.place == *at).count());
            assert_eq!(at, [2, 2, 2]);
        }
        // The server's folder belongs to the share, not to the client's disk.
        assert!(course.measure.iter().all(|f| f.server_folder.is_some() == (f.place == place)));
        assert_ne!(course.measure[..6], course.measure[6..12], "another order each round");
        assert_eq!(course, plan());
        let beside = |f: &File| (f.workspace == ".goodput-y") == (f.place == null);
        assert!(course.measure.iter().all(beside));
        let plain =
            setting(&place, &one, false).build_benchmark_trials(&step(COPY), ReadWriteOrder::RANDOM, 1, 7);
        assert_eq!((plain.prepare.len(), plain.measure.len()), (1, 2));
    }

    #[test]
    fn a_write_needs_the_reading_of_the_local_disk() {
        let (place, one) = (share(), vec!["a".to_string()]);
        let order = ReadWriteOrder { ways: &[FileDirection::Write], random: false };
        let course = setting(&place, &one, false).build_benchmark_trials(&step(WITH_LOCAL), order, 1, 7);
        let ways: Vec<FileDirection> = course.measure.iter().filter_map(way).collect();
        assert_eq!(ways, [FileDirection::Write, FileDirection::Read]);
        assert_eq!(course.prepare[0].work, FileWorkload::Prepare { file: None }, "the place is not read");
    }

    fn way(file: &File) -> Option<FileDirection> {
        match file.work {
            FileWorkload::Copy { way, .. } => Some(way),
            _ => None,
        }
    }

    #[test]
    fn players_are_spread_over_the_hosts() {
        let (place, names) = (share(), ["a", "b"].map(String::from));
        let part = step("replay office smb://nas/s --from a,b --clients 1,2,8");
        let course =
            setting(&place, &names, true).build_benchmark_trials(&part, ReadWriteOrder::RANDOM, 1, 7);
        let played = |f: &File| match f.work {
            FileWorkload::Mix { players, .. } => (f.clients.len(), players),
            _ => panic!("{f:?}"),
        };
        let at_place = course.measure.iter().filter(|f| f.place == place);
        assert_eq!(at_place.map(played).collect::<Vec<_>>(), [(1, 1), (2, 1), (2, 4)]);
        assert_eq!(course.measure.len(), 6, "the wire alone beside each");
    }

    #[test]
    fn every_client_prepares_its_own_file_and_what_is_made_is_removed() {
        let (place, names) = (share(), ["a", "b"].map(String::from));
        let course =
            setting(&place, &names, true).build_benchmark_trials(&step(COPY), ReadWriteOrder::RANDOM, 1, 7);
        let places = |files: &[File]| files.iter().map(|f| f.place.clone()).collect::<Vec<_>>();
        assert_eq!(places(&course.prepare), places(&course.remove));
        let mut both = course.prepare.iter().chain(&course.remove);
        assert!(both.all(|f| f.clients == names && !f.is_measured_workload()));
    }
}
