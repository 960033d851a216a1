//! Reads and writes key files, which only their owner may read.
//!
//! A key is created once, from the operating system's entropy.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use zeroize::Zeroizing;

/// Reads the 32-byte key in the file `name`, or creates a random key if the file is missing.
pub fn key(directory: &Path, name: &str) -> io::Result<Zeroizing<[u8; 32]>> {
    let path = directory.join(name);
    match fs::read_to_string(&path) {
        Ok(text) => parse(text.trim()).ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                format!("{} does not contain a valid key", path.display()),
            )
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => make(directory, &path),
        Err(error) => Err(error),
    }
}

/// Reads the 32-byte key in the file `name`, or returns an error if the file is missing.
pub fn existing_key(directory: &Path, name: &str) -> io::Result<Zeroizing<[u8; 32]>> {
    let path = directory.join(name);
    match path.exists() {
        true => key(directory, name),
        false => Err(io::Error::new(io::ErrorKind::NotFound, format!("{} does not exist", path.display()))),
    }
}

fn make(directory: &Path, path: &Path) -> io::Result<Zeroizing<[u8; 32]>> {
    private_directory(directory)?;
    let mut key = Zeroizing::new([0u8; 32]);
    crate::world::fill_random(&mut *key).map_err(|e| io::Error::other(e.to_string()))?;
    write_private(path, hex(&*key).as_bytes())?;
    Ok(key)
}

/// Writes a file readable only by its owner, replacing an existing file.
///
/// Returns once the file and its name are synced to disk.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension("tmp");
    // An interrupted start may have left a temporary file, which was never used.
    let _ = fs::remove_file(&temporary);
    let mut file = new_private_file(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    sync_directory(path)
}

/// Creates a file readable only by its owner.
///
/// Returns an error if the file exists.
pub fn new_private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Creates a directory accessible only to its owner, and its missing parents.
///
/// An existing directory is left unchanged.
pub fn private_directory(path: &Path) -> io::Result<()> {
    directory_builder().recursive(true).create(path)
}

/// Creates a directory accessible only to its owner.
///
/// Returns an error if the directory exists.
pub fn new_private_directory(path: &Path) -> io::Result<()> {
    directory_builder().create(path)
}

fn directory_builder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Opens or creates a file for appending, and makes the file readable only by its owner.
pub fn private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            file.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(file)
}

/// Syncs the directory of a file.
///
/// A new name is durable only once its directory is synced.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(directory) if !directory.as_os_str().is_empty() => fs::File::open(directory)?.sync_all(),
        _ => Ok(()),
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    // `from_str_radix` alone takes a sign as well.
    if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|n| u8::from_str_radix(&text[n..n + 2], 16).ok()).collect()
}

fn parse(text: &str) -> Option<Zeroizing<[u8; 32]>> {
    let bytes = Zeroizing::new(from_hex(text)?);
    let key: [u8; 32] = bytes.as_slice().try_into().ok()?;
    Some(Zeroizing::new(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_kept_private() {
        let dir = tempfile::tempdir().expect("temp dir");
        let first = key(dir.path(), "a.key").expect("made");
        assert_eq!(*key(dir.path(), "a.key").expect("read"), *first);
        assert_ne!(*key(dir.path(), "b.key").expect("made"), *first);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(dir.path().join("a.key")).expect("there").permissions().mode();
            assert_eq!(mode & 0o077, 0);
        }
        fs::write(dir.path().join("c.key"), "short").expect("written");
        assert!(key(dir.path(), "c.key").is_err(), "a damaged key is never replaced silently");
        fs::write(dir.path().join("d.key"), [0xff; 64]).expect("written");
        assert!(key(dir.path(), "d.key").is_err());
        assert_eq!(
            fs::read(dir.path().join("d.key")).expect("there"),
            [0xff; 64],
            "a damaged key file is left as it is, whatever it holds"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_could_read_is_private_from_now_on() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().expect("temp dir");
        let path = dir.path().join("a");
        fs::write(&path, "first").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("other users can read the file");
        private_file(&path).expect("opened").write_all(b" second").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "first second");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_directory_is_synced_where_a_path_names_one() {
        let dir = tempfile::tempdir().expect("temp dir");
        sync_directory(&dir.path().join("a")).expect("the directory exists");
        assert!(sync_directory(&dir.path().join("gone/a")).is_err());
        sync_directory(Path::new("a")).expect("a path without a directory needs no sync");
    }
}
