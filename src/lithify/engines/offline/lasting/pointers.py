"""Where things are kept: a place named with its address, a channel, a contact that can be reached."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby

from lithify import cues
from lithify.text.stems import words_of

_EXT = r"(?:md|rst|txt|pdf|csv|tsv|jsonl?|ya?ml|toml|xlsx?|ods|odt|docx?|pptx?|html?|svg|png|ipynb|sql|sh|py)"
#: A folder by its last stroke, where no marks tell that it is one: `grant/letters/`
_FOLDER = r"(?<![\w/.~-])[a-z][\w.-]+/(?:[\w.-]+/)*(?!\w)"
#: A folder of a shared drive, in capitals: `Office/03 Consents`, `Lab/2026/SED-0220`. `Ana/Bo` are two people.
_DRIVE = r"(?<![\w/])[A-Z][\w-]+/(?:\d[\w-]*(?: [A-Z][a-z]+)*|[\w-]+(?:/[\w-]+)+)"
_AT = (
    rf"(?:https?://\S+|{_FOLDER}|(?-i:{_DRIVE})|"
    rf"`[^`\s]*(?:/[^`\s]*|\.{_EXT})`|(?:[\w.@~+-]+)?(?:/[\w.@+-]+)+\.{_EXT}\b|(?<![\w/])~?/[a-z][\w.-]*(?:/[\w.-]+)+/?|"
    rf"[\w-]+\.{_EXT}\b|`[\w.-]+` (?:repo|repository|sheet|folder|board)\b)"
)
#: What is looked up there again and again.
_KEPT = (
    r"(?:dashboards?|runbooks?|handbooks?|guides?|manuals?|playbooks?|checklists?|documentation|docs|wiki|board|calendar|"
    r"status page|minutes|protocols?|policy|glossary|faq|style guide|register|inventory|roster|rota|schedule|spec|specification|"
    r"template|map|plan|sheet|spreadsheet|tracker|folder|repository|repo|archive|price list|form|portal|page|list|directory)"
)
#: What is done with once it is done.
_PASSING = re.compile(
    r"(?:bugs?|fault|defect|leak|mistake|culprit|errors?|fix|fixes|problem|cause|change|patch|typo|regression|pr|pull request|issue|ticket|commit|build|job|"
    r"diff|trace|traceback|failure|crash|test|tests|function|class|line|branch|tracking)",
    re.I,
)
#: Papers of a day, unless they are said to go to a place or to live there.
_PAPERS = re.compile(
    r"(?:draft|screenshot|photo|results?|output|reports?|deck|slides|video|recording|export)",
    re.I,
)
_BELONGS = re.compile(r" (?:lives?|go|goes) (?:at|in|into|under|on|to)\b", re.I)
_OF = re.compile(r"\s(?:of|for|in|on|from|to|with|by|at|written|about|behind)\b", re.I)
#: `Protocol for the digest: protocols/digest.md`
_NAMED = re.compile(
    rf"^([^:\"]{{4,60}}?):\s+(?:(?:[a-z]+ [a-z]+, )?in the [\w ]{{2,20}} (?=`))?{_AT}\s*(?:$|[.;,(])"
)
#: `put the two letters on the share (letters/may/)`, `the old one revoked, kept in the vault under keys/mill`
_PUT_AT = re.compile(
    rf"\b(?:put|stored|filed|saved|packed) (?:the|all|both|our) ([\w -]{{3,40}}?) (?:in|at|under|on|into) [\w' -]{{0,25}}?\(?(?=`){_AT}|"
    rf"^([^.;,\"]{{3,60}}?),[^.;\"]{{0,60}} (?:kept|stored|filed|saved|archived) (?:in|at|under|on) [\w' -]{{0,25}}?\(?(?=`){_AT}"
)
_LIVES = re.compile(
    r"^((?!(?:it|he|she|they|this|that|these|those|there|here|i|we|you|which)\b)[^.;:\"]{3,90}?)(?: moved:? it)? "
    r"(?:lives?|lies?|sits?|(?:is|are)(?: (?:now|all|always|kept|stored|found|saved|documented|filed|described|listed|collected|to be found|still))*|can be found|"
    r"has moved|have moved|moved|remains?|stays?|go|goes) "
    rf"(?:at|in|into|under|on|to|here:?)(?: (?:the )?[\w -]{{2,25}}? (?:under|at|in|on|as))?(?: the(?: \w+)?)? \W?{_AT}",
    re.I,
)
#: `Staging has moved: it is now …`, `The tokens have a new home: …`, `The staging address is …`
_HOME = re.compile(
    r"^((?:the |our )?(?!(?:it|he|she|they|this|that|these|those|new|old)\b)[^.;:,\"]{3,40}?)"
    r"(?: (?:has|have) moved[:,;] (?:it is|it's|they are) (?:now )?(?:at |under |on |in )?|"
    r" (?:has|have) (?:got )?a new (?:home|address|place|url)(?: (?:at|under))?:? | (?:address|url) is (?:now )?)"
    rf"\W?{_AT}",
    re.I,
)
_MOVED = re.compile(rf"\b(?:moved|moves) the ([\w -]{{3,40}}?) to \W?{_AT}", re.I)
_BESIDE = re.compile(
    rf"\bthe ((?:[\w-]+ ){{0,3}}{_KEPT}(?: (?:for|of) [\w -]{{2,30}})?),? \(?{_AT}", re.I
)
_IS = re.compile(
    rf"^([^.;:\"]{{0,40}}?\b(?:{_KEPT}|(?:right|proper) way)(?: (?:for|of) [\w -]{{2,30}})?)(?: itself)? (?:is|are):? \W?{_AT}",
    re.I,
)
#: `put into orders/waiting.md, where all who must wait are noted`, `in the red binder, where the leases are`
_WHERE_ALL = re.compile(
    rf"\b(?:in|into|to|at|under|on) (?:{_AT}|(?:the|our|my) (?:[\w'-]+ ){{0,3}}(?:binder|folder|drawer|cabinet|cupboard|box|tin|shelf)(?: [\w.]+)?(?:, \w+ \w+)?), "
    r"where (?:all |the |our )?([\w' -]{3,50}?) (?:are|is|lie|lies|live|lives|go|goes)\b(?! (?:being|to be)\b)",
    re.I,
)
#: `wrote down where the spare key is in docs/keys.md`
_TOLD_IN = re.compile(
    rf"\bwhere (?:the |our )?([\w' -]{{3,40}}?) (?:is|are) (?:in|at|under|on) \W?{_AT}", re.I
)
_KEPT_WORD = re.compile(rf"\b{_KEPT}\b", re.I)
_DID = re.compile(
    r"\b(?:\w{3,}ed|ran|sent|wrote|put|got|took|made|was|were|has|have|had|gave|found|saw|told|says?|read)\b",
    re.I,
)
_REACHED = r"(?:\+?\d[\d ()/-]{5,}\d|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
_CONTACT = re.compile(
    r"^((?:[\w'-]+ ){0,3}(?:contact|hotline|helpdesk|support line|(?:phone|telephone|mobile|emergency|service|support) number|mailbox)\b[^:;.]{0,50}?)"
    rf"(?::| is| are)\s[^;]{{0,60}}?{_REACHED}",
    re.I,
)
#: What is gone back to, on paper or on a disk.
_HELD = (
    r"(?:runbooks?|handbooks?|guides?|manuals?|playbooks?|checklists?|documentation|docs|minutes|protocols?|policy|glossary|"
    r"registers?|inventory|roster|rota|schedule|spec|template|plans?|sheet|spreadsheet|tracker|list|records?|contracts?|"
    r"agreements?|letters?|cop(?:y|ies)|scans?|photos|pictures|drawings|notes?|books|plots?|data|"
    r"code|files?|series|projects|analysis|results?|versions?|answers?|newsletters?|consents?|receipts?|certificates?|"
    r"quotes|invoices|templates|lists|sheets|reports?|originals?|snippets?|logs|samples|settings|limits|"
    r"proposals?|post-?mortems?|write-?ups?|workbooks?|forms?|positions|licen[cs]es?|photographs?)"
)
_INTO = r"(?:(?:in|at|under|on|to|into|as) (?:the [\w' -]{2,20}? (?:(?:under|in|at|as) )?)?)?"
#: A folder or a paper, and no line of code.
_SHELF = rf"(?:{_FOLDER}|(?-i:{_DRIVE})|`[^`\s]*/(?:[^`\s/.]*|[^`\s/]*\.(?:md|rst|txt|pdf|csv|tsv|jsonl?|xlsx?|ods|odt|docx?|pptx?|html?|parquet|zip|tar[\w.]*))`)"
#: `copy in …`, `the limits that hold are under …`, `monitoring code under …`, `script …`
_HELD_IN = re.compile(
    r"(?:^|[ (])((?:(?:the|our|my|his|her|their|its|all|both|an?|[A-Z][\w-]*'s) )?(?:[\w'-]+ ){0,3}?"
    rf"{_HELD}(?: (?:of|for|on|by|from|to|about) [\w' -]{{2,40}}?)?)"
    rf"(?: (?:is|are|lies?|lives?|goes|go|stays?|now|all|kept|stored|filed|saved|copied|archived))*,?:? \(?{_INTO}{_SHELF}|"
    r"\b((?:[\w'-]+ ){0,2}?(?:scripts?|tools?|settings|limits)),?:? \(?(?:(?:is|are|in|at|under) )*`[^`\s]*/[^`\s]*`",
    re.I,
)
#: Told of what stands before it: `It lies in …`, `Filed under …`, `wrote that into …`
_OF_BEFORE = re.compile(
    rf"^in (?={_SHELF}\W*$)|(?:^|[;,] |\band )(?:(?:i )?(?:wrote|put|noted|added|entered) (?:it|that|this|them)(?: (?:down|up))?|"
    r"(?:it|they|both|these)(?:'s| is| are| lies?| lives?| hangs?| go| goes)(?: (?:now|all|both|kept|stored|filed|saved))*|"
    rf"also|filed|stored|archived|copied|written (?:up|down)|saved|kept)(?: with [\w' ]{{2,20}}?)?:? {_INTO}{_SHELF}",
    re.I,
)
#: What was done with a thing on one day tells not where it belongs.
_CARRIED = re.compile(
    r"\b(?:unpacked|extracted|uploaded|downloaded|exported|read through)\b[^.;]*$", re.I
)
#: What is put there is gone tomorrow.
_SWEPT = re.compile(r"`[^`]*(?:^|[/`_])(?:tmp|temp|scratch|cache|trash)(?![a-z])", re.I)
#: A file of one day, and what holds only until something is mended or known.
_OF_ONE_DAY = re.compile(
    r"`[^`]*\d{4}-?[01]\d-?[0-3]\d[^`]*`|^(?:until|not yet)\b|, not yet\b", re.I
)
#: A change is found by its number, and nobody knows what "the old ones" were.
_COMMIT = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{7,40}\b")
#: Of what there is one here and another there only the words before tell.
_OF_SOME = re.compile(
    r"(?:one|both|two|the other|each|another) (?:is|are|hangs?|lies?|lives?)\b|(?:one|both|the other|another)$",
    re.I,
)
_ONES = re.compile(r"\bones?$", re.I)
#: Whose it was nobody knows any more, and another draft comes soon.
_WHOSE = re.compile(r"(?:his|her|its|their) (?:file|copy|version|picture|score)$", re.I)
_DRAFT = re.compile(r"\bdrafts?\b", re.I)
_SAYS = re.compile(r"\b(?:is|are|has|have)\b")
#: Things that are looked for or still to be had have no place yet.
_WANTED = re.compile(
    r"\b(?:to do|to buy|to get|to order|needed|missing|wanted|bought|ordered)\b", re.I
)
#: A place in a room, where things are put away.
_STORES = (
    *(
        "binder",
        "cabinet",
        "drawer",
        "shelf",
        "shelves",
        "safe",
        "cupboard",
        "locker",
        "vault",
        "filing box",
    ),
    *("folder", "tin", "loft", "attic", "cellar", "windowsill", "dresser", "fridge", "noticeboard"),
    *("notice board", "cork board", "corkboard", "slate"),
    *(
        "pinboard",
        "whiteboard",
        "wardrobe",
        "bookcase",
        "hook",
        "hatch",
        "key box",
        "pigeonhole",
        "petty cash",
    ),
    *("last page", "first page", "garage", "shed", "door"),
)
_STORED = re.compile(rf"\b(?:{'|'.join(_STORES)}|keys? (?:is|are|hangs?|lies?|lives?|to|of|for))\b")
_STORE = rf"(?:{'|'.join(_STORES)})\b"
_THING = r"((?!(?:it|he|she|they|this|that|these|those|there|here|i|we|you|which|who|what|nothing|nobody)\b)[^.;:\"]{3,60}?)"
_PUT = r"(?:at|in|on|under|by|beside|above|behind|over|inside|below|next to)"
_SHELVED = re.compile(
    rf"^(?:[A-Z][\w ]{{2,24}}: )?{_THING},? "
    r"(lives?|lies?|hangs?|(?:is|are)(?: (?:now|all|always|still|kept|stored|filed|saved|pinned|taped|stacked|archived|locked|hidden|written(?: up)?|to be found))*) "
    rf"{_PUT} (?:the |our |my |[\w-]+'s )?(?:[\w'-]+,? ){{0,5}}{_STORE}",
    re.I,
)
#: The same in a later clause, where the thing is told in a few words: `… on Friday, the list is in the safe`
_ALSO_SHELVED = re.compile(
    r"[;,] (?:and )?((?:(?:the|our|my|his|her|its|an?) )?(?:[\w'-]+ ){0,4}?[\w'-]+)( (?:is|are|lies?|lives?|hangs?))? "
    rf"{_PUT} (?:the|our|my|his|her|[\w-]+'s) (?:[\w'-]+ ){{0,3}}{_STORE}(?(2)|(?=[,.;]|$))",
    re.I,
)
#: `It hangs in cabinet 2`
_IT_HANGS = re.compile(
    rf"^(?:it|they) (?:lies?|lives?|hangs?|(?:is|are) (?:kept|stored)) {_PUT} (?:[\w'-]+,? ){{0,5}}{_STORE}",
    re.I,
)
#: What opens a thing's name and tells nothing of it, and what it may be besides.
_ANY_THING = re.compile(
    rf"\b(?:the|an?|our|my|his|her|their|its|all|both|two|first|full|new|old|original|latest|last|final|scripts?|tools?|envelopes?|{_HELD})\b",
    re.I,
)
_OPENED = re.compile(
    rf"^(?!{_HELD}\b)(?:[\w'-]+ )+?(?=(?:the|our|my|his|her|their|its|all|both|an?) )", re.I
)
_LEFT = re.compile(r",? (?:it|they)$| (?:for|of|to) (?:it|them|that)$", re.I)
#: `Spare cables: grey cabinet in the corridor`
_LISTED_AT = re.compile(
    rf"^([A-Z][^.;:\"]{{2,45}}): (?:now )?(?!(?:he|she|they|we|i|it|was|were) )(?:(?:in|on) (?:the |our |my |[\w-]+'s )?|room [\w.]+, )?(?:[\w'-]+ ){{0,3}}"
    rf"{_STORE}(?: {_PUT} |$|[,;] )",
    re.I,
)
#: `swatches came from the mill, kept in the drawer`, `the spare key is with the neighbour`
_KEPT_AT = re.compile(
    rf"^{_THING}(?: [a-z]+ed)?(?: (?:came|come|are here|is here)[^.;:\"]{{0,40}})?, (?:now )?(?:kept|stored|filed|saved|put away) {_PUT} "
    rf"(?:the |our |my |[\w-]+'s )?(?:[\w'-]+ ){{0,4}}{_STORE}|"
    r"\b((?:[\w'-]+ ){0,3}keys?(?: (?:to|of|for) [\w ]{2,30}?)?) (?:is|are) (?:now )?with (?!me\b|him\b|her\b|them\b|us\b)\w",
    re.I,
)
#: `the key to the cabinet hangs behind the clock`, `wrote it in notebook 7, which lies in the top drawer`
_STAYS_AT = re.compile(
    rf"\b((?:(?:the|our|my|an?) )?(?:[\w'-]+ ){{0,2}}keys?(?: (?:to|of|for) [\w ]{{2,30}}?)?) (?:hangs?|lies?|lives?|(?:is|are) kept) {_PUT} (?:the|our|my|[\w-]+'s) \w|"
    rf"\b(?:in|into|from|on|with|the|our|my) ((?:[\w'-]+ )?[\w'-]+), which (?:hangs?|lies?|lives?|(?:is|are) kept) {_PUT} (?:the |our |my |[\w-]+'s )?(?:[\w'-]+,? ){{0,4}}{_STORE}",
    re.I,
)
#: `the paper folder is the blue binder on the office shelf`
_IS_WHAT = re.compile(
    rf"(?:^|, and |; ){_THING} (?:is|are) the (?:[\w-]+ ){{0,2}}"
    rf"(?:(?:binder|folder|box|tin|book|file|envelope|jar)s? {_PUT} \w|(?:sheet|spreadsheet|document|doc|file|page|board) \"[^\"]+\")",
    re.I,
)
#: `(report 19 in the green folder)`
_ASIDE = re.compile(
    rf"\(([^()]{{3,40}}?),? (?:is |are |kept )?in the (?:[\w-]+ ){{0,2}}{_STORE}[^()]*\)", re.I
)
#: `freed it with the hand crank (hangs behind the till)`
_HANGS = re.compile(
    rf"\b(?:the|an?|our) ([\w -]{{3,30}}?) \((?:hangs|lives|lies|is kept|are kept) {_PUT} [^()]{{3,}}\)",
    re.I,
)
#: `asked where the spare key lives: grey cabinet`, `found the spare key: tin on the sill`
_WHERE = re.compile(
    r"\bwhere (?:the |our |my )?([\w' -]{3,40}?) (?:is|are|lives?|hangs?|went|is kept|are kept)(?: now)?(?::| \()\s?[^.]{0,60}?"
    rf"\b(?:{_STORE}|room \d)|\bfound (?:the|our|my) ([\w' -]{{3,40}}?)(?:, [\w ]{{2,15}})?: [^.]{{0,40}}?\b{_STORE}",
    re.I,
)
#: What is fetched from its place again and again.
_FETCHED = re.compile(
    r"\b(?:keys?|reports?|originals?|records?|certificates?|forms?|manuals?|spares?|contracts?|tapes?|tokens?|badges?|papers|"
    r"documents?|licen[cs]es?|stamps?|meters?|letters?|agreements?|cop(?:y|ies)|quotes?|receipts?|passports?|deeds|recipes?|"
    r"logbooks?|phones?|pagers?|charts?|numbers?|lists?|sheets?|cards?|books?|policy|plans?|envelopes?)\b",
    re.I,
)
#: What has just come is put down somewhere, and taken away again.
_CAME = re.compile(r"\b(?:arrived|came|delivered|returned)$", re.I)
#: Where it is just now is not where it belongs.
_JUST_NOW = re.compile(
    r"\b(?:at the moment|for now|today|tonight|tomorrow|just now|right now|currently|again|waiting|the same)\b",
    re.I,
)
#: A number by which somebody else knows a thing: `order number`, `claim, reference`.
_NUMBERED = re.compile(
    r"\b(?:order|ticket|claim|case|account|customer|contract|booking|reservation|membership|serial|polic[ey]|permit|form\b[^.;]{0,10})"
    r"[^.;:]{0,30}? ?(?:number|no\.|nr\.|ref\.|reference)(?: is|:)? #?(?=[A-Z]{0,4}[-\d])([A-Z]{0,4}-?\d[\w/-]*\d)|"
    r"\b(?:policy|account|contract|customer|membership) (?-i:[A-Z]{1,4}-?\d[\w/-]*\d)",
    re.I,
)
_ADDRESS = re.compile(
    r"(?:\b(?:is|are|lives?|found|kept|documented|requested|filed|at|here|see|via|under|in|on|handbook|manual|documentation|docs|guide|runbook|dashboard|wiki)\b|:)[^.;]{0,40}?\s?https?://|"
    r"https?://\S+\s+(?:is|are|has|holds|shows|lists)\b",
    re.I,
)
#: Something was put somewhere, once.
_HANDED = re.compile(
    r"\b(?:adds?|added|put|posted|sent|wrote|linked|copied) (?:it|this|that|them)\b", re.I
)
_CHANNEL = re.compile(
    r"\b(?:channel|goes (?:to|in)|go (?:to|in)|post (?:to|in)|(?:is|are) posted (?:to|in)|ask in|talk|announced? in|discussed in)\b[^.]{0,40}#\w",
    re.I,
)
_ANY = re.compile(_AT)
_WORDS = (
    *(*_STORES, "number", "no.", "nr.", "ref", "hotline", "contact", "key", "policy"),
    *("account", "contract", "customer", "membership"),
)
#: By their first letters: a search tries those of the letter it meets, and most texts are searched.
_BY_LETTER = "|".join(
    f"{letter}(?:{'|'.join(word[1:].replace('.', chr(92) + '.') for word in words)})"
    for letter, words in groupby(sorted(_WORDS), key=lambda word: word[0])
)
_MARK = re.compile(rf"[/#@`]|\((?:hangs|lives|lies|is kept|are kept) |(?:{_BY_LETTER})")
_NUMBER = re.compile(
    r"(?:number|n[or]\.|ref\.|reference|policy|account|contract|customer|membership)(?: is|:)? #?[a-z]{0,4}-?\d"
)


def points(text: str) -> bool:
    """Whether the words point to an address or a channel."""
    if ("://" not in text and "#" not in text) or _HANDED.search(text):
        return False
    return bool(cues.states_reference(text) and (_ADDRESS.search(text) or _CHANNEL.search(text)))


def is_hinted(text: str) -> bool:
    """Whether the words may tell a place in a room or a number to be found by."""
    low = text.lower()
    return bool(_MARK.search(low) and (_NUMBER.search(low) or _STORED.search(low)))


def thing_of(text: str) -> str:
    """What has its place told: `freezer map` for "the freezer map is kept in maps/f.csv"."""
    if not _MARK.search(text.lower()) or _SWEPT.search(text) or _OF_ONE_DAY.search(text):
        return ""
    if text.startswith("So "):
        return ""  # what a search has come to, and no place of a thing
    thing = _thing(text)
    if _COMMIT.search(thing) or _ONES.search(thing) or _WHOSE.match(thing) or _OF_SOME.match(thing):
        return ""
    return "" if leans_back(text) and _DRAFT.search(address_in(text)) else thing


@lru_cache(maxsize=1 << 12)
def _thing(text: str) -> str:
    if contact := _CONTACT.match(text):
        return contact[1]
    if leans_back(text):
        return _held(text) or _put_away(text)
    if home := _HOME.match(text):
        return home[1]
    if named := _NAMED.match(text):
        kept = _KEPT_WORD.search(named[1])
        usable = kept or not (_DID.search(named[1]) or len(named[1].split()) > 6)
        # A word alone (`Tracker:`) names what is there for the one entry it stands in.
        return named[1] if usable and " " in named[1] and _lasts(named[1]) else ""
    if lives := _LIVES.match(text) or _IS.match(text):
        return lives[1] if _lasts(lives[1], belongs=bool(_BELONGS.search(lives[0]))) else ""
    if put := _put_away(text):
        return put
    if moved := _MOVED.search(text):
        return moved[1] if _KEPT_WORD.search(moved[1]) else ""
    if placed := _PUT_AT.search(text):
        thing = placed[1] or placed[2]
        return thing if _lasts(thing) else ""
    beside = _TOLD_IN.search(text) or _BESIDE.search(text) or _WHERE_ALL.search(text)
    if beside and _lasts(beside[1]) and " " in beside[1]:
        return beside[1]
    return _held(text)


def _held(text: str) -> str:
    """What is said to be in a folder or a paper, be it told of something that stands before it."""
    if ("`" not in text and "/" not in text) or _JUST_NOW.search(text):
        return ""
    if before := _OF_BEFORE.search(text):
        return text[: before.start()] or before[0].partition("`")[0]
    held = _HELD_IN.search(text)
    if held and _CARRIED.search(text[: held.end(1 if held[1] else 2)]):
        return ""
    return _OPENED.sub("", held[1] or held[2]) if held else ""


def _put_away(text: str) -> str:
    """What has its place in a room told, or the number it is found by."""
    if _JUST_NOW.search(text):
        return ""
    if hangs := _IT_HANGS.match(text):
        return hangs[0]
    also = _ALSO_SHELVED.search(text.partition('"')[0]) if _STORED.search(text) else None
    if also and _FETCHED.search(also[1]) and not _DID.search(also[1]):
        # `lorry at two, receipt in the folder`: a word alone is a thing of that event.
        told = also[2] or name_of(also[1]) or _SAYS.search(text, 0, also.start())
        return also[1] if told else ""
    stays_at = _STAYS_AT.search(text)
    if stays_at and name_of(stays_at[1] or stays_at[2]):
        return stays_at[1] or stays_at[2]
    if shelved := _SHELVED.match(text):
        stays = shelved[2].split()[-1] not in ("is", "are", "now", "all", "still")
        if stays or (_FETCHED.search(shelved[1]) and not _CAME.search(shelved[1])):
            return shelved[1]
    listed = _LISTED_AT.match(text)
    if listed and not (_DID.search(listed[1]) or _WANTED.search(listed[1])):
        return listed[1]
    told = (
        _HANGS.search(text)
        or _KEPT_AT.search(text)
        or _IS_WHAT.search(text)
        or _WHERE.search(text)
        or _aside(text)
    )
    if told:
        return next(thing for thing in told.groups() if thing)
    if numbered := _NUMBERED.search(text):
        return text[: numbered.end()]
    return ""


def _aside(text: str) -> re.Match[str] | None:
    told = _ASIDE.search(text)
    return told if told and _FETCHED.search(told[1]) else None


def _lasts(thing: str, belongs: bool = False) -> bool:
    """Whether a thing is there tomorrow: a bug, a build and a ticket are not, papers if they belong there."""
    head = _OF.split(thing, maxsplit=1)[0].split()
    if not head:
        return True
    return not _PASSING.fullmatch(head[-1]) and (belongs or not _PAPERS.fullmatch(head[-1]))


def leans_back(text: str) -> bool:
    """Whether only the sentence before tells what is there: `It lies in …`, `Filed under …`"""
    return (_OF_BEFORE.match(text) or _IT_HANGS.match(text)) is not None


def is_numbered(text: str) -> bool:
    """Whether the words give a number that somebody knows a thing by."""
    return bool(_NUMBERED.search(text))


def name_of(thing: str) -> str:
    """The thing as a name, where its words tell it from others: not `the copy`, nor `a first version`."""
    thing = _LEFT.sub("", thing)
    return thing if words_of(_ANY_THING.sub(" ", thing)) else ""


def address_in(text: str) -> str:
    """The first address that stands in the words, or nothing."""
    found = _ANY.search(text)
    return found[0] if found else ""


def without_address(text: str) -> str:
    """The words without the addresses among them."""
    return _ANY.sub(" ", text)
