//! Runs `ip`, `tc`, `nft` and `mkfs.ext4`. Their output is used for error messages only.

use crate::start_failure::{LabStartFailure, LabStartFailureKind};
use crate::sys::{self, ProcessSetup};
use goodput_words::message;
use nix::sched::CloneFlags;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Some systems leave these folders out of an ordinary user's PATH.
const SYSTEM_FOLDERS: &str = "/usr/sbin:/sbin:/usr/bin:/bin";

fn missing(tool: &str) -> LabStartFailure {
    let package = match tool {
        "nft" => "nftables",
        "mkfs.ext4" => "e2fsprogs",
        _ => "iproute2",
    };
    LabStartFailure::new(message!(error_program_not_installed { name: tool }))
        .with_kind(LabStartFailureKind::ToolMissing)
        .with_hint(format!("apt-get install {package}"))
}

fn refused(tool: &str, order: &str, why: &str) -> LabStartFailure {
    LabStartFailure::new(message!(error_lab_tool_refused { tool, command: format!("{order:?}"), why }))
}

fn not_run(path: &Path) -> impl FnOnce(io::Error) -> LabStartFailure {
    let program = path.display().to_string();
    LabStartFailure::wrap_error(message!(error_lab_cannot_run_program { program }))
}

/// An empty batch needs no tool.
pub(crate) fn run_tool_batch(tool: &str, orders: &str, namespace: &File) -> Result<(), LabStartFailure> {
    if orders.is_empty() { Ok(()) } else { run_tool_with_input(tool, &["-batch", "-"], orders, namespace) }
}

pub(crate) fn run_tool(tool: &str, args: &[&str]) -> Result<(), LabStartFailure> {
    let path = path(tool)?;
    let output = Command::new(&path).args(args).stdin(Stdio::null()).output();
    let output = output.map_err(not_run(&path))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).lines().collect::<Vec<_>>().join("; ");
    Err(refused(tool, &args.join(" "), &said))
}

fn path(tool: &str) -> Result<PathBuf, LabStartFailure> {
    find(tool, std::env::var("PATH").unwrap_or_default().as_str()).ok_or_else(|| missing(tool))
}

pub(crate) fn run_tool_with_input(
    tool: &str,
    args: &[&str],
    orders: &str,
    namespace: &File,
) -> Result<(), LabStartFailure> {
    let path = path(tool)?;
    let failed = |e: io::Error| not_run(&path)(e);
    let namespace = namespace.try_clone().map_err(LabStartFailure::wrap_error("cannot open a namespace"))?;
    let mut command = Command::new(&path);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let namespaces = vec![(namespace, CloneFlags::CLONE_NEWNET)];
    sys::set_pre_exec(&mut command, ProcessSetup { namespaces, ..ProcessSetup::default() });
    let mut child = command.spawn().map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        match stdin.write_all(orders.as_bytes()) {
            // The tool stops reading at the first command that fails, and reports it.
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => return Err(failed(e)),
            _ => {}
        }
    }
    let output = child.wait_with_output().map_err(failed)?;
    if output.status.success() {
        return Ok(());
    }
    let (order, said) = complaint(orders, &String::from_utf8_lossy(&output.stderr));
    Err(refused(tool, &order, &said))
}

/// The failed command and its message. The last line is `Command failed -:LINE`.
fn complaint(orders: &str, stderr: &str) -> (String, String) {
    let (marks, words): (Vec<&str>, Vec<&str>) =
        stderr.lines().partition(|line| line.starts_with("Command failed"));
    let number = marks.last().and_then(|mark| mark.rsplit(':').next()?.trim().parse::<usize>().ok());
    let order = number.and_then(|n| orders.lines().nth(n.checked_sub(1)?)).unwrap_or("the batch");
    (order.to_string(), words.join("; "))
}

fn find(tool: &str, path: &str) -> Option<PathBuf> {
    path.split(':')
        .chain(SYSTEM_FOLDERS.split(':'))
        .filter(|folder| folder.starts_with('/'))
        .map(|folder| Path::new(folder).join(tool))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_names_the_order() {
        let orders = "link add a type veth\nlink add b type nonsense\n";
        let said = "RTNETLINK answers: Operation not supported\nCommand failed -:2\n";
        let (order, why) = complaint(orders, said);
        assert_eq!(order, "link add b type nonsense");
        assert_eq!(why, "RTNETLINK answers: Operation not supported");
        assert_eq!(complaint(orders, "").0, "the batch");
    }

    #[test]
    fn a_tool_that_nobody_has_is_missing() {
        assert_eq!(find("no-such-tool-anywhere", "/usr/bin::relative"), None);
        assert!(find("sh", "").is_some());
        let told = missing("tc");
        assert_eq!(told.kind, LabStartFailureKind::ToolMissing);
        assert_eq!(told.what, "the program tc is not installed");
        assert_eq!(told.hint.as_deref(), Some("apt-get install iproute2"));
    }
}
