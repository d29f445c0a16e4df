//! `/metrics`: metrics for Prometheus.

use crate::metrics;
use crate::problem::Problem;
use crate::route::{ApiRequest, OpenMetricsText, Routes};
use crate::security::AccessLevel;

pub fn routes() -> Routes {
    Routes::new("metrics").get(
        "/metrics",
        AccessLevel::Reader,
        "Schedules, agents, jobs and this server, for Prometheus",
        show,
    )
}

async fn show(call: ApiRequest) -> Result<OpenMetricsText, Problem> {
    Ok(OpenMetricsText(metrics::to_openmetrics(&call.state.metrics_snapshot())))
}
