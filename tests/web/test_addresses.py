"""Where this computer is found: addresses and names, told apart."""

from __future__ import annotations

import pytest

from web.addresses import in_url, is_address, is_loopback, own_address, own_names


@pytest.mark.parametrize(
    ("host", "address", "loopback"),
    [
        ("127.0.0.1", True, True),
        ("127.9.9.9", True, True),
        ("::1", True, True),
        ("localhost", False, True),
        ("192.168.1.20", True, False),
        ("fe80::1%eth0", True, False),
        ("0.0.0.0", True, False),
        ("table.local", False, False),
        ("localhost.evil.example", False, False),
        ("", False, False),
    ],
)
def test_addresses_names_and_loopback_are_told_apart(host: str, address: bool, loopback: bool) -> None:
    assert (is_address(host), is_loopback(host)) == (address, loopback)


def test_the_longer_kind_of_addresses_stands_in_brackets() -> None:
    assert (in_url("fd00::7"), in_url("10.0.0.7"), in_url("table.local")) == ("[fd00::7]", "10.0.0.7", "table.local")


def test_a_server_that_listens_on_one_address_is_called_by_it() -> None:
    assert own_address("192.168.1.20") == "192.168.1.20"
    assert is_address(own_address("0.0.0.0"))
    assert own_address("0.0.0.0") != "0.0.0.0"


def test_this_computer_has_a_plain_and_a_local_name() -> None:
    plain, local = own_names()
    assert plain == plain.lower()
    assert local == f"{plain}.local"
