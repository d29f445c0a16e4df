//! Interns the paths and handles of a load file.

use super::{MAX_HANDLES, MAX_PATHS, too_many};
use crate::truncate_text;
use goodput_model::file::{DbenchLoadFile, WORKSPACE_MARKER_FILE};
use goodput_words::{Message, message};
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct NameTable {
    pub paths: Vec<String>,
    as_written: HashMap<String, u32>,
    by_path: HashMap<String, u32>,
    /// Each path component in lower case, with its first spelling.
    spelling: HashMap<String, String>,
    handles: HashMap<i64, u32>,
}

impl NameTable {
    pub fn intern_path(&mut self, written: &str) -> Result<u32, Message> {
        if let Some(known) = self.as_written.get(written) {
            return Ok(*known);
        }
        let path = self.relative(written)?;
        let next = self.paths.len();
        let number = *self.by_path.entry(path.clone()).or_insert(next as u32);
        if number as usize == next {
            if next == MAX_PATHS {
                return Err(too_many("the file names many paths", MAX_PATHS as u64));
            }
            self.paths.push(path);
        }
        self.as_written.insert(written.to_string(), number);
        Ok(number)
    }

    pub fn intern_handle(&mut self, written: i64) -> Result<u32, Message> {
        let next = self.handles.len();
        let number = *self.handles.entry(written).or_insert(next as u32);
        match number as usize == next && next == MAX_HANDLES {
            true => Err(too_many("the file uses many handles", MAX_HANDLES as u64)),
            false => Ok(number),
        }
    }

    pub fn handle_count(&self) -> u32 {
        self.handles.len() as u32
    }

    /// Relative, with `/`, every component in its first spelling.
    fn relative(&mut self, written: &str) -> Result<String, Message> {
        let refuse = |why: &str| {
            let path = format!("{:?}", truncate_text(written));
            message!(cause_dbench_path_refused { path, why: Message::from(why) })
        };
        if written.chars().any(char::is_control) {
            return Err(refuse("there is a NUL or another control character in it"));
        }
        if written.contains(':') {
            return Err(refuse("it names a drive or a stream of a file (there is a colon in it)"));
        }
        let separator = |c| c == '\\' || c == '/';
        let below = written.strip_prefix(separator).unwrap_or(written);
        if below.starts_with(separator) {
            return Err(refuse("it is absolute: it names a server or begins at another root"));
        }
        let below = below.strip_suffix(separator).unwrap_or(below);
        if below.is_empty() {
            return Ok(String::new());
        }
        let mut parts = Vec::new();
        for part in below.split(separator) {
            match part.trim_end_matches(['.', ' ']) {
                "" if part.is_empty() => return Err(refuse("two separators stand side by side")),
                // Windows takes "...", ".. " and the like for "." or "..".
                "" => return Err(refuse("a part of it is made of dots: it would lead out of the folder")),
                _ => parts.push(self.spelled(part)),
            }
        }
        match parts.first().is_some_and(|first| first.eq_ignore_ascii_case(WORKSPACE_MARKER_FILE)) {
            true => Err(refuse("it is the marker that says whose the folder is")),
            false => Ok(parts.join("/")),
        }
    }

    fn spelled(&mut self, part: &str) -> String {
        if part.eq_ignore_ascii_case(DbenchLoadFile::CLIENT_FOLDER_PLACEHOLDER) {
            return DbenchLoadFile::CLIENT_FOLDER_PLACEHOLDER.to_string();
        }
        self.spelling.entry(part.to_lowercase()).or_insert_with(|| part.to_string()).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_relative_and_spelled_once() {
        let mut names = NameTable::default();
        let spellings = [
            "\\clients\\client1\\~dmtmp\\WORD",
            "/Clients/CLIENT1/~DMTMP/word/",
            "clients\\client1\\~dmtmp\\Word\\FILLER*",
            "\\",
            "",
            "\\..a\\b..c\\.d",
        ];
        assert_eq!(spellings.map(|path| names.intern_path(path).unwrap()), [0, 0, 1, 2, 2, 3]);
        let expected =
            ["clients/client1/~dmtmp/WORD", "clients/client1/~dmtmp/WORD/FILLER*", "", "..a/b..c/.d"];
        assert_eq!(names.paths, expected);
    }

    #[test]
    fn what_leads_out_is_refused() {
        for (path, why) in [
            ("\\..\\etc", "dots"),
            ("\\a\\..", "dots"),
            ("\\a\\.\\b", "dots"),
            ("\\a\\...\\b", "dots"),
            ("\\a\\.. \\b", "dots"),
            ("\\\\server\\share", "absolute"),
            ("//etc/passwd", "absolute"),
            ("\\a\\\\b", "side by side"),
            ("C:\\a", "drive"),
            ("\\a:stream", "drive"),
            ("\\a\0b", "NUL"),
            ("\\GoodPut-Workspace.json", "marker"),
        ] {
            let fault = NameTable::default().intern_path(path).unwrap_err();
            assert!(fault.contains("is refused: ") && fault.contains(why), "{path:?}: {fault}");
        }
    }

    #[test]
    fn handles_are_numbered_as_they_occur() {
        let mut names = NameTable::default();
        let numbers = [9938, -1, 9938, 0].map(|h| names.intern_handle(h).unwrap());
        assert_eq!((numbers, names.handle_count()), ([0, 1, 0, 2], 3));
    }
}
