//! How a program that is measured is started, and how its output is read.

use crate::contender::{Load, Reading};
use crate::error::{BenchError, tail};
use crate::process::Printed;

/// How to run one program.
pub trait Peer {
    /// The command of the answering end in host B, and the TCP port on which it is ready; no words where there is none.
    fn server(&self, load: &Load) -> (Vec<String>, u16);
    /// The command of the asking end in host A.
    fn client(&self, load: &Load) -> Vec<String>;
    /// True when the server ends by itself after one trial and what it prints is wanted.
    fn server_prints(&self) -> bool {
        false
    }
    /// Takes the figures from what both ends printed.
    fn read(&self, load: &Load, client: &Printed, server: &Printed) -> Result<Reading, BenchError>;
    /// A command whose first line of output is the version.
    fn version(&self) -> Vec<String>;
}

/// Words of a command line.
pub fn words<const N: usize>(list: [&str; N]) -> Vec<String> {
    list.iter().map(|w| w.to_string()).collect()
}

/// The error for an output without what is looked for.
pub fn misread(program: &str, what: &'static str, text: &str) -> BenchError {
    BenchError::Misread { program: program.into(), what, said: tail(text) }
}

/// A load that the program has no means for. The plan does not ask for it.
pub fn cannot(program: &str) -> Vec<String> {
    words(["false", program])
}

/// The JSON object that an output begins with, whatever stands before its first brace.
pub fn json(program: &str, text: &str) -> Result<serde_json::Value, BenchError> {
    let from = text.find('{').ok_or_else(|| misread(program, "JSON", text))?;
    let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter();
    values.next().and_then(Result::ok).ok_or_else(|| misread(program, "JSON", text))
}
