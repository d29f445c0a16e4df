//! The error of single observations: residuals without each combination's mean and each block's shift.

use super::ErrorVarianceSource;
use super::model::CodedObservations;
use std::collections::BTreeMap;

/// Of the two-way fit; balanced designs need one.
const SWEEPS: usize = 1_000;

pub(super) struct ErrorVarianceEstimate {
    pub deviation: f64,
    pub degrees: usize,
    pub noise: ErrorVarianceSource,
}

impl ErrorVarianceEstimate {
    /// From the residuals of a fit with so many columns; `None` without degrees of freedom.
    pub fn from_residuals(
        residuals: &[f64],
        columns: usize,
        noise: ErrorVarianceSource,
    ) -> Option<ErrorVarianceEstimate> {
        let degrees = residuals.len().checked_sub(columns).filter(|d| *d > 0)?;
        let squares: f64 = residuals.iter().map(|r| r * r).sum();
        Some(ErrorVarianceEstimate { deviation: (squares / degrees as f64).sqrt(), degrees, noise })
    }
}

/// From repeats; `None` where no combination has more than one.
pub(super) fn error_variance_from_replicates(coded: &CodedObservations) -> Option<ErrorVarianceEstimate> {
    let mut cells: BTreeMap<&[usize], usize> = BTreeMap::new();
    let cell: Vec<usize> = coded
        .levels
        .iter()
        .map(|levels| {
            let next = cells.len();
            *cells.entry(levels.as_slice()).or_insert(next)
        })
        .collect();
    let (cells, blocks) = (cells.len(), coded.block_count());
    let rank = cells + blocks - parts(&cell, &coded.block, cells, blocks);
    coded.values.len().checked_sub(rank).filter(|d| *d > 0)?;
    let mut left = coded.values.clone();
    let scale: f64 = left.iter().map(|v| v * v).sum();
    for _ in 0..SWEEPS {
        let moved = take_means(&mut left, &coded.block, blocks) + take_means(&mut left, &cell, cells);
        if moved <= 1e-24 * scale {
            break;
        }
    }
    ErrorVarianceEstimate::from_residuals(&left, rank, ErrorVarianceSource::Repeats)
}

/// Subtracts each group's mean; returns its sum of squares.
fn take_means(values: &mut [f64], group: &[usize], groups: usize) -> f64 {
    let mut sums = vec![(0.0, 0u32); groups];
    for (v, g) in values.iter().zip(group) {
        sums[*g].0 += v;
        sums[*g].1 += 1;
    }
    let mean = |g: usize| sums[g].0 / f64::from(sums[g].1.max(1));
    values.iter_mut().zip(group).for_each(|(v, g)| *v -= mean(*g));
    (0..groups).map(|g| mean(g).powi(2)).sum()
}

/// Number of connected groups of combinations and blocks: each has a level of its own.
fn parts(cell: &[usize], block: &[usize], cells: usize, blocks: usize) -> usize {
    let mut parent: Vec<usize> = (0..cells + blocks).collect();
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    for (c, b) in cell.iter().zip(block) {
        let (one, other) = (root(&mut parent, *c), root(&mut parent, cells + b));
        parent[one] = other;
    }
    (0..cells + blocks).filter(|i| parent[*i] == *i).count()
}
