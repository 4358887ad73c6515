"""A draft is written in a language its writer was shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lithify.text.language import language_of
from lithify.values import Entry, Violation


def wrong_language(texts: Iterable[str], shown: Sequence[str | Entry]) -> tuple[Violation, ...]:
    """A violation if a draft speaks a language that nothing its writer was shown speaks."""
    theirs = language_of(" ".join(texts))
    if not theirs:
        return ()
    sources = [text if isinstance(text, str) else text.text for text in shown]
    ours = language_of(" ".join(sources))
    if not ours or ours == theirs or any(language_of(text) == theirs for text in sources):
        return ()
    return (Violation("language", f"the reply is in {theirs}; the material is in {ours}"),)
