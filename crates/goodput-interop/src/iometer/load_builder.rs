//! Builds the clients, mixes and workers of one stage from the active workers.

use super::errors::IometerPlanError;
use super::plan::{AccessSpec, AccessSpecLine, IometerPlan};
use super::runs::ActiveWorker;
use goodput_model::load::{MAX_REQUEST_SIZE, RequestMix, RequestMixLine};
use goodput_model::units::{Bytes, Nanos};
use goodput_words::message;

#[derive(Default)]
pub(super) struct LoadBuilder {
    pub clients: Vec<usize>,
    known: Vec<(usize, bool)>,
    pub mixes: Vec<RequestMix>,
    pub workers: Vec<goodput_model::load::LoadWorker>,
}

impl LoadBuilder {
    pub fn add_worker(
        &mut self,
        plan: &IometerPlan,
        active: &ActiveWorker,
        server: usize,
    ) -> Result<(), IometerPlanError> {
        let partner = plan.active_worker(active)?.target().map(|t| t.manager);
        let partner = partner.ok_or_else(|| IometerPlanError::invalid_index("a target"))?;
        let turned = active.manager != server;
        let client = if turned { active.manager } else { partner };
        let client = position(&mut self.clients, client);
        let broken = || IometerPlanError::invalid_index(format_args!("access specification {}", active.spec));
        let spec = plan.specs.get(active.spec).ok_or_else(broken)?;
        let mix = position(&mut self.known, (active.spec, turned));
        if mix == self.mixes.len() {
            fits(spec)?;
            self.mixes.push(mix_of(spec, turned));
        }
        let short = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        self.workers.push(goodput_model::load::LoadWorker { client: short(client), mix: short(mix) });
        Ok(())
    }
}

fn fits(spec: &AccessSpec) -> Result<(), IometerPlanError> {
    for (line, number) in spec.lines.iter().zip(1..) {
        let bytes = line.size.max(line.reply);
        if line.share_percent > 0 && u64::from(bytes) > MAX_REQUEST_SIZE.0 {
            let why = message!(cause_icf_request_too_large {
                line: number.to_string(),
                name: format!("{:?}", spec.name),
                bytes: bytes.to_string(),
                most: MAX_REQUEST_SIZE.0.to_string(),
            });
            let hint = "choose a smaller size; beyond some KiB the rate no longer grows";
            return Err(IometerPlanError::new(why, hint));
        }
    }
    Ok(())
}

fn position<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    let known = list.iter().position(|v| *v == value);
    known.unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// Without lines that are never drawn and disk settings. `turned`: the file's worker is on the client, so its
/// reads are the server's writes.
fn mix_of(spec: &AccessSpec, turned: bool) -> RequestMix {
    let line = |l: &AccessSpecLine| RequestMixLine {
        size: Bytes(u64::from(l.size)),
        share_percent: l.share_percent,
        reads_percent: if turned { 100u8.saturating_sub(l.reads_percent) } else { l.reads_percent },
        delay: Nanos(u64::from(l.delay_ms) * 1_000_000),
        burst: l.burst,
        reply: Bytes(u64::from(l.reply)),
    };
    let drawn = spec.lines.iter().filter(|l| l.share_percent > 0);
    RequestMix { name: spec.name.clone(), lines: drawn.map(line).collect(), both_ways: false }
}
