//! `goodput man DIR`: writes the manual pages from the program's own options.

use crate::exit::{EXIT_STATUS_MEANINGS, ExitStatus};
use crate::failure::{Failure, OrFailure, WithHint};
use crate::{args, output};
use goodput_words::message;
use std::fs;
use std::io;
use std::path::Path;

/// Environment and files, for the first page.
const PLACES: &[(&str, &[(&str, &str)])] = &[
    (
        "ENVIRONMENT",
        &[
            ("GOODPUT_LANG", "language of what people read: en, ja or ru; else LC_ALL, LC_MESSAGES or LANG"),
            ("GOODPUT_KEY_FILE", "file with the lab key"),
            ("GOODPUT_CA, GOODPUT_CERTIFICATE, GOODPUT_PRIVATE_KEY", "certificates instead of a lab key"),
            ("GOODPUT_ROUTER", "router to look for agents at"),
            ("GOODPUT_RUNS", "folder of the runs"),
        ],
    ),
    (
        "FILES",
        &[
            ("~/.config/goodput/config.toml, /etc/goodput/config.toml", "what would else be typed each time"),
            ("~/.config/goodput/key, /etc/goodput/key", "the lab key"),
            ("~/.config/goodput/policy.toml, /etc/goodput/policy.toml", "what an agent does and for whom"),
            ("~/.local/share/goodput/runs", "the runs, a folder each"),
        ],
    ),
];

pub fn write_man_pages(folder: &Path) -> Result<ExitStatus, Failure> {
    let failed = message!(error_cannot_write { path: folder.display().to_string() });
    write(folder).or_failure(ExitStatus::CannotMeasure, failed).with_hint("choose another folder")?;
    output::print_text(&format!("{}\n", folder.join("goodput.1").display()));
    Ok(ExitStatus::Done)
}

fn write(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let table = args::build_clap_command();
    clap_mangen::generate_to(table, folder)?;
    let first = folder.join("goodput.1");
    let mut page = fs::read_to_string(&first)?;
    page.push_str(&ending());
    fs::write(first, page)
}

fn ending() -> String {
    let mut text = String::from(".SH \"EXIT STATUS\"\n");
    for (exit, meaning) in EXIT_STATUS_MEANINGS {
        text.push_str(&format!(".TP\n.B {}\n{}\n", exit.code(), plain(meaning)));
    }
    for (heading, entries) in PLACES {
        text.push_str(&format!(".SH {heading}\n"));
        for (name, what) in *entries {
            text.push_str(&format!(".TP\n.B {}\n{}\n", plain(name), plain(what)));
        }
    }
    text
}

fn plain(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('~', "\\(ti");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subcommand_has_a_page_and_the_first_has_the_exit_codes() {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("man")).unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join("man").join(name)).unwrap();
        let first = read("goodput.1");
        for wanted in [".SH \"EXIT STATUS\"", ".B 130", "GOODPUT_LANG", "goodput\\-stream(1)"] {
            assert!(first.contains(wanted), "{wanted} is not in:\n{first}");
        }
        for sub in args::build_clap_command().get_subcommands().filter(|s| !s.is_hide_set()) {
            let page = format!("goodput-{}.1", sub.get_name());
            assert!(read(&page).contains(".SH NAME"), "{page}");
        }
        assert!(!folder.path().join("man/goodput-level-setter.1").exists());
    }

    #[test]
    fn nothing_becomes_a_command() {
        assert_eq!(plain(".a-b ~ \\"), "\\&.a\\-b \\(ti \\e");
    }
}
