//! The remote signer: an operator's command that holds the keys and answers one request per line.
//!
//! The seal key never leaves the signer, which signs with it. The signer hands over the shoe key at opening.
//! The server keeps the shoe key in memory: a server that deals from a shoe knows its cards anyway.
//!
//! ```text
//! public seal        -> ok 64 hexadecimal digits, the Ed25519 public key
//! sign seal HEX      -> ok 128 digits, the signature over the bytes HEX: a seal, or a statement about a shoe
//! key shoe           -> ok 64 digits
//! key peers          -> ok 64 digits, the key by which the nodes of a house recognize each other
//! anything else      -> error and why, in words
//! ```

use crate::keys::{existing_key, from_hex, hex, key};
use crate::seal::may_be_signed;
use ed25519_dalek::{Signer as _, SigningKey};
use sha2::{Digest as _, Sha256};
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use zeroize::Zeroizing;

/// The longest wait for the signer's answer, which may come over a network.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum length of a line in bytes, large enough for a whole shoe opening to be signed.
const LONGEST_LINE: u64 = 64 * 1024;
const PEERS: &[u8] = b"cutcard peers under a keeper 1";

pub struct Signer {
    command: String,
    patience: Duration,
    running: Mutex<Option<Running>>,
}

struct Running {
    child: Child,
    questions: ChildStdin,
    answers: Receiver<io::Result<Zeroizing<String>>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Signer {
    /// Returns a remote signer that runs a shell command, which starts at the first request.
    pub fn new(command: &str) -> Signer {
        Signer { command: command.to_owned(), patience: PATIENCE, running: Mutex::new(None) }
    }

    pub fn within(mut self, patience: Duration) -> Signer {
        self.patience = patience;
        self
    }

    fn wrong(&self, what: impl std::fmt::Display) -> io::Error {
        io::Error::other(format!("remote signer `{}` {what}", self.command))
    }

    fn start(&self) -> io::Result<Running> {
        let mut child = Command::new("sh")
            .args(["-c", &self.command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| self.wrong(format!("cannot be started: {error}")))?;
        let (Some(questions), Some(out)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(self.wrong("has no pipe for standard input or output"));
        };
        let (tell, answers) = sync_channel(1);
        std::thread::Builder::new().name("keeper".into()).spawn(move || {
            let mut out = BufReader::new(out);
            loop {
                let mut line = Zeroizing::new(String::new());
                let read = (&mut out).take(LONGEST_LINE).read_line(&mut line);
                // A process that has ended yields empty lines until the receiver is dropped.
                if tell.send(read.map(|_| line)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Running { child, questions, answers })
    }

    /// Sends a request to the signer, and returns the bytes of its answer.
    ///
    /// If the request fails, the command is started again for the next request.
    pub fn ask(&self, question: &str) -> io::Result<Zeroizing<Vec<u8>>> {
        let mut held = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let mut running = match held.take() {
            Some(running) => running,
            None => self.start()?,
        };
        // A failed write is noticed below, when no answer comes.
        let _ = writeln!(running.questions, "{question}").and_then(|()| running.questions.flush());
        let line = match running.answers.recv_timeout(self.patience) {
            Ok(Ok(line)) if !line.is_empty() => line,
            Ok(Err(error)) => return Err(self.wrong(format!("gave no readable answer: {error}"))),
            Err(RecvTimeoutError::Timeout) => {
                return Err(self.wrong(format!("did not answer within {} s", self.patience.as_secs_f32())));
            }
            _ => return Err(self.wrong("ended without an answer; see its output above")),
        };
        let found = answer(&line).map_err(|what| self.wrong(what))?;
        *held = Some(running);
        Ok(found)
    }

    /// Requests a 32-byte key, secret or public, from the signer.
    pub fn key(&self, question: &str) -> io::Result<Zeroizing<[u8; 32]>> {
        let bytes = self.ask(question)?;
        match <[u8; 32]>::try_from(bytes.as_slice()) {
            Ok(key) => Ok(Zeroizing::new(key)),
            Err(_) => Err(self.wrong(format!("answered `{question}` with {} bytes, not 32", bytes.len()))),
        }
    }

    pub(crate) fn sign(&self, message: &[u8]) -> io::Result<[u8; 64]> {
        let bytes = self.ask(&format!("sign seal {}", hex(message)))?;
        <[u8; 64]>::try_from(bytes.as_slice())
            .map_err(|_| self.wrong("did not return a signature of 64 bytes"))
    }
}

/// Parses the signer's answer into bytes.
///
/// Error messages do not quote the answer, because it may be a key.
pub fn answer(line: &str) -> Result<Zeroizing<Vec<u8>>, String> {
    let line = line.trim_end_matches(['\r', '\n']);
    if let Some(why) = line.strip_prefix("error ") {
        let why: String = why.chars().filter(|c| !c.is_control()).take(200).collect();
        return Err(format!("refused the request: {why}"));
    }
    let bytes = line.strip_prefix("ok ").and_then(from_hex).map(Zeroizing::new);
    bytes.filter(|bytes| !bytes.is_empty()).ok_or_else(|| {
        "sent a malformed answer; expected `ok` and hexadecimal digits, or `error` and a \
            reason"
            .to_owned()
    })
}

/// Answers the signer requests in `questions` with the keys in `directory`, until `questions` ends.
///
/// A key is created when it is first requested.
pub fn answer_requests(directory: &Path, questions: impl BufRead, mut answers: impl Write) -> io::Result<()> {
    let mut questions = questions.take(u64::MAX);
    loop {
        let mut line = String::new();
        questions.set_limit(LONGEST_LINE);
        if questions.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let said = match reply(directory, line.trim_end_matches(['\r', '\n'])) {
            Ok(bytes) => format!("ok {}\n", hex(&bytes)),
            Err(why) => format!("error {why}\n"),
        };
        answers.write_all(Zeroizing::new(said).as_bytes())?;
        answers.flush()?;
    }
}

/// Answers one signer request with the keys in `directory`.
pub fn reply(directory: &Path, question: &str) -> Result<Zeroizing<Vec<u8>>, String> {
    let seal = || key(directory, "seal.key").map_err(|error| error.to_string());
    let bytes = |key: Zeroizing<[u8; 32]>| Zeroizing::new(key.to_vec());
    match question.splitn(3, ' ').collect::<Vec<_>>()[..] {
        ["public", "seal"] => {
            let key = SigningKey::from_bytes(&*seal()?);
            Ok(Zeroizing::new(key.verifying_key().to_bytes().to_vec()))
        }
        ["sign", "seal", message] => {
            let message = from_hex(message).ok_or("the data to sign is not hexadecimal")?;
            // The key signs only seals and statements about shoes, so that nobody can borrow it for anything else.
            if !may_be_signed(&message) {
                return Err("the data to sign is neither a journal seal nor a statement about a shoe".into());
            }
            let secret = existing_key(directory, "seal.key").map_err(|error| error.to_string())?;
            Ok(Zeroizing::new(SigningKey::from_bytes(&secret).sign(&message).to_bytes().to_vec()))
        }
        ["key", "shoe"] => key(directory, "shoe.key").map(bytes).map_err(|error| error.to_string()),
        ["key", "peers"] => {
            let follows = Sha256::new().chain_update(PEERS).chain_update(seal()?).finalize();
            Ok(Zeroizing::new(follows.to_vec()))
        }
        _ => {
            Err("unknown request; expected `public seal`, `sign seal HEX`, `key shoe` and `key peers`".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};

    #[test]
    fn a_keeper_signs_seals_and_nothing_else() {
        let directory = tempfile::tempdir().expect("a directory");
        let public = reply(directory.path(), "public seal").expect("a key");
        let public = VerifyingKey::from_bytes(&public[..].try_into().expect("32 bytes")).expect("a key");
        let message = crate::seal::tests::message();
        let signature = reply(directory.path(), &format!("sign seal {}", hex(&message))).expect("signed");
        let signature = Signature::from_slice(&signature).expect("64 bytes");
        assert!(public.verify(&message, &signature).is_ok());
        for question in ["sign seal 00ff", "sign seal xyz", "sign seal", "key seal", "", "public shoe"] {
            assert!(reply(directory.path(), question).is_err(), "{question}");
        }
        assert_eq!(reply(directory.path(), "key shoe"), reply(directory.path(), "key shoe"));
        let [shoe, peers, seal] = ["shoe.key", "key peers", "seal.key"].map(|name| match name {
            "key peers" => reply(directory.path(), name).expect("a key").to_vec(),
            name => existing_key(directory.path(), name).expect("made").to_vec(),
        });
        assert!(shoe != peers && peers != seal, "a key derived from another is different from it");
    }

    #[test]
    fn answers_are_read_or_refused_without_their_words() {
        assert_eq!(*answer("ok 00ff\n").expect("read"), [0, 255]);
        assert_eq!(answer("error no such key\r\n").expect_err("refused"), "refused the request: no such key");
        for line in ["", "ok", "ok ", "ok 0", "ok zz", "00ff", "OK 00", "ok 00 ff", "ok é0"] {
            let why = answer(line).expect_err("refused");
            assert!(line.len() < 4 || !why.contains(line), "{why}");
        }
    }

    #[test]
    fn a_command_that_fails_or_is_slow_is_an_error_in_one_sentence() {
        let ask = |command: &str| {
            let keeper = Signer::new(command).within(Duration::from_millis(400));
            keeper.key("key shoe").expect_err(command).to_string()
        };
        assert!(ask("exit 3").contains("ended without an answer"));
        assert!(ask("sleep 30").contains("did not answer within 0.4 s"));
        assert!(ask("read q; echo ok 00; sleep 3").contains("1 bytes, not 32"));
        assert!(ask("read q; echo error locked; sleep 3").contains("refused the request: locked"));
        assert!(ask("head -c 100000 /dev/zero").contains("malformed answer"));
        assert!(ask("read q; printf '\\377\\n'; sleep 3").contains("no readable answer"));
    }

    #[test]
    fn a_command_ends_with_who_asks_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let number = directory.path().join("number");
        let command = format!("echo $$ >{}; read q; echo ok 00; exec sleep 60", number.display());
        let keeper = Signer::new(&command);
        assert_eq!(*keeper.ask("key shoe").expect("an answer"), [0]);
        let process = std::fs::read_to_string(&number).expect("written");
        let there = || Path::new("/proc").join(process.trim()).exists();
        assert!(there());
        drop(keeper);
        assert!(!there());
    }

    #[test]
    fn a_command_that_has_ended_is_started_again() {
        let directory = tempfile::tempdir().expect("a directory");
        let once = directory.path().join("once");
        let command = format!("touch {0}; read q; echo ok {1}; exit", once.display(), "07".repeat(32));
        let keeper = Signer::new(&command);
        assert_eq!(*keeper.key("key shoe").expect("a key"), [7; 32]);
        assert!(keeper.key("key shoe").is_err(), "the signer process has ended");
        assert_eq!(*keeper.key("key shoe").expect("a key"), [7; 32]);
    }
}
