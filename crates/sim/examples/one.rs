use program::{Wish, compile, reckon::reckon};
use sim::{chunk::Job, isa::Isa};
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let isa = std::env::args()
        .nth(2)
        .map_or(Isa::best(), |n| Isa::from_name(&n).unwrap());
    let count = std::env::args().nth(3);
    let sides = std::env::args().nth(4).is_some();
    let choices = rules::preset::preset(&name).unwrap();
    let bets = if sides {
        program::side::offered(&choices)
    } else {
        vec![]
    };
    let program = compile(&choices, &reckon(&choices), &Wish { bets, stake: None }).unwrap();
    let shoes = Job::shoes_a_chunk(&program, 1, false);
    let lane = sim::lane::Table::new(&program);
    let counting = count.filter(|c| c != "-").map(|c| {
        sim::count::Counting::new(
            &program,
            &sim::count::System::parse(&c).unwrap(),
            &sim::count::Ramp::parse("1:1,2:4,3:8").unwrap(),
        )
    });
    let job = Job {
        program,
        counting,
        boxes: 1,
        seed: 1,
        fresh: false,
        isa,
        shoes,
        lane,
    };
    let mut best = 0f64;
    for r in 0..8 {
        let c0 = cpu();
        let mut tally = job.empty();
        for c in 0..40 {
            tally.merge(&job.chunk(c + r * 40));
        }
        best = best.max(tally.rounds() as f64 / ((cpu() - c0) as f64 / 1e3));
    }
    println!("{name} {} best {best:.1} M/s", isa.name());
}
fn cpu() -> u64 {
    let s = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    s.split_whitespace().next().unwrap().parse().unwrap()
}
