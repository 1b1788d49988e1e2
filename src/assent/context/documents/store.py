"""SQL of tenants' documents, their passages and the words of those."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from assent.context.docs.index import weigh_passage
from assent.context.docs.page import Passage
from assent.context.docs.score import LENGTH, SATURATION, Counts
from assent.context.documents.document import OWN, Document, DocumentSummary
from assent.db.database import Db, Row

COLUMNS = "id, slug, title, section, text, written_by_name, updated_at, version"
INSERT = f"""
INSERT INTO documents (id, tenant_id, slug, title, section, text, written_by, written_by_name)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant_id, slug) DO NOTHING RETURNING {COLUMNS}
"""
UPDATE = f"""
UPDATE documents SET title = $3, section = $4, text = $5, written_by = $6, written_by_name = $7,
    updated_at = clock_timestamp(), version = version + 1
WHERE tenant_id = $1 AND id = $2 AND ($8::bigint IS NULL OR version = $8)
RETURNING {COLUMNS}
"""
DELETE = "DELETE FROM documents WHERE tenant_id = $1 AND id = $2 RETURNING 1"
FIND = f"SELECT {COLUMNS} FROM documents WHERE tenant_id = $1 AND id = $2"
FIND_SLUG = f"SELECT {COLUMNS} FROM documents WHERE tenant_id = $1 AND slug = $2"
LIST = """
SELECT id AS document_id, slug, title, section, length(text) AS characters, written_by_name,
    updated_at, version
FROM documents
WHERE tenant_id = $1
  AND (strpos(lower(title), lower($2)) > 0 OR strpos(lower(section), lower($2)) > 0)
  AND ($3::text IS NULL OR (title, id) > ($3, $4::uuid))
ORDER BY title, id LIMIT $5
"""
COUNT = "SELECT count(*) FROM documents WHERE tenant_id = $1"
DELETE_PASSAGES = "DELETE FROM document_passages WHERE tenant_id = $1 AND document_id = $2"
INSERT_PASSAGES = """
INSERT INTO document_passages (tenant_id, document_id, number, heading, text, length)
SELECT $1, $2, number, heading, text, length
FROM unnest($3::int[], $4::text[], $5::text[], $6::float8[]) AS given(number, heading, text, length)
"""
INSERT_WORDS = """
INSERT INTO document_words (tenant_id, document_id, word, number, weight)
SELECT $1, $2, word, number, weight
FROM unnest($3::text[], $4::int[], $5::float8[]) AS given(word, number, weight)
"""
MEASURE = """
SELECT count(*) AS passages, coalesce(sum(length), 0) AS length FROM document_passages
WHERE tenant_id = $1
"""
COUNT_WORDS = """
SELECT word, count(*) AS places FROM document_words
WHERE tenant_id = $1 AND word = ANY ($2) GROUP BY word
"""
SEARCH = f"""
WITH asked AS (
    SELECT * FROM unnest($2::text[], $3::float8[], $4::bool[]) AS given(word, rarity, said)
),
found AS (
    SELECT stands.document_id, stands.number, count(*) FILTER (WHERE asked.said) AS said,
        sum(asked.rarity * stands.weight * {SATURATION + 1}
            / (stands.weight + {SATURATION} * ({1 - LENGTH} + {LENGTH} * passages.length / $5))
        ) AS score
    FROM document_words AS stands
    JOIN asked ON asked.word = stands.word
    JOIN document_passages AS passages ON passages.tenant_id = $1
        AND passages.document_id = stands.document_id AND passages.number = stands.number
    WHERE stands.tenant_id = $1
    GROUP BY stands.document_id, stands.number
    ORDER BY score DESC, stands.document_id, stands.number LIMIT $6
)
SELECT documents.slug, documents.title, passages.heading, passages.text, found.said, found.score
FROM found
JOIN documents ON documents.tenant_id = $1 AND documents.id = found.document_id
JOIN document_passages AS passages ON passages.tenant_id = $1
    AND passages.document_id = found.document_id AND passages.number = found.number
ORDER BY found.score DESC, documents.slug, found.number
"""


@dataclass(frozen=True, slots=True)
class Found:
    """`said` is how many words of the query stand in it."""

    passage: Passage
    said: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a document becomes, and who writes it."""

    title: str
    section: str
    text: str
    by: UUID
    by_name: str


async def insert_document(
    db: Db, tenant_id: UUID, document_id: UUID, slug: str, written: Written
) -> Document | None:
    """Nothing if the slug is taken."""
    row = await db.fetchrow(
        INSERT,
        document_id,
        tenant_id,
        slug,
        written.title,
        written.section,
        written.text,
        written.by,
        written.by_name,
    )
    return _document(row) if row else None


async def update_document(
    db: Db, tenant_id: UUID, document_id: UUID, written: Written, expected_version: int | None
) -> Document | None:
    row = await db.fetchrow(
        UPDATE,
        tenant_id,
        document_id,
        written.title,
        written.section,
        written.text,
        written.by,
        written.by_name,
        expected_version,
    )
    return _document(row) if row else None


async def delete_document(db: Db, tenant_id: UUID, document_id: UUID) -> bool:
    return await db.fetchval(DELETE, tenant_id, document_id) is not None


async def find_document(db: Db, tenant_id: UUID, document_id: UUID) -> Document | None:
    row = await db.fetchrow(FIND, tenant_id, document_id)
    return _document(row) if row else None


async def find_by_slug(db: Db, tenant_id: UUID, slug: str) -> Document | None:
    row = await db.fetchrow(FIND_SLUG, tenant_id, slug)
    return _document(row) if row else None


async def list_documents(
    db: Db, tenant_id: UUID, *, q: str, after: tuple[str, UUID] | None, limit: int
) -> list[DocumentSummary]:
    title, document_id = after or (None, None)
    rows = await db.fetch(LIST, tenant_id, q, title, document_id, limit)
    return [DocumentSummary(**row) for row in rows]


async def count_documents(db: Db, tenant_id: UUID) -> int:
    return await db.fetchval(COUNT, tenant_id)


async def replace_passages(
    db: Db, tenant_id: UUID, document_id: UUID, passages: Sequence[Passage]
) -> None:
    """Make it found by what it says now."""
    await db.execute(DELETE_PASSAGES, tenant_id, document_id)
    weights = [weigh_passage(one) for one in passages]
    numbers = list(range(len(passages)))
    await db.execute(
        INSERT_PASSAGES,
        tenant_id,
        document_id,
        numbers,
        [one.heading for one in passages],
        [one.text for one in passages],
        [sum(one.values()) for one in weights],
    )
    words = [
        (word, number, weight) for number in numbers for word, weight in weights[number].items()
    ]
    await db.execute(
        INSERT_WORDS,
        tenant_id,
        document_id,
        [one[0] for one in words],
        [one[1] for one in words],
        [one[2] for one in words],
    )


async def count_words(db: Db, tenant_id: UUID, words: Sequence[str]) -> Counts:
    measured = await db.fetchrow(MEASURE, tenant_id)
    if measured is None or not measured["passages"]:
        return Counts()
    rows = await db.fetch(COUNT_WORDS, tenant_id, list(words))
    places = {row["word"]: row["places"] for row in rows}
    return Counts(measured["passages"], measured["length"], places)


async def search(
    db: Db, tenant_id: UUID, worth: Mapping[str, float], counts: Counts, limit: int
) -> list[Found]:
    """The best passages; `counts` are of all that the query is asked of."""
    words = list(worth)
    rows = await db.fetch(
        SEARCH,
        tenant_id,
        words,
        [worth[word] * counts.rarity(word) for word in words],
        [worth[word] == 1 for word in words],
        counts.mean,
        limit,
    )
    return [
        Found(
            Passage(OWN + row["slug"], row["title"], row["heading"], row["text"]),
            row["said"],
            row["score"],
        )
        for row in rows
    ]


def _document(row: Row) -> Document:
    return Document(**row)
