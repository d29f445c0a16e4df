//! Texts of the errors of `goodput-model`, which cannot construct messages itself.

use crate::{ErrorMessage, message};
use goodput_model::Message;
use goodput_model::recorder::RecordError;
use goodput_model::units::{QuantityError, QuantityFault};

/// Only why it is refused; [`sentence`] has all of it.
impl ErrorMessage for QuantityError {
    fn message(&self) -> Message {
        match &self.fault {
            QuantityFault::NoNumber => message!(cause_not_a_number),
            QuantityFault::NoUnit => message!(cause_no_unit),
            QuantityFault::UnknownUnit { unit } => {
                message!(cause_quantity_unknown_unit { unit: format!("{unit:?}"), what: self.kind.name() })
            }
            QuantityFault::NotWhole => {
                let unit = self.kind.unit_names().next().unwrap_or_default();
                message!(cause_quantity_not_whole { unit })
            }
            QuantityFault::TwoReadings { unit, .. } => message!(cause_two_readings { unit }),
            QuantityFault::BitsOrBytes { unit, .. } => message!(cause_quantity_bits_or_bytes { unit }),
            QuantityFault::MinutesOrMilliseconds { unit, .. } => {
                message!(cause_quantity_minutes_or_milliseconds { unit })
            }
        }
    }
}

/// `"64K" is not a size: the unit K is ambiguous`.
pub fn sentence(error: &QuantityError) -> Message {
    let (typed, what, why) = (format!("{:?}", error.typed), error.kind.name(), error.message());
    message!(error_quantity_refused { typed, what, why })
}

/// What to type instead.
pub fn hint(error: &QuantityError) -> Message {
    match &error.fault {
        QuantityFault::TwoReadings { one, other, .. } => message!(hint_quantity_either { one, other }),
        QuantityFault::BitsOrBytes { number, bits, .. } => {
            let (bits, bytes) = (format!("{number}{bits}"), format!("{number}x8 {bits}"));
            message!(hint_quantity_bits_or_bytes { bits, bytes })
        }
        QuantityFault::MinutesOrMilliseconds { number, .. } => {
            let (one, other) = (format!("{number}min"), format!("{number}ms"));
            message!(hint_quantity_either { one, other })
        }
        QuantityFault::NoNumber
        | QuantityFault::NoUnit
        | QuantityFault::UnknownUnit { .. }
        | QuantityFault::NotWhole => {
            let units = error.kind.unit_names().collect::<Vec<_>>().join(" ");
            message!(hint_quantity_units { units, example: error.kind.example() })
        }
    }
}

impl ErrorMessage for RecordError {
    fn message(&self) -> Message {
        message!(error_cannot_store_trial { place: &self.place, cause: &self.cause })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::{BitRate, Bytes, Nanos};

    #[test]
    fn the_typed_texts_are_those_of_the_errors() {
        let sizes = ["", "64K", "64 XB", "0.3B"].map(|typed| typed.parse::<Bytes>().unwrap_err());
        let rates = ["100M", "10", "1 s"].map(|typed| typed.parse::<BitRate>().unwrap_err());
        let times = ["5m", "10", "1 kB"].map(|typed| typed.parse::<Nanos>().unwrap_err());
        for error in sizes.into_iter().chain(rates).chain(times) {
            let text = error.to_string();
            assert_eq!(sentence(&error), text.as_str());
            assert!(text.ends_with(error.message().as_str()), "{text}");
        }
        let record = RecordError { place: "/runs/x".into(), cause: "no space left".into() };
        assert_eq!(record.message(), record.to_string().as_str());
    }

    #[test]
    fn two_readings_are_refused_with_both() {
        let hint_for = |error| hint(&error).to_string();
        assert_eq!(hint_for("64K".parse::<Bytes>().unwrap_err()), "type 64kB or 64KiB");
        assert_eq!(hint_for("5m".parse::<Nanos>().unwrap_err()), "type 5min or 5ms");
        let rate = hint_for("100M".parse::<BitRate>().unwrap_err());
        let expected = "type 100Mbit, or 8 times the number if bytes a second were meant: 100x8 Mbit";
        assert_eq!(rate, expected);
        let units = hint_for("1 XB".parse::<Bytes>().unwrap_err());
        assert_eq!(units, "type a number and one of B kB MB GB KiB MiB GiB, for example 64KiB");
    }
}
