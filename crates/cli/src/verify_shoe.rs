//! `cutcard verify-shoe`: does a finished shoe fit the commitment that was published before its first card?

use crate::output::Output;
use documents::load::read_text;
use documents::{Failure, Of, Stamped};
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// The opening of the shoe, as the house publishes it after the last card (JSON).
    file: String,
    /// The commitment that you noted before the first card.
    #[arg(long, value_name = "HASH")]
    commitment: Option<String>,
    /// The nonce that you added to the order: was it mixed in?
    #[arg(long, value_name = "HEX")]
    nonce: Option<String>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let opening: server::Opening = serde_json::from_str(&read_text(&args.file)?).map_err(|error| {
        Failure::NotUnderstood(format!("{}: this is not the opening of a shoe: {error}", args.file))
    })?;
    let drawn = server::verify_shoe(&opening, args.commitment.as_deref())
        .map_err(|fault| Failure::Refused(format!("the shoe does not verify: {fault}")))?;
    if let Some(nonce) = args.nonce.filter(|nonce| !opening.has_nonce(nonce)) {
        let why = format!("the shoe does not verify: the nonce {nonce} was not mixed into its order");
        return Err(Failure::Refused(why));
    }
    let (shares, withheld) = opening.shares();
    if output.wants_json() {
        let document =
            serde_json::json!({ "verified": true, "drawn": drawn, "shares": shares, "withheld": withheld });
        output.document(&Stamped::new(document, Of::nothing()))?;
    } else {
        let added = match (shares, withheld) {
            (0, _) => "No player added to its order.".to_owned(),
            (shares, 0) => format!("Nonces of {shares} players were mixed into it before."),
            (shares, withheld) => {
                format!(
                    "Nonces of {shares} players were promised and mixed into it before; {withheld} of them withheld theirs."
                )
            }
        };
        let text =
            format!("The shoe fits its commitment; {drawn} cards were drawn from it in order. {added}\n");
        output.text(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}
