//! `goodput clock`: the hosts of a lab share one clock, so the offset is 0 within its bound.

use crate::stage::{Home, Lab, list, number};
use crate::{CommandOutput, must};

pub fn one_clock() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "clock", &[])?;
    let result = lab.measure("clock", "--time 1s")?;
    let clock = &result["clock"];
    let offset = clock["offset_ns"].as_i64().ok_or_else(|| format!("no offset in {result}"))?;
    must!(offset.unsigned_abs() <= number(clock, "/error_ns")?, "{clock}");
    must!(number(clock, "/round_trip_ns")? > 0 && list(&clock["intervals"]).len() >= 5, "{clock}");
    let csv = home.line("export --format csv --table metrics").ended(0)?.stdout;
    must!(csv.contains(&format!("1,clock.offset_ns,{offset},ns\n")), "{csv}");
    // The default is the table with the most detail.
    let csv = home.line("export --format csv").ended(0)?.stdout;
    must!(csv.starts_with("trial,at_ns,offset_ns,error_ns\n") && csv.lines().count() >= 6, "{csv}");
    Ok(())
}
