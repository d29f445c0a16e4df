//! Manual levels, with the test as operator at a pseudo terminal.

use super::levels::{of_kind, outcomes, steps, written};
use super::settings;
use crate::stage::{Home, Lab, Running, running};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use nix::pty::openpty;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(90);

pub const BY_HAND: &str = r#"[[factor]]
name = "size"
levels = ["1500", "1400"]
[factor.by_hand]
ask = "set the client's MTU to {level}"
verify = [{ on = "client", fact = "interfaces.eth0.mtu", is = { "1500" = "1500", "1400" = "1400" } }]
"#;

struct Terminal {
    running: Running,
    keys: File,
    shown: Receiver<String>,
    seen: String,
}

impl Terminal {
    fn start(home: &Home, args: &[&str]) -> Result<Terminal, Failed> {
        let pair = openpty(None, None)?;
        let screen = |fd: &OwnedFd| fd.try_clone().map(Stdio::from);
        let mut command = home.command(args);
        command.stdin(screen(&pair.slave)?).stdout(Stdio::null()).stderr(screen(&pair.slave)?);
        let running = running(command);
        // Our copy must not keep the terminal open.
        drop(pair.slave);
        let mut from = File::from(pair.master.try_clone()?);
        let (tell, shown) = channel();
        std::thread::spawn(move || {
            let mut page = [0u8; 4096];
            // After the last program exits, reading fails with EIO.
            while let Ok(length @ 1..) = from.read(&mut page) {
                if tell.send(String::from_utf8_lossy(&page[..length]).into_owned()).is_err() {
                    return;
                }
            }
        });
        Ok(Terminal { running, keys: File::from(pair.master), shown, seen: String::new() })
    }

    fn see(&mut self, words: &str) -> CommandOutput {
        let until = Instant::now() + SOON;
        loop {
            // The terminal may wrap lines anywhere between words.
            let flat = self.seen.split_whitespace().collect::<Vec<_>>().join(" ");
            if let Some(at) = flat.find(words) {
                self.seen = flat[at + words.len()..].to_string();
                return Ok(());
            }
            match self.shown.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(text) => self.seen.push_str(&text),
                Err(_) => return Err(format!("no {words:?} on the screen, but {:?}", self.seen).into()),
            }
        }
    }

    fn type_line(&mut self, line: &str) -> CommandOutput {
        Ok(writeln!(self.keys, "{line}")?)
    }

    fn end(self) -> Result<i32, Failed> {
        let status = self.running.end_within(SOON).status;
        status.code().ok_or_else(|| format!("it did not end: {status}").into())
    }
}

pub fn set_by_hand(lab: &Lab<'_>, mtu: &str) -> CommandOutput {
    lab.exec("a", ["ip", "link", "set", "eth0", "mtu", mtu]).map(drop)
}

pub fn asked_and_verified() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "hand", &[])?;
    let before = settings(&lab, "a")?;
    let file = written(&home, &lab, BY_HAND)?.display().to_string();
    let mut terminal = Terminal::start(&home, &["run", &file])?;
    terminal.see("size = 1400: set the client's MTU to 1400")?;
    terminal.see("press Enter")?;
    terminal.type_line("")?;
    terminal.see("not yet: interfaces.eth0.mtu of client is 1500 and should be 1400")?;
    set_by_hand(&lab, "1400")?;
    terminal.see("press Enter")?;
    terminal.type_line("")?;
    terminal.see("level 1400 is still in place; level 1500 comes back by hand only")?;
    let code = terminal.end()?;
    let steps = steps(&home)?;
    must!(outcomes(&steps) == ["done", "done"], "exit {code}: {steps:?}");
    let set = of_kind(&steps, "level-set");
    let last = set.last().ok_or("no level was set")?["obtained"].to_string();
    must!(last.contains("interfaces.eth0.mtu is 1400"), "{last}");
    set_by_hand(&lab, "1500")?;
    must!(settings(&lab, "a")? == before, "a setting remains changed");
    Ok(())
}

pub fn nobody_to_ask() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "nobody", &[])?;
    let file = written(&home, &lab, BY_HAND)?.display().to_string();
    home.start(["run", &file]).within(SOON);
    let steps = steps(&home)?;
    must!(outcomes(&steps) == ["done", "not-set"], "{steps:?}");
    let cause = of_kind(&steps, "cell-ended")[1]["outcome"]["cause"].to_string();
    must!(cause.contains("there is no terminal where somebody could be asked"), "{cause}");
    Ok(())
}
