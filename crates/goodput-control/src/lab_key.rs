//! The lab key: a shared random secret by which hosts trust each other; its text form and its file.
//! `identity.rs` derives certificates from it.

use crate::path_text;
use goodput_words::{Message, error_messages, message};
use sha2::{Digest, Sha256};
use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use zeroize::{Zeroize, Zeroizing};

/// 160 bits, a whole number of base-32 letters.
const SECRET: usize = 20;
/// Letters of the checksum that detects typing errors.
const CHECK: usize = 4;
const PREFIX: &str = "gpkey1-";
pub const KEY_FILE_ENV: &str = "GOODPUT_KEY_FILE";

/// Not printed by `{:?}`; [`LabKey::text`] shows it. Zeroed on drop.
#[derive(Clone, PartialEq, Eq)]
pub struct LabKey {
    secret: [u8; SECRET],
}

/// `Open`: users other than its owner can access the secret. `Text`: in a file or in "the text given"; it is
/// not repeated, because it may be secret.
#[derive(Debug)]
pub enum KeyError {
    Read { path: PathBuf, source: io::Error },
    Open { path: PathBuf, mode: u32 },
    Text { place: Message, why: &'static str },
    Random,
}

error_messages! {
    KeyError {
        KeyError::Read { path, .. } => message!(error_cannot_read_key { path: path_text(path) }),
        KeyError::Open { path, mode } =>
            message!(error_key_open { path: path_text(path), mode: format!("{mode:03o}") }),
        KeyError::Text { place, why } => message!(error_key_text { place, why: Message::from(*why) }),
        KeyError::Random => "cannot obtain random bytes from the operating system",
    }
    sources { KeyError::Read { source, .. } => source }
}

impl KeyError {
    pub fn hint(&self) -> Message {
        match self {
            KeyError::Read { path, .. } => message!(hint_key_new_output { path: path_text(path) }),
            KeyError::Open { path, .. } => format!("chmod 600 {}", path.display()).into(),
            KeyError::Text { .. } => {
                "copy the file created by `goodput key new` again; it must be identical on both hosts".into()
            }
            KeyError::Random => {
                "try again; shortly after boot the kernel may not have random bytes yet".into()
            }
        }
    }
}

impl LabKey {
    pub fn generate() -> Result<LabKey, KeyError> {
        Ok(LabKey { secret: crate::random().map_err(|_| KeyError::Random)? })
    }

    pub fn to_text(&self) -> String {
        let letters = data_encoding::BASE32_NOPAD.encode(&self.secret);
        format!("{PREFIX}{letters}{}", check(&self.secret)).to_lowercase()
    }

    /// Reads a key file, which only its owner may be able to open.
    pub fn read_file(path: &Path) -> Result<LabKey, KeyError> {
        let unreadable = |source| KeyError::Read { path: path.to_path_buf(), source };
        let mut file = File::open(path).map_err(unreadable)?;
        // Of the open file, not of the path, which may have changed.
        let meta = file.metadata().map_err(unreadable)?;
        if let Some(mode) = permissions_for_others(path, &meta) {
            return Err(KeyError::Open { path: path.to_path_buf(), mode });
        }
        let mut text = Zeroizing::new(String::new());
        file.read_to_string(&mut text).map_err(unreadable)?;
        text.trim().parse().map_err(|e| match e {
            KeyError::Text { why, .. } => KeyError::Text { place: path_text(path).into(), why },
            other => other,
        })
    }

    /// The first of `--key-file`, `GOODPUT_KEY_FILE`, the user's, the machine's. Those named must exist.
    pub fn load_first_found(named: Option<&Path>) -> Result<Option<(LabKey, PathBuf)>, KeyError> {
        let variable = env::var_os(KEY_FILE_ENV).map(PathBuf::from);
        let home = env::var_os("HOME").map(|home| Path::new(&home).join(".config/goodput/key"));
        find(named.map(Path::to_path_buf).or(variable), [home, Some("/etc/goodput/key".into())])
    }

    pub(crate) fn secret(&self) -> &[u8] {
        &self.secret
    }
}

fn find(named: Option<PathBuf>, usual: [Option<PathBuf>; 2]) -> Result<Option<(LabKey, PathBuf)>, KeyError> {
    if let Some(path) = named {
        return LabKey::read_file(&path).map(|key| Some((key, path)));
    }
    for path in usual.into_iter().flatten() {
        match LabKey::read_file(&path) {
            Ok(key) => return Ok(Some((key, path))),
            Err(KeyError::Read { source, .. }) if is_file_not_found(&source) => {}
            Err(e) => return Err(e),
        }
    }
    Ok(None)
}

pub(crate) fn is_file_not_found(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Permission bits that allow access to others; `None` without any, and for what is not a regular file.
pub(crate) fn permissions_for_others(path: &Path, meta: &Metadata) -> Option<u32> {
    #[cfg(unix)]
    if meta.is_file() {
        use std::os::unix::fs::PermissionsExt;
        let mode = meta.permissions().mode() & 0o777;
        return (mode & closed(path, env::var_os("CREDENTIALS_DIRECTORY").as_deref()) != 0).then_some(mode);
    }
    None
}

/// Permission bits that a secret must not have. In systemd's credentials folder (systemd.exec(5),
/// `LoadCredential=`) group read is the mask of an ACL for the service's user, so it is allowed.
fn closed(path: &Path, credentials: Option<&OsStr>) -> u32 {
    let handed = credentials.is_some_and(|folder| !folder.is_empty() && path.starts_with(folder));
    if handed { 0o037 } else { 0o077 }
}

/// First letters of the secret's SHA-256.
fn check(secret: &[u8]) -> String {
    let mut letters = data_encoding::BASE32_NOPAD.encode(&Sha256::digest(secret));
    letters.truncate(CHECK);
    letters
}

impl FromStr for LabKey {
    type Err = KeyError;

    /// The form of [`LabKey::text`], in either case.
    fn from_str(text: &str) -> Result<LabKey, KeyError> {
        let wrong = |why| KeyError::Text { place: "the text given".into(), why };
        let lower = Zeroizing::new(text.trim().to_lowercase());
        let letters = lower.strip_prefix(PREFIX).ok_or_else(|| wrong("it does not begin with gpkey1-"))?;
        let letters = Zeroizing::new(letters.to_uppercase());
        let at = letters.len().checked_sub(CHECK).filter(|at| letters.is_char_boundary(*at));
        let (secret, mark) = letters.split_at(at.ok_or_else(|| wrong("it is too short"))?);
        let bytes = data_encoding::BASE32_NOPAD
            .decode(secret.as_bytes())
            .map(Zeroizing::new)
            .map_err(|_| wrong("it has letters or a length that no key has"))?;
        let secret: [u8; SECRET] =
            bytes.as_slice().try_into().map_err(|_| wrong("it is longer or shorter than a key"))?;
        if check(&secret) != mark {
            return Err(wrong("its check letters do not fit; a letter is mistyped or missing"));
        }
        Ok(LabKey { secret })
    }
}

impl Drop for LabKey {
    fn drop(&mut self) {
        self.secret.zeroize();
    }
}

impl fmt::Debug for LabKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LabKey(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn file(folder: &Path, name: &str, text: &str, mode: u32) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    #[test]
    fn only_what_systemd_hands_over_may_be_read_by_a_group() {
        let folder = Some(OsStr::new("/run/credentials/goodput-agent.service"));
        let key = Path::new("/run/credentials/goodput-agent.service/key");
        assert_eq!(closed(key, folder), 0o037);
        assert_eq!(closed(key, None), 0o077);
        assert_eq!(closed(key, Some(OsStr::new(""))), 0o077);
        assert_eq!(closed(Path::new("/etc/goodput/key"), folder), 0o077);
    }

    #[test]
    fn a_key_survives_its_text_and_what_is_none_is_refused() {
        let key = LabKey::generate().unwrap();
        let text = key.to_text();
        assert_eq!(text.lines().count(), 1);
        assert_eq!(text.parse::<LabKey>().unwrap(), key);
        assert_eq!(format!(" {}\n", text.to_uppercase()).parse::<LabKey>().unwrap(), key);
        assert_ne!(LabKey::generate().unwrap(), key);
        assert!(!format!("{key:?}").contains(&text[7..12]));

        let mut mistyped = LabKey { secret: [7; SECRET] }.to_text();
        let letter = if mistyped.ends_with('a') { 'b' } else { 'a' };
        mistyped.replace_range(mistyped.len() - 1.., &letter.to_string());
        for bad in ["", "gpkey1-", "gpkey1-aaaa", "gpkey2-aaaaaaaa", "gpkey1-ééééé", "gpkey1-0189", &mistyped]
        {
            assert!(matches!(bad.parse::<LabKey>(), Err(KeyError::Text { .. })), "{bad}");
        }
    }

    #[test]
    fn the_first_file_found_counts_and_one_open_to_others_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let key = |byte| LabKey { secret: [byte; SECRET] };
        let named = file(folder.path(), "named", &key(1).to_text(), 0o600);
        let home = file(folder.path(), "home", &key(2).to_text(), 0o400);
        let etc = file(folder.path(), "etc", &key(3).to_text(), 0o600);
        let none = folder.path().join("none");

        let usual = [Some(home.clone()), Some(etc.clone())];
        assert_eq!(find(Some(named), usual.clone()).unwrap().unwrap().0, key(1));
        assert_eq!(find(None, usual).unwrap().unwrap().0, key(2));
        assert_eq!(find(None, [Some(none.clone()), Some(etc)]).unwrap().unwrap().0, key(3));
        assert_eq!(find(None, [None, Some(none.clone())]).unwrap(), None);
        assert!(matches!(find(Some(none), [Some(home), None]), Err(KeyError::Read { .. })));

        let path = file(folder.path(), "key", &LabKey { secret: [1; SECRET] }.to_text(), 0o640);
        let e = LabKey::read_file(&path).unwrap_err();
        assert!(matches!(e, KeyError::Open { mode: 0o640, .. }));
        assert_eq!(e.hint().as_str(), format!("chmod 600 {}", path.display()));
    }
}
