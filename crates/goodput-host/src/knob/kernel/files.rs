//! Settings with one file for each queue or CPU.

use super::{InterfaceKnob, POLICIES, refused, sysfs, unwritten};
use crate::knob::restorer::KnobState;
use crate::knob::value::format_kernel_mask;
use crate::knob::{KnobError, KnobMechanism};
use goodput_words::{ErrorMessage, Message, message};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn read_file_in_each_folder(
    folder: &Path,
    begins: &str,
    file: &str,
    read: impl Fn(String) -> Option<String>,
) -> Result<KnobState, Message> {
    let unreadable = |e: std::io::Error| {
        message!(error_cannot_read_why { path: folder.display().to_string(), why: e.message() })
    };
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let mut found = BTreeMap::new();
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let (true, Ok(text)) = (name.starts_with(begins), fs::read_to_string(entry.path().join(file))) {
            let strange = || message!(cause_knob_file_not_understood { file, name: &name });
            let value = read(text).ok_or_else(strange)?;
            found.insert(name, value);
        }
    }
    let Some(first) = found.values().next().cloned() else {
        return Err(message!(cause_knob_no_file { file }));
    };
    let exact = found.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ");
    let shown = if found.values().all(|v| *v == first) { first } else { exact.clone() };
    Ok(KnobState { shown, exact, linked: BTreeMap::new() })
}

pub(super) fn write_file_in_each_folder(
    setting: &InterfaceKnob,
    asked: &str,
    all: &BTreeMap<String, String>,
) -> Result<(), KnobError> {
    let (folder, file, masked) = match setting.knob.spec().way {
        KnobMechanism::Steering(file, _) => {
            let name = sysfs(setting)?.0;
            (Path::new("/sys/class/net").join(name).join("queues"), file, true)
        }
        _ => (PathBuf::from(POLICIES), "scaling_governor", false),
    };
    for (name, value) in all {
        let text = if masked { format_kernel_mask(value) } else { value.clone() };
        fs::write(folder.join(name).join(file), text).map_err(|e| refused(setting, asked, unwritten(&e)))?;
    }
    Ok(())
}
