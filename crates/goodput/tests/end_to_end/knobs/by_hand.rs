//! Manual levels, with the test as operator at a pseudo terminal.

use super::levels::written;
use super::{in_lab, set_mtu};
use crate::experiment::log::Log;
use crate::stage::*;
use nix::pty::openpty;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};

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
    fn running(home: &Home, file: &str) -> Result<Terminal, Failed> {
        let pair = openpty(None, None)?;
        let screen = |fd: &OwnedFd| fd.try_clone().map(Stdio::from);
        let mut command = home.command(["run", file]);
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

    fn answer(&mut self, line: &str) -> CommandOutput {
        self.see("press Enter")?;
        Ok(writeln!(self.keys, "{line}")?)
    }
}

pub fn asked_and_verified() -> CommandOutput {
    in_lab("hand", |home, lab, _| {
        let mut terminal = Terminal::running(home, &written(home, lab, BY_HAND)?)?;
        terminal.see("size = 1400: set the client's MTU to 1400")?;
        terminal.answer("")?;
        terminal.see("not yet: interfaces.eth0.mtu of client is 1500 and should be 1400")?;
        set_mtu(lab, "1400")?;
        terminal.answer("")?;
        terminal.see("level 1400 is still in place; level 1500 comes back by hand only")?;
        must!(terminal.running.within(SOON).status.code().is_some(), "it did not end");
        let log = Log::read(home)?;
        must!(log.all_done(2), "{log:?}");
        let set = log.of_kind("level-set");
        must!(set.last().is_some_and(|s| s["obtained"].to_string().contains("mtu is 1400")), "{set:?}");
        set_mtu(lab, "1500")
    })
}

pub fn not_set() -> CommandOutput {
    for (yes, said) in [
        (None, "skipped by the operator"),
        (Some(false), "there is no terminal where somebody could be asked"),
        (Some(true), "is not in place: interfaces.eth0.mtu of client is 1500 and should be 1400"),
    ] {
        let lab = Lab::up("not-set", &[])?;
        let file = written(&lab.home, &lab, BY_HAND)?;
        if let Some(yes) = yes {
            lab.home.start(["run", &file].into_iter().chain(yes.then_some("--yes"))).within(SOON);
        } else {
            let mut terminal = Terminal::running(&lab.home, &file)?;
            terminal.answer("skip")?;
            must!(terminal.running.within(SOON).status.code().is_some(), "it did not end");
        }
        let cause = Log::read(&lab.home)?.second_not_set()?;
        must!(cause.contains(said), "{cause}");
    }
    Ok(())
}
