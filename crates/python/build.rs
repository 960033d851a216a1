//! Does nothing. The build script exists for its dependencies: they give the crate the same features as the program,
//! so both share compiled artifacts and the tests do not compile everything twice.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
}
