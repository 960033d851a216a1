//! Tests whole games with every instruction set of this machine.

use exact::game::{Strategy, value};
use exact::isa::Isa;
use rules::preset::{PRESETS, preset};

/// All versions of the inner loop do the same operations in the same order, so that not a bit may differ.
#[test]
fn every_instruction_set_gives_the_same_edges() {
    let edges = |isa: Isa| -> Vec<f64> {
        isa.at_most();
        assert_eq!(Isa::used(), isa);
        let edge = |&(name, _): &(&str, &str)| {
            value(&preset(name).expect("a preset"), &Strategy::CompositionDependent)
        };
        PRESETS.iter().map(edge).collect()
    };
    let portable = edges(Isa::Portable);
    for isa in Isa::available() {
        for (((name, _), portable), edge) in PRESETS.iter().zip(&portable).zip(edges(isa)) {
            assert!((portable - edge).abs() <= 1e-12, "{name} with {isa:?}: {edge} and not {portable}");
            assert_eq!(portable.to_bits(), edge.to_bits(), "{name} with {isa:?}");
        }
    }
    Isa::Avx512.at_most();
}
