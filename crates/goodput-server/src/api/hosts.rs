//! `/hosts`: agents that are there, what differs between hosts, who reaches whom.

use crate::hosts::differences::{self, LOOKED_THROUGH, Recorded};
use crate::hosts::form::{HostDifferences, HostList, Names};
use crate::matrix::{self, HostMatrix};
use crate::problem::Problem;
use crate::route::{Call, Json, Nothing, Routes};
use crate::security::Who;
use crate::state::State;
use goodput_store::index::Filter;
use jiff::Timestamp;

/// Routes of hosts.
pub fn routes() -> Routes {
    Routes::new("hosts")
        .get("/hosts", Who::Reader, "Agents that are there, and what they are doing", list)
        .get(
            "/hosts/differences",
            Who::Reader,
            "What differs between two hosts, by their last records",
            differ,
        )
        .get("/hosts/matrix", Who::Reader, "The last known figures of each ordered pair of hosts", pairs)
}

async fn list(call: Call) -> Result<Json<HostList>, Problem> {
    let hosts = call.state.hosts.clone();
    // While a measurement is under way nothing is looked for: what is known is answered.
    let quiet = call.state.jobs.list().iter().any(|job| !job.state.is_over());
    let listed = call.state.work(move || {
        if !quiet {
            hosts.look();
        }
        Ok(hosts.list())
    });
    Ok(Json(listed.await?))
}

async fn differ(call: Call<Nothing, Names>) -> Result<Json<HostDifferences>, Problem> {
    let Some((first, second)) = differences::two(&call.query.names) else {
        return Err(Problem::request("the query cannot be read, at names")
            .because(format!("{:?} is not two names", call.query.names))
            .try_this("write names=A,B"));
    };
    call.state.refresh().await?;
    let (first, second) = (record(&call.state, first).await?, record(&call.state, second).await?);
    Ok(Json(differences::between(first, second)))
}

/// The last record of a host in the store.
async fn record(state: &State, host: &str) -> Result<Recorded, Problem> {
    let filter = Filter { hosts: vec![host.to_string()], limit: Some(LOOKED_THROUGH), ..Filter::default() };
    let (cards, _) = state.index.search(&filter).await.map_err(crate::api::runs::problem)?;
    for card in cards {
        let folder = state.index.folder(card.id).await.map_err(crate::api::runs::problem)?;
        let name = host.to_string();
        let read = state.work(move || {
            let run = goodput_store::read_without_series(&folder)
                .map_err(|e| Problem::internal("a stored run cannot be read", &e))?;
            Ok(differences::recorded(&run, &name))
        });
        if let Some(found) = read.await? {
            return Ok(found);
        }
    }
    Err(Problem::not_found(format!("there is no record of a host called {host}"))
        .because("no stored run of the last ones has one")
        .try_this(format!("measure once with it, for example goodput stream {host}")))
}

async fn pairs(call: Call) -> Result<Json<HostMatrix>, Problem> {
    call.state.refresh().await?;
    let pairs = call.state.index.pairs().await.map_err(crate::api::runs::problem)?;
    let present = call.state.hosts.list().hosts.into_iter().filter_map(|host| host.name);
    Ok(Json(matrix::of(pairs, present, Timestamp::now())))
}
