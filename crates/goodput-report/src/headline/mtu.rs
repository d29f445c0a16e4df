//! The first sentence of a path-MTU probe: the largest packet each way and why nothing larger passes.

use super::way;
use crate::table::cell::{bytes, or_none};
use crate::table::mtu::reason;
use goodput_model::summary::{PathMtu, Summary};

/// Both directions in one where they agree, else each with its size and its reason.
pub fn mtu(summary: &Summary) -> Option<String> {
    let path = summary.path_mtu()?;
    let same = path.forward.is_some() && path.forward == path.reverse;
    match path.directions.as_slice() {
        [] => None,
        [a, b] if same && a.found.outcome == b.found.outcome => {
            let why = reason(&a.found.outcome);
            Some(format!("packets of {} pass both ways ({why})", or_none(path.forward, bytes)))
        }
        [only] if only.found.echo.is_some() => {
            let passes = or_none(only.found.passes, bytes);
            Some(format!("largest packet {passes} ({}), by ICMP echo", reason(&only.found.outcome)))
        }
        each => {
            let parts: Vec<String> = each
                .iter()
                .map(|d| {
                    let passes = or_none(d.found.passes, bytes);
                    format!("{} {passes} ({})", way(summary, d.direction), reason(&d.found.outcome))
                })
                .collect();
            Some(format!("largest packets {}", parts.join(", ")))
        }
    }
}

/// `1,400 B`, or `1,300 B there, 1,400 B back`.
pub fn short(path: &PathMtu) -> String {
    let one = |size: Option<u32>| or_none(size, bytes).to_string();
    if path.reverse_not_available.is_some() {
        return format!("{} there", one(path.forward));
    }
    if path.forward == path.reverse {
        one(path.forward)
    } else {
        format!("{} there, {} back", one(path.forward), one(path.reverse))
    }
}

#[cfg(test)]
mod tests {
    use crate::documents;
    use crate::headline::{headline, short};

    #[test]
    fn the_headline_says_size_and_reason() {
        assert_eq!(
            headline(&documents::mtu_jumbo()),
            "a ↔ b: packets of 7,150 B pass both ways (own interface, 7,150 B)."
        );
        assert_eq!(
            headline(&documents::mtu_narrow()),
            "a ↔ b: largest packets a → b 1,400 B (10.53.0.2 said \"too big\", takes 1,400 B), \
             b → a 1,400 B (black hole: silence above this size)."
        );
        assert_eq!(short(&documents::mtu_narrow()), "1,400 B");
        let echo = documents::mtu_echo();
        let text =
            "a → printer: largest packet 1,400 B (10.53.0.2 said \"too big\", takes 1,400 B), by ICMP echo.";
        assert_eq!((headline(&echo).as_str(), short(&echo).as_str()), (text, "1,400 B there"));
    }
}
