//! Keeps runs, append-only, readable for ever.
