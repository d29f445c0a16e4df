//! The program of every target, which is the one of its name.

#![no_main]

use goodput_fuzz::targets::{Target, find};

const TARGET: Target = find(env!("CARGO_BIN_NAME"));

libfuzzer_sys::fuzz_target!(|data: &[u8]| goodput_fuzz::run(&TARGET, data));
