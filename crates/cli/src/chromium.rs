//! Pages on paper: PDF and PNG by a Chromium that is installed, where there is one.

use documents::Failure;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A Chromium that was found.
pub struct Chromium(PathBuf);

/// The names under which it is installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The first Chromium on the path; `CHROMIUM` names another.
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
    /// Prints a page into a PDF.
    pub fn print(&self, page: &str, to: &Path) -> Result<(), Failure> {
        self.make(page, to, |to| vec!["--no-pdf-header-footer".into(), format!("--print-to-pdf={to}")])
    }

    /// A picture of a page of so many millimetres, so many times as fine as on a screen.
    pub fn picture(
        &self,
        page: &str,
        to: &Path,
        (wide, high): (f64, f64),
        scale: f64,
    ) -> Result<(), Failure> {
        // 96 pixels of a page are an inch
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
        // a folder of its own, so that two programs are not in each other's way
        let folder = std::env::temp_dir().join(format!("cutcard-{}", std::process::id()));
        let (html, made) = (folder.join("page.html"), folder.join("made"));
        let result = std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&html, page))
            .map_err(|error| failed(error.to_string()))
            .and_then(|()| self.run(&folder, &html, flags(&made.to_string_lossy())).map_err(failed))
            .and_then(|()| {
                // a picture has the ending that Chromium asks for
                let made = [made.with_extension("png"), made].into_iter().find(|made| made.is_file());
                let made = made.ok_or_else(|| failed("Chromium wrote no output".into()))?;
                std::fs::copy(&made, to).map_err(|error| failed(error.to_string()))
            });
        // what is left in the temporary folder does no harm
        let _ = std::fs::remove_dir_all(&folder);
        result.map(|_| ())
    }

    fn run(&self, folder: &Path, html: &Path, flags: Vec<String>) -> Result<(), String> {
        let mut command = Command::new(&self.0);
        command.args(["--headless", "--disable-gpu", "--hide-scrollbars"]);
        command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
        if is_root() {
            // a browser that runs as root has no sandbox to start; the page is the program's own
            command.arg("--no-sandbox");
        }
        command.args(flags).arg(format!("file://{}", html.display()));
        let done = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
        if done.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&done.stderr);
        Err(format!("Chromium says: {}", said.lines().last().unwrap_or("nothing")))
    }
}

/// Whether the program runs as root, where the system tells.
fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().any(|line| line.starts_with("Uid:\t0\t"))
}
