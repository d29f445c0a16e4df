//! The program in other languages: text for people is translated, data for programs is not.

use crate::stage::*;
use goodput_testkit::stored_run_path;

fn goodput(words: &[&str], variables: &[(&str, &str)]) -> ProcessRun {
    let home = Home::new();
    let mut command = home.command(words);
    for name in ["GOODPUT_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    running(command).end()
}

const WRONG: [&str; 5] = ["stream", "127.0.0.1", "--size", "64K", "--json"];

pub fn error() -> CommandOutput {
    for (variables, said) in [
        (
            &[][..],
            "error: --size 64K is not accepted\ncause: the unit K is ambiguous\nhint: type 64kB or 64KiB (1B to 1GiB)\n",
        ),
        (
            &[("LC_MESSAGES", "ru_RU.UTF-8")],
            "ошибка: --size 64K не принимается\nпричина: K можно понять двояко\nподсказка: введите 64kB или 64KiB (от 1B до 1GiB)\n",
        ),
        (&[("LC_ALL", "ru_RU.UTF-8"), ("GOODPUT_LANG", "ja")], "エラー：--size 64K は受け付けられません\n"),
    ] {
        let ran = goodput(&WRONG[..4], variables).ended(2)?;
        must!(ran.stderr.starts_with(said), "{variables:?}: {}", ran.stderr);
    }
    Ok(())
}

pub fn document() -> CommandOutput {
    let run = stored_run_path("v2").display().to_string();
    let report = ["report", &run, "--format", "markdown"];
    let english = [goodput(&WRONG, &[]), goodput(&report, &[])];
    for language in ["ja", "ru"] {
        let [document, report] =
            [&WRONG[..], &report].map(|words| goodput(words, &[("GOODPUT_LANG", language)]));
        must!(document.stdout == english[0].stdout && document.stderr.is_empty(), "{language}");
        let (english, theirs) = (&english[1].stdout, &report.stdout);
        must!(!theirs.is_empty() && theirs != english, "{language}: {}", report.stderr);
    }
    Ok(())
}
