//! Resolves the folders and files of an order for file work and checks them, without links, against the policy.

use super::Policy;
use crate::path_text;
use crate::protocol::StartJobRequest;
use goodput_model::file::{FileLocation, SinkStorageKind};
use goodput_model::trial::EndpointRole;
use goodput_words::{ErrorMessage, Message, message};
use std::path::Path;

/// Chooses a disk sink's folder where the order leaves it open; no link may lead out of the allowed folders.
/// [`Policy::check_trial`] has checked the rules.
pub(super) fn choose_sink_folder(policy: &Policy, start: &mut StartJobRequest) -> Result<(), Message> {
    let role = start.role();
    let settings = start.order.probe.settings_mut();
    if role == EndpointRole::Listen
        && let Some(FileLocation::Sink { sink: SinkStorageKind::Disk { path: path @ None } }) =
            settings.file_location_mut()
    {
        let first = policy.folders.as_ref().and_then(|all| all.first());
        let first =
            first.and_then(|folder| folder.to_str()).ok_or_else(|| message!(error_no_folder_is_named))?;
        *path = Some(first.to_string());
    }
    settings.accessed_paths(role).into_iter().try_for_each(|path| resolves_inside(policy, Path::new(path)))
}

/// A missing path is no error here; opening it fails later.
fn resolves_inside(policy: &Policy, path: &Path) -> Result<(), Message> {
    let (Some(allowed), Ok(really)) = (&policy.folders, path.canonicalize()) else { return Ok(()) };
    let below =
        |all: &Path| really.starts_with(all) || all.canonicalize().is_ok_and(|all| really.starts_with(all));
    if allowed.iter().any(|all| below(all)) {
        return Ok(());
    }
    let why = policy.admits_path(&really).err().map(|e| e.message()).unwrap_or_default();
    Err(message!(error_link_leads_out { path: path_text(path), target: path_text(&really), why }))
}

#[cfg(test)]
mod tests {
    use super::super::policy::tests::file_start;
    use super::*;
    use goodput_model::Probe;
    use goodput_model::file::FileWorkload;
    use std::path::PathBuf;

    fn disk(path: Option<&str>) -> FileLocation {
        FileLocation::Sink { sink: SinkStorageKind::Disk { path: path.map(String::from) } }
    }

    fn allowing(folders: &[&Path]) -> Policy {
        Policy::default().with_folders(&folders.iter().map(|f| f.to_path_buf()).collect::<Vec<PathBuf>>())
    }

    #[test]
    fn a_folder_that_is_left_to_us_is_the_first_that_is_allowed() {
        let asked = || file_start(disk(None), FileWorkload::Remove, false);
        let mut start = asked();
        let two = allowing(&[Path::new("/nowhere/a"), Path::new("/nowhere/b")]);
        choose_sink_folder(&two, &mut start).unwrap();
        let Probe::File(file) = &start.order.probe else { panic!() };
        assert_eq!(file.place, disk(Some("/nowhere/a")));
        for none in [Policy::default(), allowing(&[])] {
            let said = choose_sink_folder(&none, &mut asked()).unwrap_err();
            assert!(said.contains("--allow-dir"), "{said}");
        }
        choose_sink_folder(&allowing(&[]), &mut file_start(disk(None), FileWorkload::Remove, true)).unwrap();
    }

    #[test]
    fn a_link_does_not_lead_out_of_what_is_allowed() {
        let (mine, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let link = mine.path().join("link");
        std::os::unix::fs::symlink(other.path(), &link).unwrap();
        let policy = allowing(&[mine.path()]);
        let start = |folder: &Path| {
            choose_sink_folder(&policy, &mut file_start(disk(folder.to_str()), FileWorkload::Remove, false))
        };
        start(mine.path()).unwrap();
        start(&mine.path().join("not there yet")).unwrap();
        let said = start(&link).unwrap_err();
        assert!(said.contains("leads to") && said.contains("folders.allowed"), "{said}");
    }
}
