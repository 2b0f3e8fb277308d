"""Where this computer is found in its network: its address and its names."""

from __future__ import annotations

import ipaddress
import socket

ANY = ("0.0.0.0", "::")  # noqa: S104 - compared, not bound
"""What a server listens on that is to be reached by every address of its computer."""


def own_address(host: str) -> str:
    """The address by which others reach a server that listens on ``host``: that itself, or this computer's in its local network.

    Connecting a datagram socket sends nothing and picks the way out; without a network it is the loopback address.
    """
    if host not in ANY:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def own_names() -> tuple[str, ...]:
    """The names by which others in the local network may call this computer."""
    name = socket.gethostname().lower()
    return name, f"{name}.local"


def is_address(host: str) -> bool:
    """Whether ``host`` is an address in figures."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only programs on this computer reach what listens on ``host``."""
    return ipaddress.ip_address(host.partition("%")[0]).is_loopback if is_address(host) else host == "localhost"


def in_url(host: str) -> str:
    """``host`` as it stands in a URL: the longer kind of addresses in brackets."""
    return f"[{host}]" if ":" in host else host
