//! Software steering of packets to CPUs (RPS, XPS): only `/sys/class/net/…/queues` tells it.
//!
//! `/sys` shows the network namespace in which it was mounted, not that of the process. So it is believed only where
//! it shows the same interfaces, with the same numbers and addresses, as this namespace has by rtnetlink.

use crate::link::Link;
use goodput_model::host::inventory::Fact;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FOLDER: &str = "/sys/class/net";

/// True when `/sys` shows these interfaces and no others.
pub(crate) fn shows(links: &[Link]) -> bool {
    let text = |name: &str, file: &str| {
        fs::read_to_string(Path::new(FOLDER).join(name).join(file)).map(|t| t.trim().to_string()).ok()
    };
    let same = |link: &Link| {
        text(&link.name, "ifindex") == Some(link.index.to_string())
            && text(&link.name, "address").is_some_and(|t| t == address(&link.address))
    };
    // Files beside the interfaces' links (bonding_masters) are none.
    let shown = fs::read_dir(FOLDER)
        .map(|d| d.filter_map(Result::ok).filter(|e| e.path().join("ifindex").exists()).count());
    shown.is_ok_and(|n| n == links.len()) && links.iter().all(same)
}

fn address(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(":")
}

/// Each queue's CPUs as a hexadecimal mask, and the sizes of its flow tables where they are not 0.
pub(crate) fn of_interface(name: &str, shown: bool) -> Fact<BTreeMap<String, String>> {
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
            // A queue without XPS answers with an error: it has none.
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
    fn another_namespaces_folder_is_not_believed() {
        let stranger = Link { index: 77, name: "no-such-thing".into(), ..Link::default() };
        assert!(!shows(&[stranger]));
        assert!(!shows(&[]));
        assert!(of_interface("lo", false).reason().is_some());
    }

    #[test]
    fn addresses_are_written_as_the_kernel_writes_them() {
        assert_eq!(address(&[0, 1, 0xab, 0, 0, 0xff]), "00:01:ab:00:00:ff");
        assert_eq!(address(&[]), "");
    }
}
