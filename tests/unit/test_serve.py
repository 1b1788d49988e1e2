"""The listening socket."""

import socket
from typing import Any

import pytest

from assent.errors import ConfigurationError
from assent.serve import open_listener
from assent.settings import Settings


def settings(**fields: Any) -> Settings:
    return Settings.model_validate({"port": 0, **fields})


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_answers_are_not_held_back(host: str) -> None:
    """Asyncio turns Nagle's algorithm off only on sockets that name their protocol."""
    with open_listener(settings(host=host)) as listener:
        assert listener.proto == socket.IPPROTO_TCP
        assert listener.getsockname()[1] > 0


def test_a_port_that_is_taken() -> None:
    with open_listener(settings()) as first:
        first.listen()
        port = first.getsockname()[1]
        with pytest.raises(ConfigurationError) as caught:
            open_listener(settings(port=port))
    assert caught.value.message == (
        f"Cannot listen on 127.0.0.1 port {port}: Address already in use. "
        "Choose another with --port."
    )
