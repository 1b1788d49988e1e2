"""How much a browser loads before one can say something."""

import gzip
import re

from playwright.async_api import expect

from assent.api.pages import FOLDER
from assent.testing import RunningServer
from tests.browser.conftest import OpenPage, sign_in_by_link
from tests.browser.test_chat import find_composer

MOST_SCRIPT = 350_000


async def test_the_first_load_of_the_chat_is_small(
    demo: RunningServer, open_page: OpenPage
) -> None:
    page, asked = await open_page(), set[str]()
    page.on("request", lambda one: asked.update(re.findall(r"/assets/([^/]+\.js)$", one.url)))
    await sign_in_by_link(demo, page)
    await expect(find_composer(page)).to_be_visible()
    weights = {
        name: len(gzip.compress((FOLDER / "assets" / name).read_bytes(), 6)) for name in asked
    }
    assert len(weights) > 2, weights
    assert sum(weights.values()) < MOST_SCRIPT, weights
