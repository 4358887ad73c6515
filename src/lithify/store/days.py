"""Dated files that no pattern reads, patterns that would read them, and where a new entry goes."""

from __future__ import annotations

import filecmp
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import chain, islice
from typing import NamedTuple

from lithify.errors import ConfigError
from lithify.regex import regex
from lithify.settings import USUAL_FOLDERS, Folders
from lithify.store import disk
from lithify.store.names import DAYS, PACKAGES, Layout, dated, fold, pattern_problem
from lithify.store.places import Root
from lithify.store.tree import RefusedFile, Tree, layout_of, walk

#: Files and folders that a search for dated files looks at; a root can be a home folder.
SEARCH_LIMIT = 20_000
#: Files that are named one by one; the others are counted.
SHOWN = 5

#: How the names of notes end, which `import folder` reads too.
NOTES = (".md", ".markdown", ".txt", ".org", ".rst")

_YEAR = regex(r"[0-9]{4}(?![0-9])")
_GLOB = regex(r"[*?\[]")
#: The bytes of a page in which its front matter says what it is.
_HEAD = 2048
#: Words in names of folders in which people put older copies.
_ASIDE = frozenset({"archive", "archives", "backup", "backups", "bak", "copy", "old", "trash"})


class Unmatched(NamedTuple):
    """Dated Markdown files that no pattern reads, the first few by path.

    `patterns` are those in force and the ones that would read these files too. `complete` is
    false where the search ended at its limit.
    """

    total: int = 0
    paths: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    complete: bool = True

    @property
    def line(self) -> str:
        """The line of `lithify.toml`, under `[days]`, with which these files are read."""
        return setting(self.patterns)

    def __str__(self) -> str:
        files = "1 dated file is" if self.total == 1 else f"{self.total:,} dated files are"
        more = ", …" if self.total > len(self.paths) else ""
        lead = "" if self.complete else "at least "
        return f"{lead}{files} read by no pattern: {', '.join(self.paths)}{more}"


def setting(patterns: Iterable[str]) -> str:
    """The line of `lithify.toml` that sets these patterns."""
    return f"patterns = [{', '.join(json.dumps(p, ensure_ascii=False) for p in patterns)}]"


def unmatched(root: Root, folders: Folders = USUAL_FOLDERS) -> Unmatched:
    """The dated Markdown files of a root that are read by no pattern.

    Hidden folders, links, package folders and roots within the root are not searched.
    """
    layout = layout_of(root, folders)
    budget = [SEARCH_LIMIT]
    found = sorted(
        path for path in _dated_files(root, layout, budget) if layout.name(path).role != "day"
    )
    every = (*folders.patterns, *propose(found, layout))
    return Unmatched(len(found), tuple(found[:SHOWN]), every if found else (), budget[0] > 0)


def left_out(root: Root, paths: Iterable[str], layout: Layout) -> tuple[RefusedFile, ...]:
    """Of days that memory knows of, those that are there and that no pattern reads any more."""
    return tuple(
        RefusedFile(path, "no pattern in [days] of lithify.toml reads it", broken=True)
        for path in sorted(paths)
        if dated(path)
        and layout.name(path).role != "day"
        and os.path.isfile(os.path.join(root, path))
    )


class DayPlace(NamedTuple):
    """A place with dated files: the pattern that reads them, their days, and whether to read it.

    `is_log` says that a file there is named by its date alone. `same_as` is the pattern of an
    earlier place that has half of these days too, `shared` says how many, and `copied` how many of
    them are the same byte for byte.
    """

    pattern: str
    files: Mapping[str, tuple[str, ...]]
    is_log: bool
    read: bool = False
    same_as: str = ""
    shared: int = 0
    copied: int = 0

    @property
    def paths(self) -> tuple[str, ...]:
        """The files of all days, oldest first."""
        return tuple(path for day in sorted(self.files) for path in self.files[day])

    def __str__(self) -> str:
        number = len(self.files)
        span = " to ".join(dict.fromkeys((min(self.files), max(self.files))))
        return f"{self.pattern}: {number:,} {'day' if number == 1 else 'days'}, {span}"


def found_patterns(root: Root) -> tuple[str, ...]:
    """The patterns that read the days of a folder that is not a root yet; empty for the default."""
    patterns = tuple(one.pattern for one in found_places(root) if one.read)
    return () if patterns == DAYS else patterns


def found_places(root: Root) -> tuple[DayPlace, ...]:
    """The places with dated files in a folder, those to be read first.

    Days are kept in `memory/` and in folders with a file named by its date alone. Only where there
    are none is every dated file taken for a day: beside a log, `plans/2026-06-11-cache.md` is a
    document. `memory/` comes first, so that new days go there, unless days are kept elsewhere and
    none directly in `memory/`. A copy of a place is not read.
    """
    layout = layout_of(root)
    usual: list[str] = []
    others: dict[str, list[str]] = {}
    for path in sorted(_dated_files(root, layout, [SEARCH_LIMIT])):
        is_usual = layout.name(path).role == "day"
        (usual if is_usual else others.setdefault(_base(path)[0], [])).append(path)
    places = [_place(p, paths) for paths in others.values() for p in propose(paths, layout)]
    # Of a place and its copy, the one that is still written is the place.
    places.sort(key=lambda one: (max(one.files), not _is_aside(one.pattern), len(one.files)))
    places = [*([_place(DAYS[0], usual)] if usual else []), *reversed(places)]
    logs = any(one.is_log for one in places) or bool(usual)
    found: list[DayPlace] = []
    for one in places:
        one = one._replace(read=one.is_log or not logs or one.pattern == DAYS[0])
        for other in found:
            shared = one.files.keys() & other.files.keys()
            if one.read and other.read and len(shared) * 2 >= len(one.files):
                copied = sum(_same_bytes(root, one.files[day], other.files[day]) for day in shared)
                one = one._replace(same_as=other.pattern, shared=len(shared), copied=copied)
                # What lies within another place is read with it.
                within = layout._replace(patterns=(other.pattern,)).reads(one.paths[0])
                one = one._replace(read=within or copied * 2 < len(shared))
                break
        found.append(one)
    if found and not logs:
        # Documents are kept there, and new days are not.
        found.insert(0, DayPlace(DAYS[0], {}, False, read=True))
    return tuple(sorted(found, key=lambda one: not one.read))


def _place(pattern: str, paths: Iterable[str]) -> DayPlace:
    files: dict[str, tuple[str, ...]] = {}
    is_log = False
    for path in paths:
        if found := dated(path):
            files[found.label] = (*files.get(found.label, ()), path)
            is_log = is_log or not found.suffix
    return DayPlace(pattern, files, is_log)


def _is_aside(pattern: str) -> bool:
    """Whether a folder is named as one in which people put older copies."""
    return not _ASIDE.isdisjoint(re.split(r"[^a-z]+", pattern.lower()))


def _same_bytes(root: Root, one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether one of some files is the same byte for byte as one of others."""
    return any(
        filecmp.cmp(os.path.join(root, a), os.path.join(root, b), shallow=False)
        for a in one
        for b in other
    )


def almost_days(root: Root, folders: Folders = USUAL_FOLDERS) -> Mapping[str, tuple[str, ...]]:
    """Files that are named almost like a day and that no pattern reads, by the reason."""
    layout = layout_of(root, folders)
    anywhere = layout._replace(patterns=("**/*.md",))
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(_files(root, layout, [SEARCH_LIMIT])):
        if not layout.not_a_day(path) and (why := anywhere.not_a_day(path)):
            found[why] = (*found.get(why, ()), path)
    return found


def notes_beside(tree: Tree) -> tuple[str, ...]:
    """Return the notes in memory's folder that are neither days nor pages nor memories, by path.

    Files that are named almost like a day, and dated ones that no pattern reads, are told of elsewhere.
    """
    layout, inside = tree.layout, f"{fold(tree.memory)}/" if tree.memory else ""
    odd = {one.path for one in tree.refused}
    return tuple(
        sorted(
            file.path
            for file in tree.of("other")
            if file.size
            and fold(file.path).startswith(inside)
            and fold(file.path).endswith(NOTES)
            and not (file.path in odd or dated(file.path))
            and not layout.holds_pages(os.path.dirname(file.path))
        )
    )


def others_in(root: Root, folder: str, kind: str) -> tuple[str, ...]:
    """Names of the Markdown files in a folder of pages that say nowhere that they are pages."""
    is_page = re.compile(rf'\A---\r?$.*^type: *"?{kind}'.encode(), re.DOTALL | re.MULTILINE)
    found = []
    for name in sorted(disk.names(os.path.join(root, folder))):
        path = os.path.join(root, folder, name)
        if fold(name).endswith(".md") and os.path.isfile(path):
            with open(path, "rb") as file:
                if not is_page.match(file.read(_HEAD)):
                    found.append(name)
    return tuple(found)


def propose(paths: Iterable[str], layout: Layout) -> tuple[str, ...]:
    """Patterns that read these dated files and those to come in the same places."""
    found: dict[str, bool] = {}
    for path in paths:
        base, is_deep = _base(path)
        found[base] = found.get(base, False) or is_deep
    patterns = [f"{base}**/*.md" if deep else f"{base}*.md" for base, deep in sorted(found.items())]
    return tuple(p for p in patterns if p not in layout.patterns and not pattern_problem(p))


def _base(path: str) -> tuple[str, bool]:
    """The folder that a pattern for a dated file begins with, and whether others lie below it."""
    folders = path.split("/")[:-1]
    depth = next((n for n, part in enumerate(folders) if _YEAR.match(part)), len(folders))
    base = "".join(_GLOB.sub(r"[\g<0>]", part) + "/" for part in folders[:depth])
    if not base and folders:
        # Not `**/*.md`, which would lead into every folder there is.
        base = f"{folders[0][:2]}*/"
    return base, depth < len(folders)


def day_path(root: Root, folders: Folders, day: date) -> str:
    """The file that a new entry of a day goes to: always one that a pattern reads.

    That is `memory/YYYY-MM-DD.md` where it is read as a day. Elsewhere it is the plain file of
    the first pattern's place, in the form of the newest day there; docs/formats.md has the rule.
    """
    layout, patterns = layout_of(root, folders), folders.patterns
    label = day.isoformat()
    usual = layout.path(f"{label}.md")
    if layout.name(usual).role == "day":
        return usual
    first = layout._replace(patterns=patterns[:1])
    known = sorted(
        (name.label, found.path)
        for found in walk(root, first, [])
        if (name := first.name(found.path)).role == "day"
    )
    for there, path in known:
        if there == label and _is_plain_day(path, first):
            return path
    examples = (path for _, path in reversed(known))
    for candidate in chain(_alike(examples, day), _usual_forms(first, day)):
        if first.name(candidate)[:2] == ("day", label):
            return candidate
    reason = (
        f'`days.patterns`: "{patterns[0]}" comes first, so new entries go there, but it reads no '
        f'file that could be made for {label}; put "memory/*.md" or another pattern first'
    )
    raise ConfigError(file="lithify.toml", reason=reason)


def path_beside(root: Root, folders: Folders, path: str) -> str:
    """Return the file of a day for what was imported, beside its own; its own where none is read."""
    beside = f"{path[: -len('.md')]}-imported.md"
    layout = layout_of(root, folders)
    same_day = layout.name(beside)[:2] == layout.name(path)[:2]
    return beside if same_day else path


def _is_plain_day(path: str, layout: Layout) -> bool:
    """Whether a pattern reads a path whose name is a date and nothing more."""
    found = dated(path)
    return found is not None and not found.suffix and layout.reads(path)


def _dated_files(root: Root, layout: Layout, budget: list[int]) -> Iterator[str]:
    """The dated Markdown files of a root, by a search that stops when the budget is used up."""
    return (path for path in _files(root, layout, budget) if dated(path))


def _files(root: Root, layout: Layout, budget: list[int]) -> Iterator[str]:
    queue = [""]
    while queue and budget[0] > 0:
        folder = queue.pop(0)
        try:
            with os.scandir(os.path.join(root, folder)) as listed:
                entries = sorted(islice(listed, budget[0]), key=lambda entry: entry.name)
        except OSError:
            continue
        budget[0] -= len(entries)
        if folder and any(entry.name == "lithify.toml" for entry in entries):
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if not layout.holds_pages(path) and fold(entry.name) not in PACKAGES:
                    queue.append(path)
            elif entry.is_file(follow_symlinks=False):
                yield path


# The form of a day's path


#: How folders name the date of the days in them, as formats of `strftime`.
_FORMS = ("%Y-%m-%d", "%Y_%m_%d", "%Y-%m", "%G-W%V", "%Y", "%m-%d")


def _alike(examples: Iterable[str], day: date) -> Iterator[str]:
    """Paths for a day in the form of days that are there, without what follows their dates."""
    for path in examples:
        *folders, file = path.split("/")
        found = dated(path)
        depth = next((n for n, part in enumerate(folders) if _YEAR.match(part)), len(folders))
        if not found:
            continue
        then = date.fromisoformat(found.label)
        forms = _forms(folders[depth:], then)
        if forms is None:
            continue
        base = [*folders[:depth], *(_written(day, form) for form in forms)]
        stems = ("%Y-%m-%d", "%Y_%m_%d", "%m-%d", "%d")
        stem = next((form for form in stems if file.startswith(_written(then, form))), "")
        if stem:
            end = file[len(_written(then, stem)) :]
            yield "/".join([*base, _written(day, stem) + ".md"])
            yield "/".join([*base, _written(day, stem) + end])
        else:
            yield "/".join([*base, f"{day.isoformat()}.md"])
            yield "/".join([*base, file])


def _forms(folders: Iterable[str], then: date) -> list[str] | None:
    """The forms in which folders name the date of a day; None if one of them does not."""
    forms: list[str] = []
    for part in folders:
        # The month comes before the day: 06/06 is told by its order.
        short = "%d" if any("%m" in form for form in forms) else "%m"
        known = [form for form in (*_FORMS, short) if _written(then, form) == part]
        if not known:
            return None
        forms.append(known[0])
    return forms


def _usual_forms(first: Layout, day: date) -> Iterator[str]:
    """Paths for the first day in the place of a pattern: the plainest form that it reads."""
    folders: list[str] = []
    for part in first.patterns[0].split("/")[:-1]:
        if _GLOB.search(part):
            break
        folders.append(part)
    if folders and fold(folders[0]) == "memory":
        folders = [part for part in (first.memory, *folders[1:]) if part]
    for form in ("%Y-%m-%d", "%Y/%Y-%m-%d", "%Y-%m/%Y-%m-%d", "%Y/%m/%Y-%m-%d", "%Y/%m/%d"):
        yield "/".join([*folders, _written(day, form) + ".md"])


def _written(day: date, form: str) -> str:
    # `%Y` of a year before 1000 has fewer than four digits on some systems.
    return day.strftime(form.replace("%Y", f"{day.year:04}"))
