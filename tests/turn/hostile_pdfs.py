"""PDFs that are made to hurt whoever reads them, each in its own way."""

import io
import zlib

from pypdf import PdfWriter

FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
SHOWN = b"BT /F1 24 Tf 72 720 Td (Hello) Tj ET"
MiB = 1024 * 1024


def write_stream(content: bytes, extra: bytes = b"") -> bytes:
    length = str(len(content)).encode()
    return b"<</Length " + length + extra + b">>stream\n" + content + b"\nendstream"


def write_file(*objects: bytes, tail: bytes = b"") -> bytes:
    """The objects from number 1 on, with a table of where each is; the first is the catalog."""
    body, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    body += b"".join(b"%010d 00000 n \n" % place for place in places)
    size = b"%d" % (len(objects) + 1)
    body += b"trailer\n<</Size " + size + b"/Root 1 0 R" + tail + b">>\n"
    return body + b"startxref\n%d\n%%%%EOF\n" % start


def write_page(content: bytes, extra: bytes = b"", *more: bytes, font: bytes = FONT) -> bytes:
    return write_file(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>" + extra + b">>",
        content,
        font,
        *more,
    )


def build_deflate_bomb() -> bytes:
    """A quarter of a gigabyte in a kilobyte: compressed twice."""
    once = zlib.compressobj(9)
    packed = b"".join(once.compress(b" " * MiB) for _ in range(256)) + once.flush()
    twice = zlib.compress(packed, 9)
    return write_page(write_stream(twice, b"/Filter[/FlateDecode/FlateDecode]"))


def build_deep_nesting() -> bytes:
    return write_page(write_stream(SHOWN), b"/X " + b"[" * 300_000 + b"]" * 300_000)


def build_cycle() -> bytes:
    """A tree of pages that has itself as its branch."""
    return write_file(
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2/Parent 2 0 R>>"
    )


def build_wide_tree() -> bytes:
    """Twelve levels, each of which has the next ten times: a million million pages."""
    levels = [
        b"<</Type/Pages/Count 1000000000000/Kids[" + b"%d 0 R " % (number + 3) * 10 + b"]>>"
        for number in range(12)
    ]
    page = b"<</Type/Page/MediaBox[0 0 9 9]/Contents 15 0 R>>"
    return write_file(b"<</Type/Catalog/Pages 2 0 R>>", *levels, page, write_stream(b" "))


def build_many_pages() -> bytes:
    """Says that it has two thousand million pages, and has a hundred thousand."""
    kids = b"3 0 R " * 100_000
    return write_file(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 2147483647/Kids[" + kids + b"]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>",
        write_stream(b"BT ET"),
    )


def build_endless_table() -> bytes:
    """The table before this one is this one."""
    whole = write_page(write_stream(SHOWN))
    start = whole.rindex(b"startxref\n") + len(b"startxref\n")
    place = whole[start:].split(b"\n", 1)[0]
    return whole.replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev " + place)


def build_endless_contents() -> bytes:
    """Contents that are a list that holds itself, and a form that draws itself."""
    form = write_stream(b"/Fm Do", b"/Type/XObject/Subtype/Form/Resources<</XObject<</Fm 6 0 R>>>>")
    return write_page(b"[4 0 R 4 0 R]", b"", form)


def build_character_bomb() -> bytes:
    """A font that gives each of four thousand million codes a text of its own."""
    ranges = b"<00000000> <FFFFFFFF> <0041>\n" * 100
    codes = b"begincmap\n100 beginbfrange\n" + ranges + b"endbfrange\nendcmap"
    font = FONT[:-2] + b"/ToUnicode 6 0 R>>"
    return write_page(write_stream(SHOWN), b"", write_stream(codes), font=font)


def build_long_contents() -> bytes:
    """Sixty megabytes of operators that open and never close, in a tenth of a megabyte."""
    packed = zlib.compress(b"q BT (a) Tj " * 5_000_000, 9)
    return write_page(write_stream(packed, b"/Filter/FlateDecode"))


def build_garbage() -> bytes:
    return b"%PDF-1.7\n" + bytes(range(256)) * 20_000


def build_encrypted() -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(72, 72)
    writer.encrypt("nobody knows this", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


HOSTILE = {
    "deflate bomb": build_deflate_bomb,
    "deep nesting": build_deep_nesting,
    "cycle": build_cycle,
    "wide tree": build_wide_tree,
    "many pages": build_many_pages,
    "endless table": build_endless_table,
    "endless contents": build_endless_contents,
    "character bomb": build_character_bomb,
    "long contents": build_long_contents,
    "garbage": build_garbage,
    "encrypted": build_encrypted,
}
