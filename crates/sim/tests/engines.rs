//! The general engine and the fast one, on every instruction set, add up to the same tally.

use program::{Program, Wish, compile, reckon::reckon};
use rules::preset::{PRESETS, preset};
use rules::{Choices, SideBet};
use sim::chunk::Job;
use sim::count::{Counting, Ramp, System};
use sim::isa::Isa;
use sim::lane::Table;

pub fn program(choices: &Choices, bets: &[SideBet]) -> Program {
    let wish = Wish {
        bets: bets.to_vec(),
        stake: None,
    };
    compile(choices, &reckon(choices), &wish).unwrap()
}

fn same(program: &Program, counting: Option<&Counting>, fresh: bool, name: &str) {
    let table = Table::new(program);
    assert!(table.is_some(), "{name} is not fused");
    let mut job = Job {
        program: program.clone(),
        counting: counting.cloned(),
        boxes: 1,
        seed: 5,
        fresh,
        isa: Isa::Portable,
        shoes: 6,
        lane: table,
    };
    let reference = job.chunk_by_rounds(3, u64::MAX, &mut |_| ());
    for isa in Isa::available() {
        job.isa = isa;
        assert_eq!(job.chunk(3), reference, "{name} {isa:?}");
    }
}

#[test]
fn both_engines_agree_on_every_preset() {
    for (name, _) in PRESETS {
        let choices = preset(name).unwrap();
        for bets in [vec![], program::side::offered(&choices)] {
            let program = program(&choices, &bets);
            same(&program, None, false, name);
            same(&program, None, true, name);
            let counting = Counting::new(
                &program,
                &System::parse("hi-lo").unwrap(),
                &Ramp::parse("1:1,2:8").unwrap(),
            );
            same(&program, Some(&counting), false, name);
        }
    }
}
