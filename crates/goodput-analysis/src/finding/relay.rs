//! Rules about relays of a lab: what they emulated, their lateness, and when the result is not the medium's.

use super::Hit;
use goodput_model::host::LinkRelayCounters;
use goodput_model::host::link_relay::MediumAccessCounters;
use goodput_model::summary::TrialSummary;
use goodput_model::{BitRate, MessageArg, Nanos, Trial};
use goodput_words::message;
use goodput_words::message_argument::fixed_decimals_arg;

fn relays(trial: &Trial) -> Vec<&LinkRelayCounters> {
    let mut found: Vec<&LinkRelayCounters> = Vec::new();
    let counters = trial.ends.iter().filter_map(|end| end.counters.as_ref());
    for relay in counters.flat_map(|c| &c.relays) {
        if !found.iter().any(|f| f.link == relay.link) {
            found.push(relay);
        }
    }
    found
}

fn ms(late: Option<Nanos>) -> String {
    format!("{:.3} ms", late.unwrap_or_default().0 as f64 / 1e6)
}

fn in_ms(late: Option<Nanos>) -> MessageArg {
    fixed_decimals_arg(late.unwrap_or_default().0 as f64 / 1e6, 3, "ms")
}

fn evidence(relay: &LinkRelayCounters) -> Vec<String> {
    let mut all = vec![
        format!("relay.frames = {}", relay.frames),
        format!("relay.lateness p50 = {}", ms(relay.lateness.quantile(0.5))),
        format!("relay.lateness p99 = {}", ms(relay.lateness.quantile(0.99))),
        format!("relay.lateness max = {}", ms(relay.lateness.max())),
        format!("relay.bound = {}", ms(Some(relay.bound))),
    ];
    let dropped = &relay.dropped;
    for (name, n) in [
        ("queue", dropped.queue),
        ("excessive", dropped.excessive),
        ("loss", dropped.loss),
        ("too_long", dropped.too_long),
        ("overrun", dropped.overrun),
    ] {
        if n > 0 {
            all.push(format!("relay.dropped.{name} = {n}"));
        }
    }
    if let Some(MediumAccessCounters { collisions, deferred, single, multiple, late, seed, .. }) =
        relay.access
    {
        all.push(format!("relay.access.collisions = {collisions}"));
        all.push(format!("relay.access.deferred = {deferred}"));
        all.push(format!("relay.access.single = {single}"));
        all.push(format!("relay.access.multiple = {multiple}"));
        all.push(format!("relay.access.late = {late}"));
        all.push(format!("relay.access.seed = {seed}"));
    }
    if let Some(percent) = relay.cpu_percent() {
        all.push(format!("relay.cpu = {percent:.1} % of one CPU"));
    }
    all
}

pub(super) fn check_emulated_link_lateness(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let of = |relay: &LinkRelayCounters| {
        let link = &relay.link;
        let text = match relay.dropped.overrun {
            0 => message!(rule_relay_late_text {
                link,
                late: in_ms(relay.lateness.quantile(0.99)),
                bound: in_ms(Some(relay.bound)),
            }),
            count => message!(rule_relay_late_text_2 { link, count }),
        };
        Hit::new(text, evidence(relay))
    };
    relays(trial).into_iter().filter(|relay| !relay.is_valid()).map(of).collect()
}

pub(super) fn report_emulated_link_counters(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let of = |relay: &LinkRelayCounters| {
        let mut facts = vec![message!(relay_frames { count: relay.frames })];
        if let Some(a) = relay.access {
            facts.push(message!(relay_deferred { count: a.deferred }));
            facts.push(match a.collisions_possible {
                true => message!(relay_collisions {
                    count: a.collisions,
                    one: a.single,
                    more: a.multiple,
                    up: relay.dropped.excessive,
                }),
                false => message!(relay_turns),
            });
        }
        let mbit = |rate: BitRate| fixed_decimals_arg(rate.0 as f64 / 1e6, 2, "Mbit/s");
        match (relay.achieved_rate(), relay.rate, relay.access) {
            (Some(achieved), Some(asked), Some(_)) => {
                facts.push(message!(relay_carried { rate: mbit(achieved), asked: mbit(asked) }));
            }
            (Some(achieved), Some(_), None) => {
                facts.push(message!(relay_together { rate: mbit(achieved) }));
            }
            _ => {}
        }
        if let Some(percent) = relay.cpu_percent() {
            facts.push(message!(relay_cpu { share: fixed_decimals_arg(percent, 0, "%") }));
        }
        let text = message!(rule_relayed_text {
            link: &relay.link,
            facts,
            half: in_ms(relay.lateness.quantile(0.5)),
            high: in_ms(relay.lateness.quantile(0.99)),
            most: in_ms(relay.lateness.max()),
        });
        Hit::new(text, evidence(relay))
    };
    relays(trial).into_iter().map(of).collect()
}
