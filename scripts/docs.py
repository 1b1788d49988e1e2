"""Write the pages of `docs/` where the assistant looks things up: run it when one has changed."""

from pathlib import Path

from assent.context.docs.library import FILE, build_pages, encode_pages

ROOT = Path(__file__).parent.parent
STORED = ROOT / "src/assent/context/docs" / FILE


def build() -> str:
    """What would be written; decisions and the like are not for the assistant."""
    texts = [(one.stem, one.read_text("utf-8")) for one in sorted((ROOT / "docs").glob("*.md"))]
    return encode_pages(build_pages(texts))


if __name__ == "__main__":
    STORED.write_text(build(), "utf-8")
