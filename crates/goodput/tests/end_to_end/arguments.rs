//! Invalid arguments are refused with exit code 2 and a hint.

use crate::stage::Home;
use crate::{CommandOutput, must};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

pub fn refusals() -> CommandOutput {
    let home = Home::new();
    for line in [
        "stream h --size 64K",
        "stream h --rate 100M",
        "stream h --time 10",
        "stream h --time 99999999999999999999min",
        "stream h --connections 0",
        "stream",
        "strem h",
        "pingpong h --smallest 2KiB --largest 1KiB",
        "request h --rate 1e9",
        "export --format xml",
        "show no-such-run",
        "key",
        "",
    ] {
        let plain = home.line(line).ended(2)?;
        must!(plain.stdout.is_empty(), "{line}: {}", plain.stdout);
        must!(
            plain.stderr.starts_with("error: ") && plain.stderr.contains("hint: "),
            "{line}: {}",
            plain.stderr
        );
        let as_json = home.line(&format!("{line} --json")).ended(2)?;
        let document = as_json.json()?;
        must!(document["error"]["exit_code"] == 2, "{line}: {document}");
        must!(document["error"]["hint"].is_string(), "{line}: {document}");
    }
    let help = home.line("stream --help").ended(0)?;
    must!(help.stdout.contains("--connections"), "{}", help.stdout);
    home.line("stream --help --json").ended(0)?.json()?;
    let codes = home.line("help exit-codes").ended(0)?;
    must!(codes.stdout.contains("130"), "{}", codes.stdout);
    Ok(())
}

pub fn not_text() -> CommandOutput {
    let home = Home::new();
    for bytes in [&b"\xff\xfe"[..], b"--size=\xff", b"\xf0\x9f\x90\xa2", b"--\x80", b"-\xc3\x28"] {
        for command in ["stream", "lab", "show", "agent"] {
            let words = [
                OsString::from(command),
                OsString::from_vec(bytes.to_vec()),
                "--json".into(),
                "--deadline".into(),
                "20ms".into(),
            ];
            let ran = home.run(words);
            must!([2, 3].contains(&ran.code()), "{bytes:?}: {:?} {}", ran.status, ran.stderr);
            must!(!ran.stderr.contains("panicked"), "{bytes:?}: {}", ran.stderr);
            ran.json()?;
        }
    }
    Ok(())
}
