"""Whether something listens at a place, and with which certificate. Only greetings are sent."""

import ssl
import time
from dataclasses import dataclass
from datetime import datetime

from cryptography import x509
from cryptography.x509.oid import NameOID

from assent.errors import Unreachable
from assent.net.connect import Streams, Way, connect
from assent.net.url import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What the other end showed. `fault` says why it does not hold, if it does not."""

    subject: str
    issuer: str
    names: tuple[str, ...]
    begins_at: datetime
    ends_at: datetime
    fault: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """`seconds` is what it took from the first packet to the end of the greetings."""

    address: str
    seconds: float
    certificate: Certificate | None = None


def build_lenient() -> ssl.SSLContext:
    """For looking at a certificate that does not hold; nothing is sent over such a connection."""
    lenient = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    lenient.check_hostname = False
    lenient.verify_mode = ssl.CERT_NONE
    return lenient


async def shake_hands(target: Target, way: Way) -> Connected:
    """Raise Unreachable if nobody is there, or does not speak TLS where that was asked for."""
    began, fault = time.monotonic(), None
    try:
        streams = await connect(target, way)
    except Unreachable as error:
        if way.trust is None:
            raise
        began, fault = time.monotonic(), error.message
        streams = await connect(target, way.trusting(build_lenient()))
    seconds = time.monotonic() - began
    try:
        return Connected(
            address=str(streams[1].get_extra_info("peername")[0]),
            seconds=seconds,
            certificate=_read_certificate(streams, fault),
        )
    finally:
        streams[1].transport.abort()


def _read_certificate(streams: Streams, fault: str | None) -> Certificate | None:
    spoken: ssl.SSLObject | None = streams[1].get_extra_info("ssl_object")
    if spoken is None:
        return None
    try:
        shown = x509.load_der_x509_certificate(spoken.getpeercert(binary_form=True) or b"")
        return Certificate(
            subject=_find_common_name(shown.subject),
            issuer=_find_common_name(shown.issuer),
            names=_list_names(shown),
            begins_at=shown.not_valid_before_utc,
            ends_at=shown.not_valid_after_utc,
            fault=fault,
        )
    except ValueError:
        raise Unreachable("The certificate that is shown there cannot be read.") from None


def _find_common_name(name: x509.Name) -> str:
    found = name.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(found[0].value) if found else name.rfc4514_string()


def _list_names(shown: x509.Certificate) -> tuple[str, ...]:
    try:
        listed = shown.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    addresses = (str(one) for one in listed.get_values_for_type(x509.IPAddress))
    return (*listed.get_values_for_type(x509.DNSName), *addresses)
