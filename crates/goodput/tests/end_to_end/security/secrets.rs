//! Keys and tokens appear only in the key file and in data connections: not in stored runs, output, logs,
//! arguments or environments.

use super::stranger;
use crate::file::files_below;
use crate::stage::*;
use goodput_control::LabKey;
use goodput_lab::{LabOrHostName, RuntimeFolder};

fn forms(key: &LabKey, token: &[u8]) -> Vec<Vec<u8>> {
    let letters = key.to_text().trim_start_matches("gpkey1-").to_string();
    let list: Vec<String> = token.iter().map(u8::to_string).collect();
    let hexadecimal: String = token.iter().map(|b| format!("{b:02x}")).collect();
    let upper = [letters.to_uppercase(), hexadecimal.to_uppercase()];
    let texts = upper.into_iter().chain([letters, list.join(","), list.join(", "), hexadecimal]);
    texts.map(String::into_bytes).chain([token.to_vec()]).collect()
}

fn holds(text: &[u8], secret: &[u8]) -> bool {
    text.windows(secret.len()).any(|w| w == secret)
}

fn command_lines_and_environments() -> Vec<(String, Vec<u8>)> {
    let files = processes().flat_map(|pid| ["cmdline", "environ"].map(|what| format!("/proc/{pid}/{what}")));
    files.filter_map(|file| fs::read(&file).ok().map(|text| (file, text))).collect()
}

fn overheard(ran: &ProcessRun) -> Result<Vec<u8>, Failed> {
    let hexadecimal = ran.stdout.split("token ").nth(1).ok_or_else(|| ran.stderr.clone())?.trim();
    let byte = |at: usize| u8::from_str_radix(hexadecimal.get(at..at + 2).unwrap_or(""), 16);
    Ok((0..32).step_by(2).map(byte).collect::<Result<_, _>>()?)
}

pub fn nowhere() -> CommandOutput {
    let lab = Lab::up("secret", &[])?;
    let state = goodput_lab::find_lab(&RuntimeFolder::for_user(), &lab.name.parse::<LabOrHostName>()?)?;
    let key = LabKey::read_file(&state.key_file)?;
    let (a, b, itself) = (lab.host("a"), lab.host("b"), std::env::current_exe()?);
    let itself = itself.to_string_lossy();
    let ear = lab.home.start(["lab", "exec", &a, &itself, stranger::WORD, "listen", "5304", "20"]);
    std::thread::sleep(Duration::from_millis(700));
    let running = lab.home.start(["stream", &b, "--from", &a, "--time", "2s", "--warm-up", "0s", "--json"]);
    std::thread::sleep(Duration::from_millis(1_200));
    let mut texts = command_lines_and_environments();
    let measured = running.end().ended(0)?;
    let token = overheard(&ear.end().ended(0)?)?;
    must!(token.len() == 16 && token.iter().any(|b| *b != 0), "{token:?}");

    must!(texts.iter().filter(|(_, t)| holds(t, b"--key-file")).count() >= 2, "no agent was looked at");
    for (what, ran) in [
        ("document", measured),
        ("tables", lab.home.line("show").ended(0)?),
        ("list", lab.home.line("list --json").ended(0)?),
        ("csv", lab.home.line("export --format csv").ended(0)?),
        ("json", lab.home.line("export --format json").ended(0)?),
        ("report", lab.home.line("report").ended(0)?),
    ] {
        texts.push((format!("{what}, output"), ran.stdout.into_bytes()));
        texts.push((format!("{what}, messages"), ran.stderr.into_bytes()));
    }
    let stored = files_below(&lab.home.runs())?.into_iter();
    let stored: Vec<_> =
        stored.filter_map(|(path, file)| Some((path.display().to_string(), file?.0))).collect();
    must!(stored.len() >= 3, "no stored run");
    texts.extend(stored);
    texts.push(("log".to_string(), fs::read(&state.log_file)?));
    for secret in forms(&key, &token) {
        for (place, text) in &texts {
            must!(!holds(text, &secret), "a secret stands in {place}");
        }
    }
    must!(holds(&fs::read(&state.key_file)?, &forms(&key, &token)[2]), "the key is in its own file");
    Ok(())
}
