//! Options of `goodput lab up` for links without a topology file: medium, delay, loss.

use crate::args::value_parsers::{self, ValueError, parse_integer};
use clap::Args;
use goodput_lab::medium::ParseMediumError;
use goodput_lab::topology::ParseLossError;
use goodput_lab::{Link, LossRate, NamedMedium};
use goodput_model::Nanos;
use goodput_words::ErrorMessage;

/// Properties of the links.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct LinkArgs {
    /// Medium of the links, for example 10base-t, instead of --rate
    ///
    /// List the names with `goodput limits`.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["file", "rate"], value_parser = medium)]
    pub medium: Option<NamedMedium>,
    /// Let the stations of a half-duplex medium take turns, so that there are no collisions
    #[arg(long, requires = "medium", hide_short_help = true)]
    pub no_collisions: bool,
    /// Delay of each frame in each direction, for example 5ms
    #[arg(long, value_name = "TIME", conflicts_with = "file", value_parser = value_parsers::LINK_DELAY_RANGE)]
    pub delay: Option<Nanos>,
    /// Maximum additional random delay of each frame, for example 1ms
    #[arg(long, value_name = "TIME", conflicts_with = "file", value_parser = value_parsers::LINK_DELAY_RANGE, hide_short_help = true)]
    pub jitter: Option<Nanos>,
    /// Frame loss in each direction, for example 0.1%
    #[arg(long, value_name = "PERCENT", conflicts_with = "file", value_parser = loss)]
    pub loss: Option<LossRate>,
    /// Maximum IP packet size, in bytes, that the switch forwards; larger packets are dropped without an ICMP
    /// message
    #[arg(long, value_name = "BYTES", conflicts_with = "file", value_parser = parse_integer::<u32>(68..=65_535))]
    #[arg(hide_short_help = true)]
    pub silent_mtu: Option<u32>,
    /// Random seed for delay, loss and collisions on emulated links [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "file", value_parser = parse_integer::<u64>(0..=u64::MAX))]
    #[arg(hide_short_help = true)]
    pub lab_seed: Option<u64>,
}

fn medium(typed: &str) -> Result<NamedMedium, ValueError> {
    typed.parse().map_err(|e: ParseMediumError| ValueError::new(e.why, e.hint))
}

fn loss(typed: &str) -> Result<LossRate, ValueError> {
    typed.parse().map_err(|e: ParseLossError| ValueError::new(e.message(), "--loss 0.1%"))
}

impl LinkArgs {
    pub fn apply_to_link(&self, link: &mut Link, mtu: Option<u32>) {
        let usual = self.medium.as_ref().map_or(link.mtu, |medium| medium.mtu);
        link.mtu = mtu.unwrap_or(usual);
        link.medium = self.medium.clone().or(link.medium.take());
        link.collisions &= !self.no_collisions;
        link.seed = self.lab_seed.unwrap_or(link.seed);
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
    use crate::args::{Command, lab::LabArgs, tests::parsed};
    use crate::failure::Failure;

    fn typed(options: &str) -> Result<LinkArgs, Failure> {
        match parsed(&format!("goodput lab up {options}"))? {
            Command::Lab(lab) => match *lab {
                LabArgs::Up { link, .. } => Ok(link),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_link_is_what_is_typed() {
        let shape = typed("--medium atm155-ipoa --delay 5ms --loss 0.1% --silent-mtu 1500").unwrap();
        let mut link = Link::with_defaults(vec![]);
        shape.apply_to_link(&mut link, None);
        assert_eq!((link.mtu, link.way.delay, link.way.loss), (9180, Nanos(5_000_000), LossRate(1_000)));
        assert_eq!((link.way.silent_mtu, link.seed), (Some(1500), 1));
        shape.apply_to_link(&mut link, Some(1500));
        assert_eq!(link.mtu, 1500);
    }

    #[test]
    fn invalid_links_are_refused_with_a_hint() {
        for options in
            ["--medium 10base-tx", "--medium 1000base-t:half", "--loss 0.1", "--delay 5", "--silent-mtu 67"]
        {
            assert!(typed(options).unwrap_err().hint.is_some(), "{options}");
        }
    }
}
