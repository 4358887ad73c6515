"""Credentials that stand in runs: cells of a table, lists of codes, phrases of plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lithify.text.redact import words
from lithify.text.redact.context import Place, compiled
from lithify.text.redact.weigh import (
    is_mixed,
    is_placeholder,
    is_reference,
    is_strong,
    is_technical,
    is_thrown,
)

_RULER = r"\s*\|?(?:\s*:?-+:?\s*\|)*\s*(?::?-+:?\s*)?\|?\s*"
_CODES = (
    r"(?:backup|recovery|scratch|emergency|rescue|2fa|mfa|one[- ]time)[- ]?(?:2fa )?codes?\b[^\n]*"
)
_CODE_LINE = (
    r"[ \t>]*(?:[-*+]|\d{1,2}[.)])?[ \t]*[`*]{0,2}(?P<code>[0-9A-Za-z]{4,10}(?:[- ][0-9A-Za-z]{3,10}){0,4})"
    r"[`*]{0,2}[ \t]*(?:\n|$)"
)
_CODE_BESIDE = r"[0-9A-Za-z]{4,6}-[0-9A-Za-z]{4,6}(?:-[0-9A-Za-z]{4,6})?|(?<!\d)\d{8}(?!\d)"
_SEED_NEAR = ("words", "seed", "phrase", "mnemonic", "wallet", "wörter", "mots", "palabras")
_SEED_WORD = rf"(?!(?:{'|'.join(sorted(words.PROSE))})(?![a-z]))[a-z]{{3,8}}"
_SEED = (
    rf"(?<![a-z])(?:\d{{1,2}}[.):]\s?)?{_SEED_WORD}"
    rf"(?:(?:,\s?|\s+)(?:\d{{1,2}}[.):]\s?)?{_SEED_WORD}(?![a-z])){{11,23}}"
)
_HEX = r"(?<![\w/.@+-])(?:[0-9a-f]{32}|[0-9a-f]{40})(?![\w/.+-])"
_API = r"(?<![a-z])(?:api|app)(?![a-z])|application[ _-]?key|twilio|datadog|algolia"
_OTHER_HEX = (
    r"commit|sha|md5|etag|\bid\b|_id\b|hash|digest|trace|span|rev\b|finger|request|image|build|dash"
    r"|sum\b|version|public|cache|object|primary|idempotency|\bat\b|branch|merge|cherry"
)
#: What a phrase may have of the words that prose needs.
_SMALL = frozenset(("the", "an", "of", "in", "on", "at"))
_PHRASE = r"(?:unlock|decrypt|encrypt|vault|disk)\w{0,5} phrase|pass[- ]?phrase|phrase secr[eè]te|frase (?:secreta|segreta)|paper key"
_WORDS = r"(?P<words>[^\W\d_][^\W_’']{1,13}(?:[ -][^\W_][^\W_]{0,13}){2,15})"
_RUN = rf"[\"'`*“„«]{{0,3}}{_WORDS}(?![\w-])"
_SURE = ("to", ":", "=", "→")
#: Words that begin what is said of a passphrase.
_SAID_OF = frozenset(("see", "ask", "use", "same", "none", "unknown", "ist", "siehe", "voir", "im"))
_BOXED_RUN = rf"[^\n(\"“]{{0,60}}(?:[(\"“]|\s[–—-]\s|:\s){_WORDS}(?=[)\"”.,;]|\s*(?:\n|$))"
_WITH_RUN = rf"\s{_WORDS}(?=[.,;]|\s*(?:\n|$))"
_RUN_BEFORE = rf"[\"“„«`]{_WORDS}[\"”“»`]\s(?:is|was|as|ist|war|est)\s(?:[\w-]{{1,15}}\s){{1,4}}$"


def listed(text: str, lowered: str) -> Iterator[Place]:
    """The secrets of a text that stand in runs."""
    if "|" in text and "-" in text:
        yield from table_cells(text)
    if "code" in lowered:
        yield from code_lists(text, lowered)
    if any(near in lowered for near in ("api", "app", "twilio", "datadog", "algolia")):
        yield from hex_keys(text, lowered)
    if any(near in lowered for near in _SEED_NEAR):
        yield from seed_phrases(text)
    if "phrase" in lowered or "frase " in lowered or "paper key" in lowered:
        yield from passphrases(text, lowered)


def table_cells(text: str) -> Iterator[Place]:
    """The cells of tables under a heading that is a word for a credential."""
    columns: dict[int, str] = {}
    before, at = "", 0
    for line in text.splitlines(keepends=True):
        if "|" not in line:
            columns = {}
        elif "-" in line and compiled(_RULER).fullmatch(line.rstrip("\r\n")):
            columns = dict(_headings(before))
        elif columns:
            for number, (cell, begin) in enumerate(_cells(line)):
                value = cell.strip("`*\"'")
                if number in columns and value and _is_cell(value, columns[number]):
                    start = at + begin + cell.index(value)
                    yield Place(columns[number], start, start + len(value))
        before, at = line, at + len(line)


def _headings(line: str) -> Iterator[tuple[int, str]]:
    """The columns of a header row that hold credentials, each with its kind."""
    for number, (head, _) in enumerate(_cells(line)):
        found = compiled(words.WORD).search(head) if len(head) <= 40 else None
        if found and not compiled(words.OTHER).match(head, found.end()):
            if found["bare_code"]:
                continue
            kinds = ("phrase", "password", "pin", "code", "key")
            kind = next(name for name in kinds if found[name])
            kind = "api-key" if kind == "key" and not found["bare_key"] else kind
            yield number, {"phrase": "passphrase"}.get(kind, kind)


def _is_cell(value: str, kind: str) -> bool:
    if is_placeholder(value):
        return False
    if kind == "passphrase" and value.count(" ") >= 2:
        return True
    if kind in ("pin", "code"):
        return value.strip("#*").isdigit() and 4 <= len(value) <= 10
    if " " in value or is_technical(value) or (is_reference(value) and not is_mixed(value)):
        return False
    if kind.endswith("key"):
        # "Key" alone heads many a column of names.
        return is_thrown(value, 20 if kind == "key" else 10)
    return is_strong(value) or (len(value) >= 8 and not value.isalpha())


def _cells(line: str) -> list[tuple[str, int]]:
    """The cells of a row, each with where it begins."""
    cells, at = [], 0
    line = line.rstrip("\r\n")
    for number, piece in enumerate(line.split("|")):
        if number or piece.strip():
            cells.append((piece.strip(), at + len(piece) - len(piece.lstrip())))
        at += len(piece) + 1
    return cells


def code_lists(text: str, lowered: str) -> Iterator[Place]:
    """Codes on the line that speaks of recovery codes, or on lines of their own after it."""
    for found in compiled(_CODES).finditer(lowered):
        for code in compiled(_CODE_BESIDE).finditer(text, found.start(), found.end()):
            if any(map(str.isdigit, code[0])):
                yield Place("recovery-code", *code.span())
        at = found.end() + 1
        for _ in range(20):
            line = compiled(_CODE_LINE).match(text, at)
            if not line:
                break
            if is_mixed(line["code"]) or line["code"].replace(" ", "").replace("-", "").isdigit():
                yield Place("recovery-code", *line.span("code"))
            at = line.end()


def hex_keys(text: str, lowered: str) -> Iterator[Place]:
    """Hex runs of a key's length beside `api` or `app`, unless a word says what else they are."""
    for found in compiled(_HEX).finditer(lowered):
        before = lowered[max(0, found.start() - 40) : found.start()].rpartition("\n")[2]
        after = lowered[found.end() : found.end() + 8].partition("\n")[0]
        beside = compiled(_API).search(before) or compiled(_API).search(after)
        if beside and is_mixed(found[0]) and not compiled(_OTHER_HEX).search(before):
            yield Place("api-key", *found.span())


def seed_phrases(text: str) -> Iterator[Place]:
    """Twelve to twenty-four plain words in a row, without one that prose needs."""
    for found in compiled(_SEED).finditer(text):
        said = re.findall("[a-z]+", found[0])
        if len(set(said)) >= 10:
            yield Place("seed-phrase", *found.span())


def passphrases(text: str, lowered: str) -> Iterator[Place]:
    """A run of words that is given for a passphrase."""
    for found in compiled(_PHRASE).finditer(lowered):
        stop = found.end() + 300
        near = max(0, found.start() - 160)
        line = max(text.rfind("\n", near, found.start()) + 1, near)
        if run := compiled(_RUN_BEFORE).search(text, line, found.start()):
            yield Place("passphrase", *run.span("words"))
        for pattern in (words.ASSIGN, words.VERB):
            link = compiled(pattern).match(text, found.end(), stop)
            run = compiled(_RUN).match(text, link.end(), stop) if link else None
            if (
                link
                and run
                and _is_phrase(run["words"], link["how"] in _SURE or text[link.end()] in '"“„«')
            ):
                yield Place("passphrase", *run.span("words"))
                break
        else:
            given = lowered[line : found.start()].endswith(("with the ", "with ", "mit der "))
            pattern = _WITH_RUN if given else _BOXED_RUN
            run = compiled(pattern).match(text, found.end(), stop)
            if run and _is_phrase(run["words"], sure=False):
                yield Place("passphrase", *run.span("words"))


def _is_phrase(run: str, sure: bool) -> bool:
    """Whether words in the place of a passphrase are one, and not what is said of it."""
    said = run.lower().replace("-", " ").split()
    if (
        said[0] in words.PROSE
        or said[0] in _SAID_OF
        or compiled(words.INFLECTED).fullmatch(said[0])
    ):
        return False
    rest = [word for word in said if compiled(words.INFLECTED).fullmatch(word)]
    rest += [word for word in said if word in words.PROSE and word not in _SMALL]
    return (sure and len(said) > 3) or not (rest or (len(said) == 3 and _SMALL.intersection(said)))
