//! Impairments of a link beside its medium: delay, jitter, loss, and a silent length limit.

use goodput_model::Nanos;
use goodput_words::{error_messages, message};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Beyond it measurements time out.
pub const MAX_DELAY: Nanos = Nanos(2_000_000_000);

/// Each direction by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkImpairments {
    /// From the last bit on the sender's medium to the first at the receiver.
    #[serde(default)]
    pub delay: Nanos,
    /// Largest additional delay, uniformly distributed; frames stay in order.
    #[serde(default)]
    pub jitter: Nanos,
    #[serde(default)]
    pub loss: LossRate,
    /// Longer IP packets are dropped silently.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silent_mtu: Option<u32>,
}

/// In millionths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LossRate(pub u32);

const WHOLE: u32 = 1_000_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseLossError {
    pub typed: String,
}

error_messages! {
    ParseLossError {
        ParseLossError { typed } => message!(error_is_no_share_of_frames { typed: format!("{typed:?}") }),
    }
}

impl FromStr for LossRate {
    type Err = ParseLossError;
    fn from_str(typed: &str) -> Result<LossRate, ParseLossError> {
        let percent = typed.trim().strip_suffix('%').and_then(|n| n.trim().parse::<f64>().ok());
        let millionths = percent.map(|p| (p * f64::from(WHOLE) / 100.0).round());
        match millionths {
            Some(m) if (1.0..=f64::from(WHOLE)).contains(&m) => Ok(LossRate(m as u32)),
            _ => Err(ParseLossError { typed: typed.to_string() }),
        }
    }
}

impl fmt::Display for LossRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", f64::from(self.0) * 100.0 / f64::from(WHOLE))
    }
}

impl LossRate {
    pub fn is_valid(self) -> bool {
        self.0 <= WHOLE
    }
}

impl LinkImpairments {
    pub fn has_delay(&self) -> bool {
        self.delay.0 > 0 || self.jitter.0 > 0
    }

    pub fn drops_frames(&self) -> bool {
        self.loss.0 > 0 || self.silent_mtu.is_some()
    }

    /// For example `delay 5 ms, loss 1 %`; empty without impairments.
    pub fn describe(&self) -> String {
        let ms = |n: Nanos| format!("{} ms", n.0 as f64 / 1e6);
        let all = [
            (self.delay.0 > 0).then(|| format!("delay {}", ms(self.delay))),
            (self.jitter.0 > 0).then(|| format!("jitter up to {}", ms(self.jitter))),
            (self.loss.0 > 0).then(|| format!("loss {}", self.loss)),
            self.silent_mtu.map(|most| format!("its switch passes {most} B and drops the rest in silence")),
        ];
        all.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_a_share_in_per_cent_and_what_is_asked_is_said() {
        for (typed, millionths) in [("1%", 10_000), ("0.05 %", 500), ("100%", 1_000_000), ("0.0001%", 1)] {
            assert_eq!(typed.parse(), Ok(LossRate(millionths)), "{typed}");
        }
        for bad in ["1", "0%", "101%", "-1%", "%", "a tenth", "nan%", "inf%"] {
            assert!(bad.parse::<LossRate>().is_err(), "{bad}");
        }
        assert_eq!(LossRate(500).to_string(), "0.05 %");
        let (delay, jitter, loss) = (Nanos(5_000_000), Nanos(0), LossRate(10_000));
        let way = LinkImpairments { delay, jitter, loss, silent_mtu: Some(1500) };
        let words = "delay 5 ms, loss 1 %, its switch passes 1500 B and drops the rest in silence";
        assert_eq!(way.describe(), words);
        assert_eq!(LinkImpairments::default().describe(), "");
    }
}
