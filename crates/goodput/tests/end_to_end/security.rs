//! Access control: keys, certificates, policies, strangers; tests the claims of `docs/SECURITY.md`.

mod authority;
pub mod certificates;
pub mod documented;
mod idle;
pub mod keys;
pub mod policy;
pub mod replay;
pub mod secrets;
pub mod stranger;
pub mod strangers;

use crate::stage::*;

fn short(more: &str) -> String {
    format!("stream 127.0.0.1 --time 200ms --warm-up 0s --deadline 3s --json {more}")
}

fn ask(home: &Home, agent: &Agent, options: &str) -> ProcessRun {
    home.line(&short(&format!("{} {options}", agent.ports())))
}

fn key_of(home: &Home) -> Result<goodput_control::LabKey, Failed> {
    Ok(goodput_control::LabKey::read_file(&home.path().join(".config/goodput/key"))?)
}
