//! TLS connections to PostgreSQL, with rustls.
//!
//! `sslmode` and `sslrootcert` decide how strictly the server's certificate is checked, as in libpq.

use crate::db::{DbError, DbResult};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid as Signed, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::path::Path;
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// How strictly the server's certificate is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check<'a> {
    /// `require`: the connection is encrypted, but the server is not authenticated.
    None,
    /// `verify-ca`: an authority in this PEM file must have signed the certificate.
    Authority(&'a Path),
    /// `verify-full`: the certificate must also be issued for the requested host.
    Host(&'a Path),
}

/// Returns a TLS connector that checks the server's certificate as strictly as `check` says.
///
/// The connector also binds a SCRAM password to the channel, so that a man in the middle cannot relay it.
pub fn connector(check: Check<'_>) -> DbResult<MakeRustlsConnect> {
    let provider = Arc::new(ring::default_provider());
    let any_host = |authorities| AnyHost { provider: Arc::clone(&provider), authorities };
    let verifier: Arc<dyn ServerCertVerifier> = match check {
        Check::None => Arc::new(any_host(None)),
        Check::Authority(roots) => Arc::new(any_host(Some(authorities(roots, &provider)?))),
        Check::Host(roots) => authorities(roots, &provider)?,
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| DbError::Refused(e.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn authorities(path: &Path, provider: &Arc<CryptoProvider>) -> DbResult<Arc<WebPkiServerVerifier>> {
    let wrong = |why: String| DbError::Refused(format!("sslrootcert {}: {why}", path.display()));
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|e| wrong(e.to_string()))? {
        let certificate = certificate.map_err(|e| wrong(e.to_string()))?;
        roots.add(certificate).map_err(|e| wrong(e.to_string()))?;
    }
    if roots.is_empty() {
        return Err(wrong("it holds no certificate".into()));
    }
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|e| wrong(e.to_string()))
}

/// A verifier that accepts a certificate for any host, if the server proves that it holds the certificate's key.
///
/// If authorities are given, one of them must have signed the certificate.
#[derive(Debug)]
struct AnyHost {
    provider: Arc<CryptoProvider>,
    authorities: Option<Arc<WebPkiServerVerifier>>,
}

impl ServerCertVerifier for AnyHost {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        use CertificateError::{NotValidForName, NotValidForNameContext};
        let Some(authorities) = &self.authorities else { return Ok(ServerCertVerified::assertion()) };
        match authorities.verify_server_cert(certificate, between, host, ocsp, now) {
            // the host name is checked last, after everything else has passed
            Err(Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. })) => {
                Ok(ServerCertVerified::assertion())
            }
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<Signed, Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<Signed, Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
