"""The way out is closed unless it was opened."""

import pytest

from assent.errors import DestinationRefused, PluginError
from assent.net.exchange import Request
from assent.net.web import Web


async def test_it_is_closed_at_first() -> None:
    with pytest.raises(PluginError, match="declared external"):
        await Web().fetch(Request(url="http://public.example/"))


async def test_what_is_open_still_looks() -> None:
    with pytest.raises(DestinationRefused):
        await Web().opened().fetch(Request(url="http://10.0.0.1/"))


def test_checking_works_everywhere() -> None:
    Web().check("http://public.example/")
    with pytest.raises(DestinationRefused):
        Web().check("http://localhost/")
