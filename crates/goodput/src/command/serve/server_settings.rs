//! Configuration of the server: host, jobs, permissions.

use crate::args::credentials::CredentialSource;
use crate::command::credentials;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure};
use crate::forms;
use goodput_control::AgentRouterAddress;
use goodput_control::lab_key::KEY_FILE_ENV;
use goodput_file::smb_password;
use goodput_server::forms::{Form, JobPermission};
use goodput_server::{CheckedCommand, CommandLineProgram, CommandRefusal};
use goodput_words::{Language, language, message};
use std::path::{Path, PathBuf};

pub struct JobProgram {
    path: PathBuf,
    environment: Vec<(&'static str, String)>,
    withheld: Vec<&'static str>,
}

impl JobProgram {
    /// Jobs use these connection options and may do what is allowed.
    pub fn for_current_executable(
        shown: &CredentialSource,
        router: Option<&AgentRouterAddress>,
        allow: &[JobPermission],
    ) -> Result<JobProgram, Failure> {
        let path = std::env::current_exe()
            .or_failure(ExitStatus::CannotMeasure, "this program does not find itself")?;
        // A job may have another working folder.
        let file = |file: &Path| {
            let absolute = std::path::absolute(file).map(|path| path.to_string_lossy().into_owned());
            let failed = message!(error_serve_cannot_use { path: file.display().to_string() });
            absolute.or_failure(ExitStatus::Usage, failed)
        };
        // The server translates a job's messages for each reader.
        let mut environment =
            vec![(language::LANGUAGE_ENV_VARIABLE, Language::English.bcp47_tag().to_string())];
        environment.extend(router.map(|router| ("GOODPUT_ROUTER", router.to_string())));
        let [ca, certificate, private_key] = credentials::CREDENTIAL_ENV_VARIABLES;
        // Typed credentials replace those of the environment.
        let mut withheld = Vec::new();
        match shown {
            CredentialSource::Usual => {}
            CredentialSource::KeyFile(key) => {
                environment.push((KEY_FILE_ENV, file(key)?));
                withheld.extend(credentials::CREDENTIAL_ENV_VARIABLES);
            }
            CredentialSource::Certificates(files) => {
                environment.extend([
                    (ca, file(&files.ca)?),
                    (certificate, file(&files.certificate)?),
                    (private_key, file(&files.private_key)?),
                ]);
                withheld.push(KEY_FILE_ENV);
            }
        }
        // A line names the host that receives the password, so it needs permission for files.
        if !allow.contains(&JobPermission::Files) {
            withheld.extend([smb_password::PASSWORD_ENV, smb_password::PASSWORD_FILE_ENV]);
        }
        Ok(JobProgram { path, environment, withheld })
    }
}

impl CommandLineProgram for JobProgram {
    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn executable(&self) -> &Path {
        &self.path
    }

    fn job_environment(&self) -> Vec<(&'static str, String)> {
        self.environment.clone()
    }

    fn removed_env_variables(&self) -> Vec<&'static str> {
        self.withheld.clone()
    }

    fn command_web_forms(&self) -> Vec<Form> {
        forms::build_command_web_forms()
    }

    fn print_message(&self, sentence: &str) {
        eprintln!("{sentence}");
    }

    fn check_command(&self, line: &[String]) -> Result<CheckedCommand, CommandRefusal> {
        forms::check_command(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_control::identity::CertificateFiles;

    fn withheld(shown: &CredentialSource, allow: &[JobPermission]) -> Vec<&'static str> {
        JobProgram::for_current_executable(shown, None, allow)
            .expect("this program finds itself")
            .removed_env_variables()
    }

    #[test]
    fn jobs_have_no_password_unless_they_may_read_files() {
        assert_eq!(
            withheld(&CredentialSource::Usual, &[]),
            [smb_password::PASSWORD_ENV, smb_password::PASSWORD_FILE_ENV]
        );
        assert!(withheld(&CredentialSource::Usual, &[JobPermission::Files]).is_empty());
    }

    #[test]
    fn what_was_typed_is_not_contradicted() {
        let files = CertificateFiles { ca: "a".into(), certificate: "c".into(), private_key: "k".into() };
        let allow = [JobPermission::Files];
        assert_eq!(withheld(&CredentialSource::Certificates(files), &allow), [KEY_FILE_ENV]);
        assert_eq!(
            withheld(&CredentialSource::KeyFile("key".into()), &allow),
            credentials::CREDENTIAL_ENV_VARIABLES
        );
    }
}
