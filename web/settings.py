"""Every limit of the web part in one place, each with its unit and the reason for its value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WebSettings:
    """Limits and waiting times of the page and its routes."""

    max_request_bytes: int = 64 * 1024
    """Bytes of a request's body. The longest decision (a new game with names and reduced sets) takes about 2 kB."""
    max_picture_bytes: int = 4_000_000
    """Bytes of a picture that a phone sends: frames have 0.3 to 0.7 MB and photos, which its page makes smaller, up to 2 MB."""
    picture_pause_s: float = 0.05
    """Seconds between two pictures of a phone at least; its page sends five a second."""
    camera_free_s: float = 20.0
    """Seconds of silence after which another device may become the camera without being started anew."""
    max_listeners: int = 220
    """Streams open at once: a table needs 6, a hall with spectators 200. One thread tells all of them that follow the same game."""
    kept_seats: int = 14
    """Of these, streams for addresses that have none yet. One device that opens all it can leaves others in; a table and its 200 spectators
    who share the address of one router still get in."""
    tell_after_s: float = 0.01
    """Seconds between something that happened and its being told: whoever decided it gets the answer first, and what belongs together is
    told together, so that each page fetches what changed once."""
    resend_s: float = 0.05
    """Seconds until it is tried again to send what a slow reader's connection could not take."""
    max_unsent_bytes: int = 256 * 1024
    """Bytes that wait for a slow reader; beyond that it is cut off, and gets what it missed when it comes back."""
    connections_each: int = 6
    """Connections of one reader at once: so many does a browser open to load the page, and keeps them for a while."""
    idle_s: int = 60
    """Seconds after which a connection that nobody uses is closed: turns come sooner, and a page left behind takes no room for long."""
    max_viewers: int = 8
    """Readers of the camera's moving picture of the board at once; each holds a thread, and some 0.9 MB a second of the network."""
    board_pause_s: float = 0.2
    """Seconds between two pictures of it: hands are seen to move, and a picture takes some 15 ms to make for all readers together."""
    request_threads: int = 8
    """Threads for everything that is not a stream. Answers take milliseconds, so a few are plenty."""
    heartbeat_s: float = 15.0
    """Seconds between comments on a silent stream: shorter than the 30 s after which some proxies and phones cut a silent connection."""
    poll_s: float = 0.5
    """Seconds after which a waiting stream looks up whether its reader has gone or the camera has fallen silent."""
    reconnect_ms: int = 500
    """Milliseconds a browser waits before it connects again: with the server's start it must be back within 3 s."""
    kept_messages: int = 2000
    """Published messages kept for readers that come back: a whole game has about 400."""
    kept_picture_bytes: int = 24 * 1024 * 1024
    """Bytes of evidence pictures kept in memory: some 300 board pictures of 80 kB, more than one game's fouls."""
    peek_s: float = 0.4
    """Seconds between two looks at what other programs have written to the same game: people should not notice the way round."""
    tell_camera_s: float = 2.0
    """Seconds between two words to other programs about how the camera does, when it goes on watching; each is a write to the disk."""
    camera_silent_s: float = 8.0
    """Seconds after which a camera of another program that says nothing is shown as lost: four of its words are then missing."""
    camera_gone_s: float = 3600.0
    """Seconds after which nobody waits for the word of such a camera any more: its program was ended without a farewell."""
    most_tables: int = 32
    """Tables open at once beside the server's own, the least recently used closed first; each holds a connection to the database."""
    retry_s: float = 1.0
    """Seconds until it is tried again to write down what could not be."""
    patience_s: float | None = None
    """Seconds for which that is tried before the watching ends with an error; None: for as long as it takes, as a camera's game needs."""
    prune_s: float = 3600.0
    """Seconds between two looks for evidence that is older than it may be; those days are counted in days."""
    pin_digits: int = 6
    """Digits of a table PIN that the program makes: with the limits below, guessing for a day finds it once in 200 tries."""
    pin_tries: int = 5
    """Wrong PINs of one address before it must wait."""
    pin_tries_everyone: int = 30
    """Wrong PINs of all addresses together before everybody must wait: an attacker may use many addresses."""
    pin_window_s: float = 600.0
    """Seconds for which a wrong PIN counts."""
    pin_holds_s: float = 12 * 3600.0
    """Seconds for which the right one holds on a device: an evening, also when the program starts again meanwhile."""
