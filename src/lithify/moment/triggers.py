"""Triggers of a rule, taken from its own words where they name commands, files, tools or hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lithify.moment.patterns import pattern_of
from lithify.text.likeness import word_set
from lithify.text.stems import stem

#: Programs that a sentence may name without marks of code.
_PROGRAMS = word_set(
    """
    ansible apt aws az brew bundle cargo composer conda crontab curl docker flyctl gcloud gh git gradle
    gsutil helmfile heroku jest kubectl latexmk mongosh mvn mypy mysql netlify nox npm npx opentofu
    pandoc pip pip3 pipx pnpm poetry psql pulumi pytest rclone redis-cli rm rsync ruff scp ssh sqlite3
    systemctl terraform terragrunt tox twine uv vercel wget yarn
    """
)
#: What a word for an act is as a command, by its stem. They are facts of tools, not of the language.
_ACTS = {
    "push": ("git push",),
    "commit": ("git commit",),
    "merge": ("git merge", "gh pr merge"),
    "rebas": ("git rebase",),
    "deploy": ("run:*deploy*",),
    "deployment": ("run:*deploy*",),
    "releas": ("run:*release*", "run:publish"),
    "publish": ("run:publish",),
    "migration": ("run:*migrat*", "edit:*migrat*"),
    "migrat": ("run:*migrat*", "edit:*migrat*"),
    "restart": ("run:*restart*",),
    "reboot": ("run:reboot",),
}
_NAMED_FILES = re.compile(r"\b(makefile|dockerfile|readme|changelog|licen[cs]e)s?\b", re.I)
_KINDS = {
    **dict.fromkeys(("yaml", "yml"), "*.y*ml"),
    **{
        kind: f"*.{kind}"
        for kind in ("sql", "csv", "json", "toml", "env", "lock", "svg", "html", "css")
    },
    **dict(zip(("python", "typescript", "javascript"), ("*.py", "*.ts*", "*.js*"), strict=True)),
    **dict(zip(("markdown", "rust", "terraform"), ("*.md", "*.rs", "*.tf"), strict=True)),
    **dict(zip(("excel", "word", "latex"), ("*.xls*", "*.doc*", "*.tex"), strict=True)),
}
_OF_KIND = re.compile(r"[.*]*\b(\w{2,10}) files?\b", re.I)
_CODE = re.compile(r"`([^`\n]{2,80})`")
_PATH = re.compile(
    r"(?<![\w/:.@])(?:~?\.{0,2}/)?[\w.*-]+(?:/[\w.*-]+)+/?|(?<![\w/:.])\.[a-z]\w+\b|\*\.\w+"
)
_FILE = re.compile(
    r"(?<![\w/@.-])[\w-]+\.(?:[a-z]{1,4}|lock|toml|json|yaml|ipynb|jsonl)\b(?!\.)(?!/)"
)
_HOST = re.compile(
    r"\b(?:[\w-]+\.)+(?:com|org|net|io|dev|app|gov|edu|ai|co|cloud|internal|local|eu|de|uk)\b", re.I
)
_WORD = re.compile(r"[\w'./@-]*\w")
#: What stands after these is what a rule is about, what stands before is what to do instead.
_AFTER = re.compile(
    r"\b(?:before|prior to|instead of|rather than|vor|statt|avant|antes de)\b", re.I
)
_PLACEHOLDER = re.compile(r"[<>{}$…]")


def triggers_of(statement: str) -> tuple[str, ...]:
    """Return the patterns of the calls that a rule names in its own words.

    In "run `make lint` before a push" that is the push; where nothing after such a word names a call,
    it is what the whole sentence names.
    """
    found = [one for part in _AFTER.split(statement)[1:] for one in _named(part)]
    return tuple(dict.fromkeys(found or _named(statement)))


def _named(text: str) -> Iterator[str]:
    plain = _CODE.sub(" ", text)
    for span in _CODE.findall(text):
        yield from _of_code(span)
    yield from _files_and_hosts(plain)
    words = _WORD.findall(plain)
    for number, word in enumerate(words):
        after = words[number + 1] if number + 1 < len(words) else ""
        if word.lower() in _PROGRAMS:
            named = after.islower() and after.isalpha() and len(after) > 3
            yield f"{word} {after}".lower() if named else word.lower()
        yield from _ACTS.get(stem(word.lower()), ())
        if re.fullmatch(r"\w+__\w+|[A-Z][a-z]+[A-Z]\w+|[a-z]+_[a-z_]+", word):
            yield f"tool:{word.lower()}"


def _of_code(span: str) -> Iterator[str]:
    words = [word for word in span.split() if not _PLACEHOLDER.search(word)]
    if not words:
        return
    if len(words) == 1 and (_PATH.fullmatch(span) or _FILE.fullmatch(span)):
        yield from _files_and_hosts(span)
    elif len(words) > 1 or words[0].lower() in _PROGRAMS:
        yield _safe(" ".join(words[:3]))
    elif _HOST.fullmatch(span):
        yield f"host:{span.lower()}"
    else:
        yield _safe(words[0])


def _files_and_hosts(text: str) -> Iterator[str]:
    for host in _HOST.findall(text):
        yield f"host:{host.lower()}"
    rest = _HOST.sub(" ", text)
    for path in (*_PATH.findall(rest), *_FILE.findall(rest)):
        if any(map(str.isalpha, path)):
            yield f"edit:{path.lower()}"
    for name in _NAMED_FILES.findall(rest):
        yield f"edit:{name.lower()}*"
    for kind in _OF_KIND.findall(rest):
        if kind.lower() in _KINDS:
            yield f"edit:{_KINDS[kind.lower()]}"


def _safe(text: str) -> str:
    """Return a text as a pattern; a word with a colon would be taken for a field."""
    try:
        pattern_of(text)
    except ValueError:
        return text.replace(":", "?")
    return text.lower()
