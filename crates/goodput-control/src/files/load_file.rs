//! Reads the load file of a mix from the client's own disk. The front end provides the reader, because this
//! crate reads no foreign formats. The policy has allowed the path, and the order names the file's SHA-256:
//! a mix discloses no unknown file.

use crate::sha256;
use goodput_file::{FileError, FileErrorKind};
use goodput_model::file::{DbenchLoadFile, FileOperationMixSource, FileWorkload};
use goodput_words::{Message, message};
use std::fs::File;
use std::io::Read;
use std::sync::{Arc, OnceLock};

/// Parses a load file; an error names the line.
pub type LoadFileParser = fn(&[u8]) -> Result<DbenchLoadFile, Message>;

/// The largest load file: twenty times dbench's own.
const LARGEST: u64 = 512 << 20;

static READER: OnceLock<LoadFileParser> = OnceLock::new();

/// Sets the load file reader of this process; only the first call counts.
pub fn set_load_file_parser(reader: LoadFileParser) {
    let _ = READER.set(reader);
}

/// The load file of this work; `None` for other work.
pub(super) fn read_load_file(work: &FileWorkload) -> Result<Option<Arc<DbenchLoadFile>>, FileError> {
    let FileWorkload::Mix { load: FileOperationMixSource::LoadFile { path, sha256: wanted }, .. } = work
    else {
        return Ok(None);
    };
    let what = || message!(part_play_load_file { path });
    let failed = |source| FileError::from_io_error(what(), source);
    let refused = |why: Message| FileError::with_reason(what(), FileErrorKind::Forbidden, why);
    let reader = READER.get().ok_or_else(|| refused("this program reads no load files".into()))?;
    // Checked before opening: opening a pipe could block.
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Err(refused("it is not a file".into()));
    }
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        return Err(refused(message!(cause_load_file_too_large { mib: LARGEST >> 20 })));
    }
    if !sha256(&bytes).eq_ignore_ascii_case(wanted) {
        return Err(refused("it is not the file that was ordered: all clients have to play the same".into()));
    }
    reader(&bytes).map(|load| Some(Arc::new(load))).map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::Nanos;
    use goodput_words::ErrorMessage;

    fn mix(path: &str, sha256: String) -> FileWorkload {
        let load = FileOperationMixSource::LoadFile { path: path.into(), sha256 };
        FileWorkload::Mix { load, players: 1, warm_up: Nanos(0), time: Nanos(1), max_errors: 0, rate: None }
    }

    #[test]
    fn only_the_file_that_was_ordered_is_read() {
        set_load_file_parser(|bytes| match bytes {
            b"good" => Ok(DbenchLoadFile { handles: 3, ..DbenchLoadFile::default() }),
            _ => Err("line 1: bad".into()),
        });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("load.txt");
        let at = path.to_str().unwrap();
        std::fs::write(&path, "good").unwrap();
        assert_eq!(read_load_file(&mix(at, sha256(b"good").to_uppercase())).unwrap().unwrap().handles, 3);
        let refused = |sha256| read_load_file(&mix(at, sha256)).unwrap_err().message_with_sources();
        assert!(refused(sha256(b"other")).contains("not the file that was ordered"));
        std::fs::write(&path, "secret").unwrap();
        assert!(!refused(sha256(b"good")).contains("secret"));
        assert!(refused(sha256(b"secret")).contains("line 1: bad"));
        assert_eq!(
            read_load_file(&mix("/nowhere", String::new())).unwrap_err().trouble,
            FileErrorKind::NotFound
        );
        assert!(read_load_file(&mix("/dev/zero", String::new())).is_err());
        assert!(read_load_file(&FileWorkload::Remove).unwrap().is_none());
    }
}
