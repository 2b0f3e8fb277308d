"""The feed that pages follow."""

import threading

from web.feed import Feed


def said(feed: Feed, event_id: int) -> list[object]:
    return [message.body["n"] for message in feed.after_id(event_id).messages]


def test_a_reader_gets_what_came_after_the_id_it_knows() -> None:
    feed = Feed()
    for n in range(5):
        feed.publish({"n": n})
    assert said(feed, 0) == [0, 1, 2, 3, 4]
    assert said(feed, 3) == [3, 4]
    assert said(feed, 5) == []
    assert feed.after_id(5).complete


def test_passing_messages_carry_the_id_before_them_and_are_not_counted() -> None:
    feed = Feed()
    feed.publish({"n": "event"})
    passing = feed.publish({"n": "camera"}, counted=False)
    assert passing.event_id == 1
    assert feed.publish({"n": "next"}).event_id == 2


def test_numbering_goes_on_after_a_restart() -> None:
    feed = Feed(first_id=41)
    assert feed.publish({"n": 0}).event_id == 42
    assert said(feed, 41) == [0]


def test_an_id_that_is_too_old_or_not_ours_is_answered_with_incomplete() -> None:
    feed = Feed(first_id=10, keep=3)
    for n in range(5):
        feed.publish({"n": n})
    assert not feed.after_id(9).complete, "before this feed"
    assert not feed.after_id(11).complete, "dropped"
    assert feed.after_id(12).complete, "the oldest kept message is number 13"
    assert said(feed, 12) == [2, 3, 4]
    assert not feed.after_id(16).complete, "from the future"
    assert not feed.after_id(-1).complete


def test_a_slow_reader_learns_that_it_has_missed_something() -> None:
    feed = Feed(keep=3)
    for n in range(5):
        feed.publish({"n": n})
    assert not feed.after(0).complete
    assert feed.after(2).complete


def test_a_waiting_reader_is_woken_by_a_message_and_by_the_end() -> None:
    feed = Feed()
    got: list[object] = []
    reader = threading.Thread(target=lambda: got.append(feed.after(0, timeout_s=60).messages[0].body["n"]))
    reader.start()
    feed.publish({"n": "news"})
    reader.join(30)
    assert got == ["news"]

    last = threading.Thread(target=lambda: got.append(feed.after(1, timeout_s=60).messages))
    last.start()
    feed.close()
    last.join(30)
    assert got[1] == ()
    assert feed.closed
