//! Access control: keys, certificates, policies, strangers; tests the claims of `docs/SECURITY.md`.

mod authority;
pub mod certificates;
pub mod documented;
pub mod policy;
pub mod replay;
pub mod secrets;
pub mod stranger;
pub mod strangers;

use crate::stage::{Home, ProcessRun};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use std::path::Path;

fn short(more: &str) -> String {
    format!("stream 127.0.0.1 --time 200ms --warm-up 0s --deadline 3s --json {more}")
}

fn refused(ran: ProcessRun, code: i32, words: &[&str]) -> CommandOutput {
    let ran = ran.ended(code)?;
    let text =
        if ran.stdout.trim().is_empty() { ran.stderr.clone() } else { ran.json()?["error"].to_string() };
    must!(text.contains("hint"), "{text}");
    for word in words {
        must!(text.contains(word), "no {word:?} in {text}");
    }
    Ok(())
}

fn with_key() -> Result<Home, Failed> {
    let home = Home::new();
    home.line("key new").ended(0)?;
    Ok(home)
}

fn key_of(home: &Home) -> Result<goodput_control::LabKey, Failed> {
    Ok(goodput_control::LabKey::read(&home.path().join(".config/goodput/key"))?)
}

fn word(path: &Path) -> String {
    path.display().to_string()
}
