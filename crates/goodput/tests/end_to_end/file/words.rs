//! Arguments of file commands: refusals with hints, JSON in every case, no password in any output.

use super::canaries::Canaries;
use super::line;
use crate::stage::Home;
use crate::{CommandOutput, must};

/// Each with a word that its refusal contains; `args/file/tests.rs` has the others.
const REFUSED: [(&str, &str); 3] = [
    ("copy", "TARGET"),
    ("smb://ann:hunter2@nas/media", "password"),
    ("replay /no/such/loadfile /tmp", "office"),
];

pub fn refused() -> CommandOutput {
    let home = Home::new();
    for (typed, word) in REFUSED {
        let plain = home.line(&format!("file {typed}")).ended(2)?;
        must!(plain.stdout.is_empty() && plain.stderr.starts_with("error: "), "{typed}: {}", plain.stderr);
        must!(plain.stderr.contains(word) && plain.stderr.contains("hint: "), "{typed}: {}", plain.stderr);
        let document = line(&home, typed).ended(2)?.json()?;
        must!(document["error"]["exit_code"] == 2, "{typed}: {document}");
        must!(!document.to_string().contains("hunter2") && !plain.stderr.contains("hunter2"), "{typed}");
    }
    let bad = home.path().join("bad.txt");
    std::fs::write(&bad, "Mkdir \"clients\" SUCCESS\nUnlink \"..\\passwd\" 0x0 SUCCESS\n")?;
    let words = format!("replay {} {} --json", bad.display(), home.path().display());
    let told = home.line(&format!("file {words}")).ended(2)?.json()?["error"].to_string();
    must!(told.contains("line 2"), "{told}");
    Ok(())
}

pub fn json_everywhere() -> CommandOutput {
    let home = Home::new();
    let folder = Canaries::sing(&home, "theirs", 5)?;
    let password = home.path().join("password");
    std::fs::write(&password, "hunter2\n")?;
    let open = |mode: u32| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&password, std::fs::Permissions::from_mode(mode))
    };
    for (words, code) in [
        (format!("{} --size 1MiB --time 50ms --repeat 1", folder.word()), 0),
        (format!("clean {}", folder.word()), 0),
        (format!("clean {}/nowhere", folder.word()), 2),
        // Nothing listens on the discard port.
        ("copy smb://127.0.0.1:9/share --size 1MiB --deadline 1s".to_string(), 3),
        ("copy 127.0.0.1:9:null --size 1MiB --deadline 1s".to_string(), 3),
        (format!("copy {} --from 127.0.0.1:9 --deadline 1s", folder.word()), 3),
    ] {
        let ran = line(&home, &words).ended(code)?;
        let document = ran.json()?;
        must!(document["schema"].is_string() || document["error"].is_object(), "{words}: {document}");
        must!(code == 0 || document["error"]["exit_code"] == code, "{words}: {document}");
        must!(ran.stderr.is_empty(), "{words}: {}", ran.stderr);
    }
    // As text, the command ends with one verdict, possibly "unknown".
    let told = home.line(&format!("file {} --size 1MiB --time 50ms --repeat 1", folder.word())).ended(0)?;
    must!(told.stdout.contains("SEQ1M Q8T1"), "{}", told.stdout);
    open(0o644)?;
    let share = "smb://ann@127.0.0.1:9/share --size 1MiB --deadline 1s";
    let said = line(&home, &format!("copy {share} --password-file {}", password.display()));
    must!([2, 3].contains(&said.code()) && !said.stdout.contains("hunter2"), "{}", said.stdout);
    folder.unharmed()
}
