"""Reads the text of a PDF in a process of its own, which may take little and know nothing.

Started by `pdf.py` with the file on standard input. Whatever is wrong with the file ends this
process and no other.
"""

import resource
import sys
from io import BytesIO

MEMORY = 768 * 1024 * 1024
CPU_SECONDS = 15
LONGEST = 50_001


def limit_self() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def read_text(content: bytes) -> str:
    # The limits have to stand before anybody else's code is loaded.
    from pypdf import PdfReader  # noqa: PLC0415

    pieces: list[str] = []
    length = 0
    for page in PdfReader(BytesIO(content)).pages:
        text = page.extract_text()
        if not text.strip():
            continue
        pieces.append(text)
        length += len(text) + 2
        if length >= LONGEST:
            break
    return "\n\n".join(pieces)[:LONGEST]


def main() -> None:
    limit_self()
    text = read_text(sys.stdin.buffer.read())
    sys.stdout.buffer.write(text.encode("utf-8", "ignore"))


if __name__ == "__main__":
    main()
