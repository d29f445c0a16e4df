//! Options of `goodput lab up` that say what the links are without a topology file: a medium by name, delay, loss.

use crate::args::value::{self, Bounds, shown, whole};
use crate::failure::Failure;
use clap::Args;
use goodput_lab::medium::MediumTypeError;
use goodput_lab::topology::LossError;
use goodput_lab::{Link, Loss, NamedMedium};
use goodput_model::Nanos;

/// Delay and jitter.
const DELAY: Bounds<Nanos> = Bounds { range: Nanos(1_000)..=Nanos(2_000_000_000), words: "1us to 2s" };

/// As typed.
#[derive(Debug, Args)]
pub struct TypedLink {
    /// Medium of the links in place of a rate, a name of goodput limits: 10base-t, 100base-tx:half, atm155-lane …
    #[arg(long, value_name = "NAME", conflicts_with_all = ["file", "rate"])]
    medium: Option<String>,
    /// Stations of a half-duplex medium take turns instead of colliding
    #[arg(long, requires = "medium")]
    no_collisions: bool,
    /// Delay of every frame, one way, for example 5ms
    #[arg(long, value_name = "TIME", conflicts_with = "file")]
    delay: Option<String>,
    /// At most so much more delay, each frame by chance
    #[arg(long, value_name = "TIME", conflicts_with = "file")]
    jitter: Option<String>,
    /// Share of the frames of each direction that is lost, for example 0.1%
    #[arg(long, value_name = "PERCENT", conflicts_with = "file")]
    loss: Option<String>,
    /// Longest IP packet in bytes that the switch between the hosts passes; it drops longer ones and tells nobody
    #[arg(long, value_name = "BYTES", conflicts_with = "file")]
    silent_mtu: Option<String>,
    /// Seed of what chance decides on a relayed link [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "file")]
    lab_seed: Option<String>,
}

/// What the links are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkShape {
    /// Their medium.
    pub medium: Option<NamedMedium>,
    /// Stations of a half-duplex medium take turns.
    pub no_collisions: bool,
    /// One way.
    pub delay: Option<Nanos>,
    /// At most so much more.
    pub jitter: Option<Nanos>,
    /// Share of frames that is lost.
    pub loss: Option<Loss>,
    /// Longest packet that the switch passes.
    pub silent_mtu: Option<u32>,
    /// Seed of what chance decides.
    pub seed: Option<u64>,
}

impl TypedLink {
    /// What is meant.
    pub fn meaning(&self) -> Result<LinkShape, Failure> {
        let refused =
            |option: &str, typed: &str| Failure::usage(format!("{option} {} is refused", shown(typed)));
        let medium = |typed: &String| {
            typed
                .parse()
                .map_err(|e: MediumTypeError| refused("--medium", typed).because(e.why).try_this(e.hint))
        };
        let loss = |typed: &String| {
            typed.parse().map_err(|e: LossError| {
                refused("--loss", typed).because(e.to_string()).try_this("--loss 0.1%")
            })
        };
        let time = |option: &str, typed: &Option<String>| {
            typed.as_ref().map(|t| value::quantity(option, t, &DELAY)).transpose()
        };
        let silent = self.silent_mtu.as_ref().map(|t| whole("--silent-mtu", t, 68..=65_535)).transpose()?;
        Ok(LinkShape {
            medium: self.medium.as_ref().map(medium).transpose()?,
            no_collisions: self.no_collisions,
            delay: time("--delay", &self.delay)?,
            jitter: time("--jitter", &self.jitter)?,
            loss: self.loss.as_ref().map(loss).transpose()?,
            silent_mtu: silent.map(|n| n as u32),
            seed: self.lab_seed.as_ref().map(|t| whole("--lab-seed", t, 0..=u64::MAX)).transpose()?,
        })
    }
}

impl LinkShape {
    /// Gives it to a link; `mtu` is the one that was named beside.
    pub fn give(&self, link: &mut Link, mtu: Option<u32>) {
        let usual = self.medium.as_ref().map_or(link.mtu, |medium| medium.mtu);
        link.mtu = mtu.unwrap_or(usual);
        link.medium = self.medium.clone().or(link.medium.take());
        link.collisions &= !self.no_collisions;
        link.seed = self.seed.unwrap_or(link.seed);
        let way = &mut link.way;
        way.delay = self.delay.unwrap_or(way.delay);
        way.jitter = self.jitter.unwrap_or(way.jitter);
        way.loss = self.loss.unwrap_or(way.loss);
        way.silent_mtu = self.silent_mtu.or(way.silent_mtu);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed() -> TypedLink {
        TypedLink {
            medium: None,
            no_collisions: false,
            delay: None,
            jitter: None,
            loss: None,
            silent_mtu: None,
            lab_seed: None,
        }
    }

    #[test]
    fn a_link_is_what_is_typed() {
        let shape = TypedLink {
            medium: Some("atm155-ipoa".into()),
            delay: Some("5ms".into()),
            loss: Some("0.1%".into()),
            silent_mtu: Some("1500".into()),
            ..typed()
        };
        let mut link = Link::plain(vec![]);
        shape.meaning().unwrap().give(&mut link, None);
        assert_eq!((link.mtu, link.way.delay, link.way.loss), (9180, Nanos(5_000_000), Loss(1_000)));
        assert_eq!((link.way.silent_mtu, link.seed), (Some(1500), 1));
        shape.meaning().unwrap().give(&mut link, Some(1500));
        assert_eq!(link.mtu, 1500);
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_what_to_type() {
        let refused = [
            TypedLink { medium: Some("10base-tx".into()), ..typed() },
            TypedLink { medium: Some("1000base-t:half".into()), ..typed() },
            TypedLink { loss: Some("0.1".into()), ..typed() },
            TypedLink { delay: Some("5".into()), ..typed() },
            TypedLink { silent_mtu: Some("67".into()), ..typed() },
        ];
        for one in refused {
            assert!(one.meaning().unwrap_err().hint.is_some(), "{one:?}");
        }
    }
}
