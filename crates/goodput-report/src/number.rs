//! How a quantity is written for a person: one rule a kind, used by every text, table, figure and page.

pub use goodput_words::number::*;
