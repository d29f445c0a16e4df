//! Packs the relative relocations of the program (2 MB less). A loader reads them from glibc 2.36 on, so only a build
//! for the host itself, which has such a version, does it (`man ld`, `-z pack-relative-relocs`).

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let of = |name: &str| env::var(name).unwrap_or_default();
    let for_host = of("TARGET") == of("HOST") && of("CARGO_CFG_TARGET_ENV") == "gnu";
    if for_host && host_glibc().is_some_and(|version| version >= (2, 36)) {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// From `getconf GNU_LIBC_VERSION`, which prints `glibc 2.36`.
fn host_glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
