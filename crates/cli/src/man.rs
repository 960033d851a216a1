//! `cutcard man`: prints the manual pages, generated from the program's own argument definition.

use crate::output::Output;
use clap::Command;
use clap_mangen::Man;
use documents::Failure;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Command whose page to print. Default: the main page.
    command: Option<String>,
    /// Write all pages to this directory instead: cutcard.1, cutcard-edge.1, …
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let pages = pages();
    if let Some(folder) = &args.out {
        let cannot =
            |error: std::io::Error| Failure::Refused(format!("cannot write {}: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(cannot)?;
        for (name, page) in pages {
            std::fs::write(folder.join(format!("{name}.1")), rendered(page)?).map_err(cannot)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let wanted = args.command.as_ref().map_or("cutcard".to_string(), |command| format!("cutcard-{command}"));
    let Some((_, page)) = pages.into_iter().find(|(name, _)| *name == wanted) else {
        return Err(Failure::NotUnderstood(format!(
            "no command `{}`; see `cutcard --help`",
            args.command.unwrap_or_default()
        )));
    };
    output.text(&String::from_utf8_lossy(&rendered(page)?))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the manual page of the program and of each visible command, each with the name of the page.
fn pages() -> Vec<(String, Command)> {
    let mut whole = crate::definition();
    whole.build();
    let of_command = |command: &Command| {
        let name = format!("cutcard-{}", command.get_name());
        (name.clone(), command.clone().display_name(&name).bin_name(name.replacen('-', " ", 1)))
    };
    let shown = |command: &&Command| !command.is_hide_set() && command.get_name() != "help";
    let commands: Vec<_> = whole.get_subcommands().filter(shown).map(of_command).collect();
    std::iter::once(("cutcard".to_string(), whole.clone())).chain(commands).collect()
}

fn rendered(command: Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::Refused(format!("cannot write the manual page: {error}")))?;
    Ok(page)
}
