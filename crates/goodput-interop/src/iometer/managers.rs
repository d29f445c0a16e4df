//! The section MANAGER LIST. [`super::resolve`] looks up names later, since the access specifications may
//! follow it.

use super::key::{Key, Section};
use super::lines::{Cursor, Found, Line, short};
use super::problem::{Fault, IcfError};

pub(super) struct RawManager {
    pub line: usize,
    pub id: u32,
    pub name: String,
    pub address: String,
    pub workers: Vec<RawWorker>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Disk,
    Tcp,
    /// Virtual interface architecture, which is obsolete.
    Vi,
}

pub(super) struct RawWorker {
    pub line: usize,
    pub name: String,
    pub kind: Option<Kind>,
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
    pub kind: Option<Kind>,
    pub manager: Option<(u32, String)>,
}

pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Vec<RawManager>, IcfError> {
    let mut managers: Vec<RawManager> = Vec::new();
    let mut open = false;
    while let Some(found) = cursor.next_key() {
        match (found.key, managers.last_mut()) {
            (Key::End(Section::Managers), _) => return Ok(managers),
            (Key::Section(_) | Key::Version, _) => {
                cursor.back();
                break;
            }
            (Key::Manager, _) => {
                let (id, name) = id_and_name(cursor.value(&found, false)?)?;
                let (line, address) = (found.line.number, String::new());
                managers.push(RawManager { line, id, name, address, workers: Vec::new() });
                open = true;
            }
            (Key::Address, Some(manager)) if open => {
                manager.address = cursor.value(&found, true)?.text.to_string();
            }
            (Key::Worker, Some(manager)) if open => manager.workers.push(worker(cursor, &found)?),
            (Key::EndManager, Some(_)) if open => open = false,
            _ => cursor.misplaced(&found),
        }
    }
    cursor.unended(Section::Managers);
    Ok(managers)
}

/// `1,SERVER`.
fn id_and_name(mut line: Line<'_>) -> Result<(u32, String), IcfError> {
    let id = line.take_number("the ID of a manager")?;
    let name = line.text.trim().to_string();
    if name.is_empty() {
        let fault = Fault::Name { what: "a manager", name, why: "it is empty" };
        return Err(IcfError { line: line.number, fault });
    }
    Ok((id, name))
}

fn worker<'a>(cursor: &mut Cursor<'a>, begin: &Found<'a>) -> Result<RawWorker, IcfError> {
    let mut worker = RawWorker {
        line: begin.line.number,
        name: cursor.value(begin, true)?.text.to_string(),
        kind: None,
        outstanding: None,
        test_connection_rate: false,
        transactions_per_connection: 1,
        fixed_seed: None,
        disk: (0, 0, 0),
        local_interface: None,
        specs: None,
        targets: Vec::new(),
    };
    while let Some(found) = cursor.next_key() {
        let line = found.line.number;
        match found.key {
            Key::EndWorker => return Ok(worker),
            Key::Worker | Key::Manager | Key::EndManager | Key::End(_) | Key::Section(_) | Key::Version => {
                cursor.back();
                break;
            }
            Key::WorkerType => worker.kind = Some(kind(cursor, &found, "the worker type")?),
            Key::Outstanding => outstanding(cursor, &found, &mut worker)?,
            Key::DiskSize => worker.disk = disk_size(cursor, &found)?,
            Key::LocalInterface => {
                let value = cursor.value(&found, true)?;
                worker.local_interface = Some((value.number, value.text.to_string()));
            }
            Key::ViOutstanding => {
                cursor.value(&found, true)?;
            }
            Key::Assigned => {
                let names = cursor.data().into_iter().map(|l| (l.number, l.text.to_string()));
                worker.specs.get_or_insert_default().extend(names);
            }
            Key::Target => {
                let name = cursor.value(&found, false)?.text.to_string();
                worker.targets.push(RawTarget { line, name, kind: None, manager: None });
            }
            Key::TargetType | Key::TargetManager => match worker.targets.last_mut() {
                Some(target) if found.key == Key::TargetType => {
                    target.kind = Some(kind(cursor, &found, "the target type")?);
                }
                Some(target) => target.manager = Some(id_and_name(cursor.value(&found, false)?)?),
                None => cursor.misplaced(&found),
            },
            Key::Block | Key::EndAssigned | Key::EndTarget => {}
            _ => cursor.misplaced(&found),
        }
    }
    cursor.warn(worker.line, format!("worker {:?} ends without 'End worker", short(&worker.name)));
    Ok(worker)
}

/// `DISK`, `NETWORK,TCP` or `NETWORK,VI`; `TCP` and `VI` alone give a warning.
fn kind<'a>(cursor: &mut Cursor<'a>, found: &Found<'a>, what: &'static str) -> Result<Kind, IcfError> {
    let line = cursor.value(found, false)?;
    let mut rest = line;
    let (first, second) = (rest.take_word().to_uppercase(), rest.take_word().to_uppercase());
    let kind = match (first.as_str(), second.as_str()) {
        ("DISK", "") => Kind::Disk,
        ("NETWORK", "TCP") => Kind::Tcp,
        ("NETWORK", "VI") => Kind::Vi,
        ("TCP" | "VI", "") => {
            cursor
                .warn(line.number, format!("{first} alone is taken for NETWORK,{first}; IOmeter refuses it"));
            if first == "TCP" { Kind::Tcp } else { Kind::Vi }
        }
        _ => {
            let known = "DISK, NETWORK,TCP and NETWORK,VI".to_string();
            return Err(
                cursor.error(line.number, Fault::Word { what, found: short(line.text).into(), known })
            );
        }
    };
    Ok(kind)
}

/// `1,DISABLED,1`, since 1.1.0 with `,DISABLED,0` for the fixed seed.
fn outstanding<'a>(
    cursor: &mut Cursor<'a>,
    found: &Found<'a>,
    worker: &mut RawWorker,
) -> Result<(), IcfError> {
    let mut line = cursor.value(found, false)?;
    worker.outstanding = Some((line.number, line.take_number("the number of outstanding IOs")?));
    worker.test_connection_rate = switch(&mut line, "the test of the connection rate")?;
    worker.transactions_per_connection = line.take_number("the number of transactions per connection")?;
    if !line.text.is_empty() {
        let fixed = switch(&mut line, "the use of a fixed seed")?;
        let seed = line.take_number("the fixed seed")?;
        worker.fixed_seed = fixed.then_some(seed);
        if fixed {
            let text =
                format!("worker {:?} has a fixed seed, which goodput takes from --seed instead", worker.name);
            cursor.warn(line.number, text);
        }
    }
    Ok(())
}

fn switch(line: &mut Line<'_>, what: &'static str) -> Result<bool, IcfError> {
    match line.take_word() {
        word if word.eq_ignore_ascii_case("ENABLED") => Ok(true),
        word if word.eq_ignore_ascii_case("DISABLED") => Ok(false),
        word => {
            let (found, known) = (short(word).to_string(), "ENABLED, DISABLED".to_string());
            Err(IcfError { line: line.number, fault: Fault::Word { what, found, known } })
        }
    }
}

/// Maximum size, starting sector, and since 2008 the data pattern.
fn disk_size<'a>(cursor: &mut Cursor<'a>, found: &Found<'a>) -> Result<(u64, u64, u8), IcfError> {
    let mut line = cursor.value(found, false)?;
    let size = line.take_number("the maximum size of a disk")?;
    let sector = line.take_number("the starting sector")?;
    let pattern = if line.text.is_empty() { 0 } else { line.take_number("the data pattern")? };
    Ok((size, sector, pattern))
}
