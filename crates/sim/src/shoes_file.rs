//! Writes the results of single shoes as CSV or Parquet, for other tools.

use crate::chunk::{Job, ShoeResult};
use crate::parquet::{Cell, Kind, Parquet};
use crate::rng::LANES;
use std::io::{self, Write};

/// The names of the columns, in order.
pub const COLUMNS: [&str; 6] = ["chunk", "shoe", "lane", "rounds", "cards", "net"];

/// Returns the whole numbers of a shoe's row, which are all columns before the net win.
fn numbers(shoe: &ShoeResult) -> [u64; 5] {
    [shoe.chunk, shoe.shoe.into(), shoe.lane.into(), shoe.rounds.into(), shoe.cards.into()]
}

/// The shoe results of a chunk, in compact form.
///
/// The results are stored shoe after shoe, and lane after lane in each shoe.
pub struct ChunkShoes {
    chunk: u64,
    net: Vec<i64>,
    rounds: Vec<u16>,
    cards: Vec<u16>,
}

impl ChunkShoes {
    /// Creates an empty list of shoe results for a chunk.
    pub fn new(chunk: u64) -> ChunkShoes {
        ChunkShoes { chunk, net: Vec::new(), rounds: Vec::new(), cards: Vec::new() }
    }

    /// Reserves memory for all shoes of a chunk.
    pub fn reserve(&mut self, job: &Job) {
        let shoes = job.shoes as usize * LANES;
        self.net.reserve_exact(shoes);
        self.rounds.reserve_exact(shoes);
        self.cards.reserve_exact(shoes);
    }

    /// Adds the result of the next shoe.
    ///
    /// A shoe has fewer cards than 16 bits can count.
    pub fn push(&mut self, shoe: &ShoeResult) {
        self.net.push(shoe.net);
        self.rounds.push(shoe.rounds as u16);
        self.cards.push(shoe.cards as u16);
    }

    /// Passes the result of every shoe to `sink`, in order.
    pub fn each(&self, sink: &mut dyn FnMut(&ShoeResult)) {
        for (at, &net) in self.net.iter().enumerate() {
            sink(&ShoeResult {
                chunk: self.chunk,
                net,
                shoe: (at / LANES) as u32,
                rounds: self.rounds[at].into(),
                cards: self.cards[at].into(),
                lane: (at % LANES) as u8,
            });
        }
    }
}

/// Writes the CSV header for shoe results; the column `net` is in initial bets.
pub fn csv_head(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))
}

/// Writes a shoe's result as a CSV line, if an initial bet has `unit` parts.
pub fn csv_line(out: &mut impl Write, shoe: &ShoeResult, unit: f64) -> io::Result<()> {
    let [chunk, number, lane, rounds, cards] = numbers(shoe);
    writeln!(out, "{chunk},{number},{lane},{rounds},{cards},{}", shoe.net as f64 / unit)
}

/// A Parquet file of shoe results.
pub struct ShoesParquet<W: Write> {
    file: Parquet<W>,
    unit: f64,
}

impl<W: Write> ShoesParquet<W> {
    /// Creates a file for shoe results.
    ///
    /// Net wins are given in parts; an initial bet has `unit` parts.
    pub fn new(out: W, unit: f64) -> io::Result<ShoesParquet<W>> {
        let kind = |name: &str| if name == "net" { Kind::Double } else { Kind::Int };
        let columns = COLUMNS.iter().map(|name| (name.to_string(), kind(name))).collect();
        Ok(ShoesParquet { file: Parquet::new(out, "shoes", columns)?, unit })
    }

    /// Adds a key and its value to the metadata in the footer.
    pub fn with_footer(self, key: &str, value: String) -> ShoesParquet<W> {
        ShoesParquet { file: self.file.with_footer(key, value), unit: self.unit }
    }

    /// Adds the result of a shoe.
    pub fn push(&mut self, shoe: &ShoeResult) -> io::Result<()> {
        let [chunk, number, lane, rounds, cards] = numbers(shoe).map(|n| Cell::Int(n as i64));
        self.file.push(&[chunk, number, lane, rounds, cards, Cell::Double(shoe.net as f64 / self.unit)])
    }

    /// Writes the remaining rows and the footer.
    pub fn finish(self) -> io::Result<()> {
        self.file.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parquet_file_begins_and_ends_as_it_should() {
        let shoe = ShoeResult { chunk: 1, shoe: 2, lane: 3, rounds: 50, cards: 312, net: -7 };
        let mut bytes = Vec::new();
        let mut file = ShoesParquet::new(&mut bytes, 2.0).unwrap();
        file.push(&shoe).unwrap();
        file.finish().unwrap();
        assert_eq!((&bytes[..4], &bytes[bytes.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
        let footer = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().unwrap()) as usize;
        assert!(footer + 12 < bytes.len());
        let mut line = Vec::new();
        csv_line(&mut line, &shoe, 2.0).unwrap();
        assert_eq!(line, b"1,2,3,50,312,-3.5\n");
    }
}
