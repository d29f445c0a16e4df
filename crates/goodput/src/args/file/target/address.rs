//! The parts of `smb://` and `nfs://`: user, server, port, path.

use super::refused;
use crate::args::host_name::HostName;
use crate::args::value_parsers::{self, ValueError};

pub struct SmbAddress {
    pub user: Option<String>,
    pub host: HostName,
    pub port: Option<u16>,
    pub path: String,
}

pub fn parse_smb_address(rest: &str) -> Result<SmbAddress, ValueError> {
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    // A lab's host contains an @: lab:NAME@LAB.
    let (user, at) = match authority.split_once('@') {
        Some((user, at)) if !authority.starts_with("lab:") => (Some(user), at),
        _ => (None, authority),
    };
    if user.is_some_and(|u| u.contains(':')) {
        return Err(ValueError {
            secret: true,
            ..ValueError::new(
                "every user of this machine can read a password in an address",
                "omit the password; goodput prompts for it or reads it from --password-file FILE",
            )
        });
    }
    let user = user.map(|u| decoded(u)).transpose()?;
    let (name, port) = match at.rsplit_once(':') {
        // A colon within brackets belongs to IPv6, one after `lab` to the name.
        Some((name, port)) if !port.contains(']') && name != "lab" => {
            (name, Some(value_parsers::parse_port(port)?))
        }
        _ => (at, None),
    };
    let bare = name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(name);
    if bare.is_empty() {
        return Err(refused("it names no server"));
    }
    Ok(SmbAddress { user, host: bare.parse()?, port, path: decoded(path)? })
}

/// A path with single slashes, without slashes at its ends, and without `..`.
pub fn normalize_relative_path(path: &str) -> Result<String, ValueError> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if parts.iter().any(|part| matches!(*part, "." | "..") || part.contains('\\')) {
        return Err(ValueError::new(
            "the path has . or .. or a backslash in it",
            "write the path with / from the share's root on",
        ));
    }
    Ok(parts.join("/"))
}

/// Percent-decoding (RFC 3986, section 2.1).
fn decoded(text: &str) -> Result<String, ValueError> {
    let wrong = || {
        ValueError::new("a % is not followed by two hexadecimal digits of UTF-8", "write %25 for a % itself")
    };
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = rest.get(..2).filter(|d| d.iter().all(u8::is_ascii_hexdigit)).ok_or_else(wrong)?;
        let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
        bytes.push(u8::from_str_radix(digits, 16).map_err(|_| wrong())?);
        rest = &rest[2..];
    }
    let text = String::from_utf8(bytes).map_err(|_| wrong())?;
    if text.contains('\0') { Err(wrong()) } else { Ok(text) }
}
