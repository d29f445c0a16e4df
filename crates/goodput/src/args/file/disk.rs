//! The drive mark: which rows, on how large a file, for how long each.

use super::copy::FILE;
use crate::args::value::{self, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_file::profile::{DEFAULT_PROFILE, PROFILES, Profile, ProfileRow};
use goodput_model::file::Flush;
use goodput_model::{Bytes, Nanos};

/// As typed.
#[derive(Debug, Args)]
pub struct TypedDisk {
    /// The rows of a version of CrystalDiskMark: cdm3, cdm5, cdm6, cdm7, cdm8, cdm8-nvme [default: cdm8]
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Only this row of the profile, for example "RND4K Q1T1"; may be repeated
    #[arg(long, value_name = "NAME")]
    row: Vec<String>,
    /// Length of each row's window [default: 5s]
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
}

/// A drive mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskPlan {
    /// Whose rows.
    pub profile: &'static Profile,
    /// The rows, in the profile's order.
    pub rows: Vec<&'static ProfileRow>,
    /// Length of the file.
    pub size: Bytes,
    /// Length of each row's window.
    pub time: Nanos,
    /// When writes are asked to be durable, if not as in the profile.
    pub flush: Option<Flush>,
    /// Rounds that do not count, before those that do.
    pub uncounted: u32,
}

impl TypedDisk {
    /// What is meant, for a file of this length if one was typed.
    pub fn meaning(
        self,
        size: Option<&str>,
        flush: Option<Flush>,
        counted: bool,
    ) -> Result<DiskPlan, Failure> {
        let profiles: Vec<(&str, &'static Profile)> = PROFILES.iter().map(|p| (p.name, p)).collect();
        let profile =
            value::word("--profile", self.profile.as_deref().unwrap_or(DEFAULT_PROFILE), &profiles)?;
        let time = self.time.as_deref().map(|t| value::quantity("--time", t, &value::WINDOW)).transpose()?;
        Ok(DiskPlan {
            profile,
            rows: chosen(profile, &self.row)?,
            size: size.map_or(Ok(profile.size), |t| value::quantity("--size", t, &FILE))?,
            time: time.unwrap_or(profile.time),
            flush,
            uncounted: if counted { 0 } else { profile.uncounted.into() },
        })
    }
}

/// The rows of these names, however they are capitalised, in the profile's order; all of them for no name.
fn chosen(profile: &'static Profile, names: &[String]) -> Result<Vec<&'static ProfileRow>, Failure> {
    for name in names {
        if !profile.rows.iter().any(|row| row.name.eq_ignore_ascii_case(name)) {
            let known: Vec<String> = profile.rows.iter().map(|row| format!("\"{}\"", row.name)).collect();
            return Err(Failure::usage(format!("--row {} is refused", shown(name)))
                .because(format!("{} has no such row", profile.name))
                .try_this(format!("type --row {}", known.join(" or --row "))));
        }
    }
    let wanted =
        |row: &&ProfileRow| names.is_empty() || names.iter().any(|n| row.name.eq_ignore_ascii_case(n));
    Ok(profile.rows.iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_chosen_by_name_and_kept_in_order() {
        let article = PROFILES.iter().find(|p| p.name == "cdm3").unwrap();
        let names = |typed: &[&str]| -> Result<Vec<&str>, Failure> {
            let typed: Vec<String> = typed.iter().map(|t| t.to_string()).collect();
            Ok(chosen(article, &typed)?.iter().map(|row| row.name).collect())
        };
        assert_eq!(names(&["4k qd32", "Seq"]), Ok(vec!["Seq", "4K QD32"]));
        assert_eq!(names(&[]).map(|rows| rows.len()), Ok(4));
        assert!(names(&["RND4K"]).unwrap_err().hint.is_some_and(|h| h.contains("\"4K QD32\"")));
    }
}
