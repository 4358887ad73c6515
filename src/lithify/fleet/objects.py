"""Roots in object storage: immutable blobs, and one manifest that says which of them are the root.

    <url>/manifest.json       {"format", "files": {path: sha256}}; replacing it is the commit
    <url>/blobs/<sha256>      the bytes of a file
    <url>/replies/<key>.json  replies of models, saved before they are read

A manifest is replaced only if it is still the one that was read. Blobs that no manifest names are
left by whoever lost a race or was killed; they harm nobody.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lithify import platform
from lithify.errors import LithifyError, NoRoot, UsageError
from lithify.regex import regex
from lithify.store import disk, places
from lithify.store.lock import locked
from lithify.store.names import dated, fold, name_file
from lithify.store.places import STATE, Root
from lithify.store.recover import recover

if TYPE_CHECKING:
    from obstore.store import ObjectStore


#: Schemes of object storage; every other address is a folder.
OBJECTS = ("s3://", "gs://", "az://")
FORMAT = "lithify-root/1"
MANIFEST = "manifest.json"
#: Objects that are fetched or sent at once.
AT_ONCE = 8
REPLIES = f"{STATE}/replies"
#: What stays on its machine: locks, bytes on their way in, and what can be made again.
_STAYS = (
    *("lock", "compact.lock", "staged", "fleet", "replies"),
    *("digests.json", "entries.sqlite", "index.sqlite", "day-end.json"),
)


#: How a day begins, and a page in a folder of its own.
_DATED = regex(r"\d{4}-(?:\d\d|W\d\d)")


class StoreError(LithifyError):
    """{url} cannot be used: {reason}"""


class LostRace(LithifyError):
    """{url} was changed by another while it was worked on."""


class Manifest(NamedTuple):
    """The files of a root by their digests, and the version to replace; none if there is none.

    `strange` are paths that no root of ours holds, such as settings of other programs: they are not
    taken.
    """

    files: Mapping[str, str]
    version: dict[str, str] | None
    strange: tuple[str, ...] = ()


@dataclass(slots=True)
class RemoteRoot:
    """A root in object storage."""

    url: str
    store: ObjectStore
    #: Digests and replies that are known to be there.
    sent: set[str] = field(default_factory=set)

    def manifest(self) -> Manifest:
        """Return the manifest as it is now."""
        import obstore

        try:
            found = obstore.get(self.store, MANIFEST)
        except FileNotFoundError:
            return Manifest({}, None)
        said = json.loads(bytes(found.bytes()))
        if said.get("format") != FORMAT:
            raise StoreError(url=self.url, reason=f"its manifest is not of the form {FORMAT}")
        self.sent.update(said["files"].values())
        version = {key: str(found.meta[key]) for key in ("e_tag", "version") if found.meta[key]}
        strange = tuple(sorted(path for path in said["files"] if not travels(path)))
        files = {path: sha for path, sha in said["files"].items() if path not in strange}
        return Manifest(files, version, strange)

    def commit(self, files: Mapping[str, str], version: dict[str, str] | None) -> dict[str, str]:
        """Replace the manifest, if it is still of this version; returns the new version."""
        import obstore
        from obstore.exceptions import AlreadyExistsError, PreconditionError

        data = json.dumps({"format": FORMAT, "files": dict(sorted(files.items()))}).encode()
        mode: Any = version or "create"
        try:
            done = obstore.put(self.store, MANIFEST, data, mode=mode)
        except (AlreadyExistsError, PreconditionError):
            raise LostRace(url=self.url) from None
        return {key: str(done[key]) for key in ("e_tag", "version") if done[key]}

    def get(self, digest: str) -> bytes:
        """Return the bytes of a file."""
        import obstore

        data = bytes(obstore.get(self.store, f"blobs/{digest}").bytes())
        if sha256(data).hexdigest() != digest:
            raise StoreError(url=self.url, reason=f"the blob {digest} is damaged")
        return data

    def send(self, name: str, data: bytes) -> None:
        """Save an object that never changes; one that is there stays as it is."""
        if name in self.sent:
            return
        import obstore
        from obstore.exceptions import AlreadyExistsError

        path = name if "/" in name else f"blobs/{name}"
        with suppress(AlreadyExistsError):
            obstore.put(self.store, path, data, mode="create")
        self.sent.add(name)

    def send_files(self, paths: Mapping[str, str]) -> dict[str, str]:
        """Send what files hold; returns their digests."""

        def one(real: str) -> str:
            data = Path(real).read_bytes()
            digest = sha256(data).hexdigest()
            self.send(digest, data)
            return digest

        return dict(zip(paths, _parallel(one, paths.values()), strict=True))

    def send_replies(self, folder: str) -> None:
        """Send the replies of a root in a folder that are not there yet."""
        replies = os.path.join(folder, REPLIES)
        with suppress(FileNotFoundError):
            for name in os.listdir(replies):
                if f"replies/{name}" not in self.sent:
                    self.send(f"replies/{name}", Path(os.path.join(replies, name)).read_bytes())

    def fetch_replies(self, folder: str) -> None:
        """Fetch the replies that a root in a folder has not. The caller holds its lock."""
        import obstore

        replies = os.path.join(folder, REPLIES)
        there = set(os.listdir(replies)) if os.path.isdir(replies) else set()
        pages = obstore.list(self.store, prefix="replies")
        names = {meta["path"].rpartition("/")[2] for page in pages for meta in page}
        self.sent.update(f"replies/{name}" for name in names)

        def one(name: str) -> bytes:
            return bytes(obstore.get(self.store, f"replies/{name}").bytes())

        new = sorted(names - there)
        for name, data in zip(new, _parallel(one, new), strict=True):
            put(folder, f"{REPLIES}/{name}", data)


def remote(url: str) -> RemoteRoot:
    """Return the root at a URL of object storage; keys and addresses come from the environment."""
    if not url.startswith(OBJECTS):
        raise UsageError(reason=f"{url!r} is not a URL of object storage; write s3://bucket/path")
    from obstore.store import from_url

    return RemoteRoot(url.rstrip("/"), from_url(url.rstrip("/")))


@contextmanager
def told(url: str) -> Iterator[None]:
    """Errors of the client library in one line."""
    from obstore.exceptions import BaseError

    try:
        yield
    except BaseError as error:
        raise StoreError(url=url, reason=str(error).strip().split("\n")[0]) from None


def prefixes_under(url: str) -> list[str]:
    """Return the roots directly below a URL."""
    import obstore

    with told(url):
        found = obstore.list_with_delimiter(remote(url).store)
    return sorted(f"{url}/{prefix.rstrip('/')}" for prefix in found["common_prefixes"])


def _parallel(work: Any, items: Iterable[Any]) -> Iterator[Any]:
    """Results of work on items, some at a time, in their order."""
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="objects") as pool:
        yield from pool.map(work, list(items))


# The files of a root as they travel to object storage and back.


def travels(path: str) -> bool:
    """Return whether a path is one of a root's memory: what it names travels, and nothing else does."""
    top, _, below = path.partition("/")
    if top == STATE:
        return bool(below) and not below.startswith(_STAYS)
    name = path.rpartition("/")[2]
    if any(part[:1] in ("", ".") for part in path.split("/")) or "\\" in path:
        return False
    if top == "prompts" or path == "lithify.toml":
        return name.endswith((".md", ".txt", ".toml"))
    known = name_file(path, flat=True).role != "other" or dated(path) or _DATED.match(name)
    return name.endswith(".md") and bool(fold(top) == "memory" or known)


def travelling(root: Root) -> dict[str, str]:
    """Return every file of a root's memory, with its real path; links are left out."""
    found: dict[str, str] = {}
    base = os.path.realpath(root)
    for folder, _, names in platform.walk(base):
        for name in names:
            real = os.path.join(folder, name)
            path = os.path.relpath(real, base).replace(os.sep, "/")
            if os.path.isfile(real) and not os.path.islink(real) and travels(path):
                found[path] = real
    return found


@contextmanager
def alone(root: Root) -> Iterator[None]:
    """Keep every other writer out of the root, days included."""
    with locked(places.compact_lock(root), wait=False), locked(places.lock(root)):
        recover(root)
        yield


def put(root: Root, path: str, data: bytes) -> None:
    """Put a file that came from elsewhere in its place. The caller holds the lock."""
    disk.put(root, places.writable(root, path), data, private=path == f"{STATE}/key")


# Where a root is worked on: its own folder, or a copy of what object storage holds.


@dataclass(slots=True)
class WorkFolder:
    """A folder to compact: the root's own, or a copy in scratch of what object storage holds."""

    folder: str
    #: Where a copy comes from, and the manifest it was made by; what is written is published there.
    origin: RemoteRoot | None = None
    manifest: Manifest = Manifest({}, None)

    def keep_replies(self) -> None:
        """Send the replies that object storage has not."""
        if self.origin:
            self.origin.send_replies(self.folder)

    def publish(self) -> None:
        """Send new files and replace the manifest; raises `LostRace` if another one did."""
        if self.origin is None:
            return
        files = self.origin.send_files(travelling(self.folder))
        if files != self.manifest.files:
            version = self.origin.commit(files, self.manifest.version)
            self.manifest = Manifest(files, version)


@contextmanager
def materialised(url: str, scratch: str) -> Iterator[WorkFolder]:
    """Yield a copy of a root in a folder of its own, which is removed afterwards."""
    root = remote(url)
    manifest = root.manifest()
    if manifest.version is None:
        raise NoRoot(where=f"at {url}")
    folder = tempfile.mkdtemp(dir=scratch)
    try:
        with alone(folder):
            blobs = _parallel(root.get, manifest.files.values())
            for path, data in zip(manifest.files, blobs, strict=True):
                put(folder, path, data)
            root.fetch_replies(folder)
        yield WorkFolder(folder, root, manifest)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def work_folder(url: str, scratch: str) -> Iterator[WorkFolder]:
    """Yield the place to work on a root; a copy is removed afterwards."""
    if url.startswith(OBJECTS):
        with materialised(url, scratch) as copy:
            yield copy
        return
    folder = url.removeprefix("file://")
    if not os.path.isdir(folder):
        raise NoRoot(where=f"at {folder}")
    yield WorkFolder(folder)
