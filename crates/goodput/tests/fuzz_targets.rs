//! What fuzzing starts from and what it has found, once through its targets (`fuzz/`), each in its bound of memory.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../../fuzz/src/lib.rs"]
mod fuzz;

use fuzz::targets::{TARGETS, find};
use goodput_store::archive::archive_run;
use goodput_testkit::repository_path;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn seeds_and_findings_pass_their_targets() {
    let seeds = fs::read_to_string(repository_path("fuzz/seeds")).unwrap();
    let programs = fs::read_to_string(repository_path("fuzz/Cargo.toml")).unwrap();
    let mut named = Vec::new();
    for line in seeds.lines().filter(|line| !line.starts_with('#')) {
        let (name, patterns) = line.split_once(' ').unwrap_or((line, ""));
        let target = find(name);
        assert!(programs.contains(&format!("[[bin]]\nname = \"{name}\"\n")), "no program for {name}");
        let mut inputs: Vec<Vec<u8>> =
            patterns.split(' ').filter(|p| !p.is_empty()).flat_map(expand).collect();
        assert_eq!(inputs.is_empty(), patterns.is_empty(), "{name}");
        inputs.extend(matching(&format!("fuzz/regressions/{name}/*")).iter().map(|path| content(path)));
        inputs.push(Vec::new());
        for input in inputs {
            fuzz::run(&target, &input);
            fuzz::run(&target, &input[..input.len() / 2]);
        }
        named.push(name);
    }
    assert_eq!(named, TARGETS.map(|target| target.name));
}

/// As `expand` of `fuzz/run`.
fn expand(pattern: &str) -> Vec<Vec<u8>> {
    let each: Vec<Vec<PathBuf>> = pattern.split('+').map(matching).collect();
    let count = each.iter().map(Vec::len).min().unwrap_or(0);
    let joined = |at: usize| each.iter().map(|paths| content(&paths[at])).collect::<Vec<_>>().join(&0);
    (0..count).map(joined).collect()
}

fn content(path: &Path) -> Vec<u8> {
    if path.is_dir() { archive_run(path).unwrap() } else { fs::read(path).unwrap() }
}

/// With one `*` in a name at most.
fn matching(pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![repository_path("")];
    for part in pattern.split('/') {
        let (start, end) = part.split_once('*').unwrap_or((part, ""));
        let fits = |name: &str| match part.contains('*') {
            true => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
            false => name == part,
        };
        let entries = found.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
        let fitting =
            entries.map(|entry| entry.unwrap()).filter(|e| e.file_name().to_str().is_some_and(fits));
        found = fitting.map(|entry| entry.path()).collect();
    }
    found.sort();
    found
}
