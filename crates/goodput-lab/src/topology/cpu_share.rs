//! The limit on a host's CPU time.

use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Of one CPU. Below it a host answers in bursts and programs time out.
pub const LEAST: u32 = 20;
pub const MOST: u32 = 6400;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CpuShare(pub u32);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{typed:?} is no share of a CPU: it is {LEAST}% to {MOST}%, where 100% is one CPU")]
pub struct CpuShareError {
    pub typed: String,
}

impl FromStr for CpuShare {
    type Err = CpuShareError;
    fn from_str(typed: &str) -> Result<CpuShare, CpuShareError> {
        let number = typed.strip_suffix('%').unwrap_or(typed).trim_end().parse().ok();
        let share = number.map(CpuShare).filter(|share| share.is_possible());
        share.ok_or_else(|| CpuShareError { typed: typed.to_string() })
    }
}

impl CpuShare {
    pub fn is_possible(self) -> bool {
        (LEAST..=MOST).contains(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_per_cent_of_one_cpu() {
        assert_eq!("25%".parse(), Ok(CpuShare(25)));
        assert_eq!("150".parse(), Ok(CpuShare(150)));
        for bad in ["19%", "6401%", "", "%", "a quarter", "-30", "0.5"] {
            assert!(bad.parse::<CpuShare>().unwrap_err().to_string().contains("20%"), "{bad}");
        }
    }
}
