//! The words of a judgement: figures, and what to try.

use goodput_model::file::FileWay;
use goodput_model::summary::FileCause;

/// Payload as files are usually told: `115.2 MB/s`, decimal.
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

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).filter(|w| !w.is_empty()).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => one.to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// What to try against a cause.
pub fn try_next(cause: Option<FileCause>, way: FileWay, watched: bool) -> &'static str {
    match (cause, way) {
        (Some(FileCause::Wire), _) => {
            "only a faster link makes such copies faster; goodput stream HOST shows whether the link gives what it should"
        }
        (Some(FileCause::ClientCpu), _) => {
            "larger packets (jumbo frames), offloads (ethtool -k), or encryption and signing off where that is safe; goodput \
             stream HOST shows the CPU's cost without files"
        }
        (Some(FileCause::ServerCpu), _) => {
            "on the server: larger packets (jumbo frames), offloads (ethtool -k), or encryption and signing off where that is \
             safe"
        }
        (Some(FileCause::ClientDisk), FileWay::Write) => {
            "copy from a faster disk, or without --local to see what the rest would do"
        }
        (Some(FileCause::ClientDisk), FileWay::Read) => {
            "copy to a faster disk, or without --local to see what the rest would do"
        }
        (Some(FileCause::ServerDisk), _) => {
            "a faster disk in the server; more memory there helps reading what was read before, and writing until it is full"
        }
        (None, _) if watched => {
            "--medium names the wire, a larger --size makes the windows longer, more --repeat the medians surer"
        }
        (None, _) => {
            "goodput agent on the server and --server HOST show its CPU and its disk (--server-folder PATH); --medium names the wire"
        }
    }
}
