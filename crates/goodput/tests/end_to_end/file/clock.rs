//! Unrelated clocks. All times are of the monotonic clock, which a step of the wall clock does not move. Here
//! the monotonic clocks of client and agent are a day apart (time_namespaces(7)).

use super::canaries::Canaries;
use super::{line, trials};
use crate::stage::{Home, free_port, number, running, until};
use crate::{CommandOutput, must};
use std::process::{Command, Stdio};
use std::time::Duration;

pub fn why_no_clock() -> Option<String> {
    let tried = ahead("true").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    match tried {
        Ok(status) if status.success() => None,
        _ => Some("no time namespace by unshare --time".into()),
    }
}

fn ahead(program: &str) -> Command {
    let mut command = Command::new("unshare");
    let words = "--time --monotonic 86400 --boottime 86400 --fork --kill-child";
    command.args(words.split(' ')).arg(program);
    command
}

pub fn another_clock() -> CommandOutput {
    let home = Home::new();
    let served = Canaries::sing(&home, "served", 5)?;
    let (control, data) = (free_port(), free_port());
    let plain = home.command(Vec::<&str>::new());
    let program = plain.get_program().to_string_lossy().into_owned();
    let mut command = ahead(&program);
    let words = format!("agent --spool memory --port {control} --data-port {data}");
    command.args(words.split(' ')).args(["--allow-dir", &served.word()]);
    command.env("HOME", home.path()).env_remove("GOODPUT_KEY_FILE");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let agent = running(command);
    let is_up = || Ok(std::net::TcpStream::connect(("127.0.0.1", data)).is_ok());
    until("the agent is up", Duration::from_secs(20), is_up)?;
    let words =
        format!("copy 127.0.0.1:{control}:disk={} --size 8MiB --repeat 1 --verify full", served.word());
    let outcome = trials(line(&home, &words), 4);
    agent.signal("KILL");
    drop(agent.end());
    for trial in outcome?.1 {
        must!(number(&trial, "/bytes")? == 8 << 20, "{trial}");
        let elapsed = number(&trial, "/elapsed_ns")?;
        must!((1..30_000_000_000).contains(&elapsed), "{elapsed} ns");
    }
    served.unharmed()
}
