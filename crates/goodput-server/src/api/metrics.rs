//! `/metrics`: metrics for Prometheus.

use crate::metrics;
use crate::problem::Problem;
use crate::route::{Call, Routes, Text};
use crate::security::AccessLevel;

pub fn routes() -> Routes {
    Routes::new("metrics").get(
        "/metrics",
        AccessLevel::Reader,
        "Schedules, agents, jobs and this server, for Prometheus",
        show,
    )
}

async fn show(call: Call) -> Result<Text, Problem> {
    Ok(Text(metrics::text(&call.state.snapshot())))
}
