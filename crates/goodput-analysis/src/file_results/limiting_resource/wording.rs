//! Numbers, lists and advice of a verdict.

use super::CopyObservations;
use goodput_model::file::FileDirection;
use goodput_model::summary::LimitingResource;
use goodput_model::{Message, MessageArg};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;

/// Decimal, as usual for files: `115.2 MB/s`.
pub(in crate::file_results) fn megabytes_arg(bps: f64) -> MessageArg {
    let mb = bps / 8e6;
    let text = match mb {
        m if m >= 1_000.0 => format!("{m:.0} MB/s"),
        m if m >= 100.0 => format!("{m:.1} MB/s"),
        m => format!("{m:.2} MB/s"),
    };
    quantity_arg(bps / 8.0, "B/s", text)
}

/// `a, b and c`.
pub(super) fn and_list(mut items: Vec<Message>) -> Message {
    match items.pop() {
        Some(last) if !items.is_empty() => message!(part_list_and { more: items, last }),
        only => only.unwrap_or_default(),
    }
}

pub fn suggested_next_step(cause: Option<LimitingResource>, seen: &CopyObservations) -> &'static str {
    let local = seen.local_disk.is_some();
    match cause {
        Some(LimitingResource::Wire) => {
            "use a faster link; goodput stream HOST shows whether the present link reaches its expected rate"
        }
        Some(LimitingResource::ClientCpu) if seen.remote => {
            "use jumbo frames, enable offloads (ethtool -k), or disable encryption and signing where that \
             is safe; goodput stream HOST shows the CPU usage without files"
        }
        Some(LimitingResource::ClientCpu) => {
            "use larger blocks (--block), and direct I/O where the file system supports it (--direct)"
        }
        Some(LimitingResource::ServerCpu) => {
            "on the server, use jumbo frames, enable offloads (ethtool -k), or disable encryption and \
             signing where that is safe"
        }
        Some(LimitingResource::ClientDisk) if local && seen.way == FileDirection::Write => {
            "copy from a faster disk, or omit --local to measure without the local disk"
        }
        Some(LimitingResource::ClientDisk) if local => {
            "copy to a faster disk, or omit --local to measure without the local disk"
        }
        Some(LimitingResource::ClientDisk) => {
            "use a faster disk; the drive benchmark (goodput file disk) shows which access patterns are slow"
        }
        Some(LimitingResource::ServerDisk) => {
            "install a faster disk in the server, or more memory: it speeds up repeated reads, and writes \
             until the memory is full"
        }
        None if !seen.remote || seen.server.busy.is_some() => {
            "use a larger --size, so that each copy takes several seconds, and a higher --repeat"
        }
        None => {
            "run goodput agent on the server and add --server HOST to measure its CPU and its disk \
             (--server-folder PATH); --medium specifies the link"
        }
    }
}
