//! Regular fractions of two-level designs, 2^(k−p), from their generators.
//!
//! Factors have letters in the order of the file, without I, which means the mean. `D=ABC`: the level of D is
//! the product of those of A, B and C, −1 for the first level and +1 for the second. Products of generators
//! are *words* of the defining relation, the shortest's length the *resolution*. Effects whose product is a
//! word are *aliases*. (Box, Hunter and Hunter 2005, "Statistics for Experimenters", chapter 6.)

use crate::error::ExperimentError;
use goodput_model::experiment::{Factor, FactorLevels};
use goodput_words::{Message, message};
use std::collections::BTreeMap;

const LETTERS: &[u8] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The base factors whose product it is, and whether it is inverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Column {
    base: u32,
    negative: bool,
}

impl Column {
    fn times(self, other: Column) -> Column {
        Column { base: self.base ^ other.base, negative: self.negative != other.negative }
    }
}

/// A fraction without aliases between main effects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FractionalFactorial {
    names: Vec<String>,
    columns: Vec<Column>,
    /// p of 2^(k−p).
    pub generated: u32,
    /// Length of the shortest word: III, IV, V, …
    pub resolution: u32,
}

impl FractionalFactorial {
    pub fn from_generators(
        factors: &[Factor],
        generators: &[String],
    ) -> Result<FractionalFactorial, ExperimentError> {
        let refuse = |what: Message, hint: Message| Err(ExperimentError::new(what, hint));
        let (count, most) = (factors.len(), LETTERS.len());
        if count > most {
            let what = message!(error_fraction_too_many_factors { most, count: count.to_string() });
            return refuse(what, "write two experiments".into());
        }
        if let Some(Factor { name, levels, .. }) = factors.iter().find(|f| f.levels.len() != 2) {
            let count = levels.len().to_string();
            let what = message!(error_fraction_two_levels { factor: name, count });
            return refuse(what, message!(hint_fraction_two_levels { factor: name }));
        }
        let mut made: BTreeMap<usize, Column> = BTreeMap::new();
        for typed in generators {
            let (left, column) = parse(typed, count)?;
            if made.insert(left, column).is_some() {
                let letter = letter(left).to_string();
                let hint = message!(hint_fraction_one_generator { letter: &letter });
                return refuse(message!(error_fraction_two_generators { letter }), hint);
            }
        }
        for typed in generators {
            let (_, column) = parse(typed, count)?;
            if let Some(at) = made.keys().find(|at| column.base & 1 << **at != 0) {
                let letter = letter(*at).to_string();
                let hint = message!(hint_fraction_in_its_place { letter: &letter });
                return refuse(message!(error_fraction_made_itself { generator: typed, letter }), hint);
            }
        }
        let column = |at: usize| made.get(&at).copied().unwrap_or(Column { base: 1 << at, negative: false });
        let columns: Vec<Column> = (0..count).map(column).collect();
        for (at, one) in columns.iter().enumerate() {
            if let Some(other) = columns.iter().skip(at + 1).position(|c| c.base == one.base) {
                let (one, other) = (&factors[at].name, &factors[at + 1 + other].name);
                let what = message!(error_fraction_same_effects { one, other });
                let hint = "give them different products of three letters or more, or name fewer generators";
                return refuse(what, hint.into());
            }
        }
        Ok(FractionalFactorial {
            names: factors.iter().map(|f| f.name.clone()).collect(),
            columns,
            generated: made.len() as u32,
            resolution: resolution(&made),
        })
    }

    /// The first factor varies slowest; empty for more than 2^16.
    pub fn combinations(&self, factors: &[Factor]) -> Vec<FactorLevels> {
        let base: Vec<usize> =
            (0..self.columns.len()).filter(|at| self.columns[*at].base == 1 << *at).collect();
        if base.len() > 16 {
            return Vec::new();
        }
        let mut rows: Vec<Vec<bool>> = (0..1u32 << base.len())
            .map(|row| {
                // Bit i of `high` says whether base factor i is at its second level.
                let high = base
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| row >> at & 1 == 1)
                    .fold(0, |m, (_, b)| m | 1 << b);
                self.columns.iter().map(|column| column.is_high(high)).collect()
            })
            .collect();
        rows.sort_unstable();
        let level = |(factor, high): (&Factor, &bool)| {
            factor.levels.get(usize::from(*high)).map(|l| (factor.name.clone(), l.name.clone()))
        };
        rows.iter().map(|row| factors.iter().zip(row).filter_map(level).collect()).collect()
    }

    /// Effects of up to two factors, a line per group of two or more: `cc = −mtu×nic = size×window`.
    pub fn alias_groups(&self) -> Vec<String> {
        let mut groups: BTreeMap<u32, Vec<(usize, bool, String)>> = BTreeMap::new();
        let k = self.columns.len();
        let mut add = |column: Column, order: usize, name: String| {
            groups.entry(column.base).or_default().push((order, column.negative, name));
        };
        for one in 0..k {
            add(self.columns[one], one, self.names[one].clone());
        }
        for one in 0..k {
            for other in one + 1..k {
                let name = format!("{}×{}", self.names[one], self.names[other]);
                add(self.columns[one].times(self.columns[other]), k + one * k + other, name);
            }
        }
        let mut groups: Vec<_> = groups.into_values().filter(|members| members.len() > 1).collect();
        groups.sort_by_key(|members| members[0].0);
        let line = |members: &Vec<(usize, bool, String)>| {
            let sign = |negative: bool| if negative != members[0].1 { "−" } else { "" };
            members.iter().map(|(_, n, name)| format!("{}{name}", sign(*n))).collect::<Vec<_>>().join(" = ")
        };
        groups.iter().map(line).collect()
    }

    pub fn describe_resolution(&self) -> String {
        let (k, p) = (self.columns.len(), self.generated);
        let what = match self.resolution {
            0..=3 => "main effects cannot be determined from pairs of other factors working together",
            4 => "main effects are clear of pairs; pairs cannot be determined from other pairs",
            _ => "main effects and pairs are clear of each other",
        };
        format!("2^({k}−{p}) fraction of resolution {}: {what}", roman(self.resolution))
    }
}

impl Column {
    fn is_high(self, high: u32) -> bool {
        // The product of an even number of −1 is +1.
        let low = (self.base & !high).count_ones();
        low.is_multiple_of(2) != self.negative
    }
}

fn letter(at: usize) -> char {
    char::from(LETTERS.get(at).copied().unwrap_or(b'?'))
}

fn roman(resolution: u32) -> String {
    const NUMBERS: [&str; 11] = ["–", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"];
    NUMBERS.get(resolution as usize).map_or_else(|| resolution.to_string(), |n| (*n).to_string())
}

fn parse(typed: &str, factors: usize) -> Result<(usize, Column), ExperimentError> {
    let form = || {
        ExperimentError::new(
            message!(error_fraction_no_generator { generator: format!("{typed:?}") }),
            "write D=ABC: one letter, =, the letters whose product it is; A is the first factor",
        )
    };
    let plain: String = typed.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_uppercase();
    let (left, right) = plain.split_once('=').ok_or_else(form)?;
    let (negative, right) = match right.strip_prefix(['-', '−']) {
        Some(rest) => (true, rest),
        None => (false, right.strip_prefix('+').unwrap_or(right)),
    };
    let at = |c: char| {
        let at = LETTERS.iter().position(|l| char::from(*l) == c).ok_or_else(form)?;
        if at < factors {
            return Ok(at);
        }
        let last = letter(factors.saturating_sub(1)).to_string();
        let hint = message!(hint_fraction_letters { last: &last });
        let (letter, count) = (c.to_string(), factors.to_string());
        let what = message!(error_fraction_letter_beyond { generator: typed, letter, count, last });
        Err(ExperimentError::new(what, hint))
    };
    let mut lefts = left.chars();
    let (Some(made), None) = (lefts.next(), lefts.next()) else { return Err(form()) };
    let made = at(made)?;
    let mut base = 0u32;
    for c in right.chars() {
        let bit = 1 << at(c)?;
        if base & bit != 0 {
            return Err(form());
        }
        base |= bit;
    }
    if base == 0 || base & 1 << made != 0 {
        return Err(form());
    }
    Ok((made, Column { base, negative }))
}

/// Least number of letters in a product of some of the generators' own words; 0 without generators.
fn resolution(made: &BTreeMap<usize, Column>) -> u32 {
    // Without aliased main effects k ≤ 2^(k−p) − 1, so that 25 factors have p ≤ 20.
    let mut words = vec![0u32];
    for (at, column) in made {
        words.extend_from_within(..);
        let half = words.len() / 2;
        words[half..].iter_mut().for_each(|word| *word ^= column.base | 1 << at);
    }
    words.iter().skip(1).map(|word| word.count_ones()).min().unwrap_or(0)
}

#[cfg(test)]
mod tests;
