//! What each factor does by itself and what two do together: main effects and two-factor interactions of full,
//! fractional and incomplete designs, with blocks taken out. `docs/methods/effects.md`.
//!
//! The estimates are those of least squares with contrasts that sum to zero; for a whole two-level design they are
//! the classical differences of means. What a design cannot part is named as an alias and never silently given to
//! one of its causes.

mod alias;
mod error;
mod model;

use super::least_squares::Columns;
use crate::interval::{Interval, t_quantile};
use error::{Error, replicates};
use goodput_model::experiment::data::{DataSet, Observed};
use model::{Coded, Model};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Logarithms: every number is a factor, 1.25 for a quarter more. For rates and times, whose noise grows with
    /// them.
    Ratio,
    /// The figure's own unit. For percentages and whatever may be 0.
    Difference,
}

/// Everything that the design tells about a figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effects {
    pub scale: Scale,
    /// The mean of all levels: geometric on the scale of ratios.
    pub mean: f64,
    /// Main effects in the order of the factors, then interactions.
    pub terms: Vec<Term>,
    /// What the design cannot part from what stands before it, and from what.
    pub inseparable: Vec<Inseparable>,
    pub observations: usize,
    /// Blocks taken out, 1 or more.
    pub blocks: usize,
    pub noise: Noise,
    /// Standard deviation of one observation on the scale (of the logarithm for ratios); `None` without degrees of
    /// freedom.
    pub deviation: Option<f64>,
    pub degrees: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Noise {
    Repeats,
    /// From what effects of two factors do not explain, taken for noise: without repeats there is nothing better.
    HigherOrder,
    /// There is nothing to read it from: no interval, and nothing can be called real.
    Nothing,
}

/// One factor's effect, or what two do beyond the sum (or product) of theirs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Term {
    pub factors: Vec<String>,
    /// How far each level, or pair of levels, lies from where it would lie without this term.
    pub deviations: Vec<Deviation>,
    /// Second level against the first, of two-level factors: the difference or ratio. Of an interaction half the
    /// change of one factor's effect when the other changes.
    pub effect: Option<Estimate>,
    pub degrees: usize,
    pub sum_of_squares: f64,
    /// Its mean square over the noise's; `None` without noise.
    pub f: Option<f64>,
    pub p: Option<f64>,
    /// What else would look the same in this design, of up to three factors: the names of each.
    pub aliases: Vec<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Deviation {
    /// The level's name, or two.
    pub levels: Vec<String>,
    pub by: Estimate,
}

/// A number and its 95 % interval by Student's t.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    pub value: f64,
    /// `None` without noise to read it from.
    pub interval: Option<Interval>,
}

/// A term that the design cannot tell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Inseparable {
    pub factors: Vec<String>,
    /// What it cannot be parted from: factors of each such term; `blocks` and `mean` are among the names that occur.
    pub from: Vec<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoEffects {
    #[error("no factor has two measured levels here")]
    NothingVaries,
    /// Logarithms of such values do not exist.
    #[error("a value of 0 or less has no logarithm; compare differences")]
    NotPositive,
}

/// Effects on one figure, where the other factors are as `only` says (each named factor has one of the named
/// levels). `size_bytes` picks one size of a curve.
///
/// # Errors
/// When nothing varies, or logarithms are asked of values that have none.
pub fn effects(
    data: &DataSet,
    measure: usize,
    size_bytes: Option<u64>,
    only: &BTreeMap<String, Vec<String>>,
    scale: Scale,
) -> Result<Effects, NoEffects> {
    let asked = |row: &&goodput_model::experiment::data::Row| {
        row.measure == measure
            && row.size_bytes == size_bytes
            && only.iter().all(|(f, levels)| row.levels.get(f).is_some_and(|l| levels.contains(l)))
    };
    let mut coded = Coded::new(&data.factors);
    for row in data.rows.iter().filter(asked) {
        if let Observed::Value(value) = row.value
            && value.is_finite()
        {
            let y = match scale {
                Scale::Ratio if value <= 0.0 => return Err(NoEffects::NotPositive),
                Scale::Ratio => value.ln(),
                Scale::Difference => value,
            };
            coded.push(&row.levels, row.block, y);
        }
    }
    coded.finish();
    estimated(&coded, scale).ok_or(NoEffects::NothingVaries)
}

fn estimated(coded: &Coded, scale: Scale) -> Option<Effects> {
    if coded.factors.is_empty() {
        return None;
    }
    let mut columns = Columns::default();
    let model = Model::build(coded, &mut columns);
    let fit = columns.fit(&coded.values);
    let inverse = columns.inverse();
    let error = replicates(coded).or_else(|| Error::of(&fit.residuals, columns.len(), Noise::HigherOrder));
    let t = error.as_ref().and_then(|e| t_quantile(0.95, e.degrees as f64));
    let tell = |value: f64, unit_variance: f64| {
        let half = t.zip(error.as_ref()).map(|(t, e)| t * e.deviation * unit_variance.max(0.0).sqrt());
        Estimate {
            value: scale.told(value),
            interval: half
                .map(|half| Interval { low: scale.told(value - half), high: scale.told(value + half) }),
        }
    };
    let terms = model
        .terms
        .iter()
        .map(|term| {
            let own: Vec<f64> = term.place.clone().map(|i| fit.coefficients[i]).collect();
            let own_inverse: Vec<Vec<f64>> =
                term.place.clone().map(|i| term.place.clone().map(|j| inverse[i][j]).collect()).collect();
            let of = |weights: &[f64]| {
                let value = weights.iter().zip(&own).map(|(w, b)| w * b).sum();
                let variance: f64 = weights
                    .iter()
                    .enumerate()
                    .map(|(i, w)| w * weights.iter().zip(&own_inverse[i]).map(|(v, c)| v * c).sum::<f64>())
                    .sum();
                tell(value, variance)
            };
            let deviations = term
                .pairs(coded)
                .into_iter()
                .map(|(levels, weights)| Deviation { levels, by: of(&weights) })
                .collect();
            let sum_of_squares = quadratic(&own, &own_inverse);
            let degrees = own.len();
            let f = error
                .as_ref()
                .filter(|e| e.deviation > 0.0)
                .map(|e| sum_of_squares / degrees as f64 / e.deviation.powi(2))
                // Figures so large that their squares are not numbers tell nothing.
                .filter(|f| f.is_finite() && *f >= 0.0);
            let p = f
                .zip(error.as_ref())
                .and_then(|(f, e)| Some(FisherSnedecor::new(degrees as f64, e.degrees as f64).ok()?.sf(f)));
            Term {
                factors: term.names(coded),
                deviations,
                effect: term.contrast(coded).map(|weights| of(&weights)),
                degrees,
                sum_of_squares,
                f,
                p,
                aliases: term.aliases.clone(),
            }
        })
        .collect();
    Some(Effects {
        scale,
        mean: scale.told(fit.coefficients[0]),
        terms,
        inseparable: model.inseparable,
        observations: coded.values.len(),
        blocks: coded.blocks(),
        noise: error.as_ref().map_or(Noise::Nothing, |e| e.noise),
        deviation: error.as_ref().map(|e| e.deviation),
        degrees: error.as_ref().map_or(0, |e| e.degrees),
    })
}

impl Scale {
    fn told(self, value: f64) -> f64 {
        match self {
            Scale::Ratio => value.exp(),
            Scale::Difference => value,
        }
    }
}

/// b' C⁻¹ b: the sum of squares that the coefficients b with covariances C (for errors of variance 1) explain.
fn quadratic(b: &[f64], c: &[Vec<f64>]) -> f64 {
    let mut columns = Columns::default();
    for j in 0..b.len() {
        columns.add(&c.iter().map(|row| row[j]).collect::<Vec<_>>());
    }
    let solved = columns.fit(b).coefficients;
    b.iter().zip(solved).map(|(b, x)| b * x).sum()
}

#[cfg(test)]
mod tests;
