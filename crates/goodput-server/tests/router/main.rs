//! The router, asked as a program would ask it, without sockets: who may what, and what comes back.

mod described;
mod hosts;
mod jobs;
mod logins;
mod pages;
mod refused;
mod runs;
mod schedules;
mod stage;
