//! The section ACCESS SPECIFICATIONS, in the form since 1998.05.21 and in the older one. Its keys tell which
//! it is, because versions are unreliable: `OLTP.txt` of 1998.01.05 says 3.26.97.

use super::errors::IcfError;
use super::icf_key::{IcfKey, IcfSection};
use super::icf_lines::{IcfCursor, IcfKeyLine, IcfLine};
use super::plan::{AccessSpec, AccessSpecDefaultAssignment, AccessSpecLine, DEFAULT_ASSIGNMENT_NAMES};
use super::setup::parse_keyword;
use crate::truncate_text;
use goodput_words::message;
use std::collections::HashMap;

pub(super) const MAX_ACCESS_SPEC_LINES: usize = 100;

#[derive(Default)]
pub(super) struct AccessSpecs {
    /// With their lines.
    pub list: Vec<(usize, AccessSpec)>,
    /// In lower case, as in `list`.
    by_name: HashMap<String, usize>,
    /// Names that IOmeter generated with KB, where it later wrote KiB; in lower case.
    aliases: HashMap<String, usize>,
}

impl AccessSpecs {
    /// Case-insensitive.
    pub fn find_by_name(&self, name: &str) -> Option<usize> {
        let name = name.to_lowercase();
        self.by_name.get(&name).or_else(|| self.aliases.get(&name)).copied()
    }

    /// Replaces one of the same name in place, as IOmeter does.
    fn put(&mut self, cursor: &mut IcfCursor<'_>, line: usize, spec: AccessSpec) {
        let next = self.list.len();
        let index = *self.by_name.entry(spec.name.to_lowercase()).or_insert(next);
        match self.list.get_mut(index) {
            None => self.list.push((line, spec)),
            Some(old) => {
                let first = old.0;
                let (name, first) = (format!("{:?}", spec.name), first.to_string());
                cursor.add_warning(line, message!(cause_icf_spec_replaced { name, first }));
                *old = (line, spec);
            }
        }
    }
}

/// As IOmeter compares names.
pub(super) fn equal_ignoring_case(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

pub(super) fn read_access_specs(cursor: &mut IcfCursor<'_>, specs: &mut AccessSpecs) -> Result<(), IcfError> {
    while let Some(found) = cursor.next_key_in_section(IcfSection::Specs) {
        match found.key {
            IcfKey::SpecName => {
                let spec = named(cursor, &found)?;
                specs.put(cursor, found.line.number, spec);
            }
            IcfKey::SpecLines => unnamed(cursor, specs)?,
            _ => cursor.warn_misplaced_key(&found),
        }
    }
    Ok(())
}

fn named<'a>(cursor: &mut IcfCursor<'a>, found: &IcfKeyLine<'a>) -> Result<AccessSpec, IcfError> {
    let value = cursor.read_value(found, false)?;
    let (name, word) = match value.text.split_once(',') {
        Some((name, word)) => (name.trim(), word.trim()),
        None => {
            let name = format!("{:?}", truncate_text(value.text));
            cursor.add_warning(value.number, message!(cause_icf_no_assignment { name }));
            (value.text, "NONE")
        }
    };
    if name.is_empty() {
        return Err(IcfError::empty_name(value.number, "an access specification"));
    }
    let assignment = parse_keyword(value.number, word, "the default assignment", &DEFAULT_ASSIGNMENT_NAMES)?;
    match cursor.peek_line() {
        // IOmeter takes any comment for the heading of the lines.
        Some(line) if line.text.starts_with('\'') => {
            if matches!(IcfKey::from_line(line.text), None | Some(IcfKey::SpecLines)) {
                cursor.next_line();
            }
        }
        _ => {
            cursor.add_warning(value.number, "the heading 'size,% of size,… is missing; IOmeter refuses that")
        }
    }
    let mut lines = Vec::new();
    let mut last = value.number;
    for line in cursor.read_data_lines() {
        last = line.number;
        if lines.len() == MAX_ACCESS_SPEC_LINES {
            let (name, most) = (format!("{name:?}"), MAX_ACCESS_SPEC_LINES);
            return Err(IcfError::new(line.number, message!(cause_icf_spec_too_long { name, most })));
        }
        lines.push(eight(line)?);
    }
    if lines.is_empty() {
        let name = format!("{name:?}");
        return Err(IcfError::new(value.number, message!(cause_icf_spec_without_size { name })));
    }
    whole(last, name, &lines)?;
    Ok(AccessSpec { name: name.to_string(), assignment, lines })
}

/// `line` is the last of them.
fn whole(line: usize, name: &str, lines: &[AccessSpecLine]) -> Result<(), IcfError> {
    let sum: u32 = lines.iter().map(|l| u32::from(l.share_percent)).sum();
    if sum == 100 {
        return Ok(());
    }
    let why = message!(cause_icf_shares_of { name: format!("{name:?}"), sum: sum.to_string() });
    let hint = "correct the column \"% of size\" of that access specification";
    Err(IcfError { hint, ..IcfError::new(line, why) })
}

fn wrong_fields(line: usize, wanted: usize, found: usize) -> IcfError {
    IcfError::new(line, message!(cause_icf_wrong_fields { wanted, found: found.to_string() }))
}

/// `size,% of size,% reads,% random,delay,burst,align,reply`; a comma may follow, as in results.csv.
fn eight(line: IcfLine<'_>) -> Result<AccessSpecLine, IcfError> {
    let text = line.text.strip_suffix(',').unwrap_or(line.text);
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let [size, share, reads, random, delay, burst, align, reply] = fields[..] else {
        let hint = "write size,% of size,% reads,% random,delay,burst,align,reply";
        return Err(IcfError { hint, ..wrong_fields(line.number, 8, fields.len()) });
    };
    let n = line.number;
    Ok(AccessSpecLine {
        align: number(n, "align", align, 0, u32::MAX)?,
        reply: number(n, "reply", reply, 0, u32::MAX)?,
        ..six(n, [size, share, reads, random, delay, burst])?
    })
}

fn six(line: usize, fields: [&str; 6]) -> Result<AccessSpecLine, IcfError> {
    let [size, share, reads, random, delay, burst] = fields;
    Ok(AccessSpecLine {
        size: number(line, "size", size, 1, u32::MAX)?,
        share_percent: number(line, "% of size", share, 0, 100)?,
        reads_percent: number(line, "% reads", reads, 0, 100)?,
        random_percent: number(line, "% random", random, 0, 100)?,
        delay_ms: number(line, "delay", delay, 0, u32::MAX)?,
        burst: number(line, "burst", burst, 1, u32::MAX)?,
        align: 0,
        reply: 0,
    })
}

/// IOmeter takes a letter for 0; here it is an error.
fn number<T: TryFrom<u64>>(
    line: usize,
    what: &'static str,
    text: &str,
    from: u32,
    to: u32,
) -> Result<T, IcfError> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(IcfError::not_a_number(line, what, text));
    }
    let (from, to) = (u64::from(from), u64::from(to));
    // Too large for u64 is out of every range.
    let value = text.parse::<u64>().ok().filter(|v| (from..=to).contains(v));
    let value = value.and_then(|v| T::try_from(v).ok());
    value.ok_or_else(|| {
        let error = IcfError::out_of_range(line, what, text, from, to);
        match what {
            "size" => IcfError { hint: "IOmeter's sizes are 1 byte to 4294967295 bytes", ..error },
            _ => error,
        }
    })
}

/// The form before 1998.05.21: lines of six fields; a specification ends where its shares reach 100. IOmeter
/// generates names and assigns all of them to all workers.
fn unnamed(cursor: &mut IcfCursor<'_>, specs: &mut AccessSpecs) -> Result<(), IcfError> {
    let mut lines: Vec<AccessSpecLine> = Vec::new();
    let (mut first, mut last) = (0, 0);
    for line in cursor.read_data_lines() {
        let fields: Vec<&str> =
            line.text.split(|c: char| c.is_whitespace() || c == ',').filter(|f| !f.is_empty()).collect();
        let six_fields = <[&str; 6]>::try_from(&fields[..]);
        let fields = six_fields.map_err(|_| wrong_fields(line.number, 6, fields.len()))?;
        let read = six(line.number, fields)?;
        if read.share_percent == 0 {
            cursor.add_warning(line.number, "a line with a share of 0 % is left out");
            continue;
        }
        if lines.is_empty() {
            first = line.number;
        }
        last = line.number;
        lines.push(read);
        let sum: u32 = lines.iter().map(|l| u32::from(l.share_percent)).sum();
        if sum == 100 {
            let read = std::mem::take(&mut lines);
            let (name, alias) = made_name(&read, specs);
            if let Some(alias) = alias {
                specs.aliases.entry(alias.to_lowercase()).or_insert(specs.list.len());
            }
            specs.put(
                cursor,
                first,
                AccessSpec { name, assignment: AccessSpecDefaultAssignment::All, lines: read },
            );
        } else if sum > 100 {
            break;
        }
    }
    if lines.is_empty() { Ok(()) } else { whole(last, &made_name(&lines, specs).0, &lines) }
}

/// IOmeter's generated name, and the same in the units of older versions.
fn made_name(lines: &[AccessSpecLine], specs: &AccessSpecs) -> (String, Option<String>) {
    let [line] = lines else {
        let untitled = (1..).map(|n| format!("Untitled {n}")).find(|name| specs.find_by_name(name).is_none());
        return (untitled.unwrap_or_default(), None);
    };
    let share = |percent: u8, word: &str| {
        if percent == 100 { word.to_string() } else { format!("{percent}% {word}") }
    };
    let order = if line.random_percent == 0 {
        "sequential".to_string()
    } else {
        share(line.random_percent, "random")
    };
    let way = if line.reads_percent == 0 { "writes".to_string() } else { share(line.reads_percent, "reads") };
    let (size, old) = match line.size {
        512 => ("512 B".to_string(), "512byte".to_string()),
        0x10_0000 => ("1 MiB".to_string(), "1MB".to_string()),
        size => (format!("{} KiB", size / 1024), format!("{}KB", size / 1024)),
    };
    let (name, old) = (format!("{size} {order} {way}"), format!("{old} {order} {way}"));
    if specs.find_by_name(&name).is_none() {
        return (name, Some(old));
    }
    let n = (2..).find(|n| specs.find_by_name(&format!("{name} {n}")).is_none()).unwrap_or(2);
    (format!("{name} {n}"), Some(format!("{old} {n}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iometer::tests::fixtures::LINE;

    #[test]
    fn numbers_have_bounds_and_say_so() {
        assert_eq!(number::<u32>(3, "size", "4294967295", 1, u32::MAX), Ok(u32::MAX));
        let say = |text| number::<u32>(3, "size", text, 1, u32::MAX).unwrap_err().to_string();
        for text in ["0", "4294967296", "99999999999999999999999"] {
            assert_eq!(say(text), format!("line 3: size is {text}, outside 1 to 4294967295"));
        }
        assert_eq!(say("64K"), "line 3: size is \"64K\", which is not a whole number");
        assert_eq!(number::<u8>(1, "% reads", "101", 0, 100).unwrap_err().line, 1);
    }

    #[test]
    fn names_are_made_as_iometer_makes_them() {
        let line = |size, reads_percent, random_percent| AccessSpecLine {
            size,
            reads_percent,
            random_percent,
            ..LINE
        };
        let name = |l: AccessSpecLine| made_name(&[l], &AccessSpecs::default()).0;
        assert_eq!(name(line(2048, 67, 100)), "2 KiB random 67% reads");
        assert_eq!(name(line(512, 0, 0)), "512 B sequential writes");
        assert_eq!(name(line(1 << 20, 100, 30)), "1 MiB 30% random reads");
    }
}
