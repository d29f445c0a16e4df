//! Starts programs in the two hosts, with deadlines, and collects their output.

use crate::error::{BenchError, tail};
use crate::network::{Host, Network};
use crate::sys;
use std::io::Read;
use std::process::{Child, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Poll interval, equal for every contender.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
const LISTENING: Duration = Duration::from_secs(5);

/// Killed on drop.
pub struct Running {
    program: String,
    child: Child,
    out: Option<JoinHandle<String>>,
    err: Option<JoinHandle<String>>,
}

#[derive(Debug, Clone, Default)]
pub struct Printed {
    pub out: String,
    pub err: String,
}

impl Running {
    /// Pinned to a CPU. Call from the main thread.
    pub fn start(network: &Network, host: Host, cpu: u32, words: &[String]) -> Result<Running, BenchError> {
        let program = words.first().cloned().unwrap_or_default();
        let mut command = network.command(host, cpu, &program);
        command.args(words.iter().skip(1));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        sys::kill_with_parent(&mut command);
        let mut child =
            command.spawn().map_err(|source| BenchError::Start { program: program.clone(), source })?;
        let out = child.stdout.take().map(drain);
        let err = child.stderr.take().map(drain);
        Ok(Running { program, child, out, err })
    }

    /// The wrappers exec, so it is the program's own.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for a listener in the kernel's table: a connection would use up a server that serves once.
    pub fn listening(&mut self, network: &Network, host: Host, port: u16) -> Result<(), BenchError> {
        let start = Instant::now();
        while !network.listens(host, port)? {
            if let Ok(Some(status)) = self.child.try_wait() {
                let said = self.printed();
                return Err(self.ended(status.to_string(), &said));
            }
            self.patience(start, LISTENING, "listen")?;
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    /// Fails on a bad exit status; calls `each` every few ms.
    pub fn finish(
        mut self,
        deadline: Duration,
        mut each: impl FnMut() -> Result<(), BenchError>,
    ) -> Result<Printed, BenchError> {
        let start = Instant::now();
        loop {
            each()?;
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    let printed = self.printed();
                    return if status.success() {
                        Ok(printed)
                    } else {
                        Err(self.ended(status.to_string(), &printed))
                    };
                }
                Ok(None) => self.patience(start, deadline, "end")?,
                Err(source) => {
                    return Err(BenchError::File {
                        what: format!("cannot wait for {}", self.program),
                        source,
                    });
                }
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    fn patience(&self, start: Instant, deadline: Duration, what: &'static str) -> Result<(), BenchError> {
        if sys::interrupted() {
            return Err(BenchError::Interrupted);
        }
        if start.elapsed() > deadline {
            return Err(BenchError::Deadline { program: self.program.clone(), what, deadline });
        }
        Ok(())
    }

    fn printed(&mut self) -> Printed {
        let text = |t: Option<JoinHandle<String>>| t.and_then(|t| t.join().ok()).unwrap_or_default();
        Printed { out: text(self.out.take()), err: text(self.err.take()) }
    }

    fn ended(&self, status: String, printed: &Printed) -> BenchError {
        let said = tail(&format!("{} {}", printed.out, printed.err));
        BenchError::Ended { program: self.program.clone(), status, said }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads to the end, so that the program never blocks.
fn drain(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // Partial output is still useful.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
