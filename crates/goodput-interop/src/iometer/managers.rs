//! The section MANAGER LIST. [`super::resolve`] looks up names later: access specifications may follow it.

use super::errors::IcfError;
use super::icf_key::{IcfKey, IcfSection};
use super::icf_lines::{IcfCursor, IcfKeyLine, IcfLine};
use crate::truncate_text;
use goodput_words::message;

pub(super) struct RawManager {
    pub line: usize,
    pub id: u32,
    pub name: String,
    pub address: String,
    pub workers: Vec<RawWorker>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkerKind {
    Disk,
    Tcp,
    /// Virtual interface architecture, which is obsolete.
    Vi,
}

#[derive(Default)]
pub(super) struct RawWorker {
    pub line: usize,
    pub name: String,
    pub kind: Option<WorkerKind>,
    pub outstanding: Option<(usize, u32)>,
    pub test_connection_rate: bool,
    pub transactions_per_connection: u32,
    pub fixed_seed: Option<u64>,
    pub disk: (u64, u64, u8),
    pub local_interface: Option<(usize, String)>,
    /// With their lines; `None` when the block is missing.
    pub specs: Option<Vec<(usize, String)>>,
    pub targets: Vec<RawTarget>,
}

pub(super) struct RawTarget {
    pub line: usize,
    pub name: String,
    pub kind: Option<WorkerKind>,
    pub manager: Option<(u32, String)>,
}

pub(super) fn read_managers(cursor: &mut IcfCursor<'_>) -> Result<Vec<RawManager>, IcfError> {
    let mut managers: Vec<RawManager> = Vec::new();
    let mut open = false;
    while let Some(found) = cursor.next_key_in_section(IcfSection::Managers) {
        match (found.key, managers.last_mut()) {
            (IcfKey::Manager, _) => {
                let (id, name) = id_and_name(cursor.read_value(&found, false)?)?;
                let (line, address) = (found.line.number, String::new());
                managers.push(RawManager { line, id, name, address, workers: Vec::new() });
                open = true;
            }
            (IcfKey::Address, Some(manager)) if open => {
                manager.address = cursor.read_value(&found, true)?.text.to_string();
            }
            (IcfKey::Worker, Some(manager)) if open => manager.workers.push(worker(cursor, &found)?),
            (IcfKey::EndManager, Some(_)) if open => open = false,
            _ => cursor.warn_misplaced_key(&found),
        }
    }
    Ok(managers)
}

/// `1,SERVER`.
fn id_and_name(mut line: IcfLine<'_>) -> Result<(u32, String), IcfError> {
    let id = line.parse_next_number("the ID of a manager")?;
    let name = line.text.trim().to_string();
    if name.is_empty() {
        return Err(IcfError::empty_name(line.number, "a manager"));
    }
    Ok((id, name))
}

fn worker<'a>(cursor: &mut IcfCursor<'a>, begin: &IcfKeyLine<'a>) -> Result<RawWorker, IcfError> {
    let mut worker = RawWorker {
        line: begin.line.number,
        name: cursor.read_value(begin, true)?.text.to_string(),
        transactions_per_connection: 1,
        ..RawWorker::default()
    };
    while let Some(found) = cursor.next_key() {
        let line = found.line.number;
        match found.key {
            IcfKey::EndWorker => return Ok(worker),
            IcfKey::Worker
            | IcfKey::Manager
            | IcfKey::EndManager
            | IcfKey::End(_)
            | IcfKey::Section(_)
            | IcfKey::Version => {
                cursor.step_back();
                break;
            }
            IcfKey::WorkerType => worker.kind = Some(kind(cursor, &found, "the worker type")?),
            IcfKey::Outstanding => outstanding(cursor, &found, &mut worker)?,
            IcfKey::DiskSize => worker.disk = disk_size(cursor, &found)?,
            IcfKey::LocalInterface => {
                let value = cursor.read_value(&found, true)?;
                worker.local_interface = Some((value.number, value.text.to_string()));
            }
            IcfKey::ViOutstanding => {
                cursor.read_value(&found, true)?;
            }
            IcfKey::Assigned => {
                let names = cursor.read_data_lines().into_iter().map(|l| (l.number, l.text.to_string()));
                worker.specs.get_or_insert_default().extend(names);
            }
            IcfKey::Target => {
                let name = cursor.read_value(&found, false)?.text.to_string();
                worker.targets.push(RawTarget { line, name, kind: None, manager: None });
            }
            IcfKey::TargetType | IcfKey::TargetManager => match worker.targets.last_mut() {
                Some(target) if found.key == IcfKey::TargetType => {
                    target.kind = Some(kind(cursor, &found, "the target type")?);
                }
                Some(target) => target.manager = Some(id_and_name(cursor.read_value(&found, false)?)?),
                None => cursor.warn_misplaced_key(&found),
            },
            IcfKey::Block => {}
            _ => cursor.warn_misplaced_key(&found),
        }
    }
    let name = format!("{:?}", truncate_text(&worker.name));
    cursor.add_warning(worker.line, message!(cause_icf_worker_without_end { name }));
    Ok(worker)
}

/// `DISK`, `NETWORK,TCP` or `NETWORK,VI`; `TCP` and `VI` alone give a warning.
fn kind<'a>(
    cursor: &mut IcfCursor<'a>,
    found: &IcfKeyLine<'a>,
    what: &'static str,
) -> Result<WorkerKind, IcfError> {
    let line = cursor.read_value(found, false)?;
    let mut rest = line;
    let (first, second) = (rest.parse_next_word().to_uppercase(), rest.parse_next_word().to_uppercase());
    let kind = match (first.as_str(), second.as_str()) {
        ("DISK", "") => WorkerKind::Disk,
        ("NETWORK", "TCP") => WorkerKind::Tcp,
        ("NETWORK", "VI") => WorkerKind::Vi,
        ("TCP" | "VI", "") => {
            cursor.add_warning(line.number, message!(cause_icf_network_alone { kind: &first }));
            if first == "TCP" { WorkerKind::Tcp } else { WorkerKind::Vi }
        }
        _ => {
            let known = "DISK, NETWORK,TCP and NETWORK,VI";
            return Err(IcfError::unknown_word(line.number, what, line.text, known));
        }
    };
    Ok(kind)
}

/// `1,DISABLED,1`, since 1.1.0 with `,DISABLED,0` for the fixed seed.
fn outstanding<'a>(
    cursor: &mut IcfCursor<'a>,
    found: &IcfKeyLine<'a>,
    worker: &mut RawWorker,
) -> Result<(), IcfError> {
    let mut line = cursor.read_value(found, false)?;
    worker.outstanding = Some((line.number, line.parse_next_number("the number of outstanding IOs")?));
    worker.test_connection_rate = switch(&mut line, "the test of the connection rate")?;
    worker.transactions_per_connection =
        line.parse_next_number("the number of transactions per connection")?;
    if !line.text.is_empty() {
        let fixed = switch(&mut line, "the use of a fixed seed")?;
        let seed = line.parse_next_number("the fixed seed")?;
        worker.fixed_seed = fixed.then_some(seed);
        if fixed {
            let name = format!("{:?}", worker.name);
            cursor.add_warning(line.number, message!(cause_icf_fixed_seed { name }));
        }
    }
    Ok(())
}

fn switch(line: &mut IcfLine<'_>, what: &'static str) -> Result<bool, IcfError> {
    match line.parse_next_word() {
        word if word.eq_ignore_ascii_case("ENABLED") => Ok(true),
        word if word.eq_ignore_ascii_case("DISABLED") => Ok(false),
        word => Err(IcfError::unknown_word(line.number, what, word, "ENABLED, DISABLED")),
    }
}

/// Maximum size, starting sector, and since 2008 the data pattern.
fn disk_size<'a>(cursor: &mut IcfCursor<'a>, found: &IcfKeyLine<'a>) -> Result<(u64, u64, u8), IcfError> {
    let mut line = cursor.read_value(found, false)?;
    let size = line.parse_next_number("the maximum size of a disk")?;
    let sector = line.parse_next_number("the starting sector")?;
    let pattern = if line.text.is_empty() { 0 } else { line.parse_next_number("the data pattern")? };
    Ok((size, sector, pattern))
}
