//! Resolves names to indices: access specifications of workers, managers of targets.

use super::errors::{IcfError, IcfErrorKind};
use super::icf_lines::IcfCursor;
use super::managers::{RawManager, RawTarget, RawWorker, WorkerKind};
use super::plan::{IDLE_SPEC_NAME, IometerManager, IometerWorker, SpecAssignment, WorkerLoad, WorkerTarget};
use super::specs::AccessSpecs;

pub(super) fn resolve_managers(
    cursor: &mut IcfCursor<'_>,
    raw: Vec<RawManager>,
    specs: &AccessSpecs,
) -> Result<Vec<IometerManager>, IcfError> {
    let known: Vec<Known> = raw.iter().map(Known::of).collect();
    for (i, manager) in known.iter().enumerate() {
        if known[..i].iter().any(|k| k.id == manager.id && same(&k.name, &manager.name)) {
            let (id, name) = (manager.id, manager.name.clone());
            return Err(cursor.error_at(manager.line, IcfErrorKind::TwiceManager { id, name }));
        }
    }
    let mut managers = Vec::with_capacity(raw.len());
    for (own, manager) in raw.into_iter().enumerate() {
        let mut workers = Vec::with_capacity(manager.workers.len());
        for raw in manager.workers {
            workers.extend(worker(cursor, raw, own, &known, specs)?);
        }
        managers.push(IometerManager {
            id: manager.id,
            name: manager.name,
            address: manager.address,
            workers,
        });
    }
    Ok(managers)
}

struct Known {
    line: usize,
    id: u32,
    name: String,
    address: String,
}

impl Known {
    fn of(raw: &RawManager) -> Known {
        Known { line: raw.line, id: raw.id, name: raw.name.clone(), address: raw.address.clone() }
    }
}

fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// `None` for one that is skipped.
fn worker(
    cursor: &mut IcfCursor<'_>,
    raw: RawWorker,
    own: usize,
    known: &[Known],
    specs: &AccessSpecs,
) -> Result<Option<IometerWorker>, IcfError> {
    let empty = raw.targets.is_empty() && raw.specs.as_ref().is_none_or(Vec::is_empty);
    let name = raw.name.clone();
    let assigned = match raw.kind {
        None if empty => {
            cursor.add_warning(raw.line, format!("worker {name:?} is empty and is passed over"));
            return Ok(None);
        }
        None => return Err(cursor.error_at(raw.line, IcfErrorKind::NoType { worker: name })),
        Some(WorkerKind::Vi) => {
            let text = format!("worker {name:?} is of VI, which goodput does not have, and is passed over");
            cursor.add_warning(raw.line, text);
            return Ok(None);
        }
        Some(kind) => assigned(cursor, &raw, kind, specs)?,
    };
    let (outstanding, outstanding_line) = raw.outstanding.map_or((1, raw.line), |(line, n)| (n, line));
    let work = if raw.kind == Some(WorkerKind::Disk) {
        let (maximum_size, starting_sector, pattern) = raw.disk;
        let targets = disks(cursor, &raw)?;
        WorkerLoad::Disk { maximum_size, starting_sector, pattern, targets }
    } else {
        if outstanding != 1 {
            let text =
                format!("{outstanding} outstanding IOs mean nothing to a network worker: it has always one");
            cursor.add_warning(outstanding_line, text);
        }
        let local_interface = local_interface(cursor, &raw, own, known);
        WorkerLoad::Network { local_interface, target: partner(cursor, &raw, own, known)? }
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
        let taken = |a: SpecAssignment| match a {
            SpecAssignment::All => true,
            SpecAssignment::Disk => kind == WorkerKind::Disk,
            SpecAssignment::Net => kind == WorkerKind::Tcp,
            SpecAssignment::None => false,
        };
        let default = specs.list.iter().enumerate().filter(|(_, s)| taken(s.assignment));
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
            None if same(name, IDLE_SPEC_NAME) => found.push(None),
            None => unknown.push((*line, name)),
        }
    }
    if let (Some((line, _)), true) = (unknown.first(), found.is_empty()) {
        let names = unknown.iter().map(|(_, name)| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        return Err(cursor.error_at(*line, IcfErrorKind::UnknownSpecs { worker: raw.name.clone(), names }));
    }
    for (line, name) in unknown {
        let text =
            format!("there is no access specification {name:?}; worker {:?} goes on without it", raw.name);
        cursor.add_warning(line, text);
    }
    Ok(found)
}

fn disks(cursor: &IcfCursor<'_>, raw: &RawWorker) -> Result<Vec<String>, IcfError> {
    let fits = |t: &RawTarget| matches!(t.kind, None | Some(WorkerKind::Disk));
    match raw.targets.iter().find(|t| !fits(t)) {
        Some(wrong) => Err(wrong_target(cursor, raw, wrong)),
        None => Ok(raw.targets.iter().map(|t| t.name.clone()).collect()),
    }
}

fn wrong_target(cursor: &IcfCursor<'_>, raw: &RawWorker, target: &RawTarget) -> IcfError {
    let (worker, name) = (raw.name.clone(), target.name.clone());
    cursor.error_at(target.line, IcfErrorKind::WrongTarget { worker, target: name })
}

/// Warns when the tested network is not the control network.
fn local_interface(cursor: &mut IcfCursor<'_>, raw: &RawWorker, own: usize, known: &[Known]) -> String {
    let Some((line, address)) = &raw.local_interface else { return String::new() };
    if let Some(manager) = known.get(own) {
        other_network(cursor, *line, address, manager);
    }
    address.clone()
}

fn other_network(cursor: &mut IcfCursor<'_>, line: usize, address: &str, manager: &Known) {
    if address.is_empty() || manager.address.is_empty() || same(address, &manager.address) {
        return;
    }
    let Known { name, address: logged_in, .. } = manager;
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
    known: &[Known],
) -> Result<Option<WorkerTarget>, IcfError> {
    let mut last = None;
    for target in &raw.targets {
        match target.kind {
            Some(WorkerKind::Disk) => return Err(wrong_target(cursor, raw, target)),
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
            let fault = IcfErrorKind::SameHost { worker: raw.name.clone(), manager: k.name.clone() };
            return Err(cursor.error_at(target.line, fault));
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
    known: &[Known],
) -> Result<usize, IcfError> {
    let only = |fits: &dyn Fn(&Known) -> bool| {
        let mut all = known.iter().enumerate().filter(|(_, k)| fits(k)).map(|(i, _)| i);
        all.next().filter(|_| all.next().is_none())
    };
    let (found, wanted) = match &target.manager {
        Some((id, name)) => {
            if let Some(exact) = only(&|k| k.id == *id && same(&k.name, name)) {
                return Ok(exact);
            }
            (only(&|k| same(&k.name, name)), format!("{id},{name}"))
        }
        None => (only(&|k| same(&k.address, &target.name)), "(not named)".to_string()),
    };
    let Some(index) = found else {
        let (worker, address) = (raw.name.clone(), target.name.clone());
        return Err(cursor.error_at(
            target.line,
            IcfErrorKind::UnknownManager { worker, target: address, manager: wanted },
        ));
    };
    let taken = known.get(index).map_or("", |k| k.name.as_str());
    cursor.add_warning(target.line, format!("target {:?} is taken to be on manager {taken}", target.name));
    Ok(index)
}
