//! `cutcard card`: draws a strategy card of credit-card or letter size.

use crate::chromium;
use crate::load::TableArgs;
use crate::output::Output;
use documents::Failure;
use documents::card::document;
use documents::card_drawing::{self, drawing};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Card size.
    #[arg(long, value_enum, default_value_t = Size::Credit)]
    size: Size,
    /// Output format; --json is the same as --format json.
    #[arg(long, value_enum, default_value_t = Format::Svg)]
    format: Format,
    /// Write to FILE instead of standard output; required for PDF and PNG.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Omit exceptions worth less than this fraction of the bet per round.
    #[arg(long, value_name = "WORTH", default_value_t = 1e-6)]
    least: f64,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Size {
    /// Wallet size: panels of 54 × 85.6 mm, to fold.
    Credit,
    /// US Letter page.
    Letter,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    /// SVG drawing.
    Svg,
    /// HTML page that prints at the right size.
    Html,
    /// JSON document with the card's contents and all exceptions.
    Json,
    /// PDF (requires Chromium).
    Pdf,
    /// PNG image (requires Chromium).
    Png,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let format = if output.wants_json() { Format::Json } else { args.format };
    let needs_file = matches!(format, Format::Pdf | Format::Png);
    if needs_file && args.out.is_none() {
        return Err(Failure::NotUnderstood("PDF and PNG cannot be printed; add --out card.pdf".into()));
    }
    if !(args.least >= 0.0 && args.least.is_finite()) {
        return Err(Failure::NotUnderstood(
            "--least must be a fraction of the bet, 0 or more, such as 1e-6".into(),
        ));
    }
    let printer = if needs_file { Some(chromium::found()?) } else { None };
    let table = args.table.subject()?;
    let mut told = document(&table, args.least)?;
    table.mark(&mut told.document);
    if format == Format::Json {
        return output.document(&told).map(|()| ExitCode::SUCCESS);
    }
    let size = match args.size {
        Size::Credit => card_drawing::Size::Credit,
        Size::Letter => card_drawing::Size::Letter,
    };
    let card_drawing::Drawing { svg, size: (wide, high) } = drawing(&told, size)?;
    let page = || {
        format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Strategy card</title>\n\
             <style>@page{{size:{wide}mm {high}mm;margin:0}}body{{margin:0}}svg{{display:block;width:{wide}mm;height:{high}mm}}</style>\n{svg}</html>\n"
        )
    };
    let text = match format {
        Format::Svg => svg.clone(),
        _ => page(),
    };
    match (&args.out, printer) {
        (Some(path), Some(printer)) if format == Format::Pdf => printer.print(&text, path)?,
        // render at four times the screen resolution
        (Some(path), Some(printer)) => printer.picture(&text, path, (wide, high), 4.0)?,
        (Some(path), None) => std::fs::write(path, text)
            .map_err(|error| Failure::Refused(format!("cannot write {}: {error}", path.display())))?,
        (None, _) => output.text(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}
