//! Failures in a folder: not a folder, no space, a removed file.

use super::canaries::Canaries;
use super::{line, refusal};
use crate::stage::Home;
use crate::{CommandOutput, must};
use std::time::{Duration, Instant};

pub fn not_a_folder() -> CommandOutput {
    let home = Home::new();
    let folder = Canaries::sing(&home, "theirs", 5)?;
    let file = folder.folder().join("test").display().to_string();
    refusal(line(&home, &format!("disk {file}")), 2, &["is a file"])?;
    refusal(line(&home, "disk /dev/null"), 2, &["devices"])?;
    let nowhere = line(&home, &format!("copy {}/nowhere", folder.word()));
    refusal(nowhere, 2, &["No such file", "smb://nowhere/SHARE"])?;
    refusal(line(&home, &format!("copy {} --local {file}", folder.word())), 2, &["--local", "is a file"])?;
    folder.unharmed()
}

pub fn no_room() -> CommandOutput {
    let home = Home::new();
    let folder = Canaries::sing(&home, "theirs", 5)?;
    let words = format!("copy {} --size 90000GB --repeat 1", folder.word());
    refusal(line(&home, &words), 4, &["free", "--size"])?;
    folder.unharmed()
}

pub fn file_vanishes() -> CommandOutput {
    let home = Home::new();
    let folder = Canaries::sing(&home, "theirs", 5)?;
    let more = "--profile cdm3 --order read --size 4MiB --time 300ms --repeat 3 --json";
    let running = home.start_line(&format!("file disk {} {more}", folder.word()));
    let began = Instant::now();
    let vanished = loop {
        let file = folder.workspaces()?.into_iter().map(|w| w.join("test")).find(|f| f.exists());
        if let Some(file) = file {
            std::thread::sleep(Duration::from_millis(800));
            break std::fs::remove_file(file).is_ok();
        }
        must!(began.elapsed() < Duration::from_secs(15), "no file of ours came to be");
        std::thread::sleep(Duration::from_millis(5));
    };
    must!(vanished, "our file could not be removed");
    let ran = running.end();
    must!([4, 5].contains(&ran.code()), "{:?} {} {}", ran.status, ran.stdout, ran.stderr);
    let document = ran.json()?;
    let error = document["error"].to_string();
    must!(error.contains("test") || error.contains("No such file"), "{error}");
    folder.unharmed()
}
