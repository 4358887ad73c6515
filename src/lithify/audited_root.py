"""An open root with its second reader: who audits pages and summaries, and within which budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict

from lithify import config
from lithify.reviewed_root import ReviewedRoot

if TYPE_CHECKING:
    from lithify.engines.base import MemoryModel, Step
    from lithify.engines.model.audit import Auditor
    from lithify.engines.providers.budget import Budget, Limit
    from lithify.engines.providers.facts import Facts
    from lithify.gate.audit import SummaryAudit


class _Audits(TypedDict):
    """The part of a workspace that is about audits."""

    auditor: Auditor | None
    audit_later: Mapping[str, str] | None


class AuditedRoot(ReviewedRoot):
    """A root with what is known of its models, and the one that reads pages a second time."""

    def facts(self, model: str | None = None) -> Facts:
        """What is known of a model: its window, its price, what it can do."""
        from lithify.engines.providers.facts import facts_of

        return facts_of(model or self.settings.model, self.settings)

    def auditor(
        self,
        audit: str | MemoryModel | None = None,
        budget: Limit | None = None,
        step: Step | None = None,
    ) -> Auditor | None:
        """The model that audits pages before they are committed; the configured one by default.

        None where pages are not audited, or by an agent afterwards.
        """
        wanted = self.settings.verify.audit if audit is None else audit
        if wanted in ("", "agent"):
            return None
        from lithify.engines.providers.engine import auditor_for

        prompts = config.load_prompts(self.root)
        return auditor_for(wanted, self.root, self.settings, prompts, budget, step)

    def _audits(
        self,
        audit: str | MemoryModel | None = None,
        budget: Limit | None = None,
        session: str = "",
        step: Step | None = None,
    ) -> _Audits:
        """How pages are audited: before they are committed, or by an agent afterwards.

        Not by the session that wrote them, where it is known.
        """
        wanted = self.settings.verify.audit if audit is None else audit
        later = {"session": session} if session else {}
        return {
            "auditor": self.auditor(audit, budget, step),
            "audit_later": later if wanted == "agent" else None,
        }

    def budget(
        self,
        model: str | MemoryModel | None,
        max_cost: float | None,
        max_tokens: int | None = None,
    ) -> Budget | None:
        """The limits of one run or of several that share them; None where there are none."""
        if max_cost is None and max_tokens is None:
            return None
        from lithify.engines.providers.engine import budget_for

        wanted = self.settings.model if model is None else model
        name = wanted if isinstance(wanted, str) else wanted.name
        return budget_for(name, self.settings, max_cost, max_tokens)


def summary_audit(root: str) -> SummaryAudit | None:
    """The second reader of a root's gate summaries, where `verify.audit` names a model."""
    auditor = AuditedRoot(root, config.load(root)).auditor()
    if auditor is None:
        return None
    from lithify.gate.audit import SummaryAudit

    return SummaryAudit(auditor)
