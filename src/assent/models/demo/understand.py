"""From what a person wrote to clauses: what to do, by which verb, and with which words. Pure.

Knows English, not tools: which verbs and nouns the tools have arrives as arguments.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from assent.models.demo.lexicon import (
    CALLED,
    CLOSING,
    DETERMINERS,
    INDEFINITE,
    POLITE,
    PREPOSITIONS,
    QUESTIONS,
    READS,
    VERBS,
    Action,
    find_verb,
    singular,
)
from assent.models.demo.words import Word, fold, join_words, split_text

Talk: TypeAlias = Literal["greeting", "thanks", "help", "identity", "yes", "no"]

_TALK: tuple[tuple[Talk, re.Pattern[str]], ...] = (
    (
        "greeting",
        re.compile(
            r"(hi|hey|hello|hallo|hiya|howdy|moin|good (morning|afternoon|evening|day))"
            r"( there| assent| everyone| again)?|how are you( doing)?( today)?|(what is|what's) up"
        ),
    ),
    (
        "thanks",
        re.compile(
            r"(ok |okay |great |cool |perfect |many )?(thanks|thank you|thx|cheers|ta)"
            r"( a lot| so much| very much| again)?|(that is |that's )?(all|great|perfect|nice|cool)"
        ),
    ),
    (
        "help",
        re.compile(
            r"help( me)?|what (can|could|do) (you|i|we) do( here| for me| with this)?"
            r"|what are you able to do|how (can|could) you help( me)?|(your )?capabilities"
            r"|how does (this|it) work|what (tools|commands) (do you have|are there)"
            r"|what can i (ask|say)( you)?|how do i (use|start with) (this|it|you)"
        ),
    ),
    (
        "identity",
        re.compile(
            r"(who|what) are you|(what|which) (model|llm|ai)( is this| are you| do you use)?"
            r"|are you (an? )?(real |actual )?(ai|bot|robot|human|person|llm|model|chatgpt|claude)"
            r"|are you (real|human|chatgpt|claude)|what is your name|introduce yourself"
        ),
    ),
    (
        "yes",
        re.compile(
            r"((y|yes|yep|yeah|sure|ok|okay|correct|right|exactly|do it|do that|go ahead|of course"
            r"|apply it|confirm|confirmed|i confirm)( |$))+"
        ),
    ),
    (
        "no",
        re.compile(r"n|no|nope|nah|cancel|stop|never ?mind|forget it|don't|do not|leave it|abort"),
    ),
)
_OPENERS: tuple[tuple[str, Action], ...] = (
    ("how many", "count"),
    ("the number of", "count"),
    ("number of", "count"),
    ("tell me how many", "count"),
    ("tell me about", "list"),
    ("tell me", "list"),
    ("let me see", "list"),
    ("let me know", "list"),
    ("show me", "list"),
    ("show us", "list"),
    ("give me", "list"),
    ("give us", "list"),
    ("get me", "list"),
    ("look for", "find"),
    ("look up", "find"),
    ("search for", "find"),
    ("where is", "find"),
    ("where are", "find"),
    ("get rid of", "delete"),
    ("set up", "create"),
)
LONGEST, SHOWN = 10_000, 200
"""Nobody asks for one thing in so many characters; what was pasted in is not guessed at."""
_ENDS = frozenset(".!?;\n")
_SPLITTERS = frozenset({"and", "then", "afterwards"})


@dataclass(frozen=True, slots=True)
class Clause:
    """One request. `words` follow the verb; a question keeps all of its words."""

    action: Action
    verb: str
    words: tuple[Word, ...]
    text: str
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Understood:
    """What a message asks for, in order, and what in it stayed dark."""

    clauses: tuple[Clause, ...] = ()
    unclear: tuple[str, ...] = ()
    talk: Talk | None = None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Verbs and nouns, in the singular, of the tools that are offered."""

    verbs: frozenset[str]
    nouns: frozenset[str]


def find_talk(text: str) -> Talk | None:
    plain = re.sub(r"[^\w\s']", " ", fold(text))
    plain = re.sub(r"\b(please|so|well|assistant)\b", " ", plain)
    plain = " ".join(plain.split())
    return next((talk for talk, pattern in _TALK if pattern.fullmatch(plain)), None)


def understand(text: str, vocabulary: Vocabulary) -> Understood:
    if len(text) > LONGEST:
        return Understood(unclear=(text[:SHOWN],))
    talk = find_talk(text)
    if talk is not None:
        return Understood(talk=talk)
    clauses: list[Clause] = []
    unclear: list[str] = []
    for words in _split(split_text(text), vocabulary):
        clause = _read_clause(words, vocabulary)
        if clause is not None:
            clauses += _share_verb(clause, vocabulary.nouns)
        elif find_talk(join_words(words)) is None:
            unclear.append(join_words(words))
    return Understood(tuple(clauses), tuple(unclear))


def _split(words: Sequence[Word], vocabulary: Vocabulary) -> Iterator[tuple[Word, ...]]:
    """At the ends of sentences, and where "and" or a comma is followed by a verb."""
    start = 0
    for at, word in enumerate(words):
        here = bool(_ENDS & set(word.after)) and at + 1 < len(words)
        joins = word.key in _SPLITTERS or "," in word.after
        if here or (joins and at > start and _starts_clause(words[at + 1 :], vocabulary)):
            yield tuple(words[start : at + (word.key not in _SPLITTERS)])
            start = at + 1
    if words[start:]:
        yield tuple(words[start:])


def _starts_clause(words: Sequence[Word], vocabulary: Vocabulary) -> bool:
    rest = _strip_polite(words)
    if len(rest) < 2 or rest[1].key in PREPOSITIONS:
        return _find_opener(rest) is not None
    key = rest[0].key
    return key in VERBS or key in vocabulary.verbs or key in QUESTIONS - {"is", "are", "any"}


def _strip_polite(words: Sequence[Word]) -> tuple[Word, ...]:
    """Without what is only said to be polite, before and after."""
    rest = tuple(words)
    while rest:
        opening = next((one for one in POLITE if _begins(rest, one)), None)
        if opening is None or len(rest) <= len(opening.split()):
            break
        rest = rest[len(opening.split()) :]
    while rest:
        keys = [word.key for word in rest]
        closing = [one.split() for one in CLOSING if keys[-len(one.split()) :] == one.split()]
        if not closing or len(rest) <= len(closing[0]):
            break
        rest = rest[: -len(closing[0])]
    return rest


def _begins(words: Sequence[Word], opening: str) -> bool:
    parts = opening.split()
    return [word.key for word in words[: len(parts)]] == parts


def _find_opener(words: Sequence[Word]) -> tuple[str, Action] | None:
    return next((one for one in _OPENERS if _begins(words, one[0])), None)


def _read_clause(words: Sequence[Word], vocabulary: Vocabulary) -> Clause | None:
    rest = _strip_polite(words)
    if not rest:
        return None
    text = join_words(rest)
    opener = _find_opener(rest)
    if opener is not None:
        after = rest[len(opener[0].split()) :]
        return Clause(opener[1], opener[0].split()[0], after, text, asks=True)
    if rest[0].key in QUESTIONS:
        return _read_question(rest, text)
    verb = None if rest[0].quoted else find_verb(rest[0].key, vocabulary.verbs)
    if verb is None or (verb != rest[0].key and singular(rest[0].key) in vocabulary.nouns):
        return _read_without_verb(rest, text, vocabulary)
    after = rest[2:] if rest[1:] and rest[1].key in ("me", "us") else rest[1:]
    if VERBS.get(verb) == "create" and _is_only_plural(after, vocabulary.nouns):
        return Clause("list", "list", rest, text)
    return _refine(Clause(VERBS.get(verb, "do"), verb, after, text), vocabulary.nouns)


def _read_question(words: tuple[Word, ...], text: str) -> Clause:
    if any(_begins(words[at:], "how many") for at in range(3)):
        return Clause("count", "count", words, text, asks=True)
    return Clause("list", "list", words, text, asks=True)


def _read_without_verb(words: tuple[Word, ...], text: str, vocabulary: Vocabulary) -> Clause | None:
    keys = [word.key for word in words]
    has_noun = any(singular(key) in vocabulary.nouns for key in keys)
    if keys[0] in INDEFINITE and has_noun and CALLED & set(keys):
        return Clause("create", "create", words, text)
    if has_noun and (len(words) < 5 or "?" in words[-1].after):
        return Clause("list", "list", words, text)
    return None


def _is_only_plural(words: Sequence[Word], nouns: Collection[str]) -> bool:
    """`open incidents` names some; `open incident` would open one."""
    key = words[0].key if len(words) == 1 else ""
    return singular(key) != key and singular(key) in nouns


def _refine(clause: Clause, nouns: Collection[str]) -> Clause:
    """Adding something *to* something, or removing it *from* something, is about two things."""
    keys = [word.key for word in clause.words]
    fresh = bool(INDEFINITE & set(keys[:1]) or CALLED & set(keys))
    joins = [at for at, key in enumerate(keys) if key in ("to", "into", "onto") and at]
    if clause.verb == "add" and joins and not fresh:
        whole = _is_kind(clause.words[joins[0] + 1 :], nouns)
        return clause if whole else replace(clause, action="link")
    leaves = [at for at, key in enumerate(keys) if key in ("from", "of") and at]
    out = bool(leaves) and (keys[leaves[0]] == "from" or keys[leaves[0] - 1] == "out")
    if clause.action in ("delete", "unlink") and out:
        whole = _is_kind(clause.words[leaves[0] + 1 :], nouns)
        if whole:
            return replace(clause, action="delete", words=clause.words[: leaves[0]])
        return replace(clause, action="unlink")
    return clause


def _is_kind(words: Sequence[Word], nouns: Collection[str]) -> bool:
    """Whether words only say what kind of thing: `the systems`, `our catalog`."""
    keys = [word.key for word in words if word.key not in DETERMINERS]
    return bool(keys) and all(singular(key) in nouns or key in nouns for key in keys)


def _share_verb(clause: Clause, nouns: Collection[str]) -> list[Clause]:
    """`list systems and groups`, `delete group A and system B`: one verb for several requests."""
    cuts = [at for at in range(1, len(clause.words)) if _starts_kind(clause, at, nouns)]
    pieces: list[Clause] = []
    for start, end in zip([0, *cuts], [*cuts, len(clause.words)], strict=True):
        words = clause.words[start:end]
        kept = words[:-1] if words and words[-1].key == "and" else words
        text = f"{clause.verb} {join_words(kept)}" if cuts else clause.text
        pieces.append(replace(clause, words=kept, text=text))
    return pieces


def _starts_kind(clause: Clause, at: int, nouns: Collection[str]) -> bool:
    """Whether another kind of thing begins here, behind "and" or a comma."""
    before, rest = clause.words[at - 1], list(clause.words[at:])
    if before.key != "and" and "," not in before.after:
        return False
    fresh = rest[0].key in INDEFINITE
    while len(rest) > 1 and rest[0].key in DETERMINERS:
        rest.pop(0)
    said = [word.key for word in clause.words[:at]]
    first = any(singular(key) in nouns for key in said)
    if not first or singular(rest[0].key) not in nouns:
        return False
    if clause.action in READS:
        others = {word.key for word in clause.words} - DETERMINERS - {"and"}
        return all(singular(key) in nouns for key in others)
    return clause.action == "delete" or (clause.action == "create" and fresh)
