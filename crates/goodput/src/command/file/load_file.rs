//! Loads the load file of a mix before any agent is contacted.

use crate::args::file::Played;
use crate::exit::Exit;
use crate::failure::{Failure, chain};
use goodput_interop::dbench;
use goodput_model::file::MixSource;
use sha2::{Digest, Sha256};

/// Registers the load-file reader for the agent in this process and for `goodput agent`.
pub fn install_load_reader() {
    goodput_control::files::set_load_reader(|bytes| match dbench::read(bytes) {
        Ok((load, _)) => Ok(load),
        Err(e) => Err(chain(&e)),
    });
}

pub fn source(played: &Played, seed: u64, warn: &mut dyn FnMut(String)) -> Result<MixSource, Failure> {
    let path = match played {
        Played::Office => return Ok(MixSource::Office { seed }),
        Played::File(path) => path,
    };
    let bytes = std::fs::read(path).map_err(|e| {
        Failure::from_error(Exit::Usage, format!("the load file {path} cannot be read"), &e)
            .try_this("name a load file of dbench's (Debian: /usr/share/dbench/client.txt), or type office")
    })?;
    let (load, warnings) = dbench::read(&bytes).map_err(|e| {
        Failure::from_error(Exit::Usage, format!("the load file {path} is refused"), &e)
            .try_this("correct that line, or take another file; office is our own profile")
    })?;
    if load.ops.is_empty() {
        return Err(Failure::usage(format!("the load file {path} is refused"))
            .because("there is no operation in it")
            .try_this("take another file; office is our own profile"));
    }
    warnings.iter().for_each(|warning| warn(format!("{path}: {warning}")));
    let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(MixSource::LoadFile { path: path.clone(), sha256: sum })
}
