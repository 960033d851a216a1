//! Runs every fuzz target on its stored and generated inputs, so that fixed failures stay fixed.

use targets::{corpus, targets};

#[test]
fn nothing_that_was_kept_breaks_a_law() {
    for (name, run) in targets() {
        let inputs = corpus(name);
        assert!(!inputs.is_empty(), "the fuzz target {name} has no initial inputs");
        for input in inputs {
            run(&input);
        }
    }
}

/// Checks that the stored inputs are small enough for the repository.
#[test]
fn the_corpus_is_small() {
    let files =
        targets().flat_map(|(name, _)| std::fs::read_dir(targets::folder(name)).into_iter().flatten());
    let bytes: u64 = files.filter_map(|file| Some(file.ok()?.metadata().ok()?.len())).sum();
    assert!(bytes < 1 << 20, "{bytes} bytes");
}
