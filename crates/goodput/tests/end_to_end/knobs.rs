//! Host settings as levels: set, read back and restored. Each test in a lab ends with the original inventory.

pub mod by_hand;
pub mod levels;

use crate::must;
use crate::stage::Lab;
use libtest_mimic::Failed;
use serde_json::Value;

/// The hash of a host's inventory, which each setting changes.
fn settings(lab: &Lab<'_>, host: &str) -> Result<Value, Failed> {
    let told = lab.exec(host, [env!("CARGO_BIN_EXE_goodput"), "host", "--json"])?;
    let document: Value = serde_json::from_str(&told)?;
    let hash = &document["inventory"]["hash"];
    must!(hash.is_string(), "{document}");
    Ok(hash.clone())
}
