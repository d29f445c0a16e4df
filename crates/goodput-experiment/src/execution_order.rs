//! The order of executions within a block.
//!
//! A block has every combination once, in a new random order, so that drift does not look like a factor's
//! effect. Factors that are hard to change make *whole plots*: each level of the first is set once a block,
//! within it those of the next, and only within the last are combinations mixed. The probe lines of a
//! combination are consecutive, in random order. (Split-plot designs: Box, Hunter and Hunter 2005,
//! "Statistics for Experimenters", chapter 9; Jones and Nachtsheim 2009, Journal of Quality Technology 41.)

use goodput_analysis::random::SplitMix64;
use goodput_model::experiment::FactorLevels;

/// Indices of combinations. `hard` are the names of the factors that are hard to change, the hardest first.
pub fn randomize_block(combinations: &[FactorLevels], hard: &[&str], random: &mut SplitMix64) -> Vec<usize> {
    plots((0..combinations.len()).collect(), combinations, hard, random)
}

/// Recursive: split by the first hard factor; mixed where none is left.
fn plots(
    mut members: Vec<usize>,
    combinations: &[FactorLevels],
    hard: &[&str],
    random: &mut SplitMix64,
) -> Vec<usize> {
    let Some((factor, easier)) = hard.split_first() else {
        random.shuffle(&mut members);
        return members;
    };
    let level = |at: &usize| combinations.get(*at).and_then(|levels| levels.get(*factor));
    let mut levels: Vec<Option<&String>> = Vec::new();
    for member in &members {
        if !levels.contains(&level(member)) {
            levels.push(level(member));
        }
    }
    random.shuffle(&mut levels);
    let plot = |wanted: &Option<&String>| members.iter().copied().filter(|m| level(m) == *wanted).collect();
    let parts: Vec<Vec<usize>> = levels.iter().map(plot).collect();
    parts.into_iter().flat_map(|part| plots(part, combinations, easier, random)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Vec<FactorLevels> {
        let pairs = |a: &str| {
            ["x", "y", "z"].map(|b| FactorLevels::from([("a".into(), a.into()), ("b".into(), b.into())]))
        };
        ["1", "2", "3", "4"].iter().flat_map(|a| pairs(a)).collect()
    }

    #[test]
    fn the_first_place_is_open_to_all_whole_plots_and_all_combinations() {
        let mut random = SplitMix64::new(1);
        let firsts = |hard: &[&str], random: &mut SplitMix64| {
            let mut seen: Vec<usize> = (0..2000).map(|_| randomize_block(&grid(), hard, random)[0]).collect();
            seen.sort_unstable();
            seen.chunk_by(|a, b| a == b).map(<[usize]>::len).collect::<Vec<_>>()
        };
        for hard in [&[][..], &["a"]] {
            let counts = firsts(hard, &mut random);
            // 12 places of probability 1/12 in 2000 draws: 167 each, within five deviations of 12.4.
            assert_eq!(counts.len(), 12);
            assert!(counts.iter().all(|n| (105..=229).contains(n)), "{counts:?}");
        }
    }
}
