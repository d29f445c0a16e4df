//! Other tools' files and protocols, one file a tool.
