//! The router, asked as a program would ask it, without sockets: who may what, and what comes back.

// All of this is tests, the functions between them too.
#![allow(clippy::unwrap_used)]

mod described;
mod hosts;
mod jobs;
mod logins;
mod pages;
mod refused;
mod runs;
mod schedules;
mod stage;
