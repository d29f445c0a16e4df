//! Packet steering to CPUs (RPS, XPS), only in `/sys/class/net/…/queues`. `/sys` shows the network namespace
//! of its mount, so it is used only with this namespace's interfaces, of equal numbers and addresses.

use crate::link_statistics::LinkInfo;
use goodput_model::host::inventory::Fact;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FOLDER: &str = "/sys/class/net";

pub(crate) fn sysfs_matches_namespace(links: &[LinkInfo]) -> bool {
    let text = |name: &str, file: &str| {
        fs::read_to_string(Path::new(FOLDER).join(name).join(file)).map(|t| t.trim().to_string()).ok()
    };
    let same = |link: &LinkInfo| {
        text(&link.name, "ifindex") == Some(link.index.to_string())
            && text(&link.name, "address").is_some_and(|t| t == address(&link.address))
    };
    let shown = fs::read_dir(FOLDER)
        .map(|d| d.filter_map(Result::ok).filter(|e| e.path().join("ifindex").exists()).count());
    shown.is_ok_and(|n| n == links.len()) && links.iter().all(same)
}

fn address(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(":")
}

/// Each queue's CPU mask in hexadecimal, and nonzero flow table sizes.
pub(crate) fn interface_packet_steering(name: &str, shown: bool) -> Fact<BTreeMap<String, String>> {
    if !shown {
        return Fact::NotAvailable("/sys shows another network namespace than this one".into());
    }
    let folder = Path::new(FOLDER).join(name).join("queues");
    let Ok(queues) = fs::read_dir(&folder) else {
        return Fact::NotAvailable(format!("cannot read {}", folder.display()));
    };
    let mut found = BTreeMap::new();
    for queue in queues.filter_map(Result::ok) {
        let name = queue.file_name().to_string_lossy().into_owned();
        for (file, of) in [("rps_cpus", "rps"), ("xps_cpus", "xps"), ("rps_flow_cnt", "rps flows")] {
            // Reading fails for a queue without XPS.
            if let Ok(text) = fs::read_to_string(queue.path().join(file)) {
                let text = text.trim();
                if of != "rps flows" || text != "0" {
                    found.insert(format!("{name} {of}"), text.to_string());
                }
            }
        }
    }
    Fact::Value(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_namespaces_folder_is_not_believed_and_addresses_are_written_in_hexadecimal() {
        let stranger = LinkInfo { index: 77, name: "no-such-thing".into(), ..LinkInfo::default() };
        assert!(!sysfs_matches_namespace(&[stranger]));
        assert!(!sysfs_matches_namespace(&[]));
        assert!(interface_packet_steering("lo", false).unavailable_reason().is_some());
        assert_eq!(address(&[0, 1, 0xab, 0, 0, 0xff]), "00:01:ab:00:00:ff");
        assert_eq!(address(&[]), "");
    }
}
