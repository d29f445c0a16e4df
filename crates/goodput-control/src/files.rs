//! What an agent does in trials of the probe `file`: the work of a client, and the place that a server keeps.
//!
//! | file | what it is for |
//! |---|---|
//! | `player.rs`, `load.rs` | a client's work: `goodput-file`'s job behind the probe's player; the load file of a mix |
//! | `remote.rs` | an agent's sink as a place of `goodput-file`'s |
//! | `keeper.rs`, `sink_store.rs` | what an agent keeps: nothing, in memory from trial to trial, or in a folder |
//! | `service.rs`, `disk.rs` | the listening end of a trial: cold caches, the disk's account, its report |
//! | `trouble.rs` | failures in the words of both sides |

mod disk;
mod keeper;
mod load;
mod player;
mod remote;
mod service;
mod sink_store;
mod trouble;

pub use load::{LoadReader, set_load_reader};
pub(crate) use player::connect;
pub(crate) use service::listen;
pub(crate) use sink_store::SinkStore;
