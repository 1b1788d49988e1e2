"""What a person sees of a request that leads nowhere: what is wrong, and who can mend it. Pure.

The words are ours. What comes from outside is a host or a short detail, one plain line of each.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from string import Template
from typing import Literal, TypeAlias

from assent.errors import RefusedFor
from assent.identity.oauth.program import find_document_host, to_plain_line

Wrong: TypeAlias = Literal["request", "too_many"] | RefusedFor

LONGEST = 200
CANNOT = "This cannot be connected"
BEGIN_AGAIN = "Go back to the program and begin again there."


@dataclass(frozen=True, slots=True)
class Words:
    heading: str
    what: str
    mend: str


WORDS: dict[Wrong, Words] = {
    "request": Words(
        CANNOT,
        "The program has brought you here with a request that is not complete or not valid.",
        f"{BEGIN_AGAIN} If it stays so, whoever makes the program can mend it.",
    ),
    "unknown": Words(
        CANNOT,
        "This server does not know the program. It may have been removed here since it was added.",
        "You can: remove Assent in the program and add it again. If it stays so, whoever makes the "
        "program can mend it.",
    ),
    "unreachable": Words(
        CANNOT,
        "The program says who it is in a document at $host, and this server could not fetch it.",
        f"{BEGIN_AGAIN} If it stays so, whoever makes the program can see whether the document is "
        "there, and whoever runs this server whether it is let out to $host.",
    ),
    "description": Words(
        CANNOT,
        "What the program says about itself at $host cannot be used.",
        "Whoever makes the program can mend it.",
    ),
    "redirect": Words(
        CANNOT,
        "The program wants the answer at an address that it has not declared as its own, so "
        "nothing is sent there.",
        "If a message or a website brought you here, close this page. If you have just begun in "
        "the program yourself, whoever makes it can mend it.",
    ),
    "too_many": Words(
        "Too many attempts",
        "Too many programs were to be connected from where you are. "
        "Nothing is wrong with this one.",
        f"Wait $wait. {BEGIN_AGAIN}",
    ),
}

PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>$heading · Assent</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script src="/theme.js"></script>
$styles
</head>
<body class="fault-page">
<header>$mark Assent</header>
<main>
<h1>$heading</h1>
<p>$what</p>
<h2>Who can mend it</h2>
<p>$mend</p>
$detail
<p class="fault-end">Nothing was allowed, and you were sent nowhere. You can close this page.</p>
</main>
<footer>Nothing changes until a person assents.</footer>
</body>
</html>
""")
MARK = """<svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true">
<rect width="24" height="24" rx="6.5" class="fill-accent"/>
<g class="stroke-on-accent" stroke-width="2.3" stroke-linecap="round" stroke-linejoin="round">
<path d="M6.1 18.1 12 6.1l2.6 5.2"/><path d="m9.5 14.9 2.6 2.6 6.1-7.1"/></g></svg>"""
DETAIL = Template("<h2>What to tell them</h2>\n<p><code>$detail</code></p>")
STYLE = Template('<link rel="stylesheet" href="$path">')


def build_fault_page(
    wrong: Wrong,
    stylesheets: Iterable[str],
    *,
    client_id: str = "",
    detail: str = "",
    wait: str = "",
) -> str:
    """A whole page that says the same with and without scripts, and leads nowhere."""
    words = WORDS[wrong]
    named = {"host": _show(find_document_host(client_id) or "its address"), "wait": escape(wait)}
    shown = _show(detail)
    return PAGE.substitute(
        heading=words.heading,
        mark=MARK,
        what=Template(words.what).substitute(named),
        mend=Template(words.mend).substitute(named),
        detail=DETAIL.substitute(detail=shown) if shown else "",
        styles="\n".join(STYLE.substitute(path=escape(one)) for one in stylesheets),
    )


def _show(text: str) -> str:
    return escape(to_plain_line(text, LONGEST))
