//! The program in other languages: text for people is translated, data for programs is not.

use crate::CommandOutput;
use crate::stage::Home;
use goodput_testkit::stored_run_path;
use std::process::Output;

fn goodput(words: &[&str], variables: &[(&str, &str)]) -> Output {
    let home = Home::new();
    let mut command = home.command(words);
    for name in ["GOODPUT_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output().expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const WRONG: [&str; 4] = ["stream", "127.0.0.1", "--size", "64K"];

pub fn error() -> CommandOutput {
    let english = goodput(&WRONG, &[]);
    assert_eq!(english.status.code(), Some(2));
    assert_eq!(
        said(&english),
        "error: --size 64K is not accepted\ncause: the unit K is ambiguous\nhint: type 64kB or 64KiB (1B to 1GiB)\n"
    );
    let russian = goodput(&WRONG, &[("LC_MESSAGES", "ru_RU.UTF-8")]);
    assert_eq!(russian.status.code(), Some(2));
    assert_eq!(
        said(&russian),
        "ошибка: --size 64K не принимается\nпричина: K можно понять двояко\nподсказка: введите 64kB или 64KiB (от 1B до 1GiB)\n"
    );
    let japanese = goodput(&WRONG, &[("LC_ALL", "ru_RU.UTF-8"), ("GOODPUT_LANG", "ja")]);
    assert!(said(&japanese).starts_with("エラー：--size 64K は受け付けられません\n"), "{}", said(&japanese));
    Ok(())
}

pub fn document() -> CommandOutput {
    let words: Vec<&str> = WRONG.iter().chain(&["--json"]).copied().collect();
    let english = goodput(&words, &[]);
    for language in ["ja", "ru"] {
        let other = goodput(&words, &[("GOODPUT_LANG", language)]);
        assert_eq!(other.stdout, english.stdout, "{language}");
        assert_eq!(other.stderr, english.stderr, "{language}");
    }
    Ok(())
}

fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    text.split(open).skip(1).filter_map(|rest| rest.split_once(close).map(|(inside, _)| inside)).collect()
}

pub fn report() -> CommandOutput {
    let run = stored_run_path("v2");
    let report = |language: &str, form: &str, file: &str| {
        let folder = tempfile::tempdir().expect("a folder of our own");
        let to = folder.path().to_str().unwrap();
        let words = ["report", run.to_str().unwrap(), "--format", form, "--output", to];
        let written = goodput(&words, &[("GOODPUT_LANG", language)]);
        assert_eq!(written.status.code(), Some(0), "{language} {form}: {}", said(&written));
        std::fs::read_to_string(folder.path().join(file)).unwrap_or_else(|e| panic!("{language} {file}: {e}"))
    };
    let english = report("en", "html", "report.html");
    let headings = between(&english, "<h2>", "</h2>");
    assert!(headings.len() > 2);
    for language in ["ja", "ru"] {
        let other = report(language, "html", "report.html");
        assert!(other.contains(&format!("<html lang=\"{language}\"")));
        let theirs = between(&other, "<h2>", "</h2>");
        assert_eq!(theirs.len(), headings.len(), "{language}");
        for heading in &headings {
            assert!(!theirs.contains(heading), "{language}: {heading}");
        }
        assert_ne!(report(language, "markdown", "report.md"), report("en", "markdown", "report.md"));
        assert_eq!(report(language, "json", "report.json"), report("en", "json", "report.json"));
    }
    Ok(())
}
