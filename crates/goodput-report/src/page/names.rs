//! Names that users chose: hosts, clients, mixes, roles, factors, levels, labels. They are never translated,
//! even if equal to a translatable word such as `window`.

use crate::probe;
use goodput_model::experiment::comparison::Comparison;
use goodput_model::experiment::data::DataSet;
use goodput_model::run::RunHead;
use goodput_model::summary::{Document, Summary};
use goodput_model::{Experiment, Trial};
use std::collections::BTreeSet;

pub fn of_document(document: &Document) -> Vec<String> {
    Names::default().document(document).list()
}

#[derive(Debug, Default)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    pub(crate) fn add<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Names {
        self.0.extend(names.into_iter().map(Into::into).filter(|name| !name.is_empty()));
        self
    }

    pub(crate) fn document(self, document: &Document) -> Names {
        let of = |names: Names, summary: &Summary| {
            names
                .add(summary.hosts.iter().map(|host| host.name.clone()))
                .add(probe::of(&summary.probe).names())
        };
        crate::summaries(document).into_iter().fold(self, of)
    }

    pub(crate) fn trials(self, trials: &[Trial]) -> Names {
        let of = |names: Names, trial: &Trial| {
            names.add(trial.ends.iter().map(|end| end.host.clone())).add(probe::of(&trial.probe).names())
        };
        trials.iter().fold(self, of)
    }

    pub(crate) fn head(self, head: &RunHead) -> Names {
        self.add(head.labels.keys().cloned()).add(head.labels.values().cloned())
    }

    pub(crate) fn data(self, data: &DataSet) -> Names {
        self.add(data.factors.iter().map(|factor| factor.name.clone()))
            .add(data.factors.iter().flat_map(|factor| factor.levels.iter().cloned()))
            .add(data.measures.iter().map(|measure| measure.probe.clone()))
    }

    pub(crate) fn experiment(self, experiment: &Experiment) -> Names {
        self.add(experiment.hosts.keys().cloned()).add(experiment.hosts.values().cloned())
    }

    pub(crate) fn comparison(self, comparison: &Comparison) -> Names {
        let cells = || comparison.cells.iter();
        self.add([comparison.first.clone(), comparison.second.clone()])
            .add(cells().map(|cell| cell.probe.clone()))
            .add(cells().flat_map(|cell| cell.levels.keys().cloned()))
            .add(cells().flat_map(|cell| cell.levels.values().cloned()))
    }

    pub(crate) fn list(self) -> Vec<String> {
        self.0.into_iter().collect()
    }
}
