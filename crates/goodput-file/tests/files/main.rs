//! Tests with a real file system or server. What cannot run is ignored, with the reason in the name.

#![allow(clippy::unwrap_used)]

mod folder;
mod liar;
mod nfs;
mod samba;
mod share;
mod smb;

use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;

fn main() -> ExitCode {
    if smb::killed::be_client() || folder::be_worker() || nfs::be_inside() {
        return ExitCode::SUCCESS;
    }
    let mut arguments = Arguments::from_args();
    // One server at a time, and the password is per process.
    arguments.test_threads = Some(1);
    let smb = trials("smb", smb::STORIES, samba::why_none(), run_here);
    let nfs = trials("nfs", nfs::STORIES, nfs::why_none(), |name, _| nfs::inside(name));
    let folder = folder::trials();
    libtest_mimic::run(&arguments, folder.into_iter().chain(smb).chain(nfs).collect()).exit_code()
}

fn run_here(_: &str, story: fn()) -> Result<(), String> {
    story();
    Ok(())
}

type Teller = fn(&str, fn()) -> Result<(), String>;

fn trials(kind: &str, stories: &'static [(&str, fn())], without: Option<String>, tell: Teller) -> Vec<Trial> {
    let reason = without.as_ref().map(|reason| format!(" (skipped: {reason})")).unwrap_or_default();
    let trial = |(name, story): &'static (&str, fn())| {
        let test = move || tell(name, *story).map_err(Failed::from);
        Trial::test(format!("{kind}_{name}{reason}"), test).with_ignored_flag(without.is_some())
    };
    stories.iter().map(trial).collect()
}
