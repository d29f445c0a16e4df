//! Random kills: every trial ends, every client is counted or named, every agent becomes free.

use super::*;
use std::collections::BTreeSet;

const CLIENTS: usize = 4;
const ROUNDS: u64 = 60;

/// SplitMix64 (Steele, Lea and Flood 2014): a stream of numbers from a seed.
struct FaultGenerator(u64);

impl FaultGenerator {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

#[derive(Debug, Clone, Copy)]
enum InjectedFault {
    Client(usize),
    Server,
    Coordinator,
    Interrupt,
    Finish,
}

impl InjectedFault {
    fn drawn(dice: &mut FaultGenerator) -> InjectedFault {
        match dice.below(8) {
            0..=3 => InjectedFault::Client(dice.below(CLIENTS as u64) as usize),
            4 => InjectedFault::Server,
            5 => InjectedFault::Coordinator,
            6 => InjectedFault::Interrupt,
            _ => InjectedFault::Finish,
        }
    }

    fn fall(self, lab: &Lab, lines: &[FakeConnection], cancel: &Cancel) {
        match self {
            InjectedFault::Client(n) => lab.clients[n].kill(),
            InjectedFault::Server => lab.server.kill(),
            InjectedFault::Coordinator => lines.iter().for_each(FakeConnection::kill),
            InjectedFault::Interrupt => cancel.cancel(),
            InjectedFault::Finish => lab.open_gates(),
        }
    }
}

fn round(seed: u64) {
    let mut dice = FaultGenerator(seed);
    let lab = Lab::of(CLIENTS);
    let (session, lines) = lab.session();
    let cancel = Cancel::default();
    let blows: Vec<(InjectedFault, u64)> =
        (0..1 + dice.below(4)).map(|_| (InjectedFault::drawn(&mut dice), dice.below(20_000))).collect();
    let result = thread::scope(|scope| {
        let running = scope.spawn(|| session.run(&lab.plan(), &mut NoRecord, &mut |_| {}, &cancel));
        for (blow, pause) in &blows {
            // The kill hits a random stage of the trial.
            (0..*pause).for_each(|_| thread::yield_now());
            blow.fall(&lab, &lines, &cancel);
        }
        lab.open_gates();
        running.join().unwrap()
    });
    let what = format!("seed {seed}, {blows:?}: {result:?}");
    if let Ok(trial) = &result {
        let counted = trial.ends.iter().map(|e| e.host.as_str());
        let named = trial.excluded.iter().map(|e| e.host.as_str());
        let all: Vec<&str> = counted.filter(|host| *host != "s").chain(named).collect();
        let each: BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!((all.len(), each.len()), (CLIENTS, CLIENTS), "{what}");
        assert!(trial.excluded.iter().all(|e| !e.cause.is_empty()), "{what}");
        if trial.outcome == Outcome::Complete {
            assert!(trial.end(Role::Listen).is_some() && trial.end(Role::Connect).is_some(), "{what}");
            assert!(trial.ends.iter().all(|e| e.complete && e.operations == 1000), "{what}");
        }
    } else {
        let e = result.as_ref().unwrap_err();
        assert!(matches!(e, ControlError::Interrupted) || e.is_unreachable(), "{what}");
    }
    drop((session, lines));
    for host in lab.all().filter(|host| host.agent.lock().unwrap().is_some()) {
        await_that(|| host.is_free());
    }
}

#[test]
fn whatever_is_killed_nothing_hangs_and_everybody_is_named() {
    for seed in 0..ROUNDS {
        round(seed);
    }
}
