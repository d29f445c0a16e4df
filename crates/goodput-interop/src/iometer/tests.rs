//! The files in `fixtures/iometer/`, and properties over all texts and plans.

mod csv;
pub(super) mod fixtures;
mod generate;
mod properties;
mod written;
