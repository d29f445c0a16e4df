//! Sets of factors, and the names of aliases that are no factors.

/// A column is part of another from this coefficient on.
pub(super) const ALIAS_COEFFICIENT_THRESHOLD: f64 = 1e-6;
pub(super) const BLOCKS_TERM: &str = "blocks";
pub(super) const MEAN_TERM: &str = "mean";

/// All sets of one to `most` of `count` factors: single ones first, each size in order.
pub(super) fn factor_subsets(count: usize, most: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = (0..count).map(|f| vec![f]).collect();
    let mut from = 0;
    for _ in 1..most {
        let to = all.len();
        for i in from..to {
            let after = all[i].last().map_or(0, |l| l + 1);
            let longer = |next: usize| all[i].iter().copied().chain([next]).collect::<Vec<usize>>();
            let next: Vec<Vec<usize>> = (after..count).map(longer).collect();
            all.extend(next);
        }
        from = to;
    }
    all
}
