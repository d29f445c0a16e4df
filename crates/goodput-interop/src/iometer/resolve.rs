//! Resolves names to indices: access specifications of workers, managers of targets.

use super::errors::IcfError;
use super::icf_lines::IcfCursor;
use super::managers::{RawManager, RawTarget, RawWorker, WorkerKind};
use super::plan::{
    AccessSpecDefaultAssignment, IDLE_SPEC_NAME, IometerManager, IometerWorker, WorkerLoad, WorkerTarget,
};
use super::specs::{AccessSpecs, equal_ignoring_case};

pub(super) fn resolve_managers(
    cursor: &mut IcfCursor<'_>,
    raw: &[RawManager],
    specs: &AccessSpecs,
) -> Result<Vec<IometerManager>, IcfError> {
    for (i, manager) in raw.iter().enumerate() {
        let RawManager { id, name, .. } = manager;
        if raw[..i].iter().any(|other| other.id == *id && equal_ignoring_case(&other.name, name)) {
            return Err(IcfError::new(manager.line, format!("manager {id},{name} stands there twice")));
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
    let name = raw.name.clone();
    let assigned = match raw.kind {
        None if empty => {
            cursor.add_warning(raw.line, format!("worker {name:?} is empty and is passed over"));
            return Ok(None);
        }
        None => return Err(IcfError::new(raw.line, format!("worker {name:?} has no 'Worker type"))),
        Some(WorkerKind::Vi) => {
            let text = format!("worker {name:?} is of VI, which goodput does not have, and is passed over");
            cursor.add_warning(raw.line, text);
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
            let text =
                format!("{outstanding} outstanding IOs mean nothing to a network worker: it has always one");
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
        let count = default.len();
        cursor.add_warning(raw.line, format!(
            "worker {:?} has no 'Assigned access specs; it gets the {count} that are assigned to such workers by default",
            raw.name
        ));
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
        let names = unknown.iter().map(|(_, name)| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        let why = format!(
            "worker {:?} is assigned {names}, and the file has no access specification of that name",
            raw.name
        );
        return Err(IcfError::new(*line, why));
    }
    for (line, name) in unknown {
        let text =
            format!("there is no access specification {name:?}; worker {:?} goes on without it", raw.name);
        cursor.add_warning(line, text);
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
    let (worker, name) = (&raw.name, &target.name);
    IcfError::new(target.line, format!("target {name:?} is of another type than worker {worker:?}"))
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
    let text = format!(
        "the data of {name} go by {address}, but it logged in from {logged_in}: --map {name}={address} tests the first"
    );
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
                cursor.add_warning(
                    target.line,
                    format!("target {:?} is of VI and is passed over", target.name),
                );
                continue;
            }
            Some(WorkerKind::Tcp) | None => {}
        }
        if last.is_some() {
            cursor.add_warning(
                target.line,
                format!("a network worker has one target: {:?} takes the place", target.name),
            );
        }
        last = Some(target);
    }
    let Some(target) = last else { return Ok(None) };
    let manager = manager_of(cursor, raw, target, known)?;
    if let Some(k) = known.get(manager) {
        if manager == own {
            let (worker, name) = (&raw.name, &k.name);
            let why = format!(
                "worker {worker:?} has its own manager {name:?} as target: the client would be the server"
            );
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
    let (found, wanted) = match &target.manager {
        Some((id, name)) => {
            if let Some(exact) = only(&|k| k.id == *id && equal_ignoring_case(&k.name, name)) {
                return Ok(exact);
            }
            (only(&|k| equal_ignoring_case(&k.name, name)), format!("{id},{name}"))
        }
        None => (only(&|k| equal_ignoring_case(&k.address, &target.name)), "(not named)".to_string()),
    };
    let Some(index) = found else {
        let (worker, address) = (&raw.name, &target.name);
        let why = format!(
            "target {address:?} of worker {worker:?} is on manager {wanted}, which the file does not have"
        );
        let hint = "save the file while that manager is logged in";
        return Err(IcfError { hint, ..IcfError::new(target.line, why) });
    };
    let taken = known.get(index).map_or("", |k| k.name.as_str());
    cursor.add_warning(target.line, format!("target {:?} is taken to be on manager {taken}", target.name));
    Ok(index)
}
