//! Resolves names to indices: access specifications of workers, managers of targets.

use super::errors::IcfError;
use super::icf_lines::IcfCursor;
use super::managers::{RawManager, RawTarget, RawWorker, WorkerKind};
use super::plan::{
    AccessSpecDefaultAssignment, IDLE_SPEC_NAME, IometerManager, IometerWorker, WorkerLoad, WorkerTarget,
};
use super::specs::{AccessSpecs, equal_ignoring_case};
use goodput_model::MessageArg;
use goodput_words::message;

pub(super) fn resolve_managers(
    cursor: &mut IcfCursor<'_>,
    raw: &[RawManager],
    specs: &AccessSpecs,
) -> Result<Vec<IometerManager>, IcfError> {
    for (i, manager) in raw.iter().enumerate() {
        let RawManager { id, name, .. } = manager;
        if raw[..i].iter().any(|other| other.id == *id && equal_ignoring_case(&other.name, name)) {
            let name = format!("{id},{name}");
            return Err(IcfError::new(manager.line, message!(cause_icf_manager_twice { name })));
        }
    }
    let mut managers = Vec::with_capacity(raw.len());
    for (own, manager) in raw.iter().enumerate() {
        let mut workers = Vec::with_capacity(manager.workers.len());
        for worker in &manager.workers {
            workers.extend(resolve_worker(cursor, worker, own, raw, specs)?);
        }
        managers.push(IometerManager {
            id: manager.id,
            name: manager.name.clone(),
            address: manager.address.clone(),
            workers,
        });
    }
    Ok(managers)
}

/// `None` for one that is skipped.
fn resolve_worker(
    cursor: &mut IcfCursor<'_>,
    raw: &RawWorker,
    own: usize,
    known: &[RawManager],
    specs: &AccessSpecs,
) -> Result<Option<IometerWorker>, IcfError> {
    let empty = raw.targets.is_empty() && raw.specs.as_ref().is_none_or(Vec::is_empty);
    let (name, shown) = (raw.name.clone(), format!("{:?}", raw.name));
    let assigned = match raw.kind {
        None if empty => {
            cursor.add_warning(raw.line, message!(cause_icf_worker_empty { name: shown }));
            return Ok(None);
        }
        None => return Err(IcfError::new(raw.line, message!(cause_icf_worker_without_type { name: shown }))),
        Some(WorkerKind::Vi) => {
            cursor.add_warning(raw.line, message!(cause_icf_worker_of_vi { name: shown }));
            return Ok(None);
        }
        Some(kind) => assigned(cursor, raw, kind, specs)?,
    };
    let (outstanding, outstanding_line) = raw.outstanding.map_or((1, raw.line), |(line, n)| (n, line));
    let work = if raw.kind == Some(WorkerKind::Disk) {
        let (maximum_size, starting_sector, pattern) = raw.disk;
        let targets = disks(raw)?;
        WorkerLoad::Disk { maximum_size, starting_sector, pattern, targets }
    } else {
        if outstanding != 1 {
            let text = message!(cause_icf_outstanding { count: outstanding.to_string() });
            cursor.add_warning(outstanding_line, text);
        }
        let local_interface = local_interface(cursor, raw, own, known);
        WorkerLoad::Network { local_interface, target: partner(cursor, raw, own, known)? }
    };
    Ok(Some(IometerWorker {
        name,
        work,
        outstanding,
        test_connection_rate: raw.test_connection_rate,
        transactions_per_connection: raw.transactions_per_connection,
        fixed_seed: raw.fixed_seed,
        specs: assigned,
    }))
}

/// By run. Unknown names are skipped as in IOmeter, unless no name is left.
fn assigned(
    cursor: &mut IcfCursor<'_>,
    raw: &RawWorker,
    kind: WorkerKind,
    specs: &AccessSpecs,
) -> Result<Vec<Option<usize>>, IcfError> {
    let Some(names) = &raw.specs else {
        let taken = |a: AccessSpecDefaultAssignment| match a {
            AccessSpecDefaultAssignment::All => true,
            AccessSpecDefaultAssignment::Disk => kind == WorkerKind::Disk,
            AccessSpecDefaultAssignment::Net => kind == WorkerKind::Tcp,
            AccessSpecDefaultAssignment::None => false,
        };
        let default = specs.list.iter().enumerate().filter(|(_, (_, s))| taken(s.assignment));
        let default: Vec<_> = default.map(|(index, _)| Some(index)).collect();
        let (name, count) = (format!("{:?}", raw.name), default.len().to_string());
        cursor.add_warning(raw.line, message!(cause_icf_no_assigned_specs { name, count }));
        return Ok(default);
    };
    let mut found = Vec::with_capacity(names.len());
    let mut unknown = Vec::new();
    for (line, name) in names {
        match specs.find_by_name(name) {
            Some(index) => found.push(Some(index)),
            None if equal_ignoring_case(name, IDLE_SPEC_NAME) => found.push(None),
            None => unknown.push((*line, name)),
        }
    }
    if let (Some((line, _)), true) = (unknown.first(), found.is_empty()) {
        let names: Vec<String> = unknown.iter().map(|(_, name)| format!("{name:?}")).collect();
        let worker = format!("{:?}", raw.name);
        return Err(IcfError::new(*line, message!(cause_icf_unknown_specs { worker, names })));
    }
    for (line, name) in unknown {
        let (name, worker) = (format!("{name:?}"), format!("{:?}", raw.name));
        cursor.add_warning(line, message!(cause_icf_unknown_spec { name, worker }));
    }
    Ok(found)
}

fn disks(raw: &RawWorker) -> Result<Vec<String>, IcfError> {
    let fits = |t: &RawTarget| matches!(t.kind, None | Some(WorkerKind::Disk));
    match raw.targets.iter().find(|t| !fits(t)) {
        Some(wrong) => Err(wrong_target(raw, wrong)),
        None => Ok(raw.targets.iter().map(|t| t.name.clone()).collect()),
    }
}

fn wrong_target(raw: &RawWorker, target: &RawTarget) -> IcfError {
    let (worker, name) = (format!("{:?}", raw.name), format!("{:?}", target.name));
    IcfError::new(target.line, message!(cause_icf_target_of_another_type { name, worker }))
}

/// Warns when the tested network is not the control network.
fn local_interface(cursor: &mut IcfCursor<'_>, raw: &RawWorker, own: usize, known: &[RawManager]) -> String {
    let Some((line, address)) = &raw.local_interface else { return String::new() };
    if let Some(manager) = known.get(own) {
        other_network(cursor, *line, address, manager);
    }
    address.clone()
}

fn other_network(cursor: &mut IcfCursor<'_>, line: usize, address: &str, manager: &RawManager) {
    if address.is_empty() || manager.address.is_empty() || equal_ignoring_case(address, &manager.address) {
        return;
    }
    let RawManager { name, address: logged_in, .. } = manager;
    let map = format!("--map {name}={address}");
    let text = message!(cause_icf_other_network { name, address, control: logged_in, map });
    let told = cursor.warnings.iter().any(|w| w.text == text);
    if !told {
        cursor.add_warning(line, text);
    }
}

/// Of several targets the last counts, as in IOmeter.
fn partner(
    cursor: &mut IcfCursor<'_>,
    raw: &RawWorker,
    own: usize,
    known: &[RawManager],
) -> Result<Option<WorkerTarget>, IcfError> {
    let mut last = None;
    for target in &raw.targets {
        match target.kind {
            Some(WorkerKind::Disk) => return Err(wrong_target(raw, target)),
            Some(WorkerKind::Vi) => {
                let name = format!("{:?}", target.name);
                cursor.add_warning(target.line, message!(cause_icf_target_of_vi { name }));
                continue;
            }
            Some(WorkerKind::Tcp) | None => {}
        }
        if last.is_some() {
            let name = format!("{:?}", target.name);
            cursor.add_warning(target.line, message!(cause_icf_one_target { name }));
        }
        last = Some(target);
    }
    let Some(target) = last else { return Ok(None) };
    let manager = manager_of(cursor, raw, target, known)?;
    if let Some(k) = known.get(manager) {
        if manager == own {
            let (worker, name) = (format!("{:?}", raw.name), format!("{:?}", k.name));
            let why = message!(cause_icf_own_manager { worker, name });
            let hint = "choose an interface of another manager as the worker's target";
            return Err(IcfError { hint, ..IcfError::new(target.line, why) });
        }
        other_network(cursor, target.line, &target.name, k);
    }
    Ok(Some(WorkerTarget { address: target.name.clone(), manager }))
}

/// By name and ID, else by a unique name, else by address.
fn manager_of(
    cursor: &mut IcfCursor<'_>,
    raw: &RawWorker,
    target: &RawTarget,
    known: &[RawManager],
) -> Result<usize, IcfError> {
    let only = |fits: &dyn Fn(&RawManager) -> bool| {
        let mut all = known.iter().enumerate().filter(|(_, k)| fits(k)).map(|(i, _)| i);
        all.next().filter(|_| all.next().is_none())
    };
    let (found, wanted): (_, MessageArg) = match &target.manager {
        Some((id, name)) => {
            if let Some(exact) = only(&|k| k.id == *id && equal_ignoring_case(&k.name, name)) {
                return Ok(exact);
            }
            (only(&|k| equal_ignoring_case(&k.name, name)), format!("{id},{name}").into())
        }
        None => {
            let by_address = only(&|k| equal_ignoring_case(&k.address, &target.name));
            (by_address, message!(part_icf_not_named).into())
        }
    };
    let Some(index) = found else {
        let (worker, address) = (format!("{:?}", raw.name), format!("{:?}", target.name));
        let why = message!(cause_icf_target_elsewhere { address, worker, manager: wanted });
        let hint = "save the file while that manager is logged in";
        return Err(IcfError { hint, ..IcfError::new(target.line, why) });
    };
    let taken = known.get(index).map_or("", |k| k.name.as_str());
    let name = format!("{:?}", target.name);
    cursor.add_warning(target.line, message!(cause_icf_target_taken { name, manager: taken }));
    Ok(index)
}
