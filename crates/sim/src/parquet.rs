//! Parquet files, written by hand: row groups of plain, uncompressed columns. That is a few lines of Thrift, and saves a
//! large dependency.

use std::io::{self, Write};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Int,
    /// Doubles.
    Double,
    /// Text in UTF-8.
    Text,
}

impl Kind {
    /// INT64, DOUBLE, BYTE_ARRAY.
    fn physical(self) -> i32 {
        match self {
            Kind::Int => 2,
            Kind::Double => 5,
            Kind::Text => 6,
        }
    }
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Int(i64),
    Double(f64),
    Text(String),
}

impl Cell {
    fn write_to(&self, data: &mut Vec<u8>) {
        match self {
            Cell::Int(n) => data.extend(n.to_le_bytes()),
            Cell::Double(x) => data.extend(x.to_le_bytes()),
            Cell::Text(text) => {
                data.extend((text.len() as u32).to_le_bytes());
                data.extend(text.as_bytes());
            }
        }
    }
}

/// A Parquet file, written in row groups as rows come in.
pub struct Parquet<W: Write> {
    out: W,
    at: i64,
    name: &'static str,
    columns: Vec<(String, Kind)>,
    /// Of the group that is open: its rows, and the bytes of every column.
    rows: usize,
    data: Vec<Vec<u8>>,
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
    /// A file of these columns.
    pub fn new(mut out: W, name: &'static str, columns: Vec<(String, Kind)>) -> io::Result<Parquet<W>> {
        out.write_all(MAGIC)?;
        let data = vec![Vec::new(); columns.len()];
        Ok(Parquet { out, at: MAGIC.len() as i64, name, columns, rows: 0, data, groups: Vec::new() })
    }

    /// Adds a row: a cell of the right kind for each column.
    pub fn push(&mut self, row: &[Cell]) -> io::Result<()> {
        self.data.iter_mut().zip(row).for_each(|(data, cell)| cell.write_to(data));
        self.rows += 1;
        if self.rows == GROUP { self.end_group() } else { Ok(()) }
    }

    fn end_group(&mut self) -> io::Result<()> {
        let mut columns = Vec::new();
        for data in &mut self.data {
            let data = std::mem::take(data);
            let mut head = Thrift::default();
            // PageHeader: type DATA_PAGE, sizes, DataPageHeader: values, encoding PLAIN, levels RLE
            head.i32(1, 0).i32(2, data.len() as i32).i32(3, data.len() as i32);
            head.begin(5).i32(1, self.rows as i32).i32(2, 0).i32(3, 3).i32(4, 3).end();
            let head = head.finish();
            self.out.write_all(&head)?;
            self.out.write_all(&data)?;
            let length = (head.len() + data.len()) as i64;
            columns.push((self.at, length));
            self.at += length;
        }
        self.groups.push(Group { rows: self.rows as i64, columns });
        self.rows = 0;
        Ok(())
    }

    /// Writes what is left and the footer.
    pub fn finish(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.end_group()?;
        }
        let mut meta = Thrift::default();
        meta.i32(1, 1).list(2, 12, self.columns.len() + 1);
        // the root of the schema, then required columns; text is marked as UTF-8
        meta.begin_element().text(4, self.name).i32(5, self.columns.len() as i32).end();
        for (name, kind) in &self.columns {
            meta.begin_element().i32(1, kind.physical()).i32(3, 0).text(4, name);
            if *kind == Kind::Text {
                meta.i32(6, 0);
            }
            meta.end();
        }
        meta.i64(3, self.groups.iter().map(|g| g.rows).sum()).list(4, 12, self.groups.len());
        for group in &self.groups {
            meta.begin_element().list(1, 12, self.columns.len());
            for ((name, kind), &(at, length)) in self.columns.iter().zip(&group.columns) {
                // ColumnChunk: offset, ColumnMetaData: type, encodings, path, UNCOMPRESSED, counts, sizes, page offset
                meta.begin_element().i64(2, at).begin(3).i32(1, kind.physical());
                meta.list(2, 5, 2).raw_i32(0).raw_i32(3).list(3, 8, 1).raw_text(name).i32(4, 0);
                meta.i64(5, group.rows).i64(6, length).i64(7, length).i64(9, at).end().end();
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
