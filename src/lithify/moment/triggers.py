"""Triggers of a rule, taken from its own words where they name commands, files, tools or hosts.

Words seldom tell what a rule is about from what it says to do instead, so little is taken: whoever
remembers it says more with patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lithify.moment.patterns import pattern_of
from lithify.regex import regex
from lithify.text.language import in_any_language
from lithify.text.likeness import word_set
from lithify.text.sentences import split
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
    "push": "git push",
    "commit": "git commit",
    "rebas": "git rebase",
    "deploy": "run:deploy|deploy.*",
    "deployment": "run:deploy|deploy.*",
    "restart": "run:restart",
    "reboot": "run:reboot",
}
_NAMED_FILES = regex(r"\b(Makefile|Dockerfile|README|CHANGELOG|LICEN[CS]E)s?\b")
_KINDS = {
    **dict.fromkeys(("yaml", "yml"), "*.y*ml"),
    **{kind: f"*.{kind}" for kind in ("sql", "csv", "json", "toml", "env", "svg", "html", "css")},
    **dict(zip(("python", "typescript", "javascript"), ("*.py", "*.ts*", "*.js*"), strict=True)),
    **dict(zip(("markdown", "rust", "terraform"), ("*.md", "*.rs", "*.tf"), strict=True)),
    **dict(zip(("excel", "word", "latex"), ("*.xls*", "*.doc*", "*.tex"), strict=True)),
}
_OF_KIND = regex(r"[.*]*\b(\w{2,10}) files\b", re.I)
_CODE = regex(r"`([^`\n]{2,80})`")
#: A path has a beginning or an end of one, or stands after a word for a place: "red/green" is none.
_PATH = regex(
    r"(?<![\w/:.@])(?:~?\.{0,2}/[\w.*-]+(?:/[\w.*-]+)*|[\w.*-]+(?:/[\w.*-]+)*/(?![\w*])"
    r"|(?:(?<=\bin )|(?<=\bunder ))[\w.*-]+(?:/[\w.*-]+)+|[\w*-]+(?:/[\w*-]+){2,}|\.[a-z]\w+\b)|\*\.\w+"
)
_FILE = regex(r"(?<![\w.@-])[\w/-]+\.(?:[a-z]{1,4}|lock|toml|json|yaml|ipynb|jsonl)\b(?!\.)(?!/)")
_HOST = regex(
    r"\b(?:[\w-]+\.)+(?:com|org|net|io|dev|app|gov|edu|ai|co|cloud|internal|local|eu|de|uk)\b", re.I
)
#: The name of one thing, such as db-01: an act on it is one of a call that names it.
_ONE_THING = regex(r"\b[a-z]+-?(?:[a-z]+-)?\d+\b", re.I)
#: What stands after these is what a rule is about, what stands before is what to do instead.
_AFTER = regex(r"\b(?:before|prior to|instead of|rather than|vor|statt|avant|antes de)\b", re.I)
#: A part of a sentence that says what to do instead, and where something is to go.
_PARTS = regex(r"[,;:](?=\s)|\.(?=\s|$)")
_INSTEAD = regex(r"\b(?:instead(?! of)|stattdessen|plutôt)\b", re.I)
_GOES_TO = regex(r"\b(?:to|into|nach|dans)\s+\S+", re.I)
_PLACEHOLDER = regex(r"[<>{}$…]")


def triggers_of(statement: str) -> tuple[str, ...]:
    """Return the patterns of the calls that a rule names in its own words.

    In "run `make lint` before a push" that is the push; where nothing after such a word names a call,
    it is what the whole sentence names.
    """
    things = "|".join(dict.fromkeys(map(str.lower, _ONE_THING.findall(_CODE.sub(" ", statement)))))
    one = f" has:{things}" if things else ""
    parts = (part for said in split(statement) for part in _AFTER.split(said)[1:])
    found = [name for part in parts for name in _named(part, one, True)]
    return tuple(dict.fromkeys(found or _named(statement, one, False)))


def _named(statement: str, one: str, forbidden: bool) -> Iterator[str]:
    """Yield the patterns of what a text names.

    Commands count where they are `forbidden` or denied: others that a rule names are those that keep it.
    "Instead of pip" forbids a program whole.
    """
    for text in _PARTS.split(statement):
        if _INSTEAD.search(text):
            continue
        plain = _CODE.sub(" ", text)
        denied = forbidden or _denies(text)
        for span in _CODE.findall(_GOES_TO.sub(" ", text)):
            yield from _of_code(span, denied)
        yield from _files_and_hosts(_GOES_TO.sub(" ", plain))
        words = plain.split()
        for number, (word, after) in enumerate(pairwise([*words, ""])):
            bare = re.sub(r"^\W+|\W+$", "", word)
            name, verb = bare.lower(), re.sub(r"\W+$", "", after)
            if name not in _PROGRAMS or not denied:
                pass
            elif word.endswith(bare) and re.fullmatch("[a-z]{4,}", verb):
                yield f"{name} {verb}"
            elif forbidden and not number:
                yield name
            if (act := _ACTS.get(stem(name), "")) and "-" not in word:
                yield act + (one if act.startswith("run:") else "")
            if re.fullmatch(r"\w+__\w+|[A-Z][a-z]+[A-Z]\w+", bare):
                yield f"tool:{name}"


def _denies(text: str) -> bool:
    words = re.findall(r"[\w']+", text.replace("’", "'").lower())
    negations = in_any_language("negations")
    return any(word in negations or word.endswith("n't") for word in words)


def _of_code(span: str, denied: bool) -> Iterator[str]:
    words = [word for word in span.split() if not _PLACEHOLDER.search(word)]
    if len(words) == 1 and (_PATH.fullmatch(span) or _FILE.fullmatch(span)):
        yield from _files_and_hosts(span)
    elif _HOST.fullmatch(span):
        yield f"host:{span.lower()}"
    elif denied and words and (words[0].lower() in _PROGRAMS | {"make"} or len(span.split()) == 1):
        yield _safe(" ".join(words[:3]))


def _files_and_hosts(text: str) -> Iterator[str]:
    for host in _HOST.findall(text):
        yield f"host:{host.lower()}"
    rest = _HOST.sub(" ", text)
    for path in dict.fromkeys((*_PATH.findall(rest), *_FILE.findall(rest))):
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
