//! Weaves all mutants into a source file, each behind a switch: `crate::mutant(17)` is true if the program runs with
//! `MUTANT=17`. So a package is compiled once, and not once per mutant.

use crate::find::{How, Place};
use std::ops::Range;

/// A mutant: one change.
pub struct Mutant {
    pub number: usize,
    pub line: usize,
    /// The description used in docs/mutants.md: without the line number, which moves, but counted if a function has
    /// several.
    pub shown: String,
}

/// A place with the numbers of its mutants; `None` for a mutant that does not compile.
pub struct Woven {
    pub place: Place,
    pub numbers: Vec<Option<usize>>,
}

/// Describes the original and the replacement, for display.
pub fn what(place: &Place, instead: &str) -> String {
    match &place.how {
        How::Return if instead.is_empty() => "returns at once".to_string(),
        How::Return => format!("returns {instead}"),
        How::Compare(_, was, _) | How::Compute(_, was, _) | How::Assign(_, was, _) => {
            format!("{instead} for {was}")
        }
        How::And(..) => "|| for &&".to_string(),
        How::Or(..) => "&& for ||".to_string(),
        How::Not => "no negation".to_string(),
        How::Guard => format!("a guard is {instead}"),
        How::Arm => "an arm is never taken".to_string(),
    }
}

pub struct Weaver<'a> {
    source: &'a str,
    places: &'a [Woven],
    text: String,
    /// The ranges of the mutants in the text; a compiler error belongs to the innermost range around it.
    pub stands: Vec<(Range<usize>, Vec<usize>)>,
}

impl<'a> Weaver<'a> {
    pub fn weave(source: &'a str, places: &'a [Woven]) -> (String, Vec<(Range<usize>, Vec<usize>)>) {
        let mut weaver =
            Weaver { source, places, text: String::with_capacity(source.len() * 2), stands: Vec::new() };
        weaver.part(0..source.len(), None);
        (weaver.text, weaver.stands)
    }

    /// Returns the places within a range that are not inside another of them. Places are found from the outside in, so
    /// places found before `but` are not its parts, even if they are equally long.
    fn outermost(&self, part: &Range<usize>, but: Option<usize>) -> Vec<usize> {
        let inside = |place: &Range<usize>| part.start <= place.start && place.end <= part.end;
        let mut found: Vec<usize> = (0..self.places.len())
            .filter(|&at| {
                but.is_none_or(|outer| at > outer) && self.places[at].numbers.iter().any(Option::is_some)
            })
            .filter(|&at| inside(&self.places[at].place.range))
            .collect();
        found.sort_by_key(|&at| {
            (self.places[at].place.range.start, std::cmp::Reverse(self.places[at].place.range.end))
        });
        let mut outermost: Vec<usize> = Vec::new();
        for at in found {
            let range = &self.places[at].place.range;
            let covered =
                outermost.last().is_some_and(|&last| range.start < self.places[last].place.range.end);
            if !covered {
                outermost.push(at);
            }
        }
        outermost
    }

    fn part(&mut self, part: Range<usize>, but: Option<usize>) {
        let mut from = part.start;
        for at in self.outermost(&part, but) {
            let range = self.places[at].place.range.clone();
            self.text.push_str(&self.source[from..range.start]);
            self.place(at);
            from = range.end;
        }
        self.text.push_str(&self.source[from..part.end]);
    }

    fn place(&mut self, at: usize) {
        let Woven { place, numbers } = &self.places[at];
        let begin = self.text.len();
        let mutants: Vec<(usize, &str)> = numbers
            .iter()
            .zip(&place.instead)
            .filter_map(|(number, instead)| Some(((*number)?, instead.as_str())))
            .collect();
        let all: Vec<usize> = mutants.iter().map(|(number, _)| *number).collect();
        match &place.how {
            How::Return => {
                for (number, instead) in mutants {
                    self.alone(number, &format!(" if crate::mutant({number}) {{ return {instead}; }}"));
                }
            }
            How::Compare(left, was, right) => {
                self.text.push_str("(match (&(");
                self.part(left.clone(), None);
                self.text.push_str("), &(");
                self.part(right.clone(), None);
                self.text.push_str(")) { (l, r) => ");
                self.choice(&mutants, |op| format!("*l {op} *r"), was);
                self.text.push_str(" })");
            }
            How::Compute(left, was, right) => {
                self.text.push_str("({ let (l, r) = ((");
                self.part(left.clone(), None);
                self.text.push_str("), (");
                self.part(right.clone(), None);
                self.text.push_str(")); ");
                self.choice(&mutants, |op| format!("l {op} r"), was);
                self.text.push_str(" })");
            }
            How::Assign(left, was, right) => {
                let from = self.text.len();
                self.part(left.clone(), None);
                let left = self.text.split_off(from);
                self.text.push_str("({ let r = (");
                self.part(right.clone(), None);
                self.text.push_str("); ");
                self.choice(&mutants, |op| format!("{left} {op} r"), was);
                self.text.push_str(" })");
            }
            How::And(left, right) | How::Or(left, right) => {
                let switch = match &place.how {
                    How::And(..) => format!("crate::mutant({})", all[0]),
                    _ => format!("!crate::mutant({})", all[0]),
                };
                self.text.push_str("(if (");
                self.part(left.clone(), None);
                self.text.push_str(&format!(") {{ {switch} || ("));
                self.part(right.clone(), None);
                self.text.push_str(&format!(") }} else {{ {switch} && ("));
                self.part(right.clone(), None);
                self.text.push_str(") })");
            }
            How::Not => {
                self.text.push_str("((");
                self.part(place.range.clone(), Some(at));
                self.text.push_str(&format!(") ^ crate::mutant({}))", all[0]));
            }
            How::Guard => {
                let switches: Vec<String> = mutants
                    .iter()
                    .map(|(number, instead)| match *instead {
                        "true" => format!("crate::mutant({number}) || "),
                        _ => format!("!crate::mutant({number}) && "),
                    })
                    .collect();
                self.text.push_str(&format!("({}(", switches.concat()));
                self.part(place.range.clone(), Some(at));
                self.text.push_str("))");
            }
            How::Arm => self.text.push_str(&format!(" if !crate::mutant({}) ", all[0])),
        }
        self.stands.push((begin..self.text.len(), all));
    }

    fn alone(&mut self, number: usize, text: &str) {
        let begin = self.text.len();
        self.text.push_str(text);
        self.stands.push((begin..self.text.len(), vec![number]));
    }

    /// Writes `if mutant 1 { … } else if mutant 2 { … } else { original }`.
    fn choice(&mut self, mutants: &[(usize, &str)], with: impl Fn(&str) -> String, was: &str) {
        for (number, instead) in mutants {
            self.alone(*number, &format!("if crate::mutant({number}) {{ {} }} else ", with(instead)));
        }
        self.text.push_str(&format!("{{ {} }}", with(was)));
    }
}
