//! The arithmetic everyone shares: estimates with uncertainty, stopping rules, limits, summaries, findings.
