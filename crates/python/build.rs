//! Nothing is made here. The build has a script so that its dependencies count: with the same features as those of the
//! program, what was compiled for the one serves the other, and the tests need not compile everything twice.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
}
