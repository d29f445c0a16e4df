//! Constructed trials with known numbers, and their summaries and findings.

mod any_trial;
mod check;
mod datagram;
mod experiment;
mod file;
mod findings;
mod host;
mod latency;
mod load;
mod load_curves;
mod mtu;
mod pingpong;
mod relay;
mod request;
mod sample;
mod stream;
