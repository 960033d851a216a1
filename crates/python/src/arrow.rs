//! Exports columns through the Arrow C stream interface, so that other libraries read the columns without copying.
//!
//! Polars, pandas, DuckDB and pyarrow support this interface. It consists of three small C structs, declared here
//! as in its specification; every `unsafe` in this file serves these structs.

use crate::failure::not_understood;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

/// The values of one column.
pub enum Column {
    Whole(Vec<i64>),
    Real(Vec<f64>),
    /// The UTF-8 bytes of all texts, and the offsets of the texts in these bytes: each beginning, then the end of
    /// the last.
    Text(Vec<u8>, Vec<i32>),
}

impl Column {
    pub fn texts<'t>(texts: impl Iterator<Item = &'t str>) -> Column {
        let (mut bytes, mut begins) = (Vec::new(), vec![0]);
        for text in texts {
            bytes.extend_from_slice(text.as_bytes());
            begins.push(bytes.len() as i32);
        }
        Column::Text(bytes, begins)
    }

    fn len(&self) -> usize {
        match self {
            Column::Whole(values) => values.len(),
            Column::Real(values) => values.len(),
            Column::Text(_, begins) => begins.len() - 1,
        }
    }

    fn format(&self) -> &'static CStr {
        match self {
            Column::Whole(_) => c"l",
            Column::Real(_) => c"g",
            Column::Text(..) => c"u",
        }
    }

    /// Returns pointers to the buffers of the column: null for the validity bitmap, then the values.
    fn buffers(&self) -> Vec<*const c_void> {
        match self {
            Column::Whole(values) => vec![null(), values.as_ptr().cast()],
            Column::Real(values) => vec![null(), values.as_ptr().cast()],
            Column::Text(bytes, begins) => vec![null(), begins.as_ptr().cast(), bytes.as_ptr().cast()],
        }
    }
}

/// The values of one column, given as a Python list.
#[derive(FromPyObject)]
pub enum Lists {
    Whole(Vec<i64>),
    Real(Vec<f64>),
    Text(Vec<String>),
}

type Named = Vec<(CString, Column)>;

/// Named columns of the same length.
#[pyclass(frozen, module = "cutcard._native")]
pub struct Columns {
    columns: Arc<Named>,
}

impl Columns {
    pub fn new(columns: Vec<(&str, Column)>) -> Columns {
        let named = |(name, column)| (CString::new::<&str>(name).unwrap_or_default(), column);
        Columns { columns: Arc::new(columns.into_iter().map(named).collect()) }
    }

    fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.1.len())
    }
}

#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// The state of an Arrow stream: its columns, and whether the reader has received them.
struct StreamState {
    columns: Arc<Named>,
    done: bool,
}

// SAFETY: the pointers of an unread stream lead only to its own `StreamState`.
unsafe impl Send for ArrowArrayStream {}

impl Drop for ArrowArrayStream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: a consumer that takes over a stream clears `release`, so it is called only once
            unsafe { release(self) }
        }
    }
}

impl ArrowArrayStream {
    fn new(columns: Arc<Named>) -> ArrowArrayStream {
        ArrowArrayStream {
            get_schema: Some(stream_schema),
            get_next: Some(stream_next),
            get_last_error: Some(stream_error),
            release: Some(release_stream),
            private_data: Box::into_raw(Box::new(StreamState { columns, done: false })).cast(),
        }
    }
}

// SAFETY of all functions below: a reader calls them as the specification requires, with pointers to structs that were
// created here.

unsafe extern "C" fn stream_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    let given = unsafe { &*(*stream).private_data.cast::<StreamState>() };
    let children = given.columns.iter().map(|(name, column)| schema(column.format(), name, Vec::new()));
    unsafe { out.write(schema(c"+s", c"", children.collect())) };
    0
}

unsafe extern "C" fn stream_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    let given = unsafe { &mut *(*stream).private_data.cast::<StreamState>() };
    if std::mem::replace(&mut given.done, true) {
        // the specification marks the end of a stream by an array without `release`
        unsafe { out.write(array(0, Vec::new(), Vec::new(), given.columns.clone())) };
        unsafe { release_array(out) };
        return 0;
    }
    let rows = given.columns.first().map_or(0, |column| column.1.len());
    let child = |column: &Column| array(rows, column.buffers(), Vec::new(), given.columns.clone());
    let children = given.columns.iter().map(|(_, column)| child(column)).collect();
    unsafe { out.write(array(rows, vec![null()], children, given.columns.clone())) };
    0
}

unsafe extern "C" fn stream_error(_: *mut ArrowArrayStream) -> *const c_char {
    null()
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<StreamState>()));
        (*stream).release = None;
    }
}

/// The name and the child schemas to which an Arrow schema points.
struct SchemaParts {
    _name: CString,
    children: Vec<*mut ArrowSchema>,
}

fn schema(format: &'static CStr, name: &CStr, children: Vec<ArrowSchema>) -> ArrowSchema {
    let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let mut parts = Box::new(SchemaParts { _name: name.to_owned(), children });
    ArrowSchema {
        format: format.as_ptr(),
        name: parts._name.as_ptr(),
        metadata: null(),
        flags: 0,
        n_children: parts.children.len() as i64,
        children: parts.children.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(parts).cast(),
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    unsafe {
        let parts = Box::from_raw((*schema).private_data.cast::<SchemaParts>());
        for &child in &parts.children {
            // a child that a consumer took over has no `release` any more
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*schema).release = None;
    }
}

/// The buffers and the child arrays to which an Arrow array points, and the columns that own the values.
struct ArrayParts {
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    _columns: Arc<Named>,
}

fn array(
    rows: usize,
    buffers: Vec<*const c_void>,
    children: Vec<ArrowArray>,
    columns: Arc<Named>,
) -> ArrowArray {
    let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let mut parts = Box::new(ArrayParts { buffers, children, _columns: columns });
    ArrowArray {
        length: rows as i64,
        null_count: 0,
        offset: 0,
        n_buffers: parts.buffers.len() as i64,
        n_children: parts.children.len() as i64,
        buffers: parts.buffers.as_mut_ptr(),
        children: parts.children.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_array),
        private_data: Box::into_raw(parts).cast(),
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    unsafe {
        let parts = Box::from_raw((*array).private_data.cast::<ArrayParts>());
        for &child in &parts.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*array).release = None;
    }
}

#[pymethods]
impl Columns {
    /// Creates columns from named lists of whole numbers, floating-point numbers or texts.
    #[new]
    fn from_lists(py: Python<'_>, columns: Vec<(String, Lists)>) -> PyResult<Columns> {
        let column = |(name, lists)| {
            let column = match lists {
                Lists::Whole(values) => Column::Whole(values),
                Lists::Real(values) => Column::Real(values),
                Lists::Text(texts) => Column::texts(texts.iter().map(String::as_str)),
            };
            CString::new::<String>(name).map(|name| (name, column))
        };
        let named: Result<Named, _> = columns.into_iter().map(column).collect();
        let named = named
            .map_err(|error| not_understood(py, &format!("cannot read the name of a column: {error}")))?;
        Ok(Columns { columns: Arc::new(named) })
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // the specification lets a producer ignore the requested schema; the reader casts
        let _ = requested_schema;
        if self.columns.iter().any(|column| column.1.len() != self.rows()) {
            return Err(PyRuntimeError::new_err("the columns have different lengths"));
        }
        PyCapsule::new_with_value(py, ArrowArrayStream::new(self.columns.clone()), c"arrow_array_stream")
    }

    /// Returns a Python dictionary from the name of each column to the list of its values.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, column) in self.columns.iter() {
            let name = name.to_string_lossy();
            match column {
                Column::Whole(values) => dict.set_item(name, values)?,
                Column::Real(values) => dict.set_item(name, values)?,
                Column::Text(bytes, begins) => {
                    let text = |two: &[i32]| {
                        String::from_utf8_lossy(&bytes[two[0] as usize..two[1] as usize]).into_owned()
                    };
                    dict.set_item(name, begins.windows(2).map(text).collect::<Vec<_>>())?;
                }
            }
        }
        Ok(dict)
    }
}
