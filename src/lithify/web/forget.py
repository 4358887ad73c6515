"""An entry before it is erased: its lines, and all that rests on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lithify.errors import UnknownReference
from lithify.web.periods import Resting, ShownSource, resting, sources_of
from lithify.web.view import HtmlPage, PageRequest, View


class ShownChoice(NamedTuple):
    """An entry that is to be erased, as its source, and the sentences that rest on it."""

    source: ShownSource
    rests: Sequence[Resting]


def forget(view: View, asked: PageRequest) -> HtmlPage:
    """What forgetting an entry takes out of the root."""
    id = asked.named["id"]
    if not view.snapshot.lookup([id]):
        raise UnknownReference(ref=id, hint="It may have been edited or forgotten already.")
    places = view.resting([id]).get(id, ())
    rows = ShownChoice(sources_of(view, [id], "")[0], [resting(view, place) for place in places])
    return HtmlPage("forget.html", "Forget an entry", {"id": id, "row": rows})
