//! Loads the load file of a mix before any agent is contacted.

use crate::args::file::ReplaySource;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure, WithHint, error_chain};
use goodput_interop::dbench;
use goodput_model::file::FileOperationMixSource;
use sha2::{Digest, Sha256};

/// Registers the load-file reader for the agent in this process and for `goodput agent`.
pub fn register_load_file_reader() {
    goodput_control::files::set_load_file_parser(|bytes| match dbench::read_load_file(bytes) {
        Ok((load, _)) => Ok(load),
        Err(e) => Err(error_chain(&e)),
    });
}

pub fn open_replay_source(
    played: &ReplaySource,
    seed: u64,
    warn: &mut dyn FnMut(String),
) -> Result<FileOperationMixSource, Failure> {
    let path = match played {
        ReplaySource::Office => return Ok(FileOperationMixSource::Office { seed }),
        ReplaySource::File(path) => path,
    };
    let unreadable = || format!("the load file {path} cannot be read");
    // The clients have other working folders.
    let absolute = std::path::absolute(path).or_failure(ExitStatus::Usage, unreadable())?;
    let bytes = std::fs::read(path).or_failure(ExitStatus::Usage, unreadable()).with_hint(
        "specify a dbench load file (Debian: /usr/share/dbench/client.txt), or type office for the \
         built-in profile",
    )?;
    let (load, warnings) = dbench::read_load_file(&bytes)
        .or_failure(ExitStatus::Usage, format!("the load file {path} is not valid"))
        .with_hint("correct that line, or choose another file; office is the built-in profile")?;
    if load.ops.is_empty() {
        return Err(Failure::usage_error(format!("the load file {path} is not valid"))
            .with_cause("the load file contains no operation")
            .with_hint("take another file; office is our own profile"));
    }
    warnings.iter().for_each(|warning| warn(format!("{path}: {warning}")));
    let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(FileOperationMixSource::LoadFile { path: absolute.to_string_lossy().into_owned(), sha256: sum })
}
