//! Published values, read from the repository's own files.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod atm_vs_ethernet;
mod published_page;
