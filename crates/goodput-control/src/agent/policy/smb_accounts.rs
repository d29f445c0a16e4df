//! Rules for the SMB password of this host: the users and servers for which it may be used. A server can try to
//! guess the password from the answer to its challenge.

use super::knobs::allowed;
use super::{Policy, PolicyViolation};
use crate::address::parse_host_and_port;
use crate::protocol::StartJobRequest;
use goodput_model::file::{FileLocation, SMB_PORT};
use goodput_model::trial::EndpointRole;
use goodput_words::{Message, message};

/// `[DOMAIN;]USER@HOST[:PORT]`
struct SmbAccount<'a> {
    domain: Option<&'a str>,
    user: &'a str,
    host: &'a str,
    port: u16,
}

impl<'a> SmbAccount<'a> {
    fn parse(rule: &'a str) -> Option<SmbAccount<'a>> {
        let (user, server) = rule.rsplit_once('@')?;
        let (domain, user) = user.split_once(';').map_or((None, user), |(domain, user)| (Some(domain), user));
        let (host, port) = parse_host_and_port(server, SMB_PORT).ok()?;
        let plain = |name: &str| !name.is_empty() && !name.contains(['/', '[', ']']);
        (plain(user) && domain.is_none_or(plain)).then_some(SmbAccount { domain, user, host, port })
    }

    fn is_same(&self, other: &SmbAccount<'_>) -> bool {
        let domain = |account: &SmbAccount<'_>| account.domain.unwrap_or_default().to_ascii_lowercase();
        self.port == other.port
            && self.user.eq_ignore_ascii_case(other.user)
            && self.host.eq_ignore_ascii_case(other.host)
            && domain(self) == domain(other)
    }

    fn to_rule(&self) -> String {
        let domain = self.domain.map_or(String::new(), |domain| format!("{domain};"));
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.to_string() };
        let port = if self.port == SMB_PORT { String::new() } else { format!(":{}", self.port) };
        format!("{domain}{}@{host}{port}", self.user)
    }
}

pub fn validate_smb_account(rule: &str) -> Result<(), Message> {
    let wrong = || message!(error_policy_no_smb_account { rule: format!("{rule:?}") });
    SmbAccount::parse(rule).map(|_| ()).ok_or_else(wrong)
}

impl Policy {
    /// Whether an order may log on with the SMB password of this host; guests need none.
    pub(super) fn admits_smb_account(&self, start: &StartJobRequest) -> Result<(), PolicyViolation> {
        let Some(rules) = &self.smb_accounts else { return Ok(()) };
        let location = start.order.probe.settings().file_location();
        let location = location.filter(|_| start.role() == EndpointRole::Connect);
        let Some(FileLocation::Smb { host, port, domain, user: Some(user), .. }) = location else {
            return Ok(());
        };
        let asked = SmbAccount { domain: domain.as_deref(), user, host, port: *port };
        let fits = |rule: &String| SmbAccount::parse(rule).is_some_and(|rule| rule.is_same(&asked));
        if rules.iter().any(fits) {
            return Ok(());
        }
        let account = asked.to_rule();
        let hint = allowed(rules, &format!("--allow-smb '{account}'"));
        Err(self.refusal("smb.accounts", message!(part_policy_smb_password { account }), hint))
    }

    /// Adds allowed SMB accounts; where the file names none, only these are allowed.
    pub fn with_smb_accounts(mut self, accounts: &[String]) -> Policy {
        self.smb_accounts.get_or_insert_default().extend_from_slice(accounts);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::file_start;
    use super::*;
    use crate::identity::PeerIdentity;
    use goodput_model::file::FileWorkload;
    use std::path::Path;

    fn place(domain: Option<&str>, user: Option<&str>, host: &str, port: u16) -> FileLocation {
        let (share, path) = ("s".into(), String::new());
        let (domain, user) = (domain.map(String::from), user.map(String::from));
        FileLocation::Smb { host: host.into(), port, domain, user, share, path }
    }

    fn judged(policy: &Policy, place: FileLocation) -> Result<(), PolicyViolation> {
        policy.check_trial(&file_start(place, FileWorkload::Remove, true), &PeerIdentity::KeyHolder)
    }

    #[test]
    fn the_password_is_for_named_users_at_named_servers_only() {
        let rules = ["ann@nas", "LAB;bob@[fd00::2]:1445", "eve@corp@10.0.0.7"].map(String::from);
        let policy = Policy::default().with_smb_accounts(&rules);
        for (domain, user, host, port) in [
            (None, "ann", "nas", 445),
            (None, "Ann", "NAS", 445),
            (Some("lab"), "bob", "fd00::2", 1445),
            (None, "eve@corp", "10.0.0.7", 445),
        ] {
            assert_eq!(judged(&policy, place(domain, Some(user), host, port)), Ok(()), "{user}");
        }
        for (domain, user, host, port) in [
            (None, "ann", "nas2", 445),
            (None, "ann", "nas.", 445),
            (None, "ann", "10.0.0.7", 445),
            (None, "ann", "nas", 1445),
            (Some("LAB"), "ann", "nas", 445),
            (None, "root", "nas", 445),
            (None, "", "nas", 445),
            (None, "LAB;bob", "fd00::2", 1445),
            (None, "eve", "corp@10.0.0.7", 445),
        ] {
            let refused = judged(&policy, place(domain, Some(user), host, port)).unwrap_err();
            assert_eq!(refused.rule, "smb.accounts", "{user} {host}");
        }
        let none = Policy::default().with_smb_accounts(&[]);
        assert_eq!(
            judged(&none, place(None, Some("ann"), "nas", 1445)).unwrap_err().to_string(),
            "refused by rule smb.accounts: asked for this host's SMB password for ann@nas:1445, allowed is none; goodput \
             agent --allow-smb 'ann@nas:1445' allows it"
        );
        assert_eq!(judged(&none, place(None, None, "nas", 445)), Ok(()), "a guest needs no password");
        assert_eq!(judged(&Policy::default(), place(None, Some("ann"), "nas", 445)), Ok(()));
    }

    #[test]
    fn accounts_are_read_from_a_policys_file() {
        let read = |rule: &str| Policy::from_toml(&format!("[smb]\naccounts = [{rule:?}]"), Path::new("p"));
        for good in ["ann@nas", "LAB;ann@nas:1445", "ann@fd00::2", "ann@[fd00::2]"] {
            assert_eq!(read(good).unwrap().smb_accounts, Some(vec![good.to_string()]));
        }
        for bad in
            ["ann", "@nas", "ann@", ";ann@nas", "ann@nas:smb", "smb://ann@nas", "ann@[fd00::2", "ann@nas/s"]
        {
            let said = read(bad).unwrap_err().to_string();
            assert!(said.contains("line 2") && said.contains("USER@HOST"), "{bad}: {said}");
        }
    }
}
