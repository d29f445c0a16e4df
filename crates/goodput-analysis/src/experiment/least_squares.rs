//! Least squares: ordinary, and robust by Huber's function. Columns are orthogonalised by Gram-Schmidt, each
//! twice (Giraud, Langou and Rozložník 2005), which detects linearly dependent columns.

use crate::descriptive_statistics::{MAD_TO_STANDARD_DEVIATION, median};

/// A column is dependent when less than this share of its length is its own.
const OWN_SHARE: f64 = 1e-9;
/// 95 % efficiency for normal errors (Huber 1981; the default of R's `MASS::rlm`).
const HUBER: f64 = 1.345;
const ITERATIONS: usize = 50;

#[derive(Debug, Clone, Default)]
pub(super) struct DesignMatrix {
    /// Orthonormal basis of the columns.
    q: Vec<Vec<f64>>,
    /// Column j of the triangle, j + 1 long.
    r: Vec<Vec<f64>>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct LeastSquaresFit {
    pub coefficients: Vec<f64>,
    pub residuals: Vec<f64>,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl DesignMatrix {
    pub fn column_count(&self) -> usize {
        self.q.len()
    }

    pub fn truncate_columns(&mut self, len: usize) {
        self.q.truncate(len);
        self.r.truncate(len);
    }

    /// Adds a column unless it depends on those before; then returns their coefficients.
    pub fn add_column(&mut self, column: &[f64]) -> Option<Vec<f64>> {
        let (mut place, left) = self.project(column);
        let own = dot(&left, &left).sqrt();
        let whole = dot(column, column).sqrt();
        if own <= OWN_SHARE * whole || !own.is_finite() {
            return Some(self.solve(&place));
        }
        place.push(own);
        self.q.push(left.iter().map(|v| v / own).collect());
        self.r.push(place);
        None
    }

    /// Coordinates in the basis, and the remainder.
    fn project(&self, column: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut left = column.to_vec();
        let mut place = vec![0.0; self.q.len()];
        for _ in 0..2 {
            for (q, place) in self.q.iter().zip(&mut place) {
                let part = dot(q, &left);
                *place += part;
                left.iter_mut().zip(q).for_each(|(v, q)| *v -= part * q);
            }
        }
        (place, left)
    }

    fn solve(&self, place: &[f64]) -> Vec<f64> {
        let mut found = place.to_vec();
        for j in (0..found.len()).rev() {
            found[j] /= self.r[j][j];
            for i in 0..j {
                found[i] -= self.r[j][i] * found[j];
            }
        }
        found
    }

    pub fn fit(&self, observed: &[f64]) -> LeastSquaresFit {
        let (place, residuals) = self.project(observed);
        LeastSquaresFit { coefficients: self.solve(&place), residuals }
    }

    /// The inverse of X'X: covariances of the coefficients for error variance 1.
    pub fn normal_matrix_inverse(&self) -> Vec<Vec<f64>> {
        let p = self.column_count();
        // Row i of R⁻¹: solve R x = e_j.
        let columns: Vec<Vec<f64>> = (0..p)
            .map(|j| {
                let mut unit = vec![0.0; p];
                unit[j] = 1.0;
                self.solve(&unit)
            })
            .collect();
        (0..p).map(|a| (0..p).map(|b| columns.iter().map(|c| c[a] * c[b]).sum()).collect()).collect()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct RobustFit {
    pub coefficients: Vec<f64>,
    pub covariance: Vec<Vec<f64>>,
    pub degrees: usize,
}

/// Huber's M-estimate, scaled by the median absolute residual, by iterative reweighting as in R's
/// `MASS::rlm`; covariances as its `summary` (Huber 1981, section 7.6, with correction κ). `None` where
/// columns are dependent or there are no more observations than columns.
pub(super) fn fit_robust(columns: &[Vec<f64>], observed: &[f64]) -> Option<RobustFit> {
    let (n, p) = (observed.len(), columns.len());
    let degrees = n.checked_sub(p).filter(|d| *d > 0)?;
    let mut plain = DesignMatrix::default();
    if columns.iter().any(|c| plain.add_column(c).is_some()) {
        return None;
    }
    let mut fit = plain.fit(observed);
    let mut scale = scale_of(&fit.residuals)?;
    for _ in 0..ITERATIONS {
        if scale == 0.0 {
            break;
        }
        let roots: Vec<f64> = fit.residuals.iter().map(|r| weight(r / scale).sqrt()).collect();
        let times = |values: &[f64]| -> Vec<f64> { values.iter().zip(&roots).map(|(v, w)| v * w).collect() };
        let mut weighted = DesignMatrix::default();
        if columns.iter().any(|c| weighted.add_column(&times(c)).is_some()) {
            return None;
        }
        let coefficients = weighted.fit(&times(observed)).coefficients;
        let residuals: Vec<f64> = (0..n)
            .map(|i| observed[i] - columns.iter().zip(&coefficients).map(|(c, b)| c[i] * b).sum::<f64>())
            .collect();
        let moved: f64 = residuals.iter().zip(&fit.residuals).map(|(a, b)| (a - b).powi(2)).sum();
        let size: f64 = fit.residuals.iter().map(|r| r * r).sum();
        fit = LeastSquaresFit { coefficients, residuals };
        if moved <= 1e-16 * size.max(f64::MIN_POSITIVE) {
            break;
        }
        scale = scale_of(&fit.residuals)?;
    }
    let variance = variance_factor(&fit.residuals, scale, p, degrees);
    let covariance = plain
        .normal_matrix_inverse()
        .into_iter()
        .map(|row| row.into_iter().map(|v| v * variance).collect())
        .collect();
    Some(RobustFit { coefficients: fit.coefficients, covariance, degrees })
}

fn scale_of(residuals: &[f64]) -> Option<f64> {
    Some(MAD_TO_STANDARD_DEVIATION * median(&residuals.iter().map(|r| r.abs()).collect::<Vec<_>>())?)
}

fn weight(u: f64) -> f64 {
    if u.abs() <= HUBER { 1.0 } else { HUBER / u.abs() }
}

fn variance_factor(residuals: &[f64], scale: f64, p: usize, degrees: usize) -> f64 {
    if scale == 0.0 {
        return residuals.iter().map(|r| r * r).sum::<f64>() / degrees as f64;
    }
    let n = residuals.len() as f64;
    let squares: f64 = residuals.iter().map(|r| (r * weight(r / scale)).powi(2)).sum();
    // The derivative of Huber's function is 1 inside and 0 outside.
    let inside = residuals.iter().filter(|r| (*r / scale).abs() <= HUBER).count() as f64;
    let mean = inside / n;
    let spread = inside * (1.0 - mean) / (n - 1.0);
    let kappa = 1.0 + p as f64 * spread / (n * mean * mean);
    squares / degrees as f64 * (kappa / mean).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, relative: f64) {
        crate::experiment::test_data::assert_near(a, b, relative * b.abs());
    }

    fn columns(all: &[Vec<f64>]) -> DesignMatrix {
        let mut made = DesignMatrix::default();
        for c in all {
            assert_eq!(made.add_column(c), None);
        }
        made
    }

    #[test]
    fn nist_longley() {
        // NIST StRD, linear regression, Longley ("higher difficulty": nearly dependent columns), certified
        // values.
        let y = [
            60323.0, 61122.0, 60171.0, 61187.0, 63221.0, 63639.0, 64989.0, 63761.0, 66019.0, 67857.0,
            68169.0, 66513.0, 68655.0, 69564.0, 69331.0, 70551.0,
        ];
        let x = [
            vec![1.0; 16],
            vec![
                83.0, 88.5, 88.2, 89.5, 96.2, 98.1, 99.0, 100.0, 101.2, 104.6, 108.4, 110.8, 112.6, 114.2,
                115.7, 116.9,
            ],
            vec![
                234_289.0, 259_426.0, 258_054.0, 284_599.0, 328_975.0, 346_999.0, 365_385.0, 363_112.0,
                397_469.0, 419_180.0, 442_769.0, 444_546.0, 482_704.0, 502_601.0, 518_173.0, 554_894.0,
            ],
            vec![
                2356.0, 2325.0, 3682.0, 3351.0, 2099.0, 1932.0, 1870.0, 3578.0, 2904.0, 2822.0, 2936.0,
                4681.0, 3813.0, 3931.0, 4806.0, 4007.0,
            ],
            vec![
                1590.0, 1456.0, 1616.0, 1650.0, 3099.0, 3594.0, 3547.0, 3350.0, 3048.0, 2857.0, 2798.0,
                2637.0, 2552.0, 2514.0, 2572.0, 2827.0,
            ],
            vec![
                107_608.0, 108_632.0, 109_773.0, 110_929.0, 112_075.0, 113_270.0, 115_094.0, 116_219.0,
                117_388.0, 118_734.0, 120_445.0, 121_950.0, 123_366.0, 125_368.0, 127_852.0, 130_081.0,
            ],
            (1947..=1962).map(f64::from).collect(),
        ];
        let made = columns(&x);
        let fit = made.fit(&y);
        let certified = [
            (-3_482_258.634_595_82, 890_420.383_607_373),
            (15.061_872_271_373_3, 84.914_925_774_766_9),
            (-0.035_819_179_292_591_0, 0.033_491_007_772_243_2),
            (-2.020_229_803_816_83, 0.488_399_681_651_699),
            (-1.033_226_867_173_59, 0.214_274_163_161_675),
            (-0.051_104_105_653_580_7, 0.226_073_200_069_370),
            (1_829.151_464_613_55, 455.478_499_142_212),
        ];
        let s = (fit.residuals.iter().map(|r| r * r).sum::<f64>() / 9.0).sqrt();
        near(s, 304.854_073_561_965, 1e-8);
        let inverse = made.normal_matrix_inverse();
        for (i, (coefficient, error)) in certified.iter().enumerate() {
            near(fit.coefficients[i], *coefficient, 1e-7);
            near(s * inverse[i][i].sqrt(), *error, 1e-7);
        }
    }

    /// Brownlee's stack loss, R's `stackloss`: air flow, water temperature, acid concentration, loss.
    const STACK: [[i32; 21]; 4] = [
        [80, 80, 75, 62, 62, 62, 62, 62, 58, 58, 58, 58, 58, 58, 50, 50, 50, 50, 50, 56, 70],
        [27, 27, 25, 24, 22, 23, 24, 24, 23, 18, 18, 17, 18, 19, 18, 18, 19, 19, 20, 20, 20],
        [89, 88, 90, 87, 87, 87, 93, 93, 87, 80, 89, 88, 82, 93, 89, 86, 72, 79, 80, 82, 91],
        [42, 37, 37, 28, 18, 18, 19, 20, 15, 14, 14, 13, 11, 12, 8, 7, 8, 8, 9, 15, 15],
    ];

    #[test]
    fn the_robust_fit_of_the_stack_loss() {
        // R, MASS: summary(rlm(stack.loss ~ ., stackloss)): coefficients -41.0265, 0.8294, 0.9261, -0.1278,
        // standard errors 9.8073, 0.1112, 0.3034, 0.1289; rlm stops at a change of 1e-4.
        let [air, water, acid, loss] = STACK.map(|column| column.map(f64::from).to_vec());
        let found = fit_robust(&[vec![1.0; 21], air, water, acid], &loss).unwrap();
        let printed = [(-41.0265, 9.8073), (0.8294, 0.1112), (0.9261, 0.3034), (-0.1278, 0.1289)];
        for (i, (coefficient, error)) in printed.iter().enumerate() {
            near(found.coefficients[i], *coefficient, 1e-3);
            near(found.covariance[i][i].sqrt(), *error, 2e-3);
        }
        assert_eq!(found.degrees, 17);
    }

    #[test]
    fn a_column_that_says_nothing_new_is_named_by_the_others() {
        let a = vec![1.0, 1.0, 1.0, 1.0];
        let b = vec![-1.0, 1.0, -1.0, 1.0];
        let mut made = columns(&[a.clone(), b.clone()]);
        let told = made.add_column(&[3.0, -1.0, 3.0, -1.0]).unwrap();
        near(told[0], 1.0, 1e-12);
        near(told[1], -2.0, 1e-12);
        assert_eq!(made.column_count(), 2);
        assert!(made.add_column(&[0.0; 4]).is_some());
        assert_eq!(fit_robust(&[a.clone(), a], &[1.0, 2.0, 3.0, 4.0]), None);
        assert_eq!(fit_robust(&[b], &[1.0]), None);
    }

    proptest::proptest! {
        #[test]
        fn what_is_left_is_orthogonal(
            y in proptest::collection::vec(-1e3f64..1e3, 12), x in proptest::collection::vec(-10.0f64..10.0, 12)
        ) {
            let mut made = DesignMatrix::default();
            made.add_column(&[1.0; 12]);
            made.add_column(&x);
            let fit = made.fit(&y);
            proptest::prop_assert!(fit.residuals.iter().sum::<f64>().abs() < 1e-8);
            proptest::prop_assert!(dot(&fit.residuals, &x).abs() < 1e-6);
        }
    }
}
