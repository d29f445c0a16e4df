//! `/hosts`: agents, differences between hosts, and the matrix of measured pairs.

use crate::host_matrix::{self, HostMatrix};
use crate::hosts::differences::{self, MAX_SEARCHED_RUNS, RecordedInventory};
use crate::hosts::documents::{HostDifferences, HostList, HostPairQuery, HostRecordQuery, HostRecords};
use crate::hosts::recorded_host;
use crate::problem::Problem;
use crate::route::{ApiRequest, GET, Json, NoInput, Routes};
use crate::security::AccessLevel::Reader;
use crate::security::allowed_hosts::local_host_name;
use crate::server_state::ServerState;
use goodput_model::RunId;
use goodput_store::index::{IndexError, RunFilter};
use goodput_words::message;
use jiff::Timestamp;
use std::collections::{BTreeMap, VecDeque};

const MOST: usize = 64;

pub fn routes() -> Routes {
    Routes::new("hosts")
        .add(GET, "/hosts", Reader, "Agents that are there, and what they are doing", list)
        .add(
            GET,
            "/hosts/differences",
            Reader,
            "What differs between two hosts, by their last records",
            differ,
        )
        .add(GET, "/hosts/records", Reader, "What hosts were when they measured last", records)
        .add(
            GET,
            "/hosts/matrix",
            Reader,
            "Who answers, and the last known figures of each ordered pair of hosts",
            pairs,
        )
}

async fn list(call: ApiRequest) -> Result<Json<HostList>, Problem> {
    let hosts = call.state.hosts.clone();
    // During a measurement nothing is searched: the answer is what is known.
    let quiet = call.state.jobs.list().iter().any(|job| !job.state.is_over());
    let listed = call.state.run_blocking(move || {
        if !quiet {
            hosts.check_local_agent();
        }
        Ok(hosts.list())
    });
    Ok(Json(listed.await?))
}

async fn differ(call: ApiRequest<NoInput, HostPairQuery>) -> Result<Json<HostDifferences>, Problem> {
    let Some((first, second)) = differences::parse_host_pair(&call.query.names) else {
        let cause = message!(served_not_two_names { names: format!("{:?}", call.query.names) });
        return Err(Problem::invalid_query("names", cause).with_hint("write names=A,B"));
    };
    call.state.refresh_index().await?;
    let found = last_records(&call.state, vec![first.to_string(), second.to_string()]).await?;
    let of = |host: &str| {
        let recorded = found.iter().find(|one| one.record.name == host).cloned();
        recorded.ok_or_else(|| no_record(host))
    };
    Ok(Json(differences::compare_hosts(of(first)?, of(second)?)))
}

async fn records(call: ApiRequest<NoInput, HostRecordQuery>) -> Result<Json<HostRecords>, Problem> {
    if call.query.name.len() > MOST {
        let cause = message!(served_too_many_hosts { count: call.query.name.len(), most: MOST });
        return Err(Problem::invalid_query("name", cause));
    }
    call.state.refresh_index().await?;
    let found = last_records(&call.state, call.query.name).await?;
    Ok(Json(HostRecords { records: found.into_iter().map(recorded_host::to_recorded_host).collect() }))
}

/// The last record of each host, by name; hosts without one are omitted. Skips runs that are removed,
/// unreadable, or still recorded by another machine.
async fn last_records(state: &ServerState, names: Vec<String>) -> Result<Vec<RecordedInventory>, Problem> {
    let mut waiting = BTreeMap::new();
    for name in names {
        let runs = runs_of(state, &name).await?;
        waiting.insert(name, VecDeque::from(runs));
    }
    let mut found = Vec::new();
    // Newest run first, so that a run with many hosts is read once.
    while let Some(id) = waiting.values().filter_map(|runs| runs.front().copied()).max() {
        let mut names = Vec::new();
        for (name, runs) in waiting.iter_mut().filter(|(_, runs)| runs.front() == Some(&id)) {
            runs.pop_front();
            names.push(name.clone());
        }
        let folder = match state.index.fetch_run_folder(id).await {
            Ok(folder) => folder,
            Err(IndexError::NoRun { .. } | IndexError::Elsewhere { .. }) => continue,
            Err(e) => return Err(e.into()),
        };
        let read = state.run_blocking(move || {
            let run = goodput_store::read_run_without_series(&folder).ok();
            let recorded = |name: &String| differences::find_inventory(run.as_ref()?, name);
            Ok(names.iter().filter_map(recorded).collect::<Vec<_>>())
        });
        for recorded in read.await? {
            waiting.remove(&recorded.record.name);
            found.push(recorded);
        }
    }
    found.sort_by(|a, b| a.record.name.cmp(&b.record.name));
    Ok(found)
}

fn no_record(host: &str) -> Problem {
    Problem::not_found(message!(served_no_record_of_host { host }))
        .with_cause("none of the recent stored runs contains this host")
        .with_hint(message!(served_measure_once { host }))
}

async fn runs_of(state: &ServerState, host: &str) -> Result<Vec<RunId>, Problem> {
    let filter =
        RunFilter { hosts: vec![host.to_string()], limit: Some(MAX_SEARCHED_RUNS), ..RunFilter::default() };
    let (cards, _) = state.index.search_run_page(&filter).await?;
    Ok(cards.into_iter().map(|card| card.id).collect())
}

async fn pairs(call: ApiRequest) -> Result<Json<HostMatrix>, Problem> {
    call.state.refresh_index().await?;
    let pairs = call.state.index.host_pair_metrics().await?;
    let now = Timestamp::now();
    let presence = call.state.hosts.presence_snapshot().with_local_host(local_host_name(), now);
    Ok(Json(host_matrix::build_host_matrix(pairs, &presence, now)))
}
