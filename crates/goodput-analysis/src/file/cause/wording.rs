//! Formats the numbers and advice of a verdict.

use super::Observations;
use goodput_model::file::FileWay;
use goodput_model::summary::FileCause;

/// Decimal, as usual for files: `115.2 MB/s`.
pub(in crate::file) fn megabytes(bps: f64) -> String {
    let mb = bps / 8e6;
    match mb {
        m if m >= 1_000.0 => format!("{m:.0} MB/s"),
        m if m >= 100.0 => format!("{m:.1} MB/s"),
        m => format!("{m:.2} MB/s"),
    }
}

pub(super) fn percent(value: f64) -> String {
    format!("{value:.1} %")
}

pub(super) fn listed<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).filter(|w| !w.is_empty()).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => one.to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

pub fn try_next(cause: Option<FileCause>, seen: &Observations) -> &'static str {
    let local = seen.local_disk.is_some();
    match cause {
        Some(FileCause::Wire) => {
            "only a faster link makes such copies faster; goodput stream HOST shows whether the link gives what it should"
        }
        Some(FileCause::ClientCpu) if seen.remote => {
            "larger packets (jumbo frames), offloads (ethtool -k), or encryption and signing off where that is safe; goodput \
             stream HOST shows the CPU's cost without files"
        }
        Some(FileCause::ClientCpu) => {
            "larger blocks (--block), and direct I/O where the file system has it (--direct)"
        }
        Some(FileCause::ServerCpu) => {
            "on the server: larger packets (jumbo frames), offloads (ethtool -k), or encryption and signing off where that is \
             safe"
        }
        Some(FileCause::ClientDisk) if local && seen.way == FileWay::Write => {
            "copy from a faster disk, or without --local to see what the rest would do"
        }
        Some(FileCause::ClientDisk) if local => {
            "copy to a faster disk, or without --local to see what the rest would do"
        }
        Some(FileCause::ClientDisk) => {
            "a faster disk; the drive mark (goodput file disk) shows which accesses it is slow at"
        }
        Some(FileCause::ServerDisk) => {
            "a faster disk in the server; more memory there helps reading what was read before, and writing until it is full"
        }
        None if !seen.remote || seen.server.busy.is_some() => {
            "a larger --size, so that each copy takes several seconds, and more --repeat"
        }
        None => {
            "goodput agent on the server and --server HOST show its CPU and its disk (--server-folder PATH); --medium names the wire"
        }
    }
}
