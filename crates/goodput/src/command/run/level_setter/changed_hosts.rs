//! A file beside the runs with the hosts a run has changed; agents' journals have the original values.

use goodput_host::open_own_file;
use goodput_model::Message;
use goodput_store::create_file_anew;
use goodput_words::{ErrorMessage, message};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

pub struct ChangedHosts {
    path: PathBuf,
    noted: Vec<SettingsMark>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SettingsMark {
    host: String,
    settings: Vec<String>,
}

impl ChangedHosts {
    pub fn load(path: PathBuf) -> ChangedHosts {
        let text = read(&path).unwrap_or_default();
        ChangedHosts { noted: serde_json::from_slice(&text).unwrap_or_default(), path }
    }

    /// Records an imminent change on disk; after an error nothing may be changed.
    pub fn record_change(&mut self, host: &str, setting: &str) -> Result<(), Message> {
        let mut noted = self.noted.clone();
        let at = noted.iter().position(|n| n.host == host).unwrap_or_else(|| {
            noted.push(SettingsMark { host: host.to_string(), settings: Vec::new() });
            noted.len() - 1
        });
        if noted[at].settings.iter().any(|s| s == setting) {
            return Ok(());
        }
        noted[at].settings.push(setting.to_string());
        self.write(&noted).map_err(|e| {
            let path = self.path.display().to_string();
            message!(error_change_not_recorded { path, why: e.message() })
        })?;
        self.noted = noted;
        Ok(())
    }

    pub fn host_names(&self) -> Vec<String> {
        self.noted.iter().map(|n| n.host.clone()).collect()
    }

    pub fn settings_of_host(&self, host: &str) -> Vec<String> {
        self.noted.iter().find(|n| n.host == host).map(|n| n.settings.clone()).unwrap_or_default()
    }

    pub fn remove_host(&mut self, host: &str) {
        self.keep(|n| n.host != host);
    }

    pub fn remove_hosts_of_lab(&mut self, lab: &str) {
        let end = format!("@{lab}");
        self.keep(|n| !n.host.ends_with(&end));
    }

    fn keep(&mut self, which: impl Fn(&SettingsMark) -> bool) {
        let before = self.noted.len();
        self.noted.retain(which);
        if self.noted.len() == before {
            return;
        }
        // A remaining file only causes another check.
        let _ = if self.noted.is_empty() { fs::remove_file(&self.path) } else { self.write(&self.noted) };
    }

    /// Written beside and renamed, so that the file is never partial.
    fn write(&self, noted: &[SettingsMark]) -> io::Result<()> {
        let beside = self.path.with_extension("part");
        let mut file = create_file_anew(&beside, 0o600)?;
        file.write_all(&serde_json::to_vec(noted)?)?;
        file.sync_all()?;
        fs::rename(&beside, &self.path)?;
        match self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) => File::open(folder)?.sync_all(),
            None => Ok(()),
        }
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    open_own_file(path, OpenOptions::new().read(true))?.read_to_end(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_there_as_long_as_something_is_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("note.json");
        let mut mark = ChangedHosts::load(path.clone());
        mark.record_change("lab:a@x", "mtu").unwrap();
        mark.record_change("lab:a@x", "mtu").unwrap();
        mark.record_change("10.0.0.1", "mtu").unwrap();
        mark.record_change("10.0.0.1", "offload gro").unwrap();
        let mut again = ChangedHosts::load(path.clone());
        assert_eq!(again.host_names(), ["lab:a@x", "10.0.0.1"]);
        assert_eq!(again.settings_of_host("10.0.0.1"), ["mtu", "offload gro"]);
        again.remove_hosts_of_lab("x");
        assert_eq!(ChangedHosts::load(path.clone()).host_names(), ["10.0.0.1"]);
        let link = folder.path().join("link.json");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(ChangedHosts::load(link).host_names().is_empty());
        again.remove_host("10.0.0.1");
        assert!(!path.exists());
        assert!(ChangedHosts::load(folder.path().join("no/such/note.json")).record_change("a", "b").is_err());
    }
}
