"""The certificate that this computer makes for itself: kept, private, renewed when it must be."""

from __future__ import annotations

import ipaddress
import os
import ssl
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from web.certificate import LASTS, RENEWED, kept_certificate
from web.private_files import SECRET_BYTES, PrivateFileError, kept_secret, write_private

HOSTS = ("192.168.1.20", "table", "table.local")
TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "https.pem"


def read(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


def test_it_names_this_computer_by_every_address_and_name(file: Path) -> None:
    kept_certificate(file, HOSTS, TODAY)
    names = read(file).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert set(names.get_values_for_type(x509.IPAddress)) == {ipaddress.ip_address(one) for one in ("192.168.1.20", "127.0.0.1", "::1")}
    assert set(names.get_values_for_type(x509.DNSName)) == {"table", "table.local", "localhost"}


def test_names_that_no_certificate_can_hold_are_left_out(file: Path) -> None:
    kept_certificate(file, ("küche", "", "fe80::1%eth0", "my_pc"), TODAY)
    names = read(file).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert set(names.get_values_for_type(x509.DNSName)) == {"my_pc", "localhost"}
    assert ipaddress.ip_address("fe80::1") in names.get_values_for_type(x509.IPAddress)


def test_it_is_what_browsers_take(file: Path) -> None:
    kept_certificate(file, HOSTS, TODAY)
    made = read(file)
    assert made.not_valid_before_utc <= TODAY - timedelta(hours=12)
    assert made.not_valid_after_utc - made.not_valid_before_utc <= timedelta(days=398)
    assert made.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is False
    assert ExtendedKeyUsageOID.SERVER_AUTH in made.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value


def test_its_fingerprint_is_what_browsers_show(file: Path) -> None:
    found = kept_certificate(file, HOSTS, TODAY).fingerprint
    assert bytes.fromhex(found.replace(":", "")) == read(file).fingerprint(hashes.SHA256())
    assert (len(found), found[2], found) == (95, ":", found.upper())


@pytest.mark.skipif(os.name != "posix", reason="file modes are a matter of POSIX systems")
def test_nobody_else_can_read_its_key(file: Path) -> None:
    kept_certificate(file, HOSTS, TODAY)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"PRIVATE KEY" in file.read_bytes()
    assert [other.name for other in file.parent.iterdir()] == [file.name]


def test_old_versions_of_tls_are_not_spoken(file: Path) -> None:
    assert kept_certificate(file, HOSTS, TODAY).context().minimum_version is ssl.TLSVersion.TLSv1_2


def test_it_is_kept_and_used_again(file: Path) -> None:
    first = kept_certificate(file, HOSTS, TODAY)
    assert kept_certificate(file, HOSTS, TODAY + LASTS - RENEWED - timedelta(days=2)) == first
    assert kept_certificate(file, HOSTS[:1], TODAY) == first, "it may name more than is asked for"


@pytest.mark.parametrize("later", [LASTS - RENEWED, LASTS, 2 * LASTS, -timedelta(days=2)])
def test_it_is_renewed_before_it_ends(file: Path, later: timedelta) -> None:
    first = kept_certificate(file, HOSTS, TODAY)
    second = kept_certificate(file, HOSTS, TODAY + later)
    assert second != first
    assert read(file).not_valid_after_utc > TODAY + later + RENEWED


def test_it_is_renewed_when_this_computer_has_another_address(file: Path) -> None:
    first = kept_certificate(file, HOSTS, TODAY)
    assert kept_certificate(file, ("10.0.0.7", *HOSTS[1:]), TODAY) != first


@pytest.mark.parametrize("damage", [b"", b"\0" * 500, b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_a_damaged_one_is_replaced(file: Path, damage: bytes) -> None:
    kept_certificate(file, HOSTS, TODAY)
    write_private(file, damage)
    kept_certificate(file, HOSTS, TODAY).context()  # which reads it


def test_one_whose_key_is_another_s_is_replaced(file: Path, tmp_path: Path) -> None:
    first, other = kept_certificate(file, HOSTS, TODAY), kept_certificate(tmp_path / "other.pem", HOSTS, TODAY)
    key = other.file.read_bytes().partition(b"-----BEGIN CERTIFICATE")[0]
    write_private(file, key + read(file).public_bytes(serialization.Encoding.PEM))
    assert kept_certificate(file, HOSTS, TODAY) != first


def test_one_that_names_no_address_is_replaced(file: Path) -> None:
    """As tools make them that know common names alone."""
    kept_certificate(file, HOSTS, TODAY)
    key = serialization.load_pem_private_key(file.read_bytes(), password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "table")])
    bare = x509.CertificateBuilder(who, who, key.public_key(), x509.random_serial_number(), TODAY, TODAY + LASTS)
    write_private(
        file,
        file.read_bytes().partition(b"-----BEGIN CERTIFICATE")[0]
        + bare.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM),
    )
    kept_certificate(file, HOSTS, TODAY)
    names = read(file).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert "table" in names.get_values_for_type(x509.DNSName)


@pytest.mark.skipif(os.name != "posix", reason="file modes are a matter of POSIX systems")
def test_one_that_others_could_read_is_replaced(file: Path) -> None:
    first = kept_certificate(file, HOSTS, TODAY)
    file.chmod(0o644)
    assert kept_certificate(file, HOSTS, TODAY) != first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_place_that_takes_no_file_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(PrivateFileError, match=r"cannot keep .*https\.pem: ") as refused:
        kept_certificate(tmp_path / "file" / "https.pem", HOSTS, TODAY)
    assert len(str(refused.value).splitlines()) == 1


def test_the_secret_of_the_sessions_is_made_once(tmp_path: Path) -> None:
    file = tmp_path / "sessions.key"
    first = kept_secret(file)
    assert (len(first), kept_secret(file)) == (SECRET_BYTES, first)
    write_private(file, b"short")
    assert len(kept_secret(file)) == SECRET_BYTES


def test_those_that_start_together_go_on_with_the_same(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as programs:
        secrets = [*programs.map(lambda _: kept_secret(tmp_path / "new" / "sessions.key"), range(8))]
        prints = [*programs.map(lambda _: kept_certificate(tmp_path / "new" / "https.pem", ()).fingerprint, range(8))]
    assert len({*secrets}) == len({*prints}) == 1
