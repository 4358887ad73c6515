"""What an atom is, and what a source vouches for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from lithify.text.dates import MONTHS, VERBATIM, WEEKDAYS
from lithify.text.likeness import word_set
from lithify.values import Entry

Kind = Literal[
    "number", "money", "percent", "date", "time", "version", "id", "path", "url", "quote", "name"
]


@dataclass(frozen=True, slots=True)
class Atom:
    """One specific of a text; two that mean the same have the same `key`.

    `loose`: a name whose capital letter may only be due to its place, as at the start of a
    sentence; another form of the word in the source is support enough.
    """

    kind: Kind
    key: str
    text: str
    start: int
    end: int
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Support:
    """What a source vouches for: widened keys, every word it has, its text as it is and folded."""

    keys: frozenset[str]
    words: frozenset[str]
    text: str
    folded: str


#: A letter of a script that parts its words: beside the others a Latin word stands on its own.
LETTER = r"[^\W\d_\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"


def aliases(*rows: str) -> dict[str, str]:
    return {word: row.split()[0] for row in rows for word in row.split()}


_UNQUOTED = str.maketrans(
    dict.fromkeys("“”„«»", '"') | {"‘": "'", "’": "'", "—": " - ", "*": None, "`": None}
)


def folded_text(text: str) -> str:
    if text.isascii():  # translating is slow, and most texts have nothing to translate
        return " ".join(text.replace("*", "").replace("`", "").lower().split())
    return " ".join(text.translate(_UNQUOTED).casefold().split())


# What of a claim stands word for word in its sources, and needs no taking apart.


#: Where one clause ends and the next begins; never where the two could be one date. A pattern
#: that begins with its space is found faster than one that begins with what stands before it.
_CLAUSE = re.compile(r"\s(?:(?:(?<=[:;!?]\s)|(?<=[^\W\d]\.\s))\s*|(?<=[^\W\d]\s)\s*-\s+)(?!\d)")
_COMMA = re.compile(r"(?<=[^\W\d]),\s+(?!\d)")
_QUOTED = re.compile("[“”«»]")
_BEFORE = frozenset(' \n("[—–')
#: After these no word may go on: "1.5" does not stand in "1.5.2".
_STOPS = frozenset('.,;:!?)"]—–')
_DIGIT = re.compile(r"\d")
#: Spaces in a clause with a figure that is long enough not to stand somewhere by chance.
_FEWEST = 2
#: Longer texts are not kept folded.
_REMEMBERED = 2000


def left_over(text: str, entries: Sequence[Entry]) -> str:
    """Return the clauses of a text that no entry has word for word.

    A clause that an entry has says no figure, date or name that the entry does not.
    """
    clauses = _CLAUSE.split(text)
    if _QUOTED.search(text) or any(c.count('"') % 2 or c.count("`") % 2 for c in clauses):
        return text  # a quotation is compared as a whole
    if ('"' in text or "`" in text) and any(_CLAUSE.search(m[0]) for m in VERBATIM.finditer(text)):
        return text  # so is one whose marks stand in two clauses
    # The entries a claim cites are mostly twins under the same headings.
    sources = dict.fromkeys(text for e in entries for text in (e.text, *e.headings, e.lead))
    said = "\n".join(dict.fromkeys(map(_folded_source, sources)))
    return "\n".join(clause for clause in clauses if not _is_told(clause, said))


def _is_told(clause: str, source: str) -> bool:
    """Return whether a clause is said as it stands, or part by part between its commas."""
    if _is_said(clause, source):
        return True
    parts = [] if '"' in clause or "`" in clause else _COMMA.split(clause)
    return len(parts) > 1 and all(_is_said(part, source) for part in parts)


def _is_said(clause: str, source: str) -> bool:
    said = folded_text(clause).strip(" .,;:!?")
    if said.count(" ") < _FEWEST and _DIGIT.search(said):
        return False
    return _stands(said, source)


def _folded_source(text: str) -> str:
    return _folded(text) if len(text) <= _REMEMBERED else folded_text(text)


@lru_cache(maxsize=1 << 13)
def _folded(text: str) -> str:
    return folded_text(text)


def _stands(said: str, source: str) -> bool:
    """Return whether the words stand in a source from one word's beginning to another's end."""
    at = source.find(said)
    while at >= 0:
        end = at + len(said)
        if (at == 0 or source[at - 1] in _BEFORE) and _ends(source, end):
            return True
        at = source.find(said, at + 1)
    return False


def _ends(source: str, end: int) -> bool:
    after = source[end : end + 2]
    return not after or after[0] in " \n" or (after[0] in _STOPS and not after[1:].isalnum())


# Words that are capitalised only by their place, and those that are names all the same.


SHORT_DAYS = {"tue": "tuesday", "tues": "tuesday", "wed": "wednesday", "fri": "friday"}

SHORT_DAYS |= dict.fromkeys(("thu", "thur", "thurs"), "thursday")

CALENDAR = frozenset((*WEEKDAYS, *MONTHS, *SHORT_DAYS))

#: Words that are no name wherever they stand with a capital.
NEVER = word_set(
    """
    a about above across after again against all almost along already also although always am among
    an and any are arent around as asap at be because been before behind being below beneath beside
    between beyond both but by can cannot cant could couldnt despite did didnt do does doesnt done
    dont down dr during each eg either else eod eom eow eta etc even ever every except few fixme
    for from fyi had hadnt has hasnt have havent having he her here hers him his how i id ie if ill
    im in inside into is isnt it its ive just let lets many me might mine more most mr mrs ms much
    must my na near neither never no none nor not nothing of off often ok okay on once one only
    onto or other others our ours out outside over own past per pm same several shall she should
    shouldnt since so some sometimes still such tbd than that thats the their theirs them then
    there theres these they theyre this those though through throughout to todo too toward towards
    under unless unlike until up upon us versus very via vs was wasnt we were werent what whats
    when where whether which while who whom whose why wip with within without wont would wouldnt
    yeah yes yet you your youre yours
    """
)

#: Words that open sentences: no name there, though they may be one elsewhere.
COMMON = word_set(
    """
    able accept access account achieve act activist actual add address adjust admit adopt advice
    affect afford agenda agree ah ahead aim alert align allow alone amount analysis announce annual
    another answer anyone anyway apart apologies app appear appreciate approach approve archive
    area argue arrange arrive art article artifact ask aspect assess asset assign assume attach
    attempt attend audit author auto average avoid aw await award aware away awesome aww back
    backend backlog backup bad badge ban bank bar base basic batch bear beat become began begin
    behave belief believe bench benefit besides best bet big bill bit block board body bond book
    boost boot bottom brand break breakfast bridge brief broad broke btw bucket budget bug build
    built bullet bump burn busy button buy bye cache calendar call calm came camp candidate capture
    card care carry case cash catch category cause center certain chain challenge chance change
    channel charge chart chat cheap check checklist cheer cherish child choice choose chore chose
    claim class claw clay clean clear click client climb close cloud code collect color column
    combine come commit common compact company compare compile complain complete component compose
    compute concern conclude condense conduct configure confirm congrats connect consensus consider
    console consolidate constraint consult contact container content context continue contract
    control convert cook cool coordinate copy core correct cost count couple course covenant cover
    coverage crash crazy create cross current custom cut cute cycle damage dashboard data date day
    deadline deal dear debt debug decide decline deep default defer define definite degree delay
    delete deliver demand demo deny depend deploy derive describe design desk detail detect
    determine develop device didn diff different difficult direct discover discuss disk dispatch
    display distribute divide doc doesn domain domestic double doubt draft drag drain draw dream
    drew drive drop due dull dump duplicate duty earlier ease easy eat edge edit effect effort
    eight email embargo emerge emit encounter end endpoint energy engage engine enjoy enough ensure
    enter enterprise entire entry epic equal error escalate establish estimate evaluate event
    eventual everybody everyone everywhere evolve exact examine example excellent exchange exclude
    exec execute executive exercise exist exit expand expect expense expert expire explain explicit
    explore export expose extend external extra extract face fact fail failure fair fall famous
    fantastic far fast favor favorite fear feature feed feedback feel fell felt fetch field fifth
    fight figure file fill filter final find fine finish fire first fit five fix flag flaky flat
    flow fluent flush focus fold follow food force forecast forget forgot fork form format
    fortunate forward foster found four fourth frame framework free freeze frequent fresh friend
    front frontend full fun further future gain game gap gate gather gave general generate get gift
    give given glad global go goal gone gonna gosh got gotta grab grant graph great green grew
    ground group grow guard guess guest guide guy ha hah haha half hand handle handoff hang happen
    happy hard hasn hate haven head health hear heart heavy held hello help hey hi hide high
    highest highlight hint hire history hit hmm hold holiday home honest hook hope host hot hour
    house household however huge human hurt idea idle ignore image imagine immediate impact import
    important impress improve incident include increase index indicative individual industrial info
    inform inherit input inquiry insert insist inspect install instant instead integrate intend
    interest interim internal interview intro introduce invalid invest investigate invite invoice
    involve isolate issue item iterate job join joke jot journal journey judge jump keep kept key
    kick kickoff kid kind knew know known kudos label lack land language large last late latest
    launch law layer lead learn least leave led left legacy legal lemme lesson level leverage
    library license lie life light like limit line link list listen little live load local lock log
    logic lol long look loop lose loss lost lot love low luck lunch made mail main maintain major
    make man manage manifest manual map march mark market master match material matter maximum may
    maybe meal mean meanwhile measure meet member memo memory mental merge message met method
    metric mid middle migrate milestone mind minimum minor minus minute mirror miss mitigate mix mm
    mobile mock mode model modern module money monitor month mother move movie multiple music mute
    mutual nah name narrative nature necessary need negotiate net network neutral new next nice
    night nine nobody node noise nope normal note notice now number object observe obstacle obvious
    occur odd offer office oh old onboard online oof oops open operate opinion opt order origin
    otherwise ought outage outcome outline output overall overdue override overview owe owner pack
    package packet page pain paint pair panel paper parallel parent park parse part partner pass
    passive password paste patch path pattern pause pay peak people perfect perform perhaps person
    pet phase phew phone photo pick picture piece pilot pin ping pipeline pivot place plain plan
    platform play please plus point policy poll pool poor pop popular populate port positive post
    postmortem postpone power practice prefer prefix prep prepare present preserve press pretty
    prevent preview previous price primary principal prior private proactive problem process
    produce product profile program progress project promise promote prompt proof proper property
    proposal propose pros protect prototype proud prove provide public publish pull purchase
    purpose push put quarter query queue quick quiet quit quite quote race raise ramp ran random
    range rank rapid rate rather raw re reach react read real realign reason rebase rebuild recall
    recap receive recent recheck recipe reclaim recommend reconcile reconfirm record recover red
    redirect redo reduce refactor refer refine reflect refresh refuse regard region register
    regular reinforce reissue reject relate relay release relevant relocate rely remain remember
    remind remote remove rename render renew reopen repair repeat replace repo report represent
    request require rerun rescue research reserve reset resolve resource respect respond response
    rest restart restore restrict result resume retain retire retro retrospect retry return reuse
    reveal revert review revise revisit rewrite rich right rise risk road roadmap role roll
    rollback rollout rollover room root rotate rough round route routine row rule run runbook
    runtime safe safety said sale sample save saw say scale scan schedule schema school scope score
    screen script scrub seal search season seat second secret secure see seek seem seen select self
    sell send senior sense sensitive sent separate series serious serve service set setback settle
    setup seven severe shape share sharp shift ship shop short shot shouldn show shut side sidebar
    sign significant silent similar simple simulate single sit site six size skeleton skill skip
    sleep slice slide slip slow small smart smoke smooth snapshot soft sold sole solid solve
    somebody someone son soon sorry sort sound source space spare speak specific spend spent spike
    spin split spoke sponsor spot spread sprint squash stack staff stage stakeholder stale stand
    standard standup start state static status stay step stick stock stood stop storage store story
    straight strange strategic strategy stream stress stretch strict strike strong structure stub
    stuck student study stuff style sub subject submit subscribe subsequent success suggest suite
    sum summary sun super support suppose sure surface surprise survey suspect suspend swap sweet
    switch sync synergy system tackle tag take taken talk target task taught tax teach team tech
    tell template tempt ten tentative term test text thank theme therefore think third thorough
    thought thread threat three threshold threw throughput throw thus tidy tie tight till time
    timeline tiny tip title today together told tomorrow tonight tons took tool top topic total
    touch tough tour trace track trade traffic trail train transcript transfer translate travel
    treat trend triage trial trick trigger trim trip true trust truth try tune turn tutorial twice
    two type ugh unclear understand understood undo unfortunate unique unit unknown unlock update
    upgrade upload upside upstream uptime urgent usage use user usual valid validate value various
    vendor verdict video view virtual visit voice volume vote wait wake walk walkaway wall wanna
    want warm warn wash wasn watch water wave way weak web week weekday weekend weight weird
    welcome well went weren whatever whenever wherever whichever white whoa whoever whole wide
    widen widespread wife will win window wipe wire wish withdraw woah woke woman won wonder word
    work workaround workflow workshop world worry worse worst worth wouldn wow wrap write wrong
    wrote yay yea year yep yesterday young yup zero zone
    """
)

#: Names that look like a form of a word.
NAMES_THOUGH = word_set(
    """
    ahmed aisling alfred ally barry beijing betty beverly billy boeing browning carly channing
    charity chung clancy clarence clement connelly connolly constance creed cummings darling deming
    donnelly dowling downing emily everly ewing felicity fleming florence france fred guinness
    hamed harding hastings inverness irving italy jared javed jed jennings keating kelly khaled
    kimberly king kipling lance lawrence lilly lily ling mabel mable manning mildred milly ming
    mohamed mohammed molly nancy nanjing naveed ned nelly oreilly patty pickering polly provence
    rawlings reed reilly rocky saeed sally sandy shelly sicily spence sterling syed ted terence
    terrance trinity vance viking waleed whiting wilfred willy winifred
    """
)

#: Words that open sentences and are given names too: what follows decides.
BOTH = word_set(
    """
    april art bill chance chase chip clay drew faith frank grace grant guy hope jack jean joy june
    mark may miles page park pat penny pierce ray rich rob rose skip stone sue wade ward will win
    """
)
