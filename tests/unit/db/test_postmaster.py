"""Reading what a server says of itself."""

from pathlib import Path

import pytest

from assent.db.postmaster import Postmaster, parse_pid_file, read_postmaster

READY = "4711\n/x/data\n1790000000\n5432\n/x/run\n\n  21630   32789\nready   \n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (READY, Postmaster(4711, "/x/run", "ready")),
        (READY.replace("ready   ", "stopping"), Postmaster(4711, "/x/run", "stopping")),
        ("4711\n/x/data\n1790000000\n5432\n/x/run\n\n", Postmaster(4711, "/x/run", "starting")),
        ("4711\n/x/data\n", Postmaster(4711, "", "starting")),
        ("-4711\n/x/data\n", None),
        ("garbage\n", None),
        ("", None),
    ],
)
def test_a_pid_file_is_read_at_every_stage(text: str, expected: Postmaster | None) -> None:
    assert parse_pid_file(text) == expected


@pytest.mark.parametrize(
    ("status", "ready"), [("ready", True), ("starting", False), ("stopping", False)]
)
def test_only_a_ready_server_is_ready(status: str, ready: bool) -> None:
    assert Postmaster(1, "/x", status).is_ready is ready


def test_the_url_survives_odd_characters() -> None:
    assert Postmaster(1, "/x/run", "ready").url() == (
        "postgresql://postgres@/assent?host=/x/run&port=5432"
    )
    assert "host=/a%20b%26c&" in Postmaster(1, "/a b&c", "ready").url()


def test_no_pid_file_means_no_server(tmp_path: Path) -> None:
    assert read_postmaster(tmp_path) is None
