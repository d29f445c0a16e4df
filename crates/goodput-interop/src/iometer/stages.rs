//! Converts IOmeter's runs to points of the `load` probe.

use super::errors::IometerPlanError;
use super::load_builder::LoadBuilder;
use super::plan::{IometerPlan, IometerWorker, WorkerLoad};
use super::runs::{ActiveWorker, IometerRun};
use goodput_model::load::{Load, MAX_WORKERS};
use goodput_model::units::Nanos;
use goodput_words::{Message, message};
use std::path::PathBuf;

/// Settings that an `.icf` does not have, or that replace its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StageSettings {
    /// Socket options, interval and seed; all else comes from the file.
    pub base: Load,
    /// HOSTs by manager name, `NAME#ID` where several have it. Other managers have their network address as
    /// HOST, or their name without one.
    pub map: Vec<(String, String)>,
    pub disk: DiskWorkerPolicy,
    pub time: Option<Nanos>,
    pub warm_up: Option<Nanos>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum DiskWorkerPolicy {
    /// The whole file is an error: it may name raw devices.
    #[default]
    Refuse,
    LeaveOut,
    /// Below this folder; the targets of the file are not opened.
    Below(PathBuf),
}

#[derive(Debug, Clone, PartialEq)]
pub struct TestStage {
    /// IOmeter's number, from 1. Idle runs are no stages.
    pub run: u32,
    /// [`Run::cycle`].
    pub cycle: Vec<(&'static str, u32)>,
    /// Access specifications in use, in the order of their first worker.
    pub name: String,
    /// Index into the plan's `managers`. Without network workers the first manager.
    pub server: usize,
    pub server_host: String,
    /// Index into the plan's `managers` for each of `load.clients`.
    pub clients: Vec<usize>,
    /// `clients` are HOSTs. Without workers when only disks are used.
    pub load: Load,
    /// Only with [`Disk::Below`].
    pub disk: Vec<DiskStage>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskStage {
    /// Index into the plan's `managers`.
    pub manager: usize,
    /// Index into the plan's `specs`.
    pub spec: usize,
    pub outstanding: u32,
    /// As many as it would have targets.
    pub files: usize,
    pub folder: PathBuf,
}

impl IometerPlan {
    /// In IOmeter's order, without idle runs. The server is the manager whose workers are in the file. Where
    /// several managers have workers with one common target manager, that one is the server, with reads and
    /// writes exchanged. [`IometerPlanError::hint`] has advice.
    pub fn build_test_stages(&self, settings: &StageSettings) -> Result<Vec<TestStage>, IometerPlanError> {
        let disks: Vec<String> =
            self.iter_workers().filter(|(_, _, w)| w.is_disk()).map(|(m, _, w)| self.label(m, w)).collect();
        let without_disks;
        let plan = match (&settings.disk, disks.is_empty()) {
            (DiskWorkerPolicy::Refuse, false) => {
                let why = message!(cause_icf_disk_workers { names: disks });
                let hint = "type --network-only to leave them out; \
                            disks are never opened from a file that was imported";
                return Err(IometerPlanError::new(why, hint));
            }
            (DiskWorkerPolicy::LeaveOut, false) => {
                without_disks = self.without_disk_workers();
                &without_disks
            }
            _ => self,
        };
        let runs = plan.all_runs()?;
        let hosts = plan.hosts_by_manager(&settings.map)?;
        let time = settings.time.unwrap_or(plan.run_time);
        if time == Nanos(0) {
            let why = "the file gives no run time (0 h 0 min 0 s: until it is stopped)";
            return Err(IometerPlanError::new(why, "type for example --time 10s"));
        }
        let warm_up = settings.warm_up.unwrap_or(plan.ramp_up);
        let base = Load { time, warm_up, outstanding: 1, ..settings.base.clone() };
        let centre = plan.centre(runs.iter().flat_map(|r| &r.active));
        let mut stages = Vec::new();
        for run in runs.iter().filter(|r| !r.active.is_empty()) {
            stages.push(plan.stage(run, centre, &hosts, &base, &settings.disk)?);
        }
        if stages.is_empty() {
            let why = "no network worker of the file has both a target and an access specification";
            let hint = "assign targets and access specifications in IOmeter and save again";
            return Err(IometerPlanError::new(why, hint));
        }
        Ok(stages)
    }

    /// In the order of the managers; see [`StageSettings::map`]. Fails for an unknown or ambiguous name.
    pub fn hosts_by_manager(&self, map: &[(String, String)]) -> Result<Vec<String>, IometerPlanError> {
        let by_default =
            self.managers.iter().map(|m| if m.address.is_empty() { &m.name } else { &m.address });
        let mut hosts: Vec<String> = by_default.cloned().collect();
        for (name, host) in map {
            let wanted = name.to_lowercase();
            let with_id = |m: &super::IometerManager| format!("{}#{}", m.name, m.id);
            let exact = self.managers.iter().position(|m| with_id(m).to_lowercase() == wanted);
            let named = |m: &super::IometerManager| m.name.to_lowercase() == wanted;
            let all: Vec<usize> = match exact {
                Some(index) => vec![index],
                None => (0..self.managers.len()).filter(|i| named(&self.managers[*i])).collect(),
            };
            match all[..] {
                [index] => hosts[index] = host.clone(),
                [] => {
                    let known: Vec<String> = self.managers.iter().map(|m| m.name.clone()).collect();
                    let name = format!("{name:?}");
                    let hint = map_hint(&known);
                    return Err(IometerPlanError::new(message!(cause_icf_no_manager { name, known }), hint));
                }
                _ => {
                    let known: Vec<String> = all.iter().map(|i| with_id(&self.managers[*i])).collect();
                    let name = format!("{name:?}");
                    let hint = map_hint(&known);
                    let why = message!(cause_icf_several_managers { name, known });
                    return Err(IometerPlanError::new(why, hint));
                }
            }
        }
        Ok(hosts)
    }

    fn label(&self, manager: usize, worker: &IometerWorker) -> String {
        format!("{}: {}", self.name_of(manager), worker.name)
    }

    fn name_of(&self, manager: usize) -> &str {
        self.managers.get(manager).map_or("", |m| m.name.as_str())
    }

    pub(super) fn active_worker(&self, active: &ActiveWorker) -> Result<&IometerWorker, IometerPlanError> {
        let worker = self.managers.get(active.manager).and_then(|m| m.workers.get(active.worker));
        worker.ok_or_else(|| IometerPlanError::invalid_index(format_args!("worker {}", active.worker)))
    }

    /// The manager common to all network pairs: that of the workers, else that of the targets.
    fn centre<'a>(&self, active: impl Iterator<Item = &'a ActiveWorker>) -> Option<usize> {
        let mut own: Vec<usize> = Vec::new();
        let mut others: Vec<usize> = Vec::new();
        for a in active {
            if let Some(target) = self.active_worker(a).ok().and_then(IometerWorker::target) {
                own.push(a.manager);
                others.push(target.manager);
            }
        }
        let only = |list: &[usize]| list.first().copied().filter(|first| list.iter().all(|m| m == first));
        only(&own).or_else(|| only(&others))
    }

    fn stage(
        &self,
        run: &IometerRun,
        centre: Option<usize>,
        hosts: &[String],
        base: &Load,
        disk: &DiskWorkerPolicy,
    ) -> Result<TestStage, IometerPlanError> {
        let host = |m: usize| {
            hosts.get(m).cloned().ok_or_else(|| IometerPlanError::invalid_index(format_args!("manager {m}")))
        };
        let network: Vec<&ActiveWorker> =
            run.active.iter().filter(|a| self.active_worker(a).is_ok_and(|w| w.target().is_some())).collect();
        let mut points = LoadBuilder::default();
        let server = if network.is_empty() {
            0
        } else {
            let server = centre.or_else(|| self.centre(network.iter().copied()));
            server.ok_or_else(|| self.several_servers(run.number, &network))?
        };
        for active in &network {
            points.add_worker(self, active, server)?;
        }
        let load = Load {
            clients: points.clients.iter().map(|m| host(*m)).collect::<Result<_, _>>()?,
            mixes: points.mixes,
            workers: points.workers,
            transactions_per_connection: self.connection_rate(run.number, &network)?,
            ..base.clone()
        };
        if network.len() > MAX_WORKERS {
            let (run, workers) = (run.number.to_string(), network.len().to_string());
            let why = message!(cause_icf_too_many_workers { run, workers, most: MAX_WORKERS.to_string() });
            return Err(IometerPlanError::new(why, "divide the file"));
        }
        let mut used = points.clients.clone();
        used.insert(0, server);
        self.different_hosts(&used, hosts)?;
        Ok(TestStage {
            run: run.number,
            cycle: run.cycle.clone(),
            name: self.names(run),
            server,
            server_host: host(server)?,
            clients: points.clients,
            load,
            disk: self.disk_work(run, disk)?,
        })
    }

    fn several_servers(&self, run: u32, network: &[&ActiveWorker]) -> IometerPlanError {
        let mut servers: Vec<&str> = network.iter().map(|a| self.name_of(a.manager)).collect();
        servers.dedup();
        let why = message!(cause_icf_several_servers { run: run.to_string(), names: servers });
        IometerPlanError::new(why, "make a file a server, and run one after the other")
    }

    fn different_hosts(&self, used: &[usize], hosts: &[String]) -> Result<(), IometerPlanError> {
        let same = |a: usize, b: usize| match (hosts.get(a), hosts.get(b)) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            _ => false,
        };
        for (i, &second) in used.iter().enumerate() {
            if let Some(&first) = used[..i].iter().find(|&&first| same(first, second)) {
                let (first, name) = (self.name_of(first), self.name_of(second));
                let why = message!(cause_icf_same_host { first, second: name, host: &hosts[second] });
                let hint = message!(hint_icf_map_each { map: format!("--map {first}=HOST") });
                return Err(IometerPlanError::new(why, hint));
            }
        }
        Ok(())
    }

    fn connection_rate(&self, run: u32, network: &[&ActiveWorker]) -> Result<Option<u32>, IometerPlanError> {
        let mut first: Option<(&ActiveWorker, Option<u32>)> = None;
        for active in network {
            let worker = self.active_worker(active)?;
            let rate = worker.test_connection_rate.then_some(worker.transactions_per_connection);
            let (other, known) = *first.get_or_insert((*active, rate));
            if known != rate {
                let first = format!("{:?}", self.label(other.manager, self.active_worker(other)?));
                let second = format!("{:?}", self.label(active.manager, worker));
                let why = message!(cause_icf_connection_rates { run: run.to_string(), first, second });
                let hint = "give all workers the same setting, or make a file of each";
                return Err(IometerPlanError::new(why, hint));
            }
        }
        Ok(first.and_then(|(_, rate)| rate))
    }

    fn names(&self, run: &IometerRun) -> String {
        let mut names: Vec<&str> = Vec::new();
        for spec in run.active.iter().filter_map(|a| self.specs.get(a.spec)) {
            if !names.contains(&spec.name.as_str()) {
                names.push(&spec.name);
            }
        }
        names.join(" + ")
    }

    fn disk_work(
        &self,
        run: &IometerRun,
        disk: &DiskWorkerPolicy,
    ) -> Result<Vec<DiskStage>, IometerPlanError> {
        let DiskWorkerPolicy::Below(folder) = disk else { return Ok(Vec::new()) };
        let mut work = Vec::new();
        for active in &run.active {
            let worker = self.active_worker(active)?;
            if let WorkerLoad::Disk { .. } = worker.work {
                work.push(DiskStage {
                    manager: active.manager,
                    spec: active.spec,
                    outstanding: run.outstanding.unwrap_or(worker.outstanding),
                    files: active.targets,
                    folder: folder.clone(),
                });
            }
        }
        Ok(work)
    }
}

fn map_hint(known: &[String]) -> Message {
    let name = known.first().map_or("NAME", String::as_str);
    message!(hint_icf_map { map: format!("--map {name}=HOST") })
}
