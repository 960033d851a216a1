//! Redirects SQLite's file access to the simulated disk.
//!
//! Every call is forwarded to the system's files. A call that changes the house's own files goes to the simulated
//! disk first, which may make the call fail. A thread without a simulated disk sees no difference.

use crate::disk;
use rusqlite::ffi::{self, sqlite3_file, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicPtr, Ordering};

/// SQLite's own VFS (its interface to the file system), to which every call is forwarded.
static SYSTEM: AtomicPtr<sqlite3_vfs> = AtomicPtr::new(std::ptr::null_mut());

/// The memory of an open file: the part of SQLite's interface, then this module's part. The system's part follows.
#[repr(C)]
struct File {
    base: sqlite3_file,
    /// The path of the file, or null if the simulated disk does not track it.
    path: *mut PathBuf,
}

/// Registers the simulated disk as SQLite's VFS.
///
/// Every database then uses the simulated disk of its thread.
pub fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: a null name asks for the default VFS, which SQLite keeps for the lifetime of the process. The
        // registered copy is leaked, so it lives as long.
        unsafe {
            let system = ffi::sqlite3_vfs_find(std::ptr::null());
            assert!(!system.is_null(), "SQLite has no default VFS");
            SYSTEM.store(system, Ordering::SeqCst);
            let mut vfs = *system;
            vfs.szOsFile += size_of::<File>() as c_int;
            vfs.zName = c"simtest".as_ptr();
            vfs.pNext = std::ptr::null_mut();
            vfs.xOpen = Some(open);
            vfs.xDelete = Some(delete);
            let vfs = Box::leak(Box::new(vfs));
            assert_eq!(ffi::sqlite3_vfs_register(vfs, 1), ffi::SQLITE_OK);
        }
    });
}

/// Returns whether the simulated disk tracks a file: a house's database or its write-ahead log.
fn tracked(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "house.sqlite" || name == "house.sqlite-wal")
}

/// SAFETY: `name` is null or a valid C string from SQLite.
unsafe fn path_of(name: *const c_char) -> Option<PathBuf> {
    if name.is_null() {
        return None;
    }
    let name = unsafe { CStr::from_ptr(name) };
    Some(PathBuf::from(name.to_str().ok()?)).filter(|path| tracked(path))
}

/// SAFETY: `file` was allocated for this VFS, so that the system's part follows this module's.
unsafe fn system(file: *mut sqlite3_file) -> *mut sqlite3_file {
    unsafe { file.cast::<File>().add(1).cast() }
}

/// SAFETY: as for `system`, and the system's part is open.
unsafe fn methods(file: *mut sqlite3_file) -> &'static sqlite3_io_methods {
    unsafe { &*(*system(file)).pMethods }
}

/// SAFETY: as for `system`.
unsafe fn tracked_path<'a>(file: *mut sqlite3_file) -> Option<&'a PathBuf> {
    unsafe { (*file.cast::<File>()).path.as_ref() }
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    unsafe {
        let vfs = SYSTEM.load(Ordering::SeqCst);
        (*file).pMethods = std::ptr::null();
        (*file.cast::<File>()).path = std::ptr::null_mut();
        let Some(open) = (*vfs).xOpen else { return ffi::SQLITE_CANTOPEN };
        let rc = open(vfs, name, system(file), flags, out);
        if (*system(file)).pMethods.is_null() {
            return rc;
        }
        if let Some(path) = path_of(name) {
            disk::with(|disk| disk.opened(&path));
            (*file.cast::<File>()).path = Box::into_raw(Box::new(path));
        }
        (*file).pMethods = &METHODS;
        rc
    }
}

unsafe extern "C" fn delete(_: *mut sqlite3_vfs, name: *const c_char, sync: c_int) -> c_int {
    unsafe {
        if let Some(path) = path_of(name)
            && let Some(Some(refused)) = disk::with(|disk| disk.unlink(&path))
        {
            return refused;
        }
        let vfs = SYSTEM.load(Ordering::SeqCst);
        (*vfs).xDelete.map_or(ffi::SQLITE_IOERR_DELETE, |delete| delete(vfs, name, sync))
    }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    unsafe {
        let path = (*file.cast::<File>()).path;
        if !path.is_null() {
            drop(Box::from_raw(path));
            (*file.cast::<File>()).path = std::ptr::null_mut();
        }
        methods(file).xClose.map_or(ffi::SQLITE_OK, |close| close(system(file)))
    }
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    bytes: *const c_void,
    n: c_int,
    at: sqlite3_int64,
) -> c_int {
    unsafe {
        if let Some(path) = tracked_path(file) {
            let written = std::slice::from_raw_parts(bytes.cast::<u8>(), n as usize);
            if let Some(Some(refused)) = disk::with(|disk| disk.write(path, at as usize, written)) {
                return refused;
            }
        }
        methods(file).xWrite.map_or(ffi::SQLITE_IOERR_WRITE, |write| write(system(file), bytes, n, at))
    }
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, length: sqlite3_int64) -> c_int {
    unsafe {
        if let Some(path) = tracked_path(file)
            && let Some(Some(refused)) = disk::with(|disk| disk.truncate(path, length as usize))
        {
            return refused;
        }
        methods(file).xTruncate.map_or(ffi::SQLITE_IOERR_TRUNCATE, |cut| cut(system(file), length))
    }
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    unsafe {
        if let Some(path) = tracked_path(file)
            && let Some(verdict) = disk::with(|disk| disk.sync(path))
        {
            // The simulated disk has the content now, whatever the system's files do: they never lose content
            // here.
            return verdict.unwrap_or(ffi::SQLITE_OK);
        }
        methods(file).xSync.map_or(ffi::SQLITE_IOERR_FSYNC, |sync| sync(system(file), flags))
    }
}

/// Defines functions that forward all other calls to the system unchanged.
macro_rules! forward {
    ($($name:ident . $method:ident ( $($arg:ident : $kind:ty),* ) -> $back:ty | $without:expr;)*) => {
        $(unsafe extern "C" fn $name(file: *mut sqlite3_file $(, $arg: $kind)*) -> $back {
            unsafe { methods(file).$method.map_or($without, |on| on(system(file) $(, $arg)*)) }
        })*
    };
}

forward! {
    read.xRead(into: *mut c_void, n: c_int, at: sqlite3_int64) -> c_int | ffi::SQLITE_IOERR_READ;
    file_size.xFileSize(size: *mut sqlite3_int64) -> c_int | ffi::SQLITE_IOERR_FSTAT;
    lock.xLock(level: c_int) -> c_int | ffi::SQLITE_IOERR_LOCK;
    unlock.xUnlock(level: c_int) -> c_int | ffi::SQLITE_IOERR_UNLOCK;
    reserved.xCheckReservedLock(out: *mut c_int) -> c_int | ffi::SQLITE_IOERR_LOCK;
    control.xFileControl(what: c_int, with: *mut c_void) -> c_int | ffi::SQLITE_NOTFOUND;
    sector_size.xSectorSize() -> c_int | 512;
    shm_map.xShmMap(page: c_int, size: c_int, extend: c_int, out: *mut *mut c_void) -> c_int | ffi::SQLITE_IOERR_SHMMAP;
    shm_lock.xShmLock(from: c_int, n: c_int, flags: c_int) -> c_int | ffi::SQLITE_IOERR_SHMLOCK;
    shm_barrier.xShmBarrier() -> () | ();
    shm_unmap.xShmUnmap(delete: c_int) -> c_int | ffi::SQLITE_OK;
    fetch.xFetch(at: sqlite3_int64, n: c_int, out: *mut *mut c_void) -> c_int | ffi::SQLITE_OK;
    unfetch.xUnfetch(at: sqlite3_int64, page: *mut c_void) -> c_int | ffi::SQLITE_OK;
}

/// Returns 0: the device guarantees neither atomic nor ordered writes.
unsafe extern "C" fn device(_: *mut sqlite3_file) -> c_int {
    0
}

static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 3,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(reserved),
    xFileControl: Some(control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: Some(fetch),
    xUnfetch: Some(unfetch),
};
