//! Ranks of values, for statistics that outliers do not dominate.

/// Beyond this autocorrelation a sample says nothing about its own error.
pub const MAX_AUTOCORRELATION: f64 = 0.8;

/// From 0; ties share their mean rank. NaN comes last.
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for tied in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = first as f64 + (tied.len() as f64 - 1.0) / 2.0;
        for at in tied {
            ranks[*at] = rank;
        }
        first += tied.len();
    }
    ranks
}

pub fn tie_counts(values: &[f64]) -> Vec<usize> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.chunk_by(|a, b| a == b).map(<[f64]>::len).filter(|n| *n > 1).collect()
}

/// Lag-1 autocorrelation of the ranks, from 0 to [`MAX_AUTOCORRELATION`], with bias correction r + (1 + 3r)/n
/// (Marriott and Pope 1954; Kendall 1954).
pub fn autocorrelation(values: &[f64]) -> f64 {
    let ranks = mid_ranks(values);
    let n = ranks.len() as f64;
    let centre = (n - 1.0) / 2.0;
    let total: f64 = ranks.iter().map(|r| (r - centre).powi(2)).sum();
    if total == 0.0 {
        return 0.0;
    }
    let r = ranks.windows(2).map(|w| (w[0] - centre) * (w[1] - centre)).sum::<f64>() / total;
    (r + (1.0 + 3.0 * r) / n).clamp(0.0, MAX_AUTOCORRELATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        // R's help page of rank: rank(c(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5)) is 4.5 1.5 6 1.5 8 11 3 10 8 4.5 8.
        let ranks = mid_ranks(&[3., 1., 4., 1., 5., 9., 2., 6., 5., 3., 5.]);
        assert_eq!(ranks, [3.5, 0.5, 5., 0.5, 7., 10., 2., 9., 7., 3.5, 7.]);
        assert_eq!(tie_counts(&[3., 1., 4., 1., 5., 9., 2., 6., 5., 3., 5.]), [2, 2, 3]);
        assert_eq!(mid_ranks(&[]), Vec::<f64>::new());
    }

    #[test]
    fn autocorrelation_sees_order() {
        assert_eq!(autocorrelation(&[1., 5., 2., 8., 3., 9., 4., 7., 6., 10.]), 0.0);
        assert!(autocorrelation(&[1., 2., 3., 4., 5., 6., 7., 8., 9., 10.]) > 0.7);
        assert_eq!(autocorrelation(&[7.0; 9]), 0.0);
    }
}
