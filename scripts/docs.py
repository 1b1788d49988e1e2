"""Write the pages of `docs/` where the assistant looks things up: run it when one has changed."""

import json
from dataclasses import asdict
from pathlib import Path

from assent.context.docs.library import FILE, build_pages

ROOT = Path(__file__).parent.parent


def main() -> None:
    texts = [(one.stem, one.read_text("utf-8")) for one in sorted((ROOT / "docs").glob("*.md"))]
    pages = [asdict(page) for page in build_pages(texts)]
    written = json.dumps(pages, indent=1, ensure_ascii=False) + "\n"
    (ROOT / "src/assent/context/docs" / FILE).write_text(written, "utf-8")


if __name__ == "__main__":
    main()
