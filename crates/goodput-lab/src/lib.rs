//! Builds and removes small networks of namespaces.
