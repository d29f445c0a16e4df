//! The columns of the linear model: mean, blocks, factors, pairs of factors.

use super::AliasedTerm;
use super::alias::{self, MEAN_TERM};
use crate::experiment::least_squares::DesignMatrix;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::data_set::FactorAxis;
use std::collections::BTreeSet;
use std::ops::Range;

pub(super) struct CodedObservations {
    /// Factors with two or more observed levels, with those levels in order.
    pub factors: Vec<(String, Vec<String>)>,
    pub levels: Vec<Vec<usize>>,
    pub block: Vec<usize>,
    pub values: Vec<f64>,
    raw: Vec<(FactorLevels, u32)>,
}

impl CodedObservations {
    pub fn new(axes: &[FactorAxis]) -> CodedObservations {
        CodedObservations {
            factors: axes.iter().map(|a| (a.name.clone(), a.levels.clone())).collect(),
            levels: Vec::new(),
            block: Vec::new(),
            values: Vec::new(),
            raw: Vec::new(),
        }
    }

    pub fn push_observation(&mut self, levels: &FactorLevels, block: u32, value: f64) {
        self.raw.push((levels.clone(), block));
        self.values.push(value);
    }

    /// Leaves out constant factors and observations without a level of another factor; renumbers the rest.
    pub fn remove_constant_factors(&mut self) {
        for (name, levels) in &mut self.factors {
            levels.retain(|l| self.raw.iter().any(|(row, _)| row.get(name) == Some(l)));
        }
        self.factors.retain(|(_, levels)| levels.len() > 1);
        let mut kept = Vec::new();
        let mut blocks = Vec::new();
        for ((row, block), value) in self.raw.drain(..).zip(&self.values) {
            let place = |(name, levels): &(String, Vec<String>)| {
                let level = row.get(name)?;
                levels.iter().position(|l| l == level)
            };
            if let Some(levels) = self.factors.iter().map(place).collect::<Option<Vec<usize>>>() {
                self.levels.push(levels);
                blocks.push(block);
                kept.push(*value);
            }
        }
        let known: Vec<u32> = blocks.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect();
        self.block = blocks.iter().map(|b| known.partition_point(|k| k < b)).collect();
        self.values = kept;
    }

    pub fn block_count(&self) -> usize {
        self.block.iter().max().map_or(0, |b| b + 1)
    }

    /// Contrasts that sum to zero over each factor's levels; those of several factors are all products.
    pub fn contrast_columns(&self, factors: &[usize]) -> Vec<Vec<f64>> {
        let mut columns = vec![vec![1.0; self.values.len()]];
        for factor in factors {
            let last = self.factors[*factor].1.len() - 1;
            columns = columns
                .iter()
                .flat_map(|column| {
                    (0..last).map(move |level| {
                        let times = |i: usize| sum_to_zero(self.levels[i][*factor], level, last);
                        column.iter().enumerate().map(|(i, v)| v * times(i)).collect()
                    })
                })
                .collect();
        }
        columns
    }
}

/// 1 at `of`, −1 at the last level, 0 elsewhere.
fn sum_to_zero(level: usize, of: usize, last: usize) -> f64 {
    if level == of {
        1.0
    } else if level == last {
        -1.0
    } else {
        0.0
    }
}

pub(super) struct EffectsModel {
    pub terms: Vec<ModelTerm>,
    pub inseparable: Vec<AliasedTerm>,
}

pub(super) struct ModelTerm {
    pub factors: Vec<usize>,
    pub place: Range<usize>,
    pub aliases: Vec<Vec<String>>,
}

impl EffectsModel {
    /// Adds mean, blocks, factors and pairs. A linearly dependent column is left out and reported.
    pub fn build(coded: &CodedObservations, columns: &mut DesignMatrix) -> EffectsModel {
        let mut model = EffectsModel { terms: Vec::new(), inseparable: Vec::new() };
        columns.add_column(&vec![1.0; coded.values.len()]);
        let last = coded.block_count().saturating_sub(1);
        for block in 0..last {
            let column: Vec<f64> = coded.block.iter().map(|b| sum_to_zero(*b, block, last)).collect();
            columns.add_column(&column);
        }
        let blocks = 1..columns.column_count();
        for factors in alias::factor_subsets(coded.factors.len(), 2) {
            let from = columns.column_count();
            let mut told = Vec::new();
            for column in coded.contrast_columns(&factors) {
                told.extend(columns.add_column(&column));
            }
            if told.is_empty() {
                model.terms.push(ModelTerm {
                    factors,
                    place: from..columns.column_count(),
                    aliases: Vec::new(),
                });
            } else {
                columns.truncate_columns(from);
                model.cannot_part(coded, &factors, &told, &blocks);
            }
        }
        // Three-factor interactions are not estimated, but reported as aliases.
        for factors in alias::factor_subsets(coded.factors.len(), 3).into_iter().filter(|f| f.len() == 3) {
            let from = columns.column_count();
            let told: Vec<Vec<f64>> =
                coded.contrast_columns(&factors).iter().filter_map(|c| columns.add_column(c)).collect();
            columns.truncate_columns(from);
            if !told.is_empty() {
                model.name(coded, &factors, &told);
            }
        }
        model
    }

    /// Records a term as inseparable, and as an alias of those that it depends on.
    fn cannot_part(
        &mut self,
        coded: &CodedObservations,
        factors: &[usize],
        told: &[Vec<f64>],
        blocks: &Range<usize>,
    ) {
        let mut from = self.name(coded, factors, told);
        let used = |at: usize| {
            told.iter().any(|t| t.get(at).is_some_and(|v| v.abs() > alias::ALIAS_COEFFICIENT_THRESHOLD))
        };
        if blocks.clone().any(used) {
            from.push(vec![alias::BLOCKS_TERM.to_string()]);
        }
        if used(0) {
            from.push(vec![MEAN_TERM.to_string()]);
        }
        self.inseparable.push(AliasedTerm { factors: names(coded, factors), from });
    }

    /// Adds the alias to the terms that it depends on, and returns them.
    fn name(&mut self, coded: &CodedObservations, factors: &[usize], told: &[Vec<f64>]) -> Vec<Vec<String>> {
        let alias = names(coded, factors);
        let mut found = Vec::new();
        for term in &mut self.terms {
            let part = |at: usize| {
                told.iter().any(|t| t.get(at).is_some_and(|v| v.abs() > alias::ALIAS_COEFFICIENT_THRESHOLD))
            };
            if term.place.clone().any(part) {
                term.aliases.push(alias.clone());
                found.push(names(coded, &term.factors));
            }
        }
        found
    }
}

fn names(coded: &CodedObservations, factors: &[usize]) -> Vec<String> {
    factors.iter().map(|f| coded.factors[*f].0.clone()).collect()
}

impl ModelTerm {
    pub fn factor_names(&self, coded: &CodedObservations) -> Vec<String> {
        names(coded, &self.factors)
    }

    /// Each combination of the factors' levels with the weights of the coefficients in its deviation.
    pub fn level_weights(&self, coded: &CodedObservations) -> Vec<(Vec<String>, Vec<f64>)> {
        let mut all = vec![(Vec::new(), vec![1.0])];
        for factor in &self.factors {
            let levels = &coded.factors[*factor].1;
            let last = levels.len() - 1;
            all = all
                .into_iter()
                .flat_map(|(names, weights)| {
                    levels.iter().enumerate().map(move |(at, level)| {
                        let mut names = names.clone();
                        names.push(level.clone());
                        let weights = weights
                            .iter()
                            .flat_map(|w| (0..last).map(move |of| w * sum_to_zero(at, of, last)))
                            .collect();
                        (names, weights)
                    })
                })
                .collect();
        }
        all
    }

    /// Weights of the classical effect of two-level factors: twice the deviation at the second levels.
    pub fn effect_weights(&self, coded: &CodedObservations) -> Option<Vec<f64>> {
        let two = self.factors.iter().all(|f| coded.factors[*f].1.len() == 2);
        two.then(|| vec![2.0 * (-1.0f64).powi(self.factors.len() as i32)])
    }
}
