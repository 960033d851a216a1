//! Writes Parquet files without a library.
//!
//! A column of a row group is stored as a dictionary of distinct values with a short index per row, or as plain
//! values where that is shorter. A few lines of Thrift suffice for this and replace a large dependency.

use std::collections::HashMap;
use std::io::{self, Write};

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers of 64 bits.
    Int,
    /// Floating-point numbers of 64 bits.
    Double,
    /// Text in UTF-8.
    Text,
}

impl Kind {
    /// Returns Parquet's number for the physical type: INT64, DOUBLE or BYTE_ARRAY.
    fn physical(self) -> i32 {
        match self {
            Kind::Int => 2,
            Kind::Double => 5,
            Kind::Text => 6,
        }
    }
}

/// One cell of a Parquet row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Double(f64),
    /// A text in UTF-8.
    Text(String),
    /// A missing value, in an optional column.
    Null,
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
            Cell::Null => {}
        }
    }
}

/// A Parquet file, written in row groups as rows come in.
pub struct Parquet<W: Write> {
    out: W,
    at: i64,
    name: &'static str,
    columns: Vec<(String, Kind)>,
    /// Whether each column is optional.
    optional: Vec<bool>,
    /// The keys and values of the footer's metadata.
    said: Vec<(String, String)>,
    /// The number of rows in the open row group, whose values are in `data`.
    rows: usize,
    data: Vec<Values>,
    groups: Vec<Group>,
}

struct Group {
    rows: i64,
    columns: Vec<Written>,
}

/// A written column of a group: the offsets of its pages, and their length including headers.
struct Written {
    dictionary: Option<i64>,
    data: i64,
    length: i64,
}

/// The values of a column: each distinct value once, and the index of every row's value.
#[derive(Clone, Default)]
struct Values {
    known: HashMap<Vec<u8>, u32>,
    /// The distinct values in plain encoding, one after the other.
    dictionary: Vec<u8>,
    rows: Vec<u32>,
    /// Whether each row has a value.
    ///
    /// The list `rows` contains only the rows with a value.
    defined: Vec<bool>,
    /// The size in bytes of all rows in plain encoding.
    plain: usize,
}

impl Values {
    fn push(&mut self, cell: &Cell) {
        self.defined.push(*cell != Cell::Null);
        if *cell == Cell::Null {
            return;
        }
        let mut bytes = Vec::with_capacity(8);
        cell.write_to(&mut bytes);
        self.plain += bytes.len();
        let fresh = self.known.len() as u32;
        if let Some(&known) = self.known.get(&bytes) {
            self.rows.push(known);
            return;
        }
        self.dictionary.extend_from_slice(&bytes);
        self.known.insert(bytes, fresh);
        self.rows.push(fresh);
    }

    /// Returns the number of bits in a dictionary index.
    fn width(&self) -> u32 {
        usize::BITS - self.known.len().saturating_sub(1).leading_zeros()
    }

    fn is_shorter_by_dictionary(&self) -> bool {
        self.dictionary.len() + self.rows.len() * self.width() as usize / 8 + 64 < self.plain
    }

    /// Encodes the rows as dictionary indices.
    ///
    /// The indices are bit-packed in groups of eight, or form one run if all are the same.
    fn packed(&self) -> Vec<u8> {
        let width = self.width();
        let mut run = Thrift::default();
        run.bytes.push(width as u8);
        if width == 0 {
            run.varint((self.rows.len() as u64) << 1);
            return run.bytes;
        }
        run.varint((self.rows.len().div_ceil(8) as u64) << 1 | 1);
        let (mut bits, mut held) = (0u64, 0);
        let padded = self.rows.len().next_multiple_of(8);
        for row in self.rows.iter().copied().chain(std::iter::repeat_n(0, padded - self.rows.len())) {
            bits |= u64::from(row) << held;
            held += width;
            while held >= 8 {
                run.bytes.push(bits as u8);
                (bits, held) = (bits >> 8, held - 8);
            }
        }
        run.bytes
    }

    /// Encodes the definition levels of an optional column, which say which rows have a value.
    ///
    /// The encoding is the length of the levels, then one bit per row in groups of eight.
    fn levels(&self) -> Vec<u8> {
        let mut run = Thrift::default();
        run.varint((self.defined.len().div_ceil(8) as u64) << 1 | 1);
        let byte = |eight: &[bool]| eight.iter().rev().fold(0u8, |bits, &has| bits << 1 | u8::from(has));
        run.bytes.extend(self.defined.chunks(8).map(byte));
        let mut levels = (run.bytes.len() as u32).to_le_bytes().to_vec();
        levels.append(&mut run.bytes);
        levels
    }

    /// Encodes the rows plainly, one value after the other.
    fn plain(&self) -> Vec<u8> {
        let mut by_number: Vec<(&u32, &Vec<u8>)> =
            self.known.iter().map(|(bytes, number)| (number, bytes)).collect();
        by_number.sort_unstable();
        self.rows.iter().flat_map(|&row| by_number[row as usize].1.iter().copied()).collect()
    }
}

/// The number of rows in a group, few enough to keep in memory.
const GROUP: usize = 1 << 16;
const MAGIC: &[u8] = b"PAR1";

impl<W: Write> Parquet<W> {
    /// Creates a file with the given columns, and writes its first bytes.
    pub fn new(mut out: W, name: &'static str, columns: Vec<(String, Kind)>) -> io::Result<Parquet<W>> {
        out.write_all(MAGIC)?;
        let data = vec![Values::default(); columns.len()];
        let (at, optional) = (MAGIC.len() as i64, vec![false; columns.len()]);
        let (said, groups) = (Vec::new(), Vec::new());
        Ok(Parquet { out, at, name, columns, optional, said, rows: 0, data, groups })
    }

    /// Makes all columns of a kind optional.
    pub fn with_optional(mut self, kind: Kind) -> Parquet<W> {
        self.optional.iter_mut().zip(&self.columns).for_each(|(may, (_, of))| *may |= *of == kind);
        self
    }

    /// Adds a key and its value to the metadata in the footer.
    pub fn with_footer(mut self, key: &str, value: String) -> Parquet<W> {
        self.said.push((key.to_string(), value));
        self
    }

    /// Adds a row of cells, one for each column.
    ///
    /// Returns an error if a required column has no value.
    pub fn push(&mut self, row: &[Cell]) -> io::Result<()> {
        let lacking = self.optional.iter().zip(row).position(|(may, cell)| !may && *cell == Cell::Null);
        if let Some(at) = lacking {
            let name = &self.columns[at].0;
            return Err(io::Error::other(format!("the column {name} must have a value in every row")));
        }
        self.data.iter_mut().zip(row).for_each(|(data, cell)| data.push(cell));
        self.rows += 1;
        if self.rows == GROUP { self.end_group() } else { Ok(()) }
    }

    fn end_group(&mut self) -> io::Result<()> {
        let mut columns = Vec::new();
        for at in 0..self.data.len() {
            let values = std::mem::take(&mut self.data[at]);
            let begun = self.at;
            let by_dictionary = values.is_shorter_by_dictionary();
            if by_dictionary {
                // DictionaryPageHeader: values, encoding PLAIN
                let many = values.known.len() as i32;
                self.page(2, &values.dictionary, |head| head.begin(7).i32(1, many).i32(2, 0).end())?;
            }
            let (mut data, encoding) = if by_dictionary { (values.packed(), 8) } else { (values.plain(), 0) };
            if self.optional[at] {
                data.splice(0..0, values.levels());
            }
            let (page, rows) = (self.at, self.rows as i32);
            // DataPageHeader: values, encoding RLE_DICTIONARY or PLAIN, levels RLE
            self.page(0, &data, |head| {
                head.begin(5).i32(1, rows).i32(2, encoding).i32(3, 3).i32(4, 3).end()
            })?;
            let dictionary = by_dictionary.then_some(begun);
            columns.push(Written { dictionary, data: page, length: self.at - begun });
        }
        self.groups.push(Group { rows: self.rows as i64, columns });
        self.rows = 0;
        Ok(())
    }

    /// Writes a page whose type is `kind`.
    ///
    /// The function `of` adds those fields of the page header that are not sizes.
    fn page(&mut self, kind: i32, data: &[u8], of: impl Fn(&mut Thrift) -> &mut Thrift) -> io::Result<()> {
        let mut head = Thrift::default();
        head.i32(1, kind).i32(2, data.len() as i32).i32(3, data.len() as i32);
        of(&mut head);
        let head = head.finish();
        self.out.write_all(&head)?;
        self.out.write_all(data)?;
        self.at += (head.len() + data.len()) as i64;
        Ok(())
    }

    /// Writes the last row group and the footer.
    pub fn finish(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.end_group()?;
        }
        let mut meta = Thrift::default();
        meta.i32(1, 1).list(2, 12, self.columns.len() + 1);
        // the root of the schema, then columns, REQUIRED or OPTIONAL; text is marked as UTF-8
        meta.begin_element().text(4, self.name).i32(5, self.columns.len() as i32).end();
        for ((name, kind), optional) in self.columns.iter().zip(&self.optional) {
            meta.begin_element().i32(1, kind.physical()).i32(3, i32::from(*optional)).text(4, name);
            if *kind == Kind::Text {
                meta.i32(6, 0);
            }
            meta.end();
        }
        meta.i64(3, self.groups.iter().map(|g| g.rows).sum()).list(4, 12, self.groups.len());
        for group in &self.groups {
            meta.begin_element().list(1, 12, self.columns.len());
            for ((name, kind), written) in self.columns.iter().zip(&group.columns) {
                // ColumnChunk: offset, ColumnMetaData: type, encodings, path, UNCOMPRESSED, counts, sizes, page offsets
                let &Written { dictionary, data, length } = written;
                meta.begin_element().i64(2, dictionary.unwrap_or(data)).begin(3).i32(1, kind.physical());
                meta.list(2, 5, 3).raw_i32(0).raw_i32(3).raw_i32(8);
                meta.list(3, 8, 1).raw_text(name).i32(4, 0);
                meta.i64(5, group.rows).i64(6, length).i64(7, length).i64(9, data);
                if let Some(at) = dictionary {
                    meta.i64(11, at);
                }
                meta.end().end();
            }
            let bytes = group.columns.iter().map(|c| c.length).sum();
            meta.i64(2, bytes).i64(3, group.rows).end();
        }
        if !self.said.is_empty() {
            meta.list(5, 12, self.said.len());
            for (key, value) in &self.said {
                meta.begin_element().text(1, key).text(2, value).end();
            }
        }
        let meta = meta.text(6, "cutcard").finish_copy();
        self.out.write_all(&meta)?;
        self.out.write_all(&(meta.len() as u32).to_le_bytes())?;
        self.out.write_all(MAGIC)?;
        self.out.flush()
    }
}

/// The parts of Thrift's compact protocol that a Parquet footer needs.
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

    fn written(rows: &[Cell], optional: bool) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let columns = vec![("x".to_string(), Kind::Double)];
        let mut file = Parquet::new(&mut bytes, "rows", columns)?.with_footer("of", "{}".into());
        if optional {
            file = file.with_optional(Kind::Double);
        }
        rows.iter().try_for_each(|cell| file.push(std::slice::from_ref(cell)))?;
        file.finish()?;
        Ok(bytes)
    }

    /// Checks that a missing value is stored only as a bit of the definition levels.
    #[test]
    fn what_is_nothing_is_written_as_null() {
        let mut values = Values::default();
        [Cell::Double(1.5), Cell::Null, Cell::Double(2.5)].iter().for_each(|cell| values.push(cell));
        // two bytes of levels: one group of eight, in which the first and the third row have a value
        assert_eq!(values.levels(), [2, 0, 0, 0, 0b11, 0b101]);
        assert_eq!(values.plain(), [1.5f64.to_le_bytes(), 2.5f64.to_le_bytes()].concat());
        let bytes = written(&[Cell::Double(1.5), Cell::Null], true).unwrap();
        assert!(!bytes.windows(8).any(|window| window == f64::NAN.to_le_bytes()));
        assert!(written(&[Cell::Null, Cell::Null], true).is_ok());
        let refused = written(&[Cell::Null], false).unwrap_err();
        assert_eq!(refused.to_string(), "the column x must have a value in every row");
    }

    #[test]
    fn the_footer_says_what_it_is_given() {
        let bytes = written(&[Cell::Double(1.5)], false).unwrap();
        // a list of one struct: key, value, end
        let said = [&[0x19, 0x1c, 0x18, 2][..], b"of", &[0x18, 2], b"{}", &[0]].concat();
        assert!(bytes.windows(said.len()).any(|window| window == said), "{bytes:?}");
    }
}
