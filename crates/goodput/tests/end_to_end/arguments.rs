//! Invalid arguments are refused with exit code 2 and a hint.

use crate::stage::Home;
use crate::{CommandOutput, must};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

pub fn refusals() -> CommandOutput {
    let home = Home::new();
    for line in [
        "stream h --time 99999999999999999999min",
        "pingpong h --smallest 2KiB --largest 1KiB",
        "export --format xml",
        "show no-such-run",
        "key",
        "",
    ] {
        let plain = home.line(line).ended(2)?;
        must!(plain.stdout.is_empty(), "{line}: {}", plain.stdout);
        let said = plain.stderr;
        must!(said.starts_with("error: ") && said.contains("hint: "), "{line}: {said}");
        let error = &home.line(&format!("{line} --json")).ended(2)?.json()?["error"];
        must!(error["exit_code"] == 2 && error["hint"].is_string(), "{line}: {error}");
    }
    let help = home.line("stream --help").ended(0)?;
    must!(help.stdout.contains("--connections"), "{}", help.stdout);
    home.json("stream --help")?;
    let codes = home.line("help exit-codes").ended(0)?;
    must!(codes.stdout.contains("130"), "{}", codes.stdout);
    Ok(())
}

pub fn not_text() -> CommandOutput {
    let home = Home::new();
    for bytes in [&b"\xff\xfe"[..], b"--size=\xff", b"\xf0\x9f\x90\xa2", b"--\x80", b"-\xc3\x28"] {
        for command in ["stream", "lab", "show", "agent"] {
            let bytes = OsString::from_vec(bytes.to_vec());
            let ran = home.run([command.into(), bytes.clone(), "--json".into(), "--deadline=20ms".into()]);
            must!([2, 3].contains(&ran.code()), "{bytes:?}: {:?} {}", ran.status, ran.stderr);
            must!(!ran.stderr.contains("panicked"), "{bytes:?}: {}", ran.stderr);
            ran.json()?;
        }
    }
    Ok(())
}
