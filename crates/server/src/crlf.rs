//! Lines of a request end with carriage return and line feed. A line feed alone is read as an end by some and not by
//! others, which lets a request hide in another, so it is refused: it is made a byte that no header may hold. Bodies
//! pass untouched.

/// How much of a line is looked at: enough for the headers that say how long a body is.
const LOOKED_AT: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The request line and the headers.
    Head,
    /// So many bytes are left of a body, or of a chunk of it.
    Body(u64),
    Chunk(u64),
    ChunkEnd,
    ChunkSize,
    Trailers,
    /// It has become a socket, or was refused.
    Free,
}

/// Follows what comes in on a connection.
pub struct Lines {
    place: Place,
    line: Vec<u8>,
    after_return: bool,
    begun: bool,
    length: u64,
    chunked: bool,
    upgrade: bool,
}

impl Default for Lines {
    fn default() -> Lines {
        Lines {
            place: Place::Head,
            line: Vec::with_capacity(LOOKED_AT),
            after_return: false,
            begun: false,
            length: 0,
            chunked: false,
            upgrade: false,
        }
    }
}

impl Lines {
    pub fn follow(&mut self, bytes: &mut [u8]) {
        let mut at = 0;
        while at < bytes.len() {
            let left = (bytes.len() - at) as u64;
            match self.place {
                Place::Free => return,
                Place::Body(rest) | Place::Chunk(rest) => {
                    let step = rest.min(left);
                    at += step as usize;
                    self.place = match self.place {
                        Place::Body(_) if rest == step => Place::Head,
                        Place::Body(_) => Place::Body(rest - step),
                        _ if rest == step => Place::ChunkEnd,
                        _ => Place::Chunk(rest - step),
                    };
                }
                _ => {
                    if !self.byte(bytes[at]) {
                        bytes[at] = 0;
                        self.place = Place::Free;
                        return;
                    }
                    at += 1;
                }
            }
        }
    }

    /// Takes a byte of a line; `false` for a line feed that ends nothing.
    fn byte(&mut self, byte: u8) -> bool {
        let ends = byte == b'\n';
        if ends && !self.after_return {
            return false;
        }
        self.after_return = byte == b'\r';
        if ends {
            self.ended();
            self.line.clear();
        } else if byte != b'\r' && self.line.len() < LOOKED_AT {
            self.line.push(byte.to_ascii_lowercase());
        }
        true
    }

    fn ended(&mut self) {
        let text = String::from_utf8_lossy(&self.line).into_owned();
        match self.place {
            Place::Head if text.is_empty() && self.begun => {
                self.place = match (self.upgrade, self.chunked, self.length) {
                    (true, ..) => Place::Free,
                    (_, true, _) => Place::ChunkSize,
                    (_, _, 0) => Place::Head,
                    (_, _, length) => Place::Body(length),
                };
                (self.begun, self.chunked, self.length) = (false, false, 0);
            }
            Place::Head => {
                self.begun |= !text.is_empty();
                self.header(&text);
            }
            Place::ChunkSize => {
                let digits = text.split(';').next().unwrap_or_default().trim();
                self.place = match u64::from_str_radix(digits, 16) {
                    Ok(0) => Place::Trailers,
                    Ok(size) => Place::Chunk(size),
                    // Whoever reads it refuses it.
                    Err(_) => Place::Free,
                };
            }
            Place::ChunkEnd => self.place = Place::ChunkSize,
            Place::Trailers if text.is_empty() => self.place = Place::Head,
            Place::Trailers | Place::Body(_) | Place::Chunk(_) | Place::Free => {}
        }
    }

    fn header(&mut self, text: &str) {
        let Some((name, value)) = text.split_once(':') else { return };
        match name {
            "content-length" => self.length = value.trim().parse().unwrap_or(0),
            "transfer-encoding" => self.chunked |= value.contains("chunked"),
            "upgrade" => self.upgrade = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether all of it passes as it is, however it is cut into pieces.
    fn passes(text: &str) -> bool {
        let whole = (1..=text.len()).all(|piece| {
            let mut lines = Lines::default();
            text.as_bytes().chunks(piece).all(|chunk| {
                let mut bytes = chunk.to_vec();
                lines.follow(&mut bytes);
                bytes == chunk
            })
        });
        let none = (1..=text.len()).all(|piece| {
            let mut lines = Lines::default();
            !text.as_bytes().chunks(piece).all(|chunk| {
                let mut bytes = chunk.to_vec();
                lines.follow(&mut bytes);
                bytes == chunk
            })
        });
        assert!(whole || none, "it depends on the pieces: {text:?}");
        whole
    }

    #[test]
    fn a_line_feed_alone_is_refused_in_a_head_and_nowhere_else() {
        assert!(passes("GET / HTTP/1.1\r\nhost: x\r\n\r\nGET /b HTTP/1.1\r\nhost: x\r\n\r\n"));
        assert!(!passes("GET / HTTP/1.1\nhost: x\r\n\r\n"));
        assert!(!passes("GET / HTTP/1.1\r\nhost: x\n\r\n"));
        assert!(!passes("GET / HTTP/1.1\r\nhost: x\r\n\n"));
        assert!(passes("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\na\nb\nc"), "a body holds what it likes");
        assert!(
            !passes("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\na\nbGET / HTTP/1.1\n"),
            "but what follows it does not"
        );
        assert!(passes(
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na\nb\r\n0\r\n\r\nGET / HTTP/1.1\r\n"
        ));
        assert!(!passes("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\na\nb\r\n0\r\n\r\n"));
        assert!(!passes("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nGET /\n"));
        assert!(
            passes("GET /live HTTP/1.1\r\nUpgrade: websocket\r\n\r\n\n\n\n"),
            "a socket is no longer lines"
        );
    }
}
