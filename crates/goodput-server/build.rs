//! Compresses the built page (`web/dist`, without sub-folders) for embedding; without it, the list of files is empty.
//! `make page` touches this file, so that cargo runs it again.

use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let dist = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?)
        .join("../../web/dist");
    let mut files = Vec::new();
    if dist.is_dir() {
        println!("cargo::rerun-if-changed={}", dist.display());
        for entry in fs::read_dir(&dist)? {
            let entry = entry?;
            let packed = out.join(entry.file_name());
            let mut encoder = GzEncoder::new(fs::File::create(&packed)?, Compression::best());
            encoder.write_all(&fs::read(entry.path())?)?;
            encoder.finish()?;
            files.push(format!("({:?}, include_bytes!({packed:?})),\n", entry.file_name()));
        }
    }
    files.sort();
    fs::write(out.join("page.rs"), format!("&[\n{}]", files.concat()))
}
