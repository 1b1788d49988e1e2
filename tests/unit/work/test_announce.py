"""What goes over a channel comes out of it again, and a tenant has one channel."""

from uuid import UUID

import pytest

from assent.ids import new_id
from assent.work.announce import CHANNELS, News, Subject

LONGEST_PAYLOAD = 8_000
"""What Postgres takes."""


@pytest.mark.parametrize("subject", ["conversation", "proposal"])
def test_news_survive_the_way(subject: Subject) -> None:
    news = News(new_id(), subject, new_id())
    assert News.parse(news.payload) == news
    assert len(news.payload) < LONGEST_PAYLOAD


def test_a_tenant_has_one_channel() -> None:
    tenant_id = new_id()
    found = {News(tenant_id, "proposal", new_id()).channel for _ in range(20)}
    assert len(found) == 1
    assert found < set(CHANNELS)


def test_tenants_are_spread_over_the_channels() -> None:
    found = {News(UUID(int=number), "proposal", new_id()).channel for number in range(100)}
    assert found == set(CHANNELS)


@pytest.mark.parametrize("payload", ["", "proposal", "proposal x y", "proposal 1 2 3"])
def test_anything_else_is_refused(payload: str) -> None:
    with pytest.raises(ValueError):
        News.parse(payload)
