//! One TCP connection with many requests under way, as SMB and NFS have it: each message is announced by its
//! length, and a number in the reply says which request it answers.
//!
//! Plain threads. A caller sends its request itself, and whoever waits for a reply reads the connection for all the
//! others meanwhile ([`desk`]), so that a lone caller costs no second thread and no hand-over. The payload of a
//! read goes from the socket straight into the buffer that it was asked for. Every wait has a [`Deadline`].

pub(crate) mod block;
pub(crate) mod deadline;
pub(crate) mod desk;
pub(crate) mod fault;
pub(crate) mod inlet;
pub(crate) mod lane;
pub(crate) mod line;
pub(crate) mod tcp;

pub(crate) use block::Block;
pub(crate) use deadline::Deadline;
pub(crate) use desk::{Claim, Desk};
pub(crate) use fault::Fault;
pub(crate) use inlet::Inlet;
pub(crate) use line::{Direct, Line, Speech};

use std::time::Duration;

/// A server that says nothing for so long is gone, whatever the caller's patience: connecting, an answer to a small
/// request, the rest of a message that has begun.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// What makes data durable may take a disk minutes. That the server's host is alive is asked by TCP meanwhile
/// ([`tcp`]).
pub(crate) const DURABLE_PATIENCE: Duration = Duration::from_secs(900);
/// How long a thread is inside a system call at the most before it looks at its deadline.
pub(crate) const TICK: Duration = Duration::from_millis(100);
