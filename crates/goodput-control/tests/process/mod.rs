//! A test marked as ignored, run in a process of its own: something that can be killed, or frozen as if its link were cut.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A process that is killed when it is dropped.
pub struct Process(Child);

impl Process {
    /// Runs this test of the present binary; also its lines.
    pub fn of(test: &str, variables: &[(&str, String)]) -> (Process, impl Iterator<Item = String> + use<>) {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"])
            .envs(variables.iter().map(|(name, value)| (*name, value.as_str())))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        (Process(child), lines)
    }

    /// Silent from now on, with all its connections open: as if the link were cut.
    pub fn freeze(&self) {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args(["-STOP", &pid]).status().unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
