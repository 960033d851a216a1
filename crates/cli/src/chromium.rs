//! Prints HTML pages to PDF and PNG with an installed Chromium.

use documents::Failure;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The path of an installed Chromium.
pub struct Chromium(PathBuf);

/// The program names of Chromium, in order of preference.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Finds Chromium: the program that the variable `CHROMIUM` names, or else the first Chromium on the path.
///
/// Returns an error if no Chromium is found.
pub fn found() -> Result<Chromium, Failure> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    named.into_iter().chain(on_path).find(|path| path.is_file()).map(Chromium).ok_or_else(|| {
        Failure::Refused(
            "PDF and PNG require Chromium, which was not found; use --format html or install Chromium".into(),
        )
    })
}

impl Chromium {
    /// Prints an HTML page to a PDF file.
    pub fn print(&self, page: &str, to: &Path) -> Result<(), Failure> {
        self.make(page, to, |to| vec!["--no-pdf-header-footer".into(), format!("--print-to-pdf={to}")])
    }

    /// Saves a screenshot of an HTML page as a PNG file.
    ///
    /// The resolution is `scale` times 96 pixels per inch. The page size is in millimetres.
    pub fn picture(
        &self,
        page: &str,
        to: &Path,
        (wide, high): (f64, f64),
        scale: f64,
    ) -> Result<(), Failure> {
        // CSS defines 96 pixels per inch
        let pixels = |mm: f64| (mm * 96.0 / 25.4).ceil() as u32;
        self.make(page, to, |to| {
            vec![
                format!("--window-size={},{}", pixels(wide), pixels(high)),
                format!("--force-device-scale-factor={scale}"),
                format!("--screenshot={to}.png"),
            ]
        })
    }

    fn make(&self, page: &str, to: &Path, flags: impl Fn(&str) -> Vec<String>) -> Result<(), Failure> {
        let failed = |why: String| Failure::Refused(format!("cannot create {}: {why}", to.display()));
        // a directory per process, so that two programs do not overwrite each other's files
        let folder = std::env::temp_dir().join(format!("cutcard-{}", std::process::id()));
        let (html, made) = (folder.join("page.html"), folder.join("made"));
        let result = std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&html, page))
            .map_err(|error| failed(error.to_string()))
            .and_then(|()| self.run(&folder, &html, flags(&made.to_string_lossy())).map_err(failed))
            .and_then(|()| {
                // Chromium requires the extension .png for screenshots
                let made = [made.with_extension("png"), made].into_iter().find(|made| made.is_file());
                let made = made.ok_or_else(|| failed("Chromium wrote no output".into()))?;
                std::fs::copy(&made, to).map_err(|error| failed(error.to_string()))
            });
        // a leftover temporary directory does no harm
        let _ = std::fs::remove_dir_all(&folder);
        result.map(|_| ())
    }

    fn run(&self, folder: &Path, html: &Path, flags: Vec<String>) -> Result<(), String> {
        let mut command = Command::new(&self.0);
        command.args(["--headless", "--disable-gpu", "--hide-scrollbars"]);
        command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
        if is_root() {
            // Chromium does not start its sandbox as root; without it the page is still safe, as this program wrote it
            command.arg("--no-sandbox");
        }
        command.args(flags).arg(format!("file://{}", html.display()));
        let done = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
        if done.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&done.stderr);
        Err(format!("Chromium reported: {}", said.lines().last().unwrap_or("nothing")))
    }
}

/// Returns whether this program runs as root, or `false` if the system has no `/proc`.
fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().any(|line| line.starts_with("Uid:\t0\t"))
}
