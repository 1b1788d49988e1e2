"""The page for requests that lead nowhere: our words, and little of anybody else's."""

import pytest

from assent.mcp_server.oauth.fault_page import LONGEST, WORDS, Wrong, build_fault_page

CLIENT = "https://lathe.example.com/program.json"


@pytest.mark.parametrize("wrong", list(WORDS))
def test_each_says_what_is_wrong_and_who_can_mend_it(wrong: Wrong) -> None:
    page = build_fault_page(wrong, (), client_id=CLIENT, detail="It is so.", wait="9 minutes")
    assert f"<h1>{WORDS[wrong].heading}</h1>" in page
    assert "<h2>Who can mend it</h2>" in page
    assert "<code>It is so.</code>" in page
    assert "$" not in page
    assert page.count("<script") == 1
    assert 'http-equiv="refresh"' not in page
    assert "<a " not in page


def test_a_document_is_named_by_its_host() -> None:
    assert "at lathe.example.com, and this" in build_fault_page("unreachable", (), client_id=CLIENT)
    assert "at its address, and this" in build_fault_page("unreachable", (), client_id="https://")
    assert "Wait 9 minutes." in build_fault_page("too_many", (), wait="9 minutes")


def test_styles_are_the_pages_own() -> None:
    styled = build_fault_page("request", ("/assets/a.css", "/assets/b.css"))
    assert styled.count('<link rel="stylesheet"') == 2
    assert 'rel="stylesheet"' not in build_fault_page("request", ())


def test_what_comes_from_outside_is_short_and_no_markup() -> None:
    page = build_fault_page("request", (), detail="<b>x</b>$what\u202e\n" + "y" * 5000)
    assert "<b>" not in page
    assert "&lt;b&gt;x&lt;/b&gt;$what y" in page
    assert "\u202e" not in page
    assert "y" * LONGEST not in page
