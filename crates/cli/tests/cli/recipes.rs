//! The recipes for a house of several nodes say what the program understands.

use crate::{cutcard, stdout};

const RECIPES: [&str; 2] = [
    include_str!("../../../../docs/nodes/cutcard@.service"),
    include_str!("../../../../docs/nodes/kubernetes.yaml"),
];

#[test]
fn every_option_of_a_recipe_is_one_of_the_programs() {
    let help = cutcard(&["serve", "--help"]);
    let known = stdout(&help);
    for recipe in RECIPES {
        let given: Vec<&str> = recipe
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'))
            .flat_map(|line| line.split([' ', '=', '"']))
            .filter(|word| word.starts_with("--") && word.len() > 3)
            .collect();
        assert!(given.len() > 7, "{given:?}");
        for option in given {
            assert!(known.contains(option), "{option}");
        }
    }
}
