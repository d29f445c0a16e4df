//! Carries orders and events between coordinator and agents; synchronises the window.
