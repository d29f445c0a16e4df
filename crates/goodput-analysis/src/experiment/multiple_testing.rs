//! Holm's procedure for multiple comparisons (1979, Scandinavian Journal of Statistics 6:65–70): the
//! family-wise error rate stays at 5 % whatever the dependence. A family must be fixed before looking at the
//! values; here it is everything that one question compares of one metric.

#[derive(Debug, Clone, PartialEq)]
pub struct HolmCorrection {
    pub name: String,
    pub size: usize,
    /// In the order of the comparisons; `None` for those without a p-value, which do not count.
    pub adjusted: Vec<Option<f64>>,
}

impl HolmCorrection {
    pub fn new(name: impl Into<String>, p_values: &[Option<f64>]) -> HolmCorrection {
        let mut order: Vec<(usize, f64)> =
            p_values.iter().enumerate().filter_map(|(at, p)| Some((at, (*p)?))).collect();
        order.sort_by(|a, b| a.1.total_cmp(&b.1));
        let size = order.len();
        let mut adjusted = vec![None; p_values.len()];
        let mut so_far = 0.0f64;
        for (rank, (at, p)) in order.into_iter().enumerate() {
            // Step-down: adjusted p-values never decrease.
            so_far = so_far.max((size - rank) as f64 * p).min(1.0);
            adjusted[at] = Some(so_far);
        }
        HolmCorrection { name: name.into(), size, adjusted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjusted(p: &[f64]) -> Vec<f64> {
        let family = HolmCorrection::new("", &p.iter().map(|p| Some(*p)).collect::<Vec<_>>());
        family.adjusted.into_iter().flatten().collect()
    }

    fn near(found: &[f64], wanted: &[f64]) {
        let same = found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(found.len() == wanted.len() && same, "{found:?} is not {wanted:?}");
    }

    #[test]
    fn adjusted_values_as_published() {
        // Wikipedia, "Holm–Bonferroni method": p 0.01, 0.04, 0.03, 0.005 give 0.03, 0.06, 0.06, 0.02.
        near(&adjusted(&[0.01, 0.04, 0.03, 0.005]), &[0.03, 0.06, 0.06, 0.02]);
        near(&adjusted(&[0.319, 0.201, 0.4, 0.374, 0.113]), &[0.957, 0.804, 0.957, 0.957, 0.565]);
    }

    #[test]
    fn what_has_no_p_value_does_not_count() {
        let family = HolmCorrection::new("two of three", &[None, Some(0.04), Some(0.01)]);
        assert_eq!((family.size, family.name.as_str()), (2, "two of three"));
        assert_eq!(family.adjusted[0], None);
        near(&family.adjusted.iter().flatten().copied().collect::<Vec<_>>(), &[0.04, 0.02]);
        assert_eq!(adjusted(&[0.9, 0.8]), [1.0, 1.0]);
        assert_eq!(HolmCorrection::new("none", &[]).size, 0);
    }
}
