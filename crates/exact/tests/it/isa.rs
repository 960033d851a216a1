//! Tests whole games with every instruction set of this machine.

use exact::game::{Strategy, value};
use exact::isa::Isa;
use rules::preset::{PRESETS, preset};

/// All versions of the inner loop do the same operations in the same order, so that not a bit may differ.
#[test]
fn every_instruction_set_gives_the_same_edges() {
    let names: Vec<&str> = PRESETS.iter().map(|&(name, _)| name).filter(|name| tested(name)).collect();
    let edges = |isa: Isa| -> Vec<f64> {
        isa.at_most();
        assert_eq!(Isa::used(), isa);
        let edge = |name: &&str| value(&preset(name).expect("a preset"), &Strategy::CompositionDependent);
        names.iter().map(edge).collect()
    };
    let portable = edges(Isa::Portable);
    for isa in Isa::available() {
        for ((name, portable), edge) in names.iter().zip(&portable).zip(edges(isa)) {
            assert!((portable - edge).abs() <= 1e-12, "{name} with {isa:?}: {edge} and not {portable}");
            assert_eq!(portable.to_bits(), edge.to_bits(), "{name} with {isa:?}");
        }
    }
    Isa::Avx512.at_most();
}

/// Returns whether to solve this preset: one of each game, and all of them in `./test deep`.
fn tested(name: &str) -> bool {
    crate::deep() || ["nj-blackjack", "nj-multiple-action", "nj-switch", "nj-triple-attack"].contains(&name)
}
