"""The certificate of a page that is served over https, made by this computer for itself.

Browsers give a camera only to pages over https. Nobody vouches for this certificate, so each browser asks once whether to go on; whoever
wants to be sure compares the fingerprint that it shows with the one that the program prints.
"""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from web.addresses import is_address
from web.private_files import alone, read_private, write_private

LASTS = timedelta(days=397)
"""How long a new one is valid: browsers refuse those of more than 398 days."""

RENEWED = timedelta(days=30)
"""How long before its end one is replaced: no evening at the table should see it end."""

CLOCKS_DIFFER = timedelta(days=1)
"""How much earlier than now it begins: the clocks of phones and computers differ."""


@dataclass(frozen=True)
class Certificate:
    """A certificate that is kept.

    Attributes:
        file: PEM file with the key and the certificate, readable by this user alone.
        fingerprint: its SHA-256 in pairs of hexadecimal digits, as browsers show it.
    """

    file: Path
    fingerprint: str

    def context(self) -> ssl.SSLContext:
        """What a server needs to speak TLS with it."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.file)
        return context


def kept_certificate(file: Path, hosts: Sequence[str], now: datetime | None = None) -> Certificate:
    """The certificate in ``file``; made anew when there is none, when it ends soon or does not name all of ``hosts``.

    Args:
        file: where it is kept.
        hosts: names and addresses by which the server is called; loopback is added.
        now: the time, with its zone; None: by the clock.

    Raises:
        PrivateFileError: it cannot be kept.
    """
    now = now or datetime.now(UTC)
    names = _names((*hosts, "localhost", "127.0.0.1", "::1"))
    found = _usable(file, names, now)
    if found is None:
        with alone(file):
            found = _usable(file, names, now) or _make(file, names, now)
    return Certificate(file, found.fingerprint(hashes.SHA256()).hex(":").upper())


def _names(hosts: Sequence[str]) -> list[x509.GeneralName]:
    return [
        x509.IPAddress(ipaddress.ip_address(host.partition("%")[0])) if is_address(host) else x509.DNSName(host)
        for host in dict.fromkeys(hosts)
        if host and host.isascii()  # no browser calls a computer otherwise
    ]


def _usable(file: Path, names: Sequence[x509.GeneralName], now: datetime) -> x509.Certificate | None:
    """The certificate that is kept, if it will do."""
    found = _read(file)
    return found if found is not None and _will_do(found, names, now) else None


def _read(file: Path) -> x509.Certificate | None:
    """The certificate that is kept; None when there is none, or none that fits its key."""
    data = read_private(file)
    try:
        found = x509.load_pem_x509_certificate(data or b"")
        key = serialization.load_pem_private_key(data or b"", password=None)
    except (ValueError, TypeError):
        return None
    return found if key.public_key() == found.public_key() else None


def _will_do(found: x509.Certificate, names: Sequence[x509.GeneralName], now: datetime) -> bool:
    try:
        named = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        return False
    return found.not_valid_before_utc <= now < found.not_valid_after_utc - RENEWED and set(names) <= set(named)


def _make(file: Path, names: Sequence[x509.GeneralName], now: datetime) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Blokus referee on this network")])
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS_DIFFER)
        .not_valid_after(now - CLOCKS_DIFFER + LASTS)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    write_private(file, pem + made.public_bytes(serialization.Encoding.PEM))
    return made
