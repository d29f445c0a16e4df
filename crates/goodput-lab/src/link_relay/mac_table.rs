//! Learns stations' addresses from their frames, as a switch does. On a shared medium this only saves
//! adapters from frames that they would discard.

use std::collections::HashMap;

pub(super) const ETHERNET_HEADER_BYTES: usize = 14;
/// Group bit of the first byte.
const GROUP: u8 = 1;
const MOST: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct MacTable {
    known: HashMap<[u8; 6], usize>,
}

impl MacTable {
    pub(super) fn learn_source(&mut self, from: usize, frame: &[u8]) {
        if let Some(source) = address(frame, 6)
            && (self.known.len() < MOST || self.known.contains_key(&source))
        {
            self.known.insert(source, from);
        }
    }

    pub(super) fn should_forward(&self, station: usize, from: usize, frame: &[u8]) -> bool {
        let Some(destination) = address(frame, 0) else { return false };
        let owner = self.known.get(&destination).filter(|_| destination[0] & GROUP == 0);
        station != from && owner.is_none_or(|owner| *owner == station)
    }
}

fn address(frame: &[u8], at: usize) -> Option<[u8; 6]> {
    frame.get(..ETHERNET_HEADER_BYTES)?.get(at..at + 6)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(to: u8, from: u8) -> Vec<u8> {
        [[to; 6], [from; 6]].concat().into_iter().chain([8, 0]).collect()
    }

    #[test]
    fn a_known_address_is_one_stations() {
        let mut stations = MacTable::default();
        let all = |stations: &MacTable, frame: &[u8]| {
            (0..3).map(|s| stations.should_forward(s, 0, frame)).collect::<Vec<_>>()
        };
        assert_eq!(all(&stations, &frame(4, 2)), [false, true, true]);
        stations.learn_source(2, &frame(2, 4));
        assert_eq!(all(&stations, &frame(4, 2)), [false, false, true]);
        assert_eq!(all(&stations, &frame(255, 2)), [false, true, true]);
        assert_eq!(all(&stations, &[1, 2, 3]), [false, false, false]);
    }
}
