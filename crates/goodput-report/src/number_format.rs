//! Formats quantities for people: one rule per kind, for every text, table, figure and page.

pub use goodput_words::number_format::*;
