//! The canonical encoding: the byte format of everything that is hashed or signed.
//!
//! The encoding is big-endian and length-prefixed, and is not based on a library format, so that an independent
//! verifier needs only this page.

#[derive(Default)]
pub struct Canonical(Vec<u8>);

impl Canonical {
    pub fn new(label: &str) -> Canonical {
        let mut canon = Canonical::default();
        canon.bytes(label.as_bytes());
        canon
    }

    /// Returns an empty encoder with capacity for `bytes` bytes.
    pub fn with_room(bytes: usize) -> Canonical {
        Canonical(Vec::with_capacity(bytes))
    }

    pub fn byte(&mut self, value: u8) -> &mut Canonical {
        self.0.push(value);
        self
    }

    pub fn int(&mut self, value: i64) -> &mut Canonical {
        self.0.extend_from_slice(&value.to_be_bytes());
        self
    }

    pub fn bytes(&mut self, value: &[u8]) -> &mut Canonical {
        self.int(value.len() as i64);
        self.0.extend_from_slice(value);
        self
    }

    /// Appends the bytes that `write` appends, preceded by their length. Returns those bytes without the length.
    pub fn measured(&mut self, write: impl FnOnce(&mut Canonical)) -> &[u8] {
        let at = self.0.len();
        self.int(0);
        let from = self.0.len();
        write(self);
        let length = (self.0.len() - from) as i64;
        self.0[at..from].copy_from_slice(&length.to_be_bytes());
        &self.0[from..]
    }

    pub fn fixed(&mut self, value: &[u8; 32]) -> &mut Canonical {
        self.0.extend_from_slice(value);
        self
    }

    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }

    pub fn into_vec(self) -> Vec<u8> {
        self.0
    }
}

/// A decoder for the canonical encoding.
///
/// Every decoding method returns `None` for malformed input; nothing panics.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader(bytes)
    }

    pub fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub fn int(&mut self) -> Option<i64> {
        let (head, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(i64::from_be_bytes(*head))
    }

    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = usize::try_from(self.int()?).ok()?;
        let (head, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(head)
    }

    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    pub fn fixed(&mut self) -> Option<&'a [u8; 32]> {
        let (head, rest) = self.0.split_first_chunk::<32>()?;
        self.0 = rest;
        Some(head)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
