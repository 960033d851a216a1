//! The build plan in a file: the test executables and their mutants, one per line, in columns separated by tabs.

use crate::Failure;
use crate::tests::Executable;
use crate::weave::Mutant;

pub fn write(executables: &[Executable], mutants: &[&Mutant]) -> String {
    let mut plan = String::new();
    for Executable { name, path, folder, whole } in executables {
        plan.push_str(&format!("test\t{name}\t{}\t{}\t{whole}\n", path.display(), folder.display()));
    }
    for Mutant { number, line, shown } in mutants {
        plan.push_str(&format!("mutant\t{number}\t{line}\t{shown}\n"));
    }
    plan
}

pub fn read(plan: &str) -> Result<(Vec<Executable>, Vec<Mutant>), Failure> {
    let (mut executables, mut mutants) = (Vec::new(), Vec::new());
    for row in plan.lines() {
        match row.split('\t').collect::<Vec<_>>().as_slice() {
            ["test", name, path, folder, whole] => executables.push(Executable {
                name: name.to_string(),
                path: path.into(),
                folder: folder.into(),
                whole: whole.parse()?,
            }),
            ["mutant", number, line, shown] => {
                let (number, line) = (number.parse()?, line.parse()?);
                mutants.push(Mutant { number, line, shown: shown.to_string() });
            }
            _ => return Err(format!("no line of a plan: {row}").into()),
        }
    }
    Ok((executables, mutants))
}
