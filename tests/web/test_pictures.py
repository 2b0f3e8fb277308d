"""The store of evidence pictures."""

import pytest

from web.pictures import Picture, PictureStore


def test_a_picture_is_found_by_its_name_and_no_other() -> None:
    store = PictureStore(1000)
    store.keep("f1a", Picture(b"jpeg", 0.5))
    store.keep("f1b", b"plain")
    assert store.get("f1a") == Picture(b"jpeg", 0.5)
    assert store.get("f1b") == Picture(b"plain", 1.0), "a watcher's pictures show a rim of one cell"
    assert store.get("f1c") is None


@pytest.mark.parametrize("name", ["", "a/b", "..", "a.jpg", "ä", "a" * 65, "a\n", "a b"])
def test_a_name_outside_the_alphabet_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not a picture name"):
        PictureStore(1000).keep(name, b"x")


def test_the_oldest_goes_when_there_is_no_room_but_wanted_ones_go_last() -> None:
    store = PictureStore(30)
    for name in ("old", "wanted", "newer"):
        store.keep(name, b"0123456789")
    store.keep("newest", b"0123456789", wanted={"wanted", "newest"})
    assert store.get("old") is None
    store.keep("more", b"0123456789", wanted={"wanted"})
    assert store.get("newer") is None
    assert store.get("wanted") is not None


def test_the_store_never_holds_more_than_its_limit() -> None:
    store = PictureStore(25)
    for n in range(100):
        store.keep(f"p{n}", b"0123456789", wanted={f"p{m}" for m in range(100)})
        assert sum(store.get(f"p{m}") is not None for m in range(100)) <= 2
    store.keep("huge", b"x" * 26)
    assert store.get("huge") is None


def test_a_name_used_again_takes_the_place_of_the_old_picture() -> None:
    store = PictureStore(15)
    store.keep("a", b"0123456789")
    store.keep("a", b"abcdefghij")
    assert store.get("a") == Picture(b"abcdefghij")


def test_clearing_forgets_everything() -> None:
    store = PictureStore(15)
    store.keep("a", b"0123456789")
    store.clear()
    store.keep("b", b"0123456789")
    assert store.get("a") is None
    assert store.get("b") is not None
