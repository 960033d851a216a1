//! Authenticates nodes to each other with mutual TLS, under a key derived from the key that seals the journal.
//!
//! Anyone with the house's keys can derive the nodes' key, and nobody else can connect or answer as a node. There
//! are no certificates to issue, distribute or renew.

use ledger::keys;
use ledger::signer::Signer;
use sha2::{Digest as _, Sha256};
use std::path::Path;
use std::sync::Arc;
use tokio_rustls::rustls::client::AlwaysResolvesClientRawPublicKeys;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid as Signed, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring, verify_tls13_signature_with_raw_key};
use tokio_rustls::rustls::pki_types::{
    CertificateDer, PrivatePkcs8KeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime,
};
use tokio_rustls::rustls::server::AlwaysResolvesServerRawPublicKeys;
use tokio_rustls::rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::version::TLS13;
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, DistinguishedName, Error, ServerConfig,
    SignatureScheme,
};
use tokio_rustls::{TlsAcceptor, TlsConnector};

/// The label under which the nodes' key is derived from the key that seals the journal.
const PURPOSE: &[u8] = b"cutcard nodes 1";
/// The PKCS #8 prefix of an Ed25519 private key (RFC 8410).
const PKCS8: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
/// The protocol that nodes speak with each other, as named in ALPN.
const HTTP2: &[u8] = b"h2";

/// The TLS settings of both ends of the connections between nodes, derived from a shared secret.
#[derive(Clone)]
pub struct Secret {
    pub accept: TlsAcceptor,
    pub connect: TlsConnector,
}

impl Secret {
    /// Derives the nodes' key and the TLS settings from the house's key.
    ///
    /// The house's key comes from the remote signer, or from the directory `data` if `signer` is `None`.
    pub fn of(data: &Path, signer: Option<&Signer>) -> Result<Secret, String> {
        if let Some(signer) = signer {
            let key = signer.key("key peers").map_err(|e| e.to_string())?;
            return Secret::from_key(&key[..]).map_err(|e| e.to_string());
        }
        let key = keys::existing_key(&data.join("keys"), "seal.key").map_err(|e| e.to_string())?;
        Secret::from_key(&key[..]).map_err(|e| e.to_string())
    }

    fn from_key(key: &[u8]) -> Result<Secret, Error> {
        let seed = Sha256::new().chain_update(PURPOSE).chain_update(key).finalize();
        let pkcs8 = [&PKCS8[..], &seed[..]].concat();
        let signing = ring::sign::any_eddsa_type(&PrivatePkcs8KeyDer::from(pkcs8))?;
        let public = signing.public_key().ok_or(Error::General("the key has no public part".into()))?;
        let known = CertificateDer::from(public.to_vec());
        let own = Arc::new(CertifiedKey::new(vec![known.clone()], signing));
        let provider = Arc::new(ring::default_provider());
        let check = Arc::new(SameKey { known, provider: Arc::clone(&provider) });
        let mut server = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[&TLS13])?
            .with_client_cert_verifier(Arc::clone(&check) as _)
            .with_cert_resolver(Arc::new(AlwaysResolvesServerRawPublicKeys::new(Arc::clone(&own))));
        server.alpn_protocols = vec![HTTP2.to_vec()];
        let mut client = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])?
            .dangerous()
            .with_custom_certificate_verifier(check)
            .with_client_cert_resolver(Arc::new(AlwaysResolvesClientRawPublicKeys::new(own)));
        client.alpn_protocols = vec![HTTP2.to_vec()];
        Ok(Secret {
            accept: TlsAcceptor::from(Arc::new(server)),
            connect: TlsConnector::from(Arc::new(client)),
        })
    }
}

/// A TLS verifier that accepts a peer only if it has the same raw public key as this node (RFC 7250).
#[derive(Debug)]
struct SameKey {
    known: CertificateDer<'static>,
    provider: Arc<CryptoProvider>,
}

impl SameKey {
    fn compare(&self, shown: &CertificateDer<'_>) -> Result<(), Error> {
        match shown == &self.known {
            true => Ok(()),
            false => Err(Error::InvalidCertificate(CertificateError::UnknownIssuer)),
        }
    }

    fn verify(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<Signed, Error> {
        let key = SubjectPublicKeyInfoDer::from(key.as_ref());
        verify_tls13_signature_with_raw_key(
            message,
            &key,
            signed,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn old() -> Error {
        Error::General("nodes require TLS 1.3".into())
    }
}

impl ServerCertVerifier for SameKey {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.compare(shown).map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<Signed, Error> {
        Err(SameKey::old())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<Signed, Error> {
        self.verify(message, key, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

impl ClientCertVerifier for SameKey {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        shown: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.compare(shown).map(|()| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<Signed, Error> {
        Err(SameKey::old())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<Signed, Error> {
        self.verify(message, key, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    async fn shake(one: &Secret, other: &Secret) -> std::io::Result<()> {
        let (a, b) = tokio::io::duplex(1 << 14);
        let name = ServerName::try_from("node").expect("a name");
        let ask = async {
            let mut stream = one.connect.connect(name, a).await?;
            stream.write_all(b"x").await?;
            stream.flush().await?;
            // The reply shows that the other side accepted this side's key.
            stream.read_u8().await.map(|_| ())
        };
        let answer = async {
            let mut stream = other.accept.accept(b).await?;
            let heard = stream.read_u8().await?;
            stream.write_all(&[heard]).await?;
            stream.flush().await
        };
        let (asked, answered) = tokio::join!(ask, answer);
        asked.and(answered)
    }

    #[tokio::test]
    async fn who_has_the_keys_is_a_node_and_nobody_else() {
        let (house, stranger) =
            (Secret::from_key(&[7; 32]).expect("made"), Secret::from_key(&[8; 32]).expect("made"));
        let same = Secret::from_key(&[7; 32]).expect("made");
        shake(&house, &same).await.expect("two nodes of one house connect");
        shake(&stranger, &house).await.expect_err("a client with other keys is refused");
        shake(&house, &stranger).await.expect_err("a server with other keys is refused");
    }
}
