//! Rejects HTTP/1 lines that end with a bare line feed.
//!
//! Some parsers accept a bare line feed as a line end and others do not, which allows request smuggling. The
//! filter replaces a bare line feed with a byte that no header may contain, so that the HTTP parser rejects the
//! request. Bodies pass unchanged.

/// The number of bytes stored of each line, enough for the headers that give a body's length.
const LOOKED_AT: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ParserState {
    /// Within the request line and the headers.
    Head,
    /// Within a body that has this many bytes left.
    Body(u64),
    Chunk(u64),
    ChunkEnd,
    ChunkSize,
    Trailers,
    /// On a connection that is no longer checked, because it was upgraded to a WebSocket or rejected.
    Free,
}

/// A filter that tracks HTTP framing in a connection's incoming bytes.
pub struct Lines {
    place: ParserState,
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
            place: ParserState::Head,
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
                ParserState::Free => return,
                ParserState::Body(rest) | ParserState::Chunk(rest) => {
                    let step = rest.min(left);
                    at += step as usize;
                    self.place = match self.place {
                        ParserState::Body(_) if rest == step => ParserState::Head,
                        ParserState::Body(_) => ParserState::Body(rest - step),
                        _ if rest == step => ParserState::ChunkEnd,
                        _ => ParserState::Chunk(rest - step),
                    };
                }
                _ => {
                    if !self.byte(bytes[at]) {
                        bytes[at] = 0;
                        self.place = ParserState::Free;
                        return;
                    }
                    at += 1;
                }
            }
        }
    }

    /// Takes one byte of a line, and returns `false` if the byte is a bare line feed.
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
            ParserState::Head if text.is_empty() && self.begun => {
                self.place = match (self.upgrade, self.chunked, self.length) {
                    (true, ..) => ParserState::Free,
                    (_, true, _) => ParserState::ChunkSize,
                    (_, _, 0) => ParserState::Head,
                    (_, _, length) => ParserState::Body(length),
                };
                (self.begun, self.chunked, self.length) = (false, false, 0);
            }
            ParserState::Head => {
                self.begun |= !text.is_empty();
                self.header(&text);
            }
            ParserState::ChunkSize => {
                let digits = text.split(';').next().unwrap_or_default().trim();
                self.place = match u64::from_str_radix(digits, 16) {
                    Ok(0) => ParserState::Trailers,
                    Ok(size) => ParserState::Chunk(size),
                    // The HTTP parser rejects an invalid chunk size.
                    Err(_) => ParserState::Free,
                };
            }
            ParserState::ChunkEnd => self.place = ParserState::ChunkSize,
            ParserState::Trailers if text.is_empty() => self.place = ParserState::Head,
            ParserState::Trailers | ParserState::Body(_) | ParserState::Chunk(_) | ParserState::Free => {}
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

    /// Returns whether `text` passes the filter unchanged, however the text is split into chunks.
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
        assert!(whole || none, "the result depends on how the text is split: {text:?}");
        whole
    }

    #[test]
    fn a_line_feed_alone_is_refused_in_a_head_and_nowhere_else() {
        assert!(passes("GET / HTTP/1.1\r\nhost: x\r\n\r\nGET /b HTTP/1.1\r\nhost: x\r\n\r\n"));
        assert!(!passes("GET / HTTP/1.1\nhost: x\r\n\r\n"));
        assert!(!passes("GET / HTTP/1.1\r\nhost: x\n\r\n"));
        assert!(!passes("GET / HTTP/1.1\r\nhost: x\r\n\n"));
        assert!(
            passes("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\na\nb\nc"),
            "a body may contain any bytes"
        );
        assert!(
            !passes("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\na\nbGET / HTTP/1.1\n"),
            "the text after a body must not"
        );
        assert!(passes(
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na\nb\r\n0\r\n\r\nGET / HTTP/1.1\r\n"
        ));
        assert!(!passes("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\na\nb\r\n0\r\n\r\n"));
        assert!(!passes("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nGET /\n"));
        assert!(
            passes("GET /live HTTP/1.1\r\nUpgrade: websocket\r\n\r\n\n\n\n"),
            "after the upgrade, a socket's bytes are no longer HTTP lines"
        );
    }
}
