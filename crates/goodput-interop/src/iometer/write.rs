//! Writes a plan as an `.icf` that IOmeter 1.1 reads. Strict: what IOmeter would read differently is an
//! error; nothing is altered. RESULTS DISPLAY is optional and left out.

use super::errors::IcfWriteError;
use super::plan::{
    AccessSpec, CycleSteps, DEFAULT_ASSIGNMENT_NAMES, IDLE_SPEC_NAME, IometerManager, IometerPlan,
    IometerWorker, RECORD_RESULTS_NAMES, STEP_GROWTH_NAMES, WorkerLoad, keyword_for_value,
};
use super::specs::MAX_ACCESS_SPEC_LINES;
use super::version::ICF_OUTPUT_VERSION;
use goodput_model::units::Nanos;
use goodput_words::{Message, message};
use std::fmt::Write as _;
use std::net::Ipv6Addr;

const LONGEST_NAME: usize = 127;
const LONGEST_TARGET: usize = 79;
const MAX_WORKERS: usize = 128;

/// Version 1.1.0. Fails for names that are too long, not unique, not ASCII or with commas; shares that do not
/// add up; fractional seconds; IPv6 addresses.
pub fn write_icf(plan: &IometerPlan) -> Result<String, IcfWriteError> {
    check(plan)?;
    let mut out = format!("Version {ICF_OUTPUT_VERSION}\n");
    setup(&mut out, plan)?;
    specs(&mut out, plan);
    line(&mut out, &format!("'MANAGER LIST {}", "=".repeat(66)));
    for manager in &plan.managers {
        write_manager(&mut out, plan, manager)?;
    }
    line(&mut out, "'END manager list");
    line(&mut out, &format!("Version {ICF_OUTPUT_VERSION}"));
    Ok(out)
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn pair(out: &mut String, key: &str, value: impl std::fmt::Display) {
    let _ = writeln!(out, "'{key}\n\t{value}");
}

fn setup(out: &mut String, plan: &IometerPlan) -> Result<(), IcfWriteError> {
    line(out, &format!("'TEST SETUP {}", "=".repeat(68)));
    pair(out, "Test Description", &plan.description);
    let seconds = whole_seconds("the run time", plan.run_time)?;
    let (hours, rest) = (seconds / 3600, seconds % 3600);
    line(out, "'Run Time\n'\thours      minutes    seconds");
    line(out, &format!("\t{hours:<10} {:<10} {}", rest / 60, rest % 60));
    pair(out, "Ramp Up Time (s)", whole_seconds("the ramp-up time", plan.ramp_up)?);
    pair(out, "Default Disk Workers to Spawn", 0);
    pair(out, "Default Network Workers to Spawn", 0);
    pair(out, "Record Results", keyword_for_value(&RECORD_RESULTS_NAMES, &plan.record));
    let steps = |s: &CycleSteps| (s.start, s.step, keyword_for_value(&STEP_GROWTH_NAMES, &s.growth));
    for (key, (start, step, growth)) in
        [("Worker Cycling", steps(&plan.worker_cycling)), ("Disk Cycling", steps(&plan.target_cycling))]
    {
        line(out, &format!("'{key}\n'\tstart      step       step type"));
        line(out, &format!("\t{start:<10} {step:<10} {growth}"));
    }
    let (start, step, growth) = steps(&plan.queue_cycling);
    line(out, "'Queue Depth Cycling\n'\tstart      end        step       step type");
    line(out, &format!("\t{start:<10} {:<10} {step:<10} {growth}", plan.queue_end));
    pair(out, "Test Type", plan.test.name());
    line(out, "'END test setup");
    Ok(())
}

fn specs(out: &mut String, plan: &IometerPlan) {
    line(out, &format!("'ACCESS SPECIFICATIONS {}", "=".repeat(57)));
    for spec in &plan.specs {
        let assignment = keyword_for_value(&DEFAULT_ASSIGNMENT_NAMES, &spec.assignment);
        let value = format!("{},{assignment}", spec.name);
        pair(out, "Access specification name,default assignment", value);
        line(out, "'size,% of size,% reads,% random,delay,burst,align,reply");
        for l in &spec.lines {
            let (share, reads, random) = (l.share_percent, l.reads_percent, l.random_percent);
            let rest = format!("{},{},{},{}", l.delay_ms, l.burst, l.align, l.reply);
            line(out, &format!("\t{},{share},{reads},{random},{rest}", l.size));
        }
    }
    line(out, "'END access specifications");
}

fn write_manager(
    out: &mut String,
    plan: &IometerPlan,
    manager: &IometerManager,
) -> Result<(), IcfWriteError> {
    pair(out, "Manager ID, manager name", format!("{},{}", manager.id, manager.name));
    pair(out, "Manager network address", &manager.address);
    for worker in &manager.workers {
        write_worker(out, plan, worker)?;
    }
    line(out, "'End manager");
    Ok(())
}

fn write_worker(out: &mut String, plan: &IometerPlan, worker: &IometerWorker) -> Result<(), IcfWriteError> {
    let on = |yes: bool| if yes { "ENABLED" } else { "DISABLED" };
    pair(out, "Worker", &worker.name);
    pair(out, "Worker type", if worker.is_disk() { "DISK" } else { "NETWORK,TCP" });
    line(out, "'Default target settings for worker");
    let rate = on(worker.test_connection_rate);
    let seed = format!("{},{}", on(worker.fixed_seed.is_some()), worker.fixed_seed.unwrap_or(0));
    pair(
        out,
        "Number of outstanding IOs,test connection rate,transactions per connection,use fixed seed,fixed seed value",
        format!("{},{rate},{},{seed}", worker.outstanding, worker.transactions_per_connection),
    );
    match &worker.work {
        WorkerLoad::Disk { maximum_size, starting_sector, pattern, .. } => {
            let value = format!("{maximum_size},{starting_sector},{pattern}");
            pair(out, "Disk maximum size,starting sector,Data pattern", value);
        }
        WorkerLoad::Network { local_interface, .. } => pair(out, "Local network interface", local_interface),
    }
    line(out, "'End default target settings for worker\n'Assigned access specs");
    for spec in &worker.specs {
        let name = match spec {
            None => IDLE_SPEC_NAME,
            Some(index) => {
                let spec = plan.specs.get(*index).ok_or_else(|| broken("access specification", *index))?;
                spec.name.as_str()
            }
        };
        line(out, &format!("\t{name}"));
    }
    line(out, "'End assigned access specs\n'Target assignments");
    match &worker.work {
        WorkerLoad::Disk { targets, .. } => {
            for target in targets {
                pair(out, "Target", target);
                line(out, "'Target type\n\tDISK\n'End target");
            }
        }
        WorkerLoad::Network { target, .. } => {
            if let Some(target) = target {
                let manager = plan.managers.get(target.manager);
                let manager = manager.ok_or_else(|| broken("manager", target.manager))?;
                pair(out, "Target", &target.address);
                pair(out, "Target type", "NETWORK,TCP");
                let value = format!("{},{}", manager.id, manager.name);
                pair(out, "Target manager ID, manager name", value);
                line(out, "'End target");
            }
        }
    }
    line(out, "'End target assignments\n'End worker");
    Ok(())
}

fn broken(what: &'static str, index: usize) -> IcfWriteError {
    IcfWriteError::new(what, index, "the plan does not have it")
}

fn whole_seconds(what: &'static str, time: Nanos) -> Result<u64, IcfWriteError> {
    let seconds = time.0 / Nanos::SECOND.0;
    if time.0.is_multiple_of(Nanos::SECOND.0) && u32::try_from(seconds).is_ok() {
        return Ok(seconds);
    }
    Err(IcfWriteError::new(
        what,
        format!("{} ns", time.0),
        "IOmeter counts whole seconds; choose for example 5s",
    ))
}

fn check(plan: &IometerPlan) -> Result<(), IcfWriteError> {
    text("the description", &plan.description, LONGEST_NAME, true)?;
    for (i, spec) in plan.specs.iter().enumerate() {
        check_spec(spec)?;
        let twice = plan.specs[..i].iter().any(|s| s.name.eq_ignore_ascii_case(&spec.name));
        if twice || spec.name.eq_ignore_ascii_case(IDLE_SPEC_NAME) {
            let why = "another has this name, and IOmeter does not look at case";
            return Err(IcfWriteError::new("the access specification", &spec.name, why));
        }
    }
    for (i, manager) in plan.managers.iter().enumerate() {
        check_manager(manager)?;
        let same = |m: &IometerManager| m.id == manager.id && m.name.eq_ignore_ascii_case(&manager.name);
        if plan.managers[..i].iter().any(same) {
            let why = "another has this name and this ID";
            return Err(IcfWriteError::new("the manager", &manager.name, why));
        }
        let loops = |w: &&IometerWorker| w.target().is_some_and(|t| t.manager == i);
        if let Some(worker) = manager.workers.iter().find(loops) {
            let why = "its target is its own manager: the client would be the server";
            return Err(IcfWriteError::new("the worker", &worker.name, why));
        }
    }
    Ok(())
}

fn check_spec(spec: &AccessSpec) -> Result<(), IcfWriteError> {
    const WHAT: &str = "the access specification";
    name(WHAT, &spec.name, LONGEST_NAME)?;
    let wrong = |why: Message| Err(IcfWriteError::new(WHAT, &spec.name, why));
    let sum: u32 = spec.lines.iter().map(|l| u32::from(l.share_percent)).sum();
    let outside = |percent: u8| percent > 100;
    if spec.lines.len() > MAX_ACCESS_SPEC_LINES {
        let count = spec.lines.len().to_string();
        wrong(message!(cause_icf_too_many_lines { count, most: MAX_ACCESS_SPEC_LINES }))
    } else if sum != 100 {
        wrong(message!(cause_icf_shares { sum: sum.to_string() }))
    } else if spec.lines.iter().any(|l| outside(l.reads_percent) || outside(l.random_percent)) {
        wrong("a share of reads or of random places is above 100 %".into())
    } else if spec.lines.iter().any(|l| l.size == 0 || l.burst == 0) {
        wrong("a size or a burst is 0".into())
    } else {
        Ok(())
    }
}

fn check_manager(manager: &IometerManager) -> Result<(), IcfWriteError> {
    name("the manager", &manager.name, LONGEST_NAME)?;
    address("the address of a manager", &manager.address, true)?;
    if manager.workers.len() > MAX_WORKERS {
        let count = manager.workers.len().to_string();
        let why = message!(cause_icf_manager_workers { count, most: MAX_WORKERS });
        return Err(IcfWriteError::new("the manager", &manager.name, why));
    }
    for worker in &manager.workers {
        name("the worker", &worker.name, LONGEST_NAME)?;
        match &worker.work {
            WorkerLoad::Disk { targets, .. } => {
                for target in targets {
                    text("the target", target, LONGEST_TARGET, false)?;
                }
            }
            WorkerLoad::Network { local_interface, target } => {
                address("the address of a network interface", local_interface, true)?;
                if let Some(target) = target {
                    address("the target", &target.address, false)?;
                }
            }
        }
    }
    Ok(())
}

/// Without commas.
fn name(what: &'static str, name: &str, longest: usize) -> Result<(), IcfWriteError> {
    text(what, name, longest, false)?;
    if name.contains(',') {
        return Err(IcfWriteError::new(what, name, "IOmeter ends a name at a comma"));
    }
    Ok(())
}

fn address(what: &'static str, address: &str, empty: bool) -> Result<(), IcfWriteError> {
    text(what, address, LONGEST_TARGET, empty)?;
    if address.parse::<Ipv6Addr>().is_ok() {
        return Err(IcfWriteError::new(what, address, "IOmeter knows IPv4 only; type NAME=ADDRESS with one"));
    }
    Ok(())
}

/// IOmeter trims text, reads it in the machine's code page, and takes a leading apostrophe for a key.
fn text(what: &'static str, text: &str, longest: usize, empty: bool) -> Result<(), IcfWriteError> {
    let why: Message = if text.is_empty() && !empty {
        message!(cause_icf_text_is_empty)
    } else if text.len() > longest {
        message!(cause_icf_text_too_long { count: text.len().to_string(), most: longest })
    } else if let Some(c) = text.chars().find(|c| !(c.is_ascii_graphic() || *c == ' ')) {
        message!(cause_icf_not_ascii { character: format!("{c:?}") })
    } else if text.trim() != text {
        "it begins or ends with a blank, which IOmeter takes off".into()
    } else if text.starts_with('\'') {
        "it begins with an apostrophe, which marks a key".into()
    } else {
        return Ok(());
    };
    Err(IcfWriteError::new(what, text, why))
}
