//! A list of hosts as typed: names separated by commas, each with a range of numbers if need be: `c[1-20]`,
//! `lab:c[01-20]`, `10.0.0.[11-14]`.

use super::host_name::HostName;
use super::value::shown;
use crate::failure::Failure;

/// Hosts of one list, at the most.
const MOST: usize = 10_000;

/// The hosts of a list, in its order, each once.
pub fn hosts(option: &str, typed: &str) -> Result<Vec<HostName>, Failure> {
    let mut found = Vec::new();
    for word in words(typed) {
        for name in expanded(option, typed, word.trim())? {
            let host = HostName::parse(option, &name)?;
            if found.contains(&host) {
                return Err(refused(option, typed, format!("{name} is named twice")));
            }
            found.push(host);
        }
        if found.len() > MOST {
            return Err(refused(option, typed, format!("more than {MOST} hosts")));
        }
    }
    Ok(found)
}

/// The words between commas; a comma within brackets belongs to an IPv6 address or a range and does not part.
fn words(typed: &str) -> Vec<&str> {
    let (mut words, mut start, mut depth) = (Vec::new(), 0, 0u32);
    for (at, c) in typed.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                words.push(&typed[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    words.push(&typed[start..]);
    words
}

/// The names that `c[1-20]` stands for; a word without a range of numbers stands for itself.
fn expanded(option: &str, typed: &str, word: &str) -> Result<Vec<String>, Failure> {
    let parts = || {
        let (head, rest) = word.split_once('[')?;
        let (range, tail) = rest.split_once(']')?;
        let (first, last) = range.split_once('-')?;
        let digits = |t: &str| !t.is_empty() && t.len() <= 9 && t.bytes().all(|b| b.is_ascii_digit());
        (digits(first) && digits(last)).then_some((head, first, last, tail))
    };
    let Some((head, first, last, tail)) = parts() else { return Ok(vec![word.to_string()]) };
    let number = |t: &str| t.parse::<usize>().unwrap_or(0);
    let (from, to) = (number(first), number(last));
    if from > to {
        return Err(refused(option, typed, format!("{first}-{last} counts downwards")));
    }
    if to - from >= MOST {
        return Err(refused(option, typed, format!("{first}-{last} are more than {MOST} hosts")));
    }
    // `[01-20]` keeps its leading zeros.
    let width = if first.starts_with('0') { first.len() } else { 0 };
    Ok((from..=to).map(|n| format!("{head}{n:0width$}{tail}")).collect())
}

fn refused(option: &str, typed: &str, why: String) -> Failure {
    Failure::usage(format!("{option} {} is refused", shown(typed)))
        .because(why)
        .try_this(format!("type {option} c1,c2,c3 or {option} c[1-20]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(typed: &str) -> Vec<String> {
        words(typed).into_iter().flat_map(|w| expanded("--clients", typed, w.trim()).unwrap()).collect()
    }

    #[test]
    fn ranges_are_counted_out() {
        assert_eq!(names("c[1-3], d"), ["c1", "c2", "c3", "d"]);
        assert_eq!(names("lab:c[08-10]"), ["lab:c08", "lab:c09", "lab:c10"]);
        assert_eq!(names("10.0.0.[11-12]"), ["10.0.0.11", "10.0.0.12"]);
        assert_eq!(names("[fd00::2]:6303,x"), ["[fd00::2]:6303", "x"]);
    }

    #[test]
    fn what_cannot_be_a_list_is_refused() {
        for bad in ["", ",", "a,,b", "a,a", "c[3-1]", "c[1-99999999]", "lab:c[1-2],lab:c2"] {
            let failure = hosts("--clients", bad).unwrap_err();
            assert!(failure.hint.is_some() && failure.cause.is_some(), "{bad}");
        }
        assert_eq!(hosts("--clients", "lab:c[1-20]").unwrap().len(), 20);
    }
}
