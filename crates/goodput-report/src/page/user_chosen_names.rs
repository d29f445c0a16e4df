//! Names that users chose: hosts, clients, mixes, roles, factors, levels, labels. They are never translated,
//! even if equal to a translatable word such as `window`.

use crate::probe;
use goodput_model::experiment::comparison::Comparison;
use goodput_model::experiment::data_set::DataSet;
use goodput_model::run::RunHeader;
use goodput_model::summary::{ResultDocument, TrialSummary};
use goodput_model::{Experiment, Trial};
use std::collections::BTreeSet;

pub fn user_chosen_names_in_document(document: &ResultDocument) -> Vec<String> {
    UserChosenNames::default().add_from_document(document).into_vec()
}

#[derive(Debug, Default)]
pub(crate) struct UserChosenNames(BTreeSet<String>);

impl UserChosenNames {
    pub(crate) fn add<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> UserChosenNames {
        self.0.extend(names.into_iter().map(Into::into).filter(|name| !name.is_empty()));
        self
    }

    pub(crate) fn add_from_document(self, document: &ResultDocument) -> UserChosenNames {
        let of = |names: UserChosenNames, summary: &TrialSummary| {
            names
                .add(summary.hosts.iter().map(|host| host.name.clone()))
                .add(probe::probe_report(&summary.probe).user_chosen_names())
        };
        crate::trial_summaries(document).into_iter().fold(self, of)
    }

    pub(crate) fn add_from_trials(self, trials: &[Trial]) -> UserChosenNames {
        let of = |names: UserChosenNames, trial: &Trial| {
            names
                .add(trial.ends.iter().map(|end| end.host.clone()))
                .add(probe::probe_report(&trial.probe).user_chosen_names())
        };
        trials.iter().fold(self, of)
    }

    pub(crate) fn add_from_run_header(self, head: &RunHeader) -> UserChosenNames {
        self.add(head.labels.keys().cloned()).add(head.labels.values().cloned())
    }

    pub(crate) fn add_from_data_set(self, data: &DataSet) -> UserChosenNames {
        self.add(data.factors.iter().map(|factor| factor.name.clone()))
            .add(data.factors.iter().flat_map(|factor| factor.levels.iter().cloned()))
            .add(data.measures.iter().map(|measure| measure.probe.clone()))
    }

    pub(crate) fn add_from_experiment(self, experiment: &Experiment) -> UserChosenNames {
        self.add(experiment.hosts.keys().cloned()).add(experiment.hosts.values().cloned())
    }

    pub(crate) fn add_from_comparison(self, comparison: &Comparison) -> UserChosenNames {
        let cells = || comparison.cells.iter();
        self.add([comparison.first.clone(), comparison.second.clone()])
            .add(cells().map(|cell| cell.probe.clone()))
            .add(cells().flat_map(|cell| cell.levels.keys().cloned()))
            .add(cells().flat_map(|cell| cell.levels.values().cloned()))
    }

    pub(crate) fn into_vec(self) -> Vec<String> {
        self.0.into_iter().collect()
    }
}
