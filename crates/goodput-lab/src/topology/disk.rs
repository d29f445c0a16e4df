//! The disk of a host in a topology.

use goodput_model::Bytes;
use goodput_model::units::QuantityError;
use goodput_words::{ErrorMessage, Message, error_messages, message, quantity_error};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Measuring each takes seconds.
pub const MAX_DISKS: usize = 8;
const SIZES: std::ops::RangeInclusive<Bytes> = Bytes(16 << 20)..=Bytes(1 << 40);
const RATES: std::ops::RangeInclusive<Bytes> = Bytes(1_000_000)..=Bytes(100_000_000_000);
const IOPS: std::ops::RangeInclusive<u32> = 10..=1_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disk {
    pub size: Bytes,
    /// Bytes a second for reads and for writes; `None` is as fast as memory.
    pub rate: Option<Bytes>,
    /// Reads and writes a second, separately, of any length, as a seeking disk; `None` is unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iops: Option<u32>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ParseDiskError {
    pub typed: String,
    pub why: Message,
    pub hint: Message,
}

error_messages! {
    ParseDiskError {
        ParseDiskError { typed, why, .. } => message!(error_is_no_disk { typed: format!("{typed:?}"), why }),
    }
}

impl FromStr for Disk {
    type Err = ParseDiskError;
    fn from_str(typed: &str) -> Result<Disk, ParseDiskError> {
        let refuse = |why: Message, hint: Message| ParseDiskError { typed: typed.to_string(), why, hint };
        let bytes = |text: &str| {
            text.trim()
                .parse::<Bytes>()
                .map_err(|e: QuantityError| refuse(e.message(), quantity_error::hint(&e)))
        };
        let (size, limits) = typed.split_once('@').map_or((typed, None), |(size, all)| (size, Some(all)));
        let mut disk = Disk { size: bytes(size)?, rate: None, iops: None };
        for limit in limits.into_iter().flat_map(|all| all.split(',')).map(str::trim) {
            match limit.strip_suffix("iops") {
                Some(number) => {
                    disk.iops = Some(number.trim().parse().map_err(|_| {
                        let why = message!(cause_lab_disk_operations { typed: format!("{limit:?}") });
                        refuse(why, "type 2GiB@200iops".into())
                    })?);
                }
                None => disk.rate = Some(bytes(limit.strip_suffix("/s").unwrap_or(limit))?),
            }
        }
        match disk.is_valid() {
            true => Ok(disk),
            false => Err(refuse("it is outside what a lab can make".into(), message!(hint_lab_disk))),
        }
    }
}

impl Disk {
    pub fn is_valid(&self) -> bool {
        SIZES.contains(&self.size)
            && self.rate.is_none_or(|rate| RATES.contains(&rate))
            && self.iops.is_none_or(|iops| IOPS.contains(&iops))
    }

    pub(crate) fn has_speed_limit(&self) -> bool {
        self.rate.is_some() || self.iops.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_a_size_and_perhaps_a_rate() {
        let disk = |size, rate: Option<u64>| Disk { size: Bytes(size), rate: rate.map(Bytes), iops: None };
        assert_eq!("2GiB".parse(), Ok(disk(2 << 30, None)));
        assert_eq!("2GiB@40MB".parse(), Ok(disk(2 << 30, Some(40_000_000))));
        assert_eq!("512 MiB @ 40MB/s".parse(), Ok(disk(512 << 20, Some(40_000_000))));
        let seeking = |rate, iops| Ok(Disk { iops: Some(iops), ..disk(1 << 30, rate) });
        assert_eq!("1GiB@200iops".parse(), seeking(None, 200));
        assert_eq!("1GiB@40MB, 200 iops".parse(), seeking(Some(40_000_000), 200));
        let bad_operations = "1GiB@1iops 1GiB@iops 1GiB@-5iops 1GiB@200iops,";
        let bad_sizes = "2G 2GiB@ 2GiB@40M 1MiB 2GiB@1kB 2TiB 2GiB@40Mbit";
        for bad in bad_operations.split(' ').chain(bad_sizes.split(' ')).chain([""]) {
            assert!(!bad.parse::<Disk>().unwrap_err().hint.is_empty(), "{bad}");
        }
    }
}
