//! Loads the load file of a mix before any agent is contacted.

use crate::args::file::ReplaySource;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure, WithHint};
use goodput_interop::dbench;
use goodput_model::Message;
use goodput_model::file::FileOperationMixSource;
use goodput_words::{ErrorMessage, message};
use sha2::{Digest, Sha256};

/// Registers the load-file reader for the agent in this process and for `goodput agent`.
pub fn register_load_file_reader() {
    goodput_control::files::set_load_file_parser(|bytes| match dbench::read_load_file(bytes) {
        Ok((load, _)) => Ok(load),
        Err(e) => Err(e.message_with_sources()),
    });
}

pub fn open_replay_source(
    played: &ReplaySource,
    seed: u64,
    warn: &mut dyn FnMut(Message),
) -> Result<FileOperationMixSource, Failure> {
    let path = match played {
        ReplaySource::Office => return Ok(FileOperationMixSource::Office { seed }),
        ReplaySource::File(path) => path,
    };
    let unreadable = || message!(error_load_file_unreadable { file: path });
    let refused = || message!(error_refused_load_file { file: path });
    // The clients have other working folders.
    let absolute = std::path::absolute(path).or_failure(ExitStatus::Usage, unreadable())?;
    let bytes = std::fs::read(path).or_failure(ExitStatus::Usage, unreadable()).with_hint(
        "specify a dbench load file (Debian: /usr/share/dbench/client.txt), or type office for the \
         built-in profile",
    )?;
    let (load, warnings) = dbench::read_load_file(&bytes)
        .or_failure(ExitStatus::Usage, refused())
        .with_hint("correct that line, or choose another file; office is the built-in profile")?;
    if load.ops.is_empty() {
        return Err(Failure::usage_error(refused())
            .with_cause("the load file contains no operation")
            .with_hint("take another file; office is our own profile"));
    }
    let told = warnings.iter().map(|warning| message!(list_colon { what: path, why: warning.message() }));
    told.for_each(warn);
    let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(FileOperationMixSource::LoadFile { path: absolute.to_string_lossy().into_owned(), sha256: sum })
}
