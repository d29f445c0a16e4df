//! Parses and formats the values of knobs. Pure.

use super::{Knob, KnobError, ValueFormat};
use goodput_words::{Message, message};

const LONGEST: usize = 256;

/// As the kernel would write it.
pub(super) fn normalize_value(knob: &Knob, typed: &str) -> Result<String, KnobError> {
    let words = normalize_whitespace(typed);
    let refused = |hint: Message| {
        Err(KnobError::Value { knob: knob.to_string(), value: typed.trim().to_string(), hint })
    };
    if words.is_empty() || words.len() > LONGEST || words.chars().any(char::is_control) {
        return refused(form(knob.spec().values));
    }
    let values = knob.spec().values;
    let taken = match values {
        ValueFormat::None => return Err(KnobError::ReadOnly { knob: knob.to_string() }),
        ValueFormat::Number(least, most) => {
            number(&words).filter(|n| (least..=most).contains(n)).map(|n| n.to_string())
        }
        ValueFormat::Switch => matches!(words.as_str(), "on" | "off").then(|| words.clone()),
        ValueFormat::Mask => parse_cpu_mask(&words),
        ValueFormat::Numbers(count) => {
            let all: Option<Vec<String>> =
                words.split(' ').map(|w| number(w).map(|n| n.to_string())).collect();
            all.filter(|all| all.len() == count).map(|all| all.join(" "))
        }
        ValueFormat::Word => (!words.contains(' ')).then(|| words.clone()),
    };
    taken.map_or_else(|| refused(form(values)), Ok)
}

fn form(values: ValueFormat) -> Message {
    match values {
        ValueFormat::Number(least, most) => {
            message!(part_knob_whole_number { least: least.to_string(), most: most.to_string() })
        }
        ValueFormat::Switch => "on or off".into(),
        ValueFormat::Mask => "a mask of CPUs in hexadecimal: 3 for CPU 0 and 1, 0 for none".into(),
        ValueFormat::Numbers(count) => message!(part_knob_whole_numbers { count }),
        ValueFormat::Word => "one word".into(),
        ValueFormat::None => "nothing".into(),
    }
}

fn number(word: &str) -> Option<u64> {
    word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok()).flatten()
}

/// Joins words by single spaces; the kernel separates lists by tabs.
pub(super) fn normalize_whitespace(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Removes the kernel's commas and leading zeros: `00000000,00000003` is `3`.
pub(super) fn parse_cpu_mask(text: &str) -> Option<String> {
    let digits: String = text.trim().trim_start_matches("0x").chars().filter(|c| *c != ',').collect();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let bare = digits.trim_start_matches('0').to_ascii_lowercase();
    Some(if bare.is_empty() { "0".into() } else { bare })
}

/// The kernel's format: groups of eight digits with commas, the first without padding.
pub(super) fn format_kernel_mask(mask: &str) -> String {
    let first = mask.len() % 8;
    let (head, rest) = mask.split_at(first);
    let groups = rest.as_bytes().chunks(8).map(|g| String::from_utf8_lossy(g).into_owned());
    let all: Vec<String> = (!head.is_empty()).then(|| head.to_string()).into_iter().chain(groups).collect();
    all.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(knob: &str, typed: &str) -> Result<String, String> {
        knob.parse::<Knob>().unwrap().normalize_value(typed).map_err(|e| e.to_string())
    }

    #[test]
    fn values_are_written_as_the_kernel_writes_them() {
        for (knob, typed, written) in [
            ("mtu", " 09000 ", "9000"),
            ("sysctl net.ipv4.tcp_rmem", "4096\t131072  6291456", "4096 131072 6291456"),
            ("offload gro", "off", "off"),
            ("rps", "00000000,00000003", "3"),
            ("rps", "0", "0"),
            ("sysctl net.ipv4.tcp_congestion_control", "cubic", "cubic"),
        ] {
            assert_eq!(value(knob, typed), Ok(written.into()));
        }
        assert_eq!(format_kernel_mask("1ffffffff"), "1,ffffffff");
    }

    #[test]
    fn what_a_knob_does_not_take_is_refused_with_what_it_takes() {
        for (knob, bad, hint) in [
            ("mtu", "67", "from 68"),
            ("mtu", "9k", "whole number"),
            ("mtu", "-1", "whole number"),
            ("mtu", "+1500", "whole number"),
            ("offload tso", "yes", "on or off"),
            ("rps", "g", "hexadecimal"),
            ("sysctl net.ipv4.tcp_rmem", "4096 131072", "3 whole numbers"),
            ("sysctl net.ipv4.tcp_congestion_control", "cubic reno", "one word"),
            ("sysctl net.ipv4.tcp_sack", "2", "from 0 to 1"),
            ("governor", "", "one word"),
        ] {
            let said = value(knob, bad).unwrap_err();
            assert!(said.contains(hint) && said.contains(knob), "{said}");
        }
        assert!(value("qdisc", "fq").unwrap_err().contains("only read"));
    }

    proptest! {
        #[test]
        fn any_text_is_answered_and_a_value_stays_itself(typed in ".{0,300}") {
            for entry in super::super::KNOB_SPECS {
                let knob: Knob = entry.name.parse().unwrap();
                if let Ok(value) = knob.normalize_value(&typed) {
                    prop_assert_eq!(knob.normalize_value(&value), Ok(value.clone()));
                    prop_assert!(!value.contains('\n') && !value.is_empty());
                }
            }
        }

        #[test]
        fn a_mask_survives_the_kernels_form(mask_ in "[1-9a-f][0-9a-f]{0,30}") {
            prop_assert_eq!(parse_cpu_mask(&format_kernel_mask(&mask_)), Some(mask_));
        }
    }
}
