//! Results shoe by shoe as CSV or Parquet, for other tools.
//!
//! The Parquet file is written by hand: row groups of six columns, plain and uncompressed. That is a few lines of Thrift,
//! and saves the simulator a large dependency.

use crate::chunk::{Job, ShoeResult};
use crate::rng::LANES;
use std::io::{self, Write};

/// The columns, in order.
pub const COLUMNS: [&str; 6] = ["chunk", "shoe", "lane", "rounds", "cards", "net"];

/// The whole numbers of a line; behind them comes the net win.
fn numbers(shoe: &ShoeResult) -> [u64; 5] {
    [shoe.chunk, shoe.shoe.into(), shoe.lane.into(), shoe.rounds.into(), shoe.cards.into()]
}

/// The results of one chunk's shoes, kept small until their turn comes to be written: shoe after shoe, lane after lane.
pub struct ChunkShoes {
    chunk: u64,
    net: Vec<i64>,
    rounds: Vec<u16>,
    cards: Vec<u16>,
}

impl ChunkShoes {
    pub fn new(chunk: u64) -> ChunkShoes {
        ChunkShoes { chunk, net: Vec::new(), rounds: Vec::new(), cards: Vec::new() }
    }

    /// Makes room for all shoes of a chunk.
    pub fn reserve(&mut self, job: &Job) {
        let shoes = job.shoes as usize * LANES;
        self.net.reserve_exact(shoes);
        self.rounds.reserve_exact(shoes);
        self.cards.reserve_exact(shoes);
    }

    /// Adds the next shoe; a shoe has fewer cards than sixteen bits can count.
    pub fn push(&mut self, shoe: &ShoeResult) {
        self.net.push(shoe.net);
        self.rounds.push(shoe.rounds as u16);
        self.cards.push(shoe.cards as u16);
    }

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

/// The first line of a CSV file. `net` is in initial wagers.
pub fn csv_head(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))
}

/// A line of a CSV file; `unit` parts make an initial wager.
pub fn csv_line(out: &mut impl Write, shoe: &ShoeResult, unit: f64) -> io::Result<()> {
    let [chunk, number, lane, rounds, cards] = numbers(shoe);
    writeln!(out, "{chunk},{number},{lane},{rounds},{cards},{}", shoe.net as f64 / unit)
}

/// A Parquet file, written in row groups as shoes come in.
pub struct Parquet<W: Write> {
    out: W,
    at: i64,
    unit: f64,
    /// Of each row the eight bytes of every column.
    rows: Vec<[[u8; 8]; 6]>,
    groups: Vec<Group>,
}

struct Group {
    rows: i64,
    /// Of each column: where its page begins, and its length with the page's head.
    columns: Vec<(i64, i64)>,
}

/// Rows of a group: enough for a reader to work with, little enough to keep.
const GROUP: usize = 1 << 16;
const MAGIC: &[u8] = b"PAR1";

impl<W: Write> Parquet<W> {
    /// A file for shoes whose net win is counted in parts of the initial wager; `unit` make one.
    pub fn new(mut out: W, unit: f64) -> io::Result<Parquet<W>> {
        out.write_all(MAGIC)?;
        Ok(Parquet { out, at: MAGIC.len() as i64, unit, rows: Vec::new(), groups: Vec::new() })
    }

    pub fn push(&mut self, shoe: &ShoeResult) -> io::Result<()> {
        let [chunk, number, lane, rounds, cards] = numbers(shoe).map(u64::to_le_bytes);
        let net = (shoe.net as f64 / self.unit).to_le_bytes();
        self.rows.push([chunk, number, lane, rounds, cards, net]);
        if self.rows.len() == GROUP { self.end_group() } else { Ok(()) }
    }

    fn end_group(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let mut columns = Vec::new();
        for column in 0..COLUMNS.len() {
            let data: Vec<u8> = rows.iter().flat_map(|row| row[column]).collect();
            let mut head = Thrift::default();
            // PageHeader: type DATA_PAGE, sizes, DataPageHeader: values, encoding PLAIN, levels RLE
            head.i32(1, 0).i32(2, data.len() as i32).i32(3, data.len() as i32);
            head.begin(5).i32(1, rows.len() as i32).i32(2, 0).i32(3, 3).i32(4, 3).end();
            let head = head.finish();
            self.out.write_all(&head)?;
            self.out.write_all(&data)?;
            let length = (head.len() + data.len()) as i64;
            columns.push((self.at, length));
            self.at += length;
        }
        self.groups.push(Group { rows: rows.len() as i64, columns });
        Ok(())
    }

    /// Writes what is left and the footer.
    pub fn finish(mut self) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.end_group()?;
        }
        let mut meta = Thrift::default();
        meta.i32(1, 1).list(2, 12, COLUMNS.len() + 1);
        // the root of the schema, then required columns
        meta.begin_element().text(4, "shoes").i32(5, COLUMNS.len() as i32).end();
        for name in COLUMNS {
            meta.begin_element().i32(1, kind(name)).i32(3, 0).text(4, name).end();
        }
        meta.i64(3, self.groups.iter().map(|g| g.rows).sum()).list(4, 12, self.groups.len());
        for group in &self.groups {
            meta.begin_element().list(1, 12, COLUMNS.len());
            for (name, &(at, length)) in COLUMNS.iter().zip(&group.columns) {
                // ColumnChunk: offset, ColumnMetaData: type, encodings, path, UNCOMPRESSED, counts, sizes, page offset
                meta.begin_element()
                    .i64(2, at)
                    .begin(3)
                    .i32(1, kind(name))
                    .list(2, 5, 2)
                    .raw_i32(0)
                    .raw_i32(3);
                meta.list(3, 8, 1)
                    .raw_text(name)
                    .i32(4, 0)
                    .i64(5, group.rows)
                    .i64(6, length)
                    .i64(7, length)
                    .i64(9, at);
                meta.end().end();
            }
            let bytes = group.columns.iter().map(|c| c.1).sum();
            meta.i64(2, bytes).i64(3, group.rows).end();
        }
        let meta = meta.text(6, "cutcard").finish_copy();
        self.out.write_all(&meta)?;
        self.out.write_all(&(meta.len() as u32).to_le_bytes())?;
        self.out.write_all(MAGIC)?;
        self.out.flush()
    }
}

/// The type of a column: INT64, and DOUBLE for the net win.
fn kind(column: &str) -> i32 {
    if column == "net" { 5 } else { 2 }
}

/// The compact protocol of Thrift, as far as a Parquet footer needs it.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    last: i16,
    outer: Vec<i16>,
}

impl Thrift {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn zigzag(&mut self, value: i64) {
        self.varint(((value << 1) ^ (value >> 63)) as u64);
    }

    fn field(&mut self, id: i16, kind: u8) {
        self.bytes.push(((id - self.last) as u8) << 4 | kind);
        self.last = id;
    }

    fn i32(&mut self, id: i16, value: i32) -> &mut Thrift {
        self.field(id, 5);
        self.raw_i32(value)
    }

    fn i64(&mut self, id: i16, value: i64) -> &mut Thrift {
        self.field(id, 6);
        self.zigzag(value);
        self
    }

    fn text(&mut self, id: i16, text: &str) -> &mut Thrift {
        self.field(id, 8);
        self.raw_text(text)
    }

    fn raw_i32(&mut self, value: i32) -> &mut Thrift {
        self.zigzag(i64::from(value));
        self
    }

    fn raw_text(&mut self, text: &str) -> &mut Thrift {
        self.varint(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    fn list(&mut self, id: i16, kind: u8, len: usize) -> &mut Thrift {
        self.field(id, 9);
        if len < 15 {
            self.bytes.push((len as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            self.varint(len as u64);
        }
        self
    }

    fn begin(&mut self, id: i16) -> &mut Thrift {
        self.field(id, 12);
        self.begin_element()
    }

    fn begin_element(&mut self) -> &mut Thrift {
        self.outer.push(self.last);
        self.last = 0;
        self
    }

    fn end(&mut self) -> &mut Thrift {
        self.bytes.push(0);
        self.last = self.outer.pop().unwrap_or(0);
        self
    }

    fn finish_copy(&mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes.clone()
    }

    fn finish(mut self) -> Vec<u8> {
        self.finish_copy()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parquet_file_begins_and_ends_as_it_should() {
        let shoe = ShoeResult { chunk: 1, shoe: 2, lane: 3, rounds: 50, cards: 312, net: -7 };
        let mut bytes = Vec::new();
        let mut file = Parquet::new(&mut bytes, 2.0).unwrap();
        file.push(&shoe).unwrap();
        file.finish().unwrap();
        assert_eq!((&bytes[..4], &bytes[bytes.len() - 4..]), (MAGIC, MAGIC));
        let footer = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().unwrap()) as usize;
        assert!(footer + 12 < bytes.len());
        let mut line = Vec::new();
        csv_line(&mut line, &shoe, 2.0).unwrap();
        assert_eq!(line, b"1,2,3,50,312,-3.5\n");
    }
}
