"""An open root as a person reviews it: traces, history, memories, wisdom and checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from lithify.calendar import stamp
from lithify.captured_root import CapturedRoot
from lithify.errors import UsageError

if TYPE_CHECKING:
    from lithify.captured_root import Kept
    from lithify.compact.history import Bought, Change, Held, Spent
    from lithify.compact.ledger import Proposal
    from lithify.compact.reading import Checked
    from lithify.compact.review import Remembered
    from lithify.compact.trace import Trace
    from lithify.secrets.scan import LeakedSecret, ReplacedSecrets
    from lithify.store.check import Problem
    from lithify.store.journal import Journal
    from lithify.store.repair import Repair
    from lithify.values import Age, WisdomEntry


class ReviewedRoot(CapturedRoot):
    """What a person looks up in a root and decides on. None of it needs an engine."""

    # Looking back

    def trace(self, ref: str) -> Trace:
        """From a sentence down to the lines it rests on; from a line up to all that rests on it."""
        from lithify.compact.trace import trace

        return trace(self.snapshot(), ref)

    def diff(self, period: str, against: str | None = None) -> Change:
        """What the newest version of a page says that the one before did not, and why.

        With `against`, compared with the newest earlier version that this engine wrote.
        """
        from lithify.compact.history import change

        return change(self.snapshot(), period, against)

    def quarantine(self) -> tuple[Held, ...]:
        """What the verifier refused, newest first, each with its reasons."""
        from lithify.compact.history import quarantined

        return quarantined(self.root)

    def usage(self) -> tuple[tuple[Spent, ...], tuple[Bought, ...]]:
        """What models have been asked so far: by the journal, and by the replies on disk."""
        from lithify.compact.history import bought, spent
        from lithify.store import journal

        return spent(journal.read(self.root).records), bought(self.root)

    # Memories

    def memories(self) -> tuple[Remembered, ...]:
        """The typed memories in force: marked, accepted, found by a model, or adopted."""
        from lithify.compact.review import memories

        return memories(self.snapshot())

    def waiting_marks(self) -> tuple[str, ...]:
        """What labelled lines say that the next compaction makes memories of."""
        from lithify.compact.memories import untaken, words_key
        from lithify.compact.plan import plan

        snapshot = self.snapshot()
        tasks = plan(snapshot.shelf, snapshot.ledger, self.settings, self.ask())
        said = (memory.statement for memory in untaken(snapshot, tasks))
        return tuple(one for one in said if words_key(one) not in snapshot.ledger.dropped)

    def suggestions(self) -> tuple[Remembered, ...]:
        """What the days hold that may deserve to last; nothing of it is in force."""
        from lithify.compact.review import suggested

        return suggested(self.snapshot())

    def accept(self, suggestion: str, *, at_terminal: bool = False) -> Remembered:
        """Make a suggestion a memory. One from an untrusted entry needs a person at a terminal."""
        from lithify.compact.review import accept

        with self.alone():
            workspace = self._workspace()
            return accept(workspace, suggestion, stamp(self._clock()), at_terminal=at_terminal)

    def drop(self, ref: str) -> Remembered:
        """Take a memory out of force, or dismiss a suggestion; it does not come back."""
        from lithify.compact.review import drop

        with self.alone():
            return drop(self._workspace(), ref, stamp(self._clock()))

    def edit(
        self, ref: str, statement: str = "", *, why: str = "", how: str = "", topic: str = ""
    ) -> Kept:
        """Put other words in place of a memory or suggestion, by the word of a person.

        The new words are an entry of today; what they replace is dropped like any other memory.
        """
        from lithify.compact.review import find, replace_by

        snapshot = self.snapshot()
        old = find(snapshot, ref)
        new = statement or old.text
        if known := snapshot.memories().get(old.path):
            topic, why, how = topic or known.topic, why or known.why, how or known.how
            if (new, why, how) == (known.statement, known.why, known.how):
                raise UsageError(reason=f"{ref} says that already; nothing was changed")
        kept = self.remember(new, type=old.type, topic=topic, why=why, how=how, origin="user")
        with self.alone():
            replace_by(self._workspace(), old, new, stamp(self._clock()))
        return kept._replace(path=self._file_of(kept.entry.entries))

    def rebuild_memories(self) -> None:
        """Write the files of memories again from what the journal holds, after a `forget`."""
        from lithify.compact.review import rebuild

        rebuild(self._workspace(), stamp(self._clock()))

    # Wisdom

    def wisdom(self) -> tuple[WisdomEntry, ...]:
        """The entries in force."""
        return self.snapshot().wisdom()

    def wisdom_ages(self) -> tuple[Age, ...]:
        """Since when each entry in force holds, and when it was last confirmed."""
        from lithify.compact.wisdom import ages

        return ages(self.snapshot(), self.today().isoformat())

    def proposals(self) -> tuple[Proposal, ...]:
        """Changes to wisdom that wait for a person."""
        return tuple(self.snapshot().ledger.proposals.values())

    def settle(self, proposal: str, *, approve: bool) -> None:
        """Approve or reject a proposal. A person's act: no hook or MCP call does this."""
        from lithify.compact.review import settle

        with self.alone():
            settle(self.snapshot(), proposal, approve, stamp(self._clock()))

    def revoke(self, title: str, reason: str) -> None:
        """Take an entry out of wisdom; its tombstone stays in the journal."""
        from lithify.compact.review import revoke

        with self.alone():
            revoke(self.snapshot(), title, reason, stamp(self._clock()))

    def revoke_source(self, source: str, reason: str) -> tuple[str, ...]:
        """Withdraw an entry or an origin, and all that rests on it; the ids of the entries."""
        from lithify.compact.review import revoke_source

        with self.alone():
            ids = revoke_source(self._workspace(), source, reason, stamp(self._clock()))
            self.rebuild_memories()
            return ids

    def sources(self) -> dict[str, tuple[int, bool]]:
        """Each origin that the journal knows: how many entries, and whether they are trusted."""
        from collections import Counter

        from lithify.trust import is_trusted

        ledger = self.snapshot().ledger
        counted = Counter(ledger.origins.values())
        out, lifted = ledger.revoked, ledger.lifted
        return {
            origin: (count, origin not in out and (origin in lifted or is_trusted(origin)))
            for origin, count in sorted(counted.items())
        }

    def trust(self, origin: str) -> None:
        """Trust what an importer brought. A person's act: no hook or server calls this.

        The next compaction writes again what rests on its days.
        """
        from lithify.markdown.entries import label_of
        from lithify.store.commit import note

        if not origin.startswith("import:") or origin not in self.sources():
            raise UsageError(
                reason=f"{origin} is not an import of this root; `lithify trust` lists its sources"
            )
        snapshot = self.snapshot()
        labels = {label_of(id) for id, by in snapshot.ledger.origins.items() if by == origin}
        days = sorted({path for label in labels for path in snapshot.paths_of(label)})
        note(self.root, "trust", {"trust": origin, "days": days}, stamp(self._clock()))

    # Keeping

    def check(self) -> tuple[Problem, ...]:
        """Everything about the root that is not as it should be."""
        from lithify.markdown.pages import memory_type_of
        from lithify.store.check import check

        return check(
            self.root,
            patterns=self.settings.days.patterns,
            type_of=memory_type_of,
            extra=self._more_problems,
        )

    def repair(self) -> Repair:
        """Mend what can be mended, each thing copied before it is touched."""
        from lithify.markdown.pages import memory_type_of
        from lithify.store.repair import repair

        return repair(
            self.root,
            stamp(self._clock()),
            patterns=self.settings.days.patterns,
            type_of=memory_type_of,
            extra=self._more_problems,
        )

    def adopt_journal(self) -> tuple[str, ...]:
        """Accept that the journal has lost the records that pages name. A person's act."""
        from lithify.store.commit import note
        from lithify.store.journal import ADOPTED, heads_to_adopt

        pages = [file.path for file in self.snapshot().tree.of("week", "month")]
        gone = heads_to_adopt(self.root, pages)
        if gone:
            note(self.root, ADOPTED, {"heads": gone}, stamp(self._clock()))
        return tuple(gone)

    def _more_problems(self, journal: Journal) -> Iterator[Problem]:
        """The problems of the gate's logs and of the pages, which the store does not know."""
        from lithify.compact.trace import audit
        from lithify.gate.files import problems
        from lithify.secrets.scan import secret_problems

        snapshot = self.snapshot()
        yield from problems(self.root, journal)
        yield from audit(snapshot)
        allow = self.settings.redact.allow
        yield from secret_problems(self.root, snapshot.tree, allow, stamp(self._clock()))

    def check_claims(
        self, progress: Callable[[int, int], None] = lambda done, total: None
    ) -> Checked:
        """Every claim on disk that today's verifier would refuse; nothing is changed.

        `progress` is called with the number of pages that are done, and of all.
        """
        from lithify.compact.plan import plan
        from lithify.compact.reading import check_claims

        snapshot = self.snapshot()
        tasks = plan(snapshot.shelf, snapshot.ledger, self.settings, self.ask())
        return check_claims(snapshot, tasks, progress)

    def scan(self) -> tuple[LeakedSecret, ...]:
        """Every secret that stands in a file of the root, masked."""
        from lithify.secrets.scan import scan_secrets, secret_problems

        tree, allow = self.snapshot().tree, self.settings.redact.allow
        list(secret_problems(self.root, tree, allow, stamp(self._clock())))
        return scan_secrets(self.root, tree, allow)

    def take_out_secrets(self) -> ReplacedSecrets:
        """Put marks in place of all secrets in the root's files. A person's act.

        The ids of entries that change are remapped wherever they are cited, and the files as they
        were are kept for their owner only.
        """
        from lithify.secrets.scan import replace_secrets
        from lithify.secrets.state import save_scan

        time = stamp(self._clock())
        with self.alone():
            snapshot = self.snapshot()
            redact, patterns = snapshot.settings.redact, snapshot.settings.days.patterns
            done = replace_secrets(self.root, snapshot.tree, redact, time, patterns=patterns)
            save_scan(self.root, {}, time)
        return done
