//! Tags of a run, in `tags.json` beside its log: short, distinct texts in alphabetical order.

use crate::private_files::create_file_anew;
use crate::{format, run_folder};
use goodput_words::{ErrorMessage, Message, error_messages, message};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub const MAX_TAG_CHARACTERS: usize = 64;

pub const MAX_TAGS: usize = 64;

#[derive(Debug)]
pub enum TagError {
    Refused { tag: String, why: Message },
    TooMany { found: usize },
    Damaged { path: PathBuf, why: Message },
    Io { path: PathBuf, source: io::Error },
}

error_messages! {
    TagError {
        TagError::Refused { tag, why } => message!(error_cannot_be_a_tag { tag: format!("{tag:?}"), why }),
        TagError::TooMany { found } => {
            message!(error_too_many_tags { count: found.to_string(), most: MAX_TAGS })
        },
        TagError::Damaged { path, why } => {
            message!(error_is_damaged_why { path: path.display().to_string(), why })
        },
        TagError::Io { path, .. } => {
            message!(error_cannot_read_or_write { path: path.display().to_string() })
        },
    }
    sources { TagError::Io { source, .. } => source }
}

#[derive(Serialize, Deserialize)]
struct TagsFile {
    format: u32,
    tags: Vec<String>,
}

/// Trimmed, sorted, distinct; fails for an empty or long tag, control characters, or too many tags.
pub fn normalize_tags(tags: &[String]) -> Result<Vec<String>, TagError> {
    let mut normal = Vec::new();
    for tag in tags {
        let text = tag.trim();
        let refused = |why: Message| TagError::Refused { tag: tag.clone(), why };
        if text.is_empty() {
            return Err(refused(message!(cause_tag_is_empty)));
        }
        if text.chars().count() > MAX_TAG_CHARACTERS {
            return Err(refused(message!(part_over_64_characters)));
        }
        if text.chars().any(char::is_control) {
            return Err(refused(message!(part_control_characters)));
        }
        normal.push(text.to_string());
    }
    normal.sort_unstable();
    normal.dedup();
    if normal.len() > MAX_TAGS {
        return Err(TagError::TooMany { found: normal.len() });
    }
    Ok(normal)
}

/// Empty without a file.
pub fn read_tags(folder: &Path) -> Result<Vec<String>, TagError> {
    let path = folder.join(format::TAGS_FILE);
    let damaged = |why: Message| TagError::Damaged { path: path.clone(), why };
    let text = match run_folder::read(folder, format::TAGS_FILE) {
        Ok(text) => text,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) if matches!(e.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::FileTooLarge) => {
            return Err(damaged("it is no plain file of at most 64 KiB".into()));
        }
        Err(source) => return Err(TagError::Io { path, source }),
    };
    let file: TagsFile = serde_json::from_slice(&text).map_err(|e| damaged(e.to_string().into()))?;
    if file.format != format::TAGS_FORMAT_VERSION {
        let theirs = file.format.to_string();
        return Err(damaged(message!(cause_tags_format { theirs, ours: format::TAGS_FORMAT_VERSION })));
    }
    normalize_tags(&file.tags).map_err(|e| damaged(e.message()))
}

/// Replaces the tags atomically; an empty list removes the file. Returns them normalized.
pub fn write_tags(folder: &Path, tags: &[String]) -> Result<Vec<String>, TagError> {
    let tags = normalize_tags(tags)?;
    let path = folder.join(format::TAGS_FILE);
    let io = |source| TagError::Io { path: path.clone(), source };
    if tags.is_empty() {
        return match fs::remove_file(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(io(e)),
            _ => Ok(tags),
        };
    }
    let text = encode_tags(&tags).map_err(io)?;
    // Two programs may tag a run concurrently: each writes its own file, the later rename wins.
    let new = folder.join(format!(".{}.{}.new", format::TAGS_FILE, std::process::id()));
    let put = || {
        let mut to = create_file_anew(&new, 0o666)?;
        to.write_all(&text)?;
        to.sync_all()?;
        fs::rename(&new, &path)
    };
    put().map_err(io)?;
    Ok(tags)
}

pub(crate) fn encode_tags(tags: &[String]) -> io::Result<Vec<u8>> {
    let mut text =
        serde_json::to_vec(&TagsFile { format: format::TAGS_FORMAT_VERSION, tags: tags.to_vec() })?;
    text.push(b'\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(tags: &[&str]) -> Vec<String> {
        tags.iter().map(|t| t.to_string()).collect()
    }

    #[test]
    fn tags_are_kept_in_order_and_each_once() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_tags(folder.path()).unwrap(), tags(&[]));
        let kept = write_tags(folder.path(), &tags(&[" keep ", "Größe \"1\"", "keep"])).unwrap();
        assert_eq!(kept, tags(&["Größe \"1\"", "keep"]));
        assert_eq!(read_tags(folder.path()).unwrap(), kept);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        write_tags(folder.path(), &[]).unwrap();
        write_tags(folder.path(), &[]).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_is_no_tag_is_refused_and_a_damaged_file_told() {
        for bad in ["", "  ", "a\nb", &"x".repeat(65)] {
            assert!(matches!(normalize_tags(&tags(&[bad])), Err(TagError::Refused { .. })), "{bad:?}");
        }
        let many: Vec<String> = (0..65).map(|n| n.to_string()).collect();
        assert!(matches!(normalize_tags(&many), Err(TagError::TooMany { found: 65 })));
        assert!(normalize_tags(&tags(&[&"ö".repeat(64)])).is_ok());
        let folder = tempfile::tempdir().unwrap();
        for bad in ["", "[]", "{\"format\":2,\"tags\":[]}", "{\"format\":1,\"tags\":[\"\"]}"] {
            fs::write(folder.path().join(format::TAGS_FILE), bad).unwrap();
            assert!(matches!(read_tags(folder.path()), Err(TagError::Damaged { .. })), "{bad:?}");
        }
    }
}
