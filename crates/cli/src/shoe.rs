//! The arguments `--removed` and `--shoe`: the cards left, from which the next round is dealt.

use documents::Failure;
use exact::stack::Stack;
use rules::Choices;

/// The arguments for the cards left in the shoe, which is full by default.
#[derive(clap::Args, Default)]
pub struct ShoeArgs {
    /// Cards already dealt: "A A T", "5x4", "As 7d". Suits are optional where they do not matter; T is any ten-value
    /// card.
    #[arg(long, default_value = "", value_name = "CARDS")]
    pub removed: String,
    /// Cards left by rank: A=30,2=32,T=120. Ranks not listed are full.
    #[arg(long, default_value = "", value_name = "COUNTS", conflicts_with = "removed")]
    pub shoe: String,
}

impl ShoeArgs {
    /// Returns the cards left in the shoe, or `None` if the shoe is full.
    ///
    /// Returns an error if an argument cannot be parsed, or if a full shoe lacks these cards.
    pub fn stack(&self, choices: &Choices) -> Result<Option<Stack>, Failure> {
        documents::shoe::stack(choices, &self.removed, &self.shoe)
    }
}
