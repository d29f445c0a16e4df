//! Configuration of the server: host, jobs, permissions.

use crate::args::credentials::ChosenCredentials;
use crate::command::credentials;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::forms;
use goodput_control::RouterAddress;
use goodput_control::key::KEY_FILE_VARIABLE;
use goodput_file::secret;
use goodput_server::forms::{Form, Leave};
use goodput_server::{ProgramInterface, Refusal};
use goodput_words::{Language, language};
use std::path::{Path, PathBuf};

pub struct Program {
    path: PathBuf,
    environment: Vec<(&'static str, String)>,
    withheld: Vec<&'static str>,
}

impl Program {
    /// Jobs use these connection options and may do what is allowed.
    pub fn here(
        shown: &ChosenCredentials,
        router: Option<&RouterAddress>,
        allow: &[Leave],
    ) -> Result<Program, Failure> {
        let path = std::env::current_exe()
            .map_err(|e| Failure::from_error(Exit::CannotMeasure, "this program does not find itself", &e))?;
        // A job may have another working folder.
        let file = |file: &Path| {
            let absolute = std::path::absolute(file);
            absolute
                .map(|path| path.to_string_lossy().into_owned())
                .map_err(|e| Failure::from_error(Exit::Usage, format!("cannot use {}", file.display()), &e))
        };
        // The page translates a job's messages for each reader.
        let mut environment = vec![(language::VARIABLE, Language::English.tag().to_string())];
        environment.extend(router.map(|router| ("GOODPUT_ROUTER", router.to_string())));
        let [ca, certificate, private_key] = credentials::VARIABLES;
        // Typed credentials replace those of the environment.
        let mut withheld = Vec::new();
        match shown {
            ChosenCredentials::Usual => {}
            ChosenCredentials::KeyFile(key) => {
                environment.push((KEY_FILE_VARIABLE, file(key)?));
                withheld.extend(credentials::VARIABLES);
            }
            ChosenCredentials::Certificates(files) => {
                environment.extend([
                    (ca, file(&files.ca)?),
                    (certificate, file(&files.certificate)?),
                    (private_key, file(&files.private_key)?),
                ]);
                withheld.push(KEY_FILE_VARIABLE);
            }
        }
        // A line names the host that receives the password, so a line with this password needs permission for
        // files.
        if !allow.contains(&Leave::Files) {
            withheld.extend([secret::PASSWORD, secret::PASSWORD_FILE]);
        }
        Ok(Program { path, environment, withheld })
    }
}

impl ProgramInterface for Program {
    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn program(&self) -> &Path {
        &self.path
    }

    fn environment(&self) -> Vec<(&'static str, String)> {
        self.environment.clone()
    }

    fn withheld(&self) -> Vec<&'static str> {
        self.withheld.clone()
    }

    fn forms(&self) -> Vec<Form> {
        forms::all()
    }

    fn say(&self, sentence: &str) {
        eprintln!("{sentence}");
    }

    fn check(&self, line: &[String]) -> Result<Vec<Leave>, Refusal> {
        forms::check(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_control::identity::CertificateFiles;

    fn withheld(shown: &ChosenCredentials, allow: &[Leave]) -> Vec<&'static str> {
        Program::here(shown, None, allow).expect("this program finds itself").withheld()
    }

    #[test]
    fn jobs_have_no_password_unless_they_may_read_files() {
        assert_eq!(withheld(&ChosenCredentials::Usual, &[]), [secret::PASSWORD, secret::PASSWORD_FILE]);
        assert!(withheld(&ChosenCredentials::Usual, &[Leave::Files]).is_empty());
    }

    #[test]
    fn what_was_typed_is_not_contradicted() {
        let files = CertificateFiles { ca: "a".into(), certificate: "c".into(), private_key: "k".into() };
        let allow = [Leave::Files];
        assert_eq!(withheld(&ChosenCredentials::Certificates(files), &allow), [KEY_FILE_VARIABLE]);
        assert_eq!(withheld(&ChosenCredentials::KeyFile("key".into()), &allow), credentials::VARIABLES);
    }
}
