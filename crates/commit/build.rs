//! Determines the commit of a build: from git, or from `CUTCARD_COMMIT` if there is no repository.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CUTCARD_COMMIT");
    let given = std::env::var("CUTCARD_COMMIT").ok().filter(|commit| !commit.is_empty());
    if let Some(commit) = given.or_else(|| git(&["rev-parse", "HEAD"])) {
        println!("cargo:rustc-env=CUTCARD_COMMIT={commit}");
    }
    // one of these grows with every commit; a path that is not there would have the script run each time
    for file in ["logs/HEAD", "HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).exists()) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
}

/// Returns git's output; nothing without git, a repository or a commit.
fn git(arguments: &[&str]) -> Option<String> {
    let answer = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(answer.stdout).ok()?.trim().to_string();
    (answer.status.success() && !text.is_empty()).then_some(text)
}
