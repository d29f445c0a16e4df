//! Settings that an agent can change on its host: kernel knobs and user-supplied commands.

use super::command;
use super::policy::Policy;
use crate::protocol::{HostSettingSpec, SETTING_COMMAND_TIMEOUT};
use goodput_host::knob::{InterfaceKnob, KernelBackend, KnobBackend, KnobError, KnobState};
use goodput_words::{ErrorMessage, Message};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub(super) enum HostSetting {
    Knob(InterfaceKnob),
    Command {
        set: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        read: Option<Vec<String>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        restore: Option<Vec<String>>,
    },
}

impl HostSetting {
    pub(super) fn from_target(
        subject: &HostSettingSpec,
        towards: &[IpAddr],
    ) -> Result<HostSetting, KnobError> {
        match subject {
            HostSettingSpec::Knob { knob, interface } => KernelBackend
                .resolve_setting(knob.parse()?, interface.as_deref(), towards)
                .map(HostSetting::Knob),
            HostSettingSpec::Command { set, read, restore } => {
                Ok(HostSetting::Command { set: set.clone(), read: read.clone(), restore: restore.clone() })
            }
        }
    }

    /// Normalises a value to the form in which it is read back.
    pub(super) fn normalize_value(&self, value: &str) -> Result<String, KnobError> {
        match self {
            HostSetting::Knob(setting) => setting.knob.normalize_value(value),
            HostSetting::Command { .. } => Ok(value.trim().to_string()),
        }
    }
}

impl fmt::Display for HostSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostSetting::Knob(setting) => write!(f, "{setting}"),
            HostSetting::Command { set, .. } => write!(f, "`{}`", set.join(" ")),
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct LocalHostBackend {
    pub(super) policy: Policy,
}

impl LocalHostBackend {
    /// Runs `words` with its placeholders filled in. The policy is asked here as well as when an order arrives,
    /// because a setting can also come from the journal of an agent with another policy.
    fn run(&self, words: &[String], filled: &[String]) -> Result<String, Message> {
        self.policy.admits_command(words).map_err(|e| e.message())?;
        command::run_command(filled, SETTING_COMMAND_TIMEOUT)
    }

    fn run_for_value(
        &self,
        host_setting: &HostSetting,
        value: &str,
        words: &[String],
        placeholder: &str,
    ) -> Result<(), KnobError> {
        self.run(words, &filled(words, placeholder, value)).map(drop).map_err(|why| KnobError::Refused {
            setting: host_setting.to_string(),
            value: value.to_string(),
            why,
        })
    }
}

/// Replaces `{name}`: a word that is only this becomes the value's words; within a word it is as it is.
fn filled(words: &[String], name: &str, value: &str) -> Vec<String> {
    let one = |word: &String| match word == name {
        true => value.split_whitespace().map(String::from).collect(),
        false => vec![word.replace(name, value)],
    };
    words.iter().flat_map(one).collect()
}

impl KnobBackend for LocalHostBackend {
    type Setting = HostSetting;

    fn read_state(&self, host_setting: &HostSetting) -> Result<KnobState, KnobError> {
        match host_setting {
            HostSetting::Knob(setting) => KernelBackend.read_state(setting),
            HostSetting::Command { read: None, .. } => Ok(KnobState::default()),
            HostSetting::Command { read: Some(words), .. } => {
                let text = self
                    .run(words, words)
                    .map_err(|why| KnobError::NotHere { setting: host_setting.to_string(), why })?;
                Ok(KnobState { shown: text.clone(), exact: text, linked: BTreeMap::new() })
            }
        }
    }

    fn set_value(&self, host_setting: &HostSetting, value: &str) -> Result<(), KnobError> {
        match host_setting {
            HostSetting::Knob(setting) => KernelBackend.set_value(setting, value),
            HostSetting::Command { set, .. } => self.run_for_value(host_setting, value, set, "{level}"),
        }
    }

    fn restore_value(&self, host_setting: &HostSetting, exact: &str) -> Result<(), KnobError> {
        match host_setting {
            HostSetting::Knob(setting) => KernelBackend.restore_value(setting, exact),
            HostSetting::Command { restore: Some(restore), .. } => {
                self.run_for_value(host_setting, exact, restore, "{before}")
            }
            HostSetting::Command { read: Some(_), set, .. } => {
                self.run_for_value(host_setting, exact, set, "{level}")
            }
            HostSetting::Command { .. } => Err(KnobError::Gone {
                setting: host_setting.to_string(),
                why: "the experiment names neither a command that reads nor one that puts back".into(),
            }),
        }
    }

    fn is_namespaced(&self, host_setting: &HostSetting) -> bool {
        match host_setting {
            HostSetting::Knob(setting) => KernelBackend.is_namespaced(setting),
            // A command in the wrong namespace could do harm.
            HostSetting::Command { .. } => true,
        }
    }

    fn survives_reboot(&self, host_setting: &HostSetting) -> bool {
        matches!(host_setting, HostSetting::Command { .. })
    }

    fn is_readable(&self, host_setting: &HostSetting) -> bool {
        !matches!(host_setting, HostSetting::Command { read: None, .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_host::knob::{HostIdentity, KnobRestorer, NullJournal};

    fn words(line: &str) -> Vec<String> {
        line.split('|').map(String::from).collect()
    }

    fn keeper() -> KnobRestorer<LocalHostBackend> {
        let here = HostIdentity { boot: "b".into(), namespace: None };
        KnobRestorer::open(LocalHostBackend::default(), Box::new(NullJournal), &[], here).unwrap()
    }

    #[test]
    fn a_file_is_set_and_put_back_by_commands_and_unreadable_settings_without_looking() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("speed");
        std::fs::write(&file, "100\n").unwrap();
        let path = file.display();
        let set = words(&format!("sh|-c|echo $* > {path}|sh|{{level}}"));
        let host_setting = |restore: Option<Vec<String>>| HostSetting::Command {
            set: set.clone(),
            read: Some(words(&format!("cat|{path}"))),
            restore,
        };
        let restores = [None, Some(words(&format!("sh|-c|echo {{before}} > {path}")))];
        for restore in restores {
            let mut keeper = keeper();
            let put = keeper.set_value("a", &host_setting(restore.clone()), "10 half").unwrap();
            assert_eq!((put.before.as_str(), put.obtained.as_str()), ("100", "10 half"));
            let back = keeper.restore_owner_settings("a");
            assert_eq!((back.len(), back[0].trouble.clone()), (1, None));
            assert_eq!(std::fs::read_to_string(&file).unwrap(), "100\n");
        }
        // A `set` command without effect is detected.
        let nothing = HostSetting::Command {
            set: words("true"),
            read: Some(words(&format!("cat|{path}"))),
            restore: None,
        };
        let said = keeper().set_value("a", &nothing, "1000").unwrap_err().to_string();
        assert_eq!(said, "`true` was set to 1000 and is 100");

        let file = folder.path().join("done");
        let path = file.display();
        let host_setting = HostSetting::Command {
            set: words("true"),
            read: None,
            restore: Some(words(&format!("touch|{path}"))),
        };
        let mut keeper = keeper();
        keeper.set_value("a", &host_setting, "x").unwrap();
        keeper.set_value("a", &host_setting, "y").unwrap();
        assert_eq!(keeper.restore_owner_settings("a").len(), 1);
        assert!(file.exists());
        let blind = HostSetting::Command { set: words("true"), read: None, restore: None };
        keeper.set_value("a", &blind, "x").unwrap();
        assert!(keeper.restore_owner_settings("a")[0].trouble.as_ref().unwrap().contains("neither"));
    }

    #[test]
    fn a_deed_reads_back_from_its_journal() {
        let host_setting = HostSetting::Command { set: words("a|b"), read: None, restore: None };
        let text = serde_json::to_string(&host_setting).unwrap();
        assert_eq!(text, r#"{"by":"command","set":["a","b"]}"#);
        assert_eq!(serde_json::from_str::<HostSetting>(&text).unwrap(), host_setting);
        let knob = r#"{"by":"knob","knob":"mtu","device":{"index":2,"name":"eth0","software":true}}"#;
        let read: HostSetting = serde_json::from_str(knob).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), knob);
    }
}
