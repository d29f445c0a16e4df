//! The interface of measured programs: commands, and parsing of output.

use crate::contender::{Load, Reading};
use crate::error::{BenchError, tail};
use crate::process::Printed;

pub trait Peer {
    /// Host B's command and its TCP port; no words without a server.
    fn server(&self, load: &Load) -> (Vec<String>, u16);
    /// Host A's command.
    fn client(&self, load: &Load) -> Vec<String>;
    /// True if the server ends after one trial and its output is needed.
    fn server_prints(&self) -> bool {
        false
    }
    /// Parses both ends' output.
    fn read(&self, load: &Load, client: &Printed, server: &Printed) -> Result<Reading, BenchError>;
    /// The first line of output is the version.
    fn version(&self) -> Vec<String>;
}

pub fn words<const N: usize>(list: [&str; N]) -> Vec<String> {
    list.iter().map(|w| w.to_string()).collect()
}

pub fn misread(program: &str, what: &'static str, text: &str) -> BenchError {
    BenchError::Misread { program: program.into(), what, said: tail(text) }
}

/// For an unsupported load, which the plan never uses.
pub fn cannot(program: &str) -> Vec<String> {
    words(["false", program])
}

/// Skips text before the first brace.
pub fn json(program: &str, text: &str) -> Result<serde_json::Value, BenchError> {
    let from = text.find('{').ok_or_else(|| misread(program, "JSON", text))?;
    let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter();
    values.next().and_then(Result::ok).ok_or_else(|| misread(program, "JSON", text))
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::contender::Receive;

    pub const STREAM: Load = Load::Stream { size: 64, congestion: None, receive: Receive::Default };

    /// Of what the client printed.
    pub fn read(peer: &dyn Peer, load: &Load, out: &str) -> Result<Reading, BenchError> {
        peer.read(load, &Printed { out: out.into(), err: String::new() }, &Printed::default())
    }
}
