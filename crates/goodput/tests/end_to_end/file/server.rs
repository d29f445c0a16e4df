//! A real smbd in a lab's host, with an additional share for the test's folder.

use crate::samba::{PASSWORD, Samba, USER, why_none};
use crate::stage::{Home, Lab};
use libtest_mimic::Failed;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

pub struct Server {
    samba: Samba,
    target: String,
    password: String,
}

pub fn why_no_samba() -> Option<String> {
    why_none().map(|why| format!("{why}; .ci/setup test installs what is missing"))
}

impl Server {
    pub fn up(home: &Home, lab: &Lab<'_>, host: &str, folder: &Path) -> Result<Server, Failed> {
        let at = lab.host(host);
        let program = home.command(["lab"]).get_program().to_string_lossy().into_owned();
        let path = folder.display();
        let lines = format!("[share]\npath = {path}\nread only = no\nforce user = root\n");
        let samba = Samba::start_with(&lines, &[&program, "lab", "exec", &at]);
        let target = format!("smb://{USER}@{at}/share");
        let file = home.path().join("password");
        fs::write(&file, format!("{PASSWORD}\n"))?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600))?;
        let password = format!("--password-file {}", file.display());
        Ok(Server { samba, target, password })
    }

    /// The target, host a as its client, and the password.
    pub fn from_a(&self, lab: &Lab<'_>) -> String {
        format!("{} --from {} {}", self.target, lab.host("a"), self.password)
    }

    pub fn kill(&mut self) {
        self.samba.kill();
    }
}
