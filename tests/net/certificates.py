"""An authority of our own, and certificates by it."""

import ipaddress
import ssl
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")])
        self._own = (
            self._begin(self._name, self._key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(self._key, hashes.SHA256())
        )

    def build_trust(self) -> ssl.SSLContext:
        """For whoever believes this authority and no other."""
        own = self._own.public_bytes(serialization.Encoding.PEM).decode()
        return ssl.create_default_context(cadata=own)

    def build_server(
        self, *names: str, expired: bool = False, ends: timedelta | None = None
    ) -> ssl.SSLContext:
        """For a server with a certificate for these names, which ends that long from now."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
        signed = (
            self._begin(subject, key, expired=expired, ends=ends)
            .add_extension(
                x509.SubjectAlternativeName([_build_name(one) for one in names]), critical=False
            )
            .sign(self._key, hashes.SHA256())
        )
        secret = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "both.pem"
            file.write_bytes(signed.public_bytes(serialization.Encoding.PEM) + secret)
            context.load_cert_chain(file)
        return context

    def _begin(
        self,
        subject: x509.Name,
        key: ec.EllipticCurvePrivateKey,
        *,
        expired: bool = False,
        ends: timedelta | None = None,
    ) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        end = now + (ends or timedelta(days=-1 if expired else 1))
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=2))
            .not_valid_after(end)
        )


def _build_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
