//! `goodput icf check`: an IOmeter configuration, and what `goodput load` makes of it.

use crate::args::iometer_icf::IcfCheckArgs;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure, WithHint};
use crate::{language, output};
use goodput_interop::LineWarning;
use goodput_interop::iometer::{self, IometerPlan, TestStage};
use goodput_model::units::Bytes;
use goodput_report::escape::escape_for_terminal;
use goodput_report::number_format;
use goodput_report::table::{Align, Cell, Table};
use goodput_words::message;
use serde_json::{Value, json};
use std::path::Path;

struct ImportedIcf {
    version: String,
    plan: IometerPlan,
    warnings: Vec<LineWarning>,
}

fn import_icf(file: &Path) -> Result<ImportedIcf, Failure> {
    let what = || message!(error_cannot_be_used { file: file.display().to_string() });
    let bytes = std::fs::read(file)
        .or_failure(ExitStatus::Usage, what())
        .with_hint("specify a file saved by IOmeter")?;
    let text = iometer::decode_text(&bytes);
    let refused = |e: iometer::IcfError| Failure::from_error(ExitStatus::Usage, what(), &e).with_hint(e.hint);
    let version = iometer::read_version(&text).map_err(refused)?.to_string();
    let (plan, warnings) = iometer::read_icf(&text).map_err(refused)?;
    Ok(ImportedIcf { version, plan, warnings })
}

/// Exit code 2 if the file cannot be run as it is.
pub fn validate_icf_file(order: &IcfCheckArgs) -> Result<ExitStatus, Failure> {
    let imported = import_icf(&order.file)?;
    let stages = imported.plan.build_test_stages(&order.stage_settings()).map_err(|e| {
        let what = message!(error_cannot_be_run { file: order.file.display().to_string() });
        Failure::from_error(ExitStatus::Usage, what, &e).with_hint(e.hint)
    });
    if order.json {
        let stages = stages?;
        output::print_json(&document(order, &imported, &stages));
    } else {
        output::print_text(&text(&imported));
        output::print_text(&stages_text(&imported.plan, &stages?));
    }
    Ok(ExitStatus::Done)
}

fn text(imported: &ImportedIcf) -> String {
    let plan = &imported.plan;
    let mut parts = vec![format!(
        "IOmeter {}: {}\n{} a run after {} of ramp-up, {}\n",
        imported.version,
        escape_for_terminal(if plan.description.is_empty() { "(no description)" } else { &plan.description }),
        number_format::format_time_setting(plan.run_time),
        number_format::format_time_setting(plan.ramp_up),
        plan.test.name(),
    )];
    if !imported.warnings.is_empty() {
        let said = |w: &LineWarning| language::format_message(&message!(line_warning { said: w.message() }));
        let lines = imported.warnings.iter().map(|w| format!("{}\n", escape_for_terminal(&said(w))));
        parts.push(lines.collect());
    }
    parts.push(output::titled_table_text(managers(plan)));
    parts.push(output::titled_table_text(specs(plan)));
    parts.join("\n")
}

fn managers(plan: &IometerPlan) -> Table {
    let left = Align::Left;
    let columns =
        [("ID", Align::Right), ("manager", left), ("address", left), ("worker", left), ("does", left)];
    let mut table = Table::new("Managers", &columns);
    for manager in &plan.managers {
        let head = || -> Vec<Cell> {
            vec![manager.id.to_string().into(), (&manager.name).into(), (&manager.address).into()]
        };
        if manager.workers.is_empty() {
            table.add_row(head());
        }
        for worker in &manager.workers {
            let partner = worker.target().and_then(|t| plan.managers.get(t.manager));
            let does = match (partner, worker.is_disk()) {
                (Some(partner), _) => message!(part_view_tcp_with { name: &partner.name }).into(),
                (None, true) => "disks or files".into(),
                (None, false) => "nothing: it has no target".into(),
            };
            table.add_row([head(), vec![(&worker.name).into(), does]].concat());
        }
    }
    table
}

fn specs(plan: &IometerPlan) -> Table {
    let right = Align::Right;
    let columns = [
        ("access specification", Align::Left),
        ("size", right),
        ("share", right),
        ("reads", right),
        ("delay", right),
        ("burst", right),
        ("reply", right),
    ];
    let mut table = Table::new("Access specifications", &columns);
    for spec in &plan.specs {
        for line in &spec.lines {
            table.add_row(vec![
                spec.name.clone(),
                number_format::format_size(u64::from(line.size)),
                format!("{} %", line.share_percent),
                format!("{} %", line.reads_percent),
                format!("{} ms", line.delay_ms),
                line.burst.to_string(),
                number_format::format_size_setting(Bytes(u64::from(line.reply))),
            ]);
        }
    }
    table
}

fn stages_text(plan: &IometerPlan, stages: &[TestStage]) -> String {
    let right = Align::Right;
    let columns = [
        ("run", right),
        ("cycling", Align::Left),
        ("access specifications", Align::Left),
        ("server", Align::Left),
        ("clients", right),
        ("workers", right),
        ("window", right),
        ("warm-up", right),
    ];
    let mut table = Table::new("What goodput load makes of it", &columns);
    for stage in stages {
        let cycle: Vec<String> = stage.cycle.iter().map(|(what, n)| format!("{what}: {n}")).collect();
        table.add_row(vec![
            stage.run.to_string(),
            cycle.join(", "),
            stage.name.clone(),
            stage.server_host.clone(),
            stage.load.clients.len().to_string(),
            stage.load.workers.len().to_string(),
            number_format::format_time_setting(stage.load.time),
            number_format::format_time_setting(stage.load.warm_up),
        ]);
    }
    let idle = plan.all_runs().map_or(0, |runs| runs.len().saturating_sub(stages.len()));
    if idle > 0 {
        table.notes.push(message!(report_view_idle_runs_left_out { count: idle }).into());
    }
    let disks: usize = stages.iter().map(|s| s.disk.len()).sum();
    if disks > 0 {
        table.notes.push("Disk workers are in the file; goodput load runs network workers only.".into());
    }
    format!("\n{}", output::titled_table_text(table))
}

fn document(order: &IcfCheckArgs, imported: &ImportedIcf, stages: &[TestStage]) -> Value {
    let plan = &imported.plan;
    let managers: Vec<Value> = plan
        .managers
        .iter()
        .map(|m| json!({ "id": m.id, "name": m.name, "address": m.address, "workers": m.workers.len() }))
        .collect();
    let specs: Vec<Value> = plan
        .specs
        .iter()
        .map(|s| {
            let lines: Vec<Value> = s
                .lines
                .iter()
                .map(|l| {
                    json!({
                        "size_bytes": l.size, "share_percent": l.share_percent, "reads_percent": l.reads_percent,
                        "random_percent": l.random_percent, "delay_ms": l.delay_ms, "burst": l.burst,
                        "align_bytes": l.align, "reply_bytes": l.reply,
                    })
                })
                .collect();
            json!({ "name": s.name, "lines": lines })
        })
        .collect();
    json!({
        "schema": "goodput/icf/1",
        "file": order.file,
        "version": imported.version,
        "description": plan.description,
        "run_time_ns": plan.run_time,
        "ramp_up_ns": plan.ramp_up,
        "test_type": plan.test.name(),
        "managers": managers,
        "access_specifications": specs,
        "warnings": imported.warnings,
        "stages": stages.iter().map(|s| stage(plan, s)).collect::<Vec<_>>(),
    })
}

fn stage(plan: &IometerPlan, stage: &TestStage) -> Value {
    let name = |m: usize| plan.managers.get(m).map(|m| m.name.as_str());
    let cycle: Vec<Value> = stage.cycle.iter().map(|(what, n)| json!({ "what": what, "value": n })).collect();
    let disk: Vec<Value> = stage
        .disk
        .iter()
        .map(|d| {
            json!({
                "manager": name(d.manager), "access_specification": plan.specs.get(d.spec).map(|s| &s.name),
                "outstanding": d.outstanding, "files": d.files, "folder": d.folder,
            })
        })
        .collect();
    json!({
        "run": stage.run,
        "cycle": cycle,
        "name": stage.name,
        "server": { "manager": name(stage.server), "host": stage.server_host },
        "clients": stage.clients.iter().map(|m| name(*m)).collect::<Vec<_>>(),
        "load": stage.load,
        "disk": disk,
    })
}
