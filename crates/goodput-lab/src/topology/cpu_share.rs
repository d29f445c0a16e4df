//! The limit on a host's CPU time.

use goodput_words::{error_messages, message};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Of one CPU. Below it a host answers in bursts and programs time out.
pub const MIN_CPU_PERCENT: u32 = 20;
pub const MAX_CPU_PERCENT: u32 = 6400;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CpuShare(pub u32);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseCpuShareError {
    pub typed: String,
}

error_messages! {
    ParseCpuShareError {
        ParseCpuShareError { typed } => message!(error_lab_cpu_share {
            typed: format!("{typed:?}"),
            least: MIN_CPU_PERCENT.to_string(),
            most: MAX_CPU_PERCENT.to_string(),
        }),
    }
}

impl FromStr for CpuShare {
    type Err = ParseCpuShareError;
    fn from_str(typed: &str) -> Result<CpuShare, ParseCpuShareError> {
        let number = typed.strip_suffix('%').unwrap_or(typed).trim_end().parse().ok();
        let share = number.map(CpuShare).filter(|share| share.is_valid());
        share.ok_or_else(|| ParseCpuShareError { typed: typed.to_string() })
    }
}

impl CpuShare {
    pub fn is_valid(self) -> bool {
        (MIN_CPU_PERCENT..=MAX_CPU_PERCENT).contains(&self.0)
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
