//! Simulated noise and drift from a seed.

use goodput_analysis::random::SplitMix64;
use std::f64::consts::TAU;

pub struct Noise(pub SplitMix64);

impl Noise {
    pub fn new(seed: u64) -> Noise {
        Noise(SplitMix64::new(seed))
    }

    pub fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    pub fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (TAU * self.uniform()).cos()
    }

    /// Student's t with 3 degrees of freedom: heavy tails on both sides, variance 3.
    pub fn heavy(&mut self) -> f64 {
        let chi: f64 = (0..3).map(|_| self.normal().powi(2)).sum();
        self.normal() / (chi / 3.0).sqrt()
    }

    pub fn autoregression(&mut self, rho: f64, count: usize) -> Vec<f64> {
        let mut state = self.normal();
        (0..count)
            .map(|_| {
                let now = state;
                state = rho * state + (1.0 - rho * rho).sqrt() * self.normal();
                now
            })
            .collect()
    }

    pub fn one_over_f(&mut self, count: usize) -> Vec<f64> {
        let mut sum = vec![0.0; count];
        for pace in [1.0f64, 4.0, 16.0, 64.0, 256.0, 1024.0] {
            let part = self.autoregression((-1.0 / pace).exp(), count);
            sum.iter_mut().zip(part).for_each(|(s, x)| *s += x / 6f64.sqrt());
        }
        sum
    }
}

/// Sizes are shares: 0.05 is 5 %.
#[derive(Debug, Clone, Copy)]
pub enum Drift {
    None,
    /// Falls by this much from the first trial to the last.
    Linear(f64),
    /// Falls by this much at a random moment, and half of it returns at another.
    Steps(f64),
    /// With this standard deviation.
    OneOverF(f64),
}

impl Drift {
    /// The logarithm of the machine's speed at each trial.
    pub fn over(self, count: usize, noise: &mut Noise) -> Vec<f64> {
        match self {
            Drift::None => vec![0.0; count],
            Drift::Linear(size) => {
                (0..count).map(|i| (1.0 - size * i as f64 / (count - 1) as f64).ln()).collect()
            }
            Drift::Steps(size) => {
                let (down, up) = (noise.0.next_below(count), noise.0.next_below(count));
                let level = |i: usize| {
                    let fallen = if i >= down { size } else { 0.0 };
                    let back = if i >= up { size / 2.0 } else { 0.0 };
                    (1.0 - fallen + back).ln()
                };
                (0..count).map(level).collect()
            }
            Drift::OneOverF(size) => noise.one_over_f(count).into_iter().map(|x| size * x).collect(),
        }
    }
}

pub const PLANTED: [Drift; 10] = [
    Drift::None,
    Drift::Linear(0.01),
    Drift::Linear(0.05),
    Drift::Linear(0.20),
    Drift::Steps(0.02),
    Drift::Steps(0.10),
    Drift::Steps(0.30),
    Drift::OneOverF(0.01),
    Drift::OneOverF(0.03),
    Drift::OneOverF(0.10),
];

/// Goodput of equal trials in order of time: 1 Gbit/s, noise of 2 %, and the drift.
pub fn trials(drift: Drift, heavy: bool, count: usize, noise: &mut Noise) -> Vec<f64> {
    drift
        .over(count, noise)
        .into_iter()
        .map(|level| {
            let own = if heavy { noise.heavy() / 3f64.sqrt() } else { noise.normal() };
            1e9 * (level + 0.02 * own).exp()
        })
        .collect()
}
