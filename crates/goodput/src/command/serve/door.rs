//! What the server must be told by the program: where it lies, and what its arguments mean.

use crate::args::credentials::Shown;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::forms;
use goodput_control::RouterAddress;
use goodput_control::key::KEY_FILE_VARIABLE;
use goodput_server::forms::{Form, Leave};
use goodput_server::{Door, Refusal};
use std::path::{Path, PathBuf};

/// This program.
pub struct Program {
    path: PathBuf,
    environment: Vec<(&'static str, String)>,
}

impl Program {
    /// As the system knows it; its jobs reach the hosts that it reaches with these.
    pub fn here(shown: &Shown, router: Option<&RouterAddress>) -> Result<Program, Failure> {
        let path = std::env::current_exe()
            .map_err(|e| Failure::from_error(Exit::CannotMeasure, "this program does not find itself", &e))?;
        // A job may have another working folder.
        let file = |file: &Path| {
            let absolute = std::path::absolute(file);
            absolute
                .map(|path| path.to_string_lossy().into_owned())
                .map_err(|e| Failure::from_error(Exit::Usage, format!("cannot use {}", file.display()), &e))
        };
        let mut environment: Vec<(&'static str, String)> =
            router.map(|router| ("GOODPUT_ROUTER", router.to_string())).into_iter().collect();
        match shown {
            Shown::Usual => {}
            Shown::KeyFile(key) => environment.push((KEY_FILE_VARIABLE, file(key)?)),
            Shown::Certificates(files) => environment.extend([
                ("GOODPUT_CA", file(&files.ca)?),
                ("GOODPUT_CERTIFICATE", file(&files.certificate)?),
                ("GOODPUT_PRIVATE_KEY", file(&files.private_key)?),
            ]),
        }
        Ok(Program { path, environment })
    }
}

impl Door for Program {
    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn program(&self) -> &Path {
        &self.path
    }

    fn environment(&self) -> Vec<(&'static str, String)> {
        self.environment.clone()
    }

    fn forms(&self) -> Vec<Form> {
        forms::all()
    }

    fn check(&self, line: &[String]) -> Result<Vec<Leave>, Refusal> {
        forms::check(line)
    }
}
