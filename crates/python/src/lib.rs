//! The native module of the Python package.
//!
//! The module takes requests as text, and returns the documents that the program prints, as text. The typed layer
//! in `python/cutcard` converts these documents to objects. Computations release the interpreter lock.
#![cfg(feature = "module")]

mod arrow;
mod cluster;
mod failure;
mod live;
mod run;
mod table;
mod vector;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::arrow::Columns;
    #[pymodule_export]
    use super::cluster::{Coordinator, Task, join};
    #[pymodule_export]
    use super::live::Live;
    #[pymodule_export]
    use super::run::Run;
    #[pymodule_export]
    use super::table::{Table, clauses, compare, keys, presets, replay};
    #[pymodule_export]
    use super::vector::{Vector, VectorState, features};
    #[pymodule_export]
    use super::work::charts_solved;

    #[pymodule_init]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        documents::set_commit(commit::COMMIT);
        Ok(())
    }
}
