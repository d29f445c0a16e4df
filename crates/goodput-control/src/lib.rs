//! Carries orders and events between coordinator and agents; synchronises the window.

pub mod bus;
pub mod identity;
pub mod key;
