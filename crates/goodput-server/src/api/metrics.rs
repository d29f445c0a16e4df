//! `/metrics`: metrics for Prometheus.

use crate::metrics;
use crate::problem::Problem;
use crate::route::{ApiRequest, GET, OpenMetricsText, Routes};
use crate::security::AccessLevel::Reader;

pub fn routes() -> Routes {
    Routes::new("metrics").add(
        GET,
        "/metrics",
        Reader,
        "Schedules, agents, jobs and this server, for Prometheus",
        show,
    )
}

async fn show(call: ApiRequest) -> Result<OpenMetricsText, Problem> {
    Ok(OpenMetricsText(metrics::to_openmetrics(&call.state.metrics_snapshot())))
}
