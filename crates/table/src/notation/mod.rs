//! The round file.
