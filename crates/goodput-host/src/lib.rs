//! Says what a machine is and what it counted.
