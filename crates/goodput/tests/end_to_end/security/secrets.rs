//! Keys and tokens appear only in the key file and in data connections: not in stored runs, output, logs,
//! arguments or environments.

use super::stranger;
use crate::stage::{Home, Lab, ProcessRun};
use crate::{CommandOutput, must};
use goodput_control::LabKey;
use goodput_lab::{Name, RuntimeFolder};
use libtest_mimic::Failed;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn forms(key: &LabKey, token: &[u8]) -> Vec<Vec<u8>> {
    let text = key.to_text();
    let letters = text.trim_start_matches("gpkey1-").to_string();
    let list: Vec<String> = token.iter().map(u8::to_string).collect();
    let hexadecimal: String = token.iter().map(|b| format!("{b:02x}")).collect();
    let texts = [
        letters.to_uppercase(),
        letters,
        list.join(","),
        list.join(", "),
        hexadecimal.to_uppercase(),
        hexadecimal,
    ];
    texts.into_iter().map(String::into_bytes).chain([token.to_vec()]).collect()
}

fn holds(text: &[u8], secret: &[u8]) -> bool {
    text.windows(secret.len()).any(|w| w == secret)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    Ok(found)
}

fn processes() -> Vec<(String, Vec<u8>)> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten().map(|e| e.path());
    let numbered = all.filter(|p| p.file_name().is_some_and(|n| n.to_string_lossy().parse::<u32>().is_ok()));
    numbered
        .flat_map(|p| ["cmdline", "environ"].map(|what| p.join(what)))
        .filter_map(|p| fs::read(&p).ok().map(|text| (p.display().to_string(), text)))
        .collect()
}

fn overheard(ran: &ProcessRun) -> Result<Vec<u8>, Failed> {
    let hexadecimal = ran.stdout.split("token ").nth(1).ok_or_else(|| ran.stderr.clone())?.trim();
    let byte = |at: usize| u8::from_str_radix(hexadecimal.get(at..at + 2).unwrap_or(""), 16);
    Ok((0..32).step_by(2).map(byte).collect::<Result<_, _>>()?)
}

pub fn nowhere() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "secret", &[])?;
    let state = goodput_lab::find_lab(&RuntimeFolder::for_user(), &lab.name.parse::<Name>()?)?;
    let key = LabKey::read(&state.key_file)?;
    let (a, b, itself) = (lab.host("a"), lab.host("b"), std::env::current_exe()?);
    let itself = itself.to_string_lossy();
    let ear = home.start(["lab", "exec", &a, &itself, stranger::WORD, "listen", "5304", "20"]);
    std::thread::sleep(Duration::from_millis(700));
    let running = home.start(["stream", &b, "--from", &a, "--time", "2s", "--warm-up", "0s", "--json"]);
    std::thread::sleep(Duration::from_millis(1_200));
    let during = processes();
    let measured = running.end().ended(0)?;
    let token = overheard(&ear.end().ended(0)?)?;
    must!(token.len() == 16 && token.iter().any(|b| *b != 0), "{token:?}");

    let mut texts = during;
    must!(texts.iter().filter(|(_, t)| holds(t, b"--key-file")).count() >= 2, "no agent was looked at");
    for (what, ran) in [
        ("document", measured),
        ("tables", home.line("show").ended(0)?),
        ("list", home.line("list --json").ended(0)?),
        ("csv", home.line("export --format csv").ended(0)?),
        ("json", home.line("export --format json").ended(0)?),
        ("report", home.line("report").ended(0)?),
    ] {
        texts.push((format!("{what}, output"), ran.stdout.into_bytes()));
        texts.push((format!("{what}, messages"), ran.stderr.into_bytes()));
    }
    let stored = files(&home.runs())?;
    must!(stored.len() >= 3, "no stored run: {stored:?}");
    for path in stored.iter().chain([&state.log_file]) {
        texts.push((path.display().to_string(), fs::read(path)?));
    }
    for secret in forms(&key, &token) {
        for (place, text) in &texts {
            must!(!holds(text, &secret), "a secret stands in {place}");
        }
    }
    must!(holds(&fs::read(&state.key_file)?, &forms(&key, &token)[1]), "the key is in its own file");
    Ok(())
}
