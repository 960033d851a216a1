//! Instruction sets: the hot loops are plain Rust over arrays of 64 lanes, compiled once for each instruction set that is
//! worth it. This is the only file with `unsafe`: a call is made only after the processor was found to understand it.
#![allow(unsafe_code)]

use crate::shoe::Shoes;

/// An instruction set that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// What every processor of the architecture has.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Found),
    #[cfg(target_arch = "x86_64")]
    Avx512(Found),
}

/// Proof that a processor was asked; only this file can make one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found(());

impl Isa {
    /// All instruction sets of this processor, the portable one first.
    pub fn available() -> Vec<Isa> {
        let mut all = vec![Isa::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Isa::Avx2(Found(())));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("bmi2")
            {
                all.push(Isa::Avx512(Found(())));
            }
        }
        all
    }

    /// The fastest.
    pub fn best() -> Isa {
        Isa::available().last().copied().unwrap_or(Isa::Portable)
    }

    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(_) => "avx512",
        }
    }

    pub fn from_name(name: &str) -> Option<Isa> {
        Isa::available().into_iter().find(|isa| isa.name() == name)
    }
}

/// A function with one body, compiled for each instruction set.
macro_rules! for_each_isa {
    ($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) => $body:expr) => {
        $(#[$doc])*
        pub(crate) fn $name(isa: Isa, $($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi2")]
            fn avx2($($arg: $type),*) { $body }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,bmi2")]
            fn avx512($($arg: $type),*) { $body }
            match isa {
                Isa::Portable => $body,
                // SAFETY: the value proves that the processor was found to have these instructions
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2(_) => unsafe { avx2($($arg),*) },
                // SAFETY: as above
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512(_) => unsafe { avx512($($arg),*) },
            }
        }
    };
}

for_each_isa! {
    /// Draws rows until there are this many.
    draw(shoes: &mut Shoes, rows: usize) => shoes.draw_rows(rows)
}
