//! Rules for changes of this host: knobs by name, commands by their first words.

use super::{Policy, PolicyViolation};
use goodput_host::knob::{InterfaceId, Knob, is_valid_policy_rule};
use goodput_words::{Message, message};

/// Allows every knob, or every command.
const ANY: &str = "any";
/// Allows every knob with no effect outside the agent's network namespace.
const NAMESPACE: &str = "namespace";

pub fn validate_knob_rule(rule: &str) -> Result<(), Message> {
    match is_valid_policy_rule(rule) {
        true => Ok(()),
        false => Err(message!(error_policy_no_knob { rule: format!("{rule:?}") })),
    }
}

pub fn validate_command_rule(rule: &str) -> Result<(), Message> {
    match rule.split_whitespace().next() {
        Some(_) => Ok(()),
        None => Err(message!(error_policy_no_command { rule: format!("{rule:?}") })),
    }
}

impl Policy {
    /// Whether a knob may be set; `on` is its interface.
    pub fn admits_knob(&self, knob: &Knob, on: Option<&InterfaceId>) -> Result<(), PolicyViolation> {
        let Some(rules) = &self.knobs else { return Ok(()) };
        let fits = |rule: &String| match rule.trim() {
            NAMESPACE => knob.is_namespace_local(on),
            rule => knob.matches_policy_rule(rule),
        };
        if rules.iter().any(fits) {
            return Ok(());
        }
        let name = knob.to_string();
        let asked = match on {
            Some(device) => message!(part_policy_setting_of { knob: name, interface: &device.name }),
            None => message!(part_policy_setting { knob: name }),
        };
        Err(self.refusal("knobs.allowed", asked, allowed(rules, &format!("--allow-knob '{knob}'"))))
    }

    pub fn admits_command(&self, words: &[String]) -> Result<(), PolicyViolation> {
        let Some(rules) = &self.commands else { return Ok(()) };
        let fits = |rule: &String| {
            let mut wanted = words.iter();
            rule.trim() == ANY || rule.split_whitespace().all(|word| wanted.next().is_some_and(|w| w == word))
        };
        if !words.is_empty() && rules.iter().any(fits) {
            return Ok(());
        }
        let first = words.first().map_or("", String::as_str);
        let hint = format!("--allow-command '{first}'");
        let asked = message!(part_policy_running { command: words.join(" ") });
        Err(self.refusal("commands.allowed", asked, allowed(rules, &hint)))
    }

    /// Adds allowed knobs and commands; where the file names none, only these are allowed.
    pub fn with_knobs_and_commands(mut self, knobs: &[String], commands: &[String]) -> Policy {
        self.knobs.get_or_insert_default().extend_from_slice(knobs);
        self.commands.get_or_insert_default().extend_from_slice(commands);
        self
    }
}

pub(super) fn allowed(rules: &[String], option: &str) -> Message {
    match rules {
        [] => message!(part_policy_none_but_option { option }),
        rules => super::one_of(rules),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn knob(typed: &str) -> Knob {
        typed.parse().unwrap()
    }

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(String::from).collect()
    }

    fn allowing(knobs: &[&str], commands: &[&str]) -> Policy {
        let owned = |rules: &[&str]| rules.iter().map(|rule| rule.to_string()).collect::<Vec<_>>();
        Policy::default().with_knobs_and_commands(&owned(knobs), &owned(commands))
    }

    #[test]
    fn a_knob_is_set_only_where_it_is_allowed() {
        let veth = InterfaceId { index: 2, name: "eth0".into(), software: true };
        let card = InterfaceId { software: false, ..veth.clone() };
        let said = allowing(&[], &[]).admits_knob(&knob("mtu"), Some(&veth)).unwrap_err().to_string();
        assert_eq!(
            said,
            "refused by rule knobs.allowed: asked for setting mtu of eth0, allowed is none; goodput agent --allow-knob \
             'mtu' allows it"
        );
        let some = allowing(&["offload", "namespace"], &[]);
        assert_eq!(some.admits_knob(&knob("offload gro"), Some(&card)), Ok(()));
        assert_eq!(some.admits_knob(&knob("mtu"), Some(&veth)), Ok(()));
        assert!(some.admits_knob(&knob("mtu"), Some(&card)).is_err());
        assert!(some.admits_knob(&knob("sysctl net.core.rmem_max"), None).is_err());
        for any in [Policy::default(), allowing(&["any"], &[])] {
            assert_eq!(any.admits_knob(&knob("governor"), None), Ok(()));
        }
    }

    #[test]
    fn a_command_is_run_only_where_its_first_words_are_allowed() {
        let some = allowing(&[], &["ip link", "/usr/sbin/nic"]);
        for good in ["ip link set eth0 mtu 9000", "/usr/sbin/nic 3"] {
            assert_eq!(some.admits_command(&words(good)), Ok(()));
        }
        for bad in ["ip", "ip addr", "nic 3", "sh -c ip", "/usr/sbin/nicer"] {
            let refused = some.admits_command(&words(bad)).unwrap_err();
            assert_eq!(refused.rule, "commands.allowed", "{bad}");
        }
        assert!(some.admits_command(&[]).is_err());
        let said = allowing(&[], &[]).admits_command(&words("true")).unwrap_err().to_string();
        assert!(said.contains("--allow-command 'true'"), "{said}");
        assert_eq!(allowing(&[], &["any"]).admits_command(&words("true")), Ok(()));
    }

    #[test]
    fn rules_are_read_from_a_policys_file() {
        let text = "[knobs]\nallowed = [\"mtu\", \"sysctl net.ipv4.tcp_rmem\"]\n[commands]\nallowed = [\"ip link\"]\n";
        let policy = Policy::from_toml(text, Path::new("p")).unwrap();
        assert_eq!(policy.knobs.as_deref().map(|k| k[1].as_str()), Some("sysctl net.ipv4.tcp_rmem"));
        let shown = policy.to_string();
        assert!(shown.contains("knobs.allowed") && shown.contains("ip link"), "{shown}");
        for (bad, said) in [
            ("[knobs]\nallowed = [\"speed\"]", "docs/knobs.md"),
            ("[knobs]\nall = []", "unknown field"),
            ("[commands]\nallowed = [\" \"]", "no command"),
        ] {
            let e = Policy::from_toml(bad, Path::new("p")).unwrap_err().to_string();
            assert!(e.contains(said) && e.contains("line 2"), "{e}");
        }
    }
}
