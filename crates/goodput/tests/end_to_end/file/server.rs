//! A real smbd in a lab's host, with an additional share for the test's folder.

use crate::samba::{PASSWORD, Samba, USER, why_none};
use crate::stage::{Home, Lab};
use libtest_mimic::Failed;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

pub struct Shared<'a> {
    pub folder: &'a Path,
    pub read_only: bool,
    /// smb.conf(5), "sync always".
    pub durable: bool,
}

impl<'a> Shared<'a> {
    pub fn writable(folder: &'a Path) -> Shared<'a> {
        Shared { folder, read_only: false, durable: false }
    }
}

pub struct Server {
    samba: Samba,
    target: String,
    password: String,
}

pub fn why_no_samba() -> Option<String> {
    why_none().map(|why| format!("{why}; .ci/setup test installs what is missing"))
}

impl Server {
    pub fn up(home: &Home, lab: &Lab<'_>, host: &str, shared: &Shared<'_>) -> Result<Server, Failed> {
        let at = lab.host(host);
        let program = home.command(["lab"]).get_program().to_string_lossy().into_owned();
        let read_only = if shared.read_only { "yes" } else { "no" };
        let durable = if shared.durable { "sync always = yes\n" } else { "" };
        let lines = format!(
            "[share]\npath = {}\nread only = {read_only}\nforce user = root\n{durable}",
            shared.folder.display()
        );
        let samba = Samba::start_with(&lines, &[&program, "lab", "exec", &at]);
        let target = format!("smb://{USER}@{at}/share");
        let password = format!("--password-file {}", Server::secret(home, "password", PASSWORD)?);
        Ok(Server { samba, target, password })
    }

    pub fn secret(home: &Home, name: &str, password: &str) -> Result<String, Failed> {
        let file = home.path().join(name);
        fs::write(&file, format!("{password}\n"))?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600))?;
        Ok(file.display().to_string())
    }

    /// The target, host a as its client, and the password.
    pub fn from_a(&self, lab: &Lab<'_>) -> String {
        format!("{} --from {} {}", self.target, lab.host("a"), self.password)
    }

    pub fn kill(&mut self) {
        self.samba.kill();
    }
}
