//! Learns stations' addresses from their frames, as a switch does. On a shared medium this only saves
//! adapters from frames that they would discard.

use std::collections::HashMap;

pub(super) const HEADER: usize = 14;
/// Group bit of the first byte.
const GROUP: u8 = 1;
const MOST: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct Stations {
    known: HashMap<[u8; 6], usize>,
}

impl Stations {
    pub(super) fn learn(&mut self, from: usize, frame: &[u8]) {
        if let Some(source) = address(frame, 6)
            && (self.known.len() < MOST || self.known.contains_key(&source))
        {
            self.known.insert(source, from);
        }
    }

    pub(super) fn is_for(&self, station: usize, from: usize, frame: &[u8]) -> bool {
        let Some(destination) = address(frame, 0) else { return false };
        let owner = self.known.get(&destination).filter(|_| destination[0] & GROUP == 0);
        station != from && owner.is_none_or(|owner| *owner == station)
    }
}

fn address(frame: &[u8], at: usize) -> Option<[u8; 6]> {
    frame.get(..HEADER)?.get(at..at + 6)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(to: u8, from: u8) -> Vec<u8> {
        [[to; 6], [from; 6]].concat().into_iter().chain([8, 0]).collect()
    }

    #[test]
    fn a_known_address_is_one_stations() {
        let mut stations = Stations::default();
        let all = |stations: &Stations, frame: &[u8]| {
            (0..3).map(|s| stations.is_for(s, 0, frame)).collect::<Vec<_>>()
        };
        assert_eq!(all(&stations, &frame(4, 2)), [false, true, true]);
        stations.learn(2, &frame(2, 4));
        assert_eq!(all(&stations, &frame(4, 2)), [false, false, true]);
        assert_eq!(all(&stations, &frame(255, 2)), [false, true, true]);
        assert_eq!(all(&stations, &[1, 2, 3]), [false, false, false]);
    }
}
