"""When a notification is tried again, and what is shown of where it goes."""

from datetime import timedelta

import pytest

from assent.bundled.timeline.notification import PAUSES, find_origin, find_pause


def test_later_and_later_and_then_no_more() -> None:
    pauses = [find_pause(tries) for tries in range(1, len(PAUSES) + 2)]
    assert pauses[:-1] == sorted(PAUSES)
    assert pauses[-1] is None
    assert sum(PAUSES, timedelta()) > timedelta(hours=10)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://hooks.example.com/services/a-secret?token=x", "https://hooks.example.com"),
        ("http://127.0.0.1:8080/hook", "http://127.0.0.1:8080"),
        ("https://hooks.example.com", "https://hooks.example.com"),
    ],
)
def test_the_path_is_not_shown(url: str, origin: str) -> None:
    assert find_origin(url) == origin
