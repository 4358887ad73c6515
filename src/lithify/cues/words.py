"""The English that announces an outcome, a decision, a blocker, a correction or a chore.

Patterns only; `cues` says what follows from them. They are meant as common turns of phrase; what
they are worth on words nobody looked at is the figure of the held-out half of the labelled set.
Where a pattern knows case, it is searched for in small letters.
"""

from __future__ import annotations

import re

from lithify.text.stems import SIGNS

#: A box, or a sign that stands for one: what is ticked, what is left to do or waited for.
CHECKBOX = re.compile(r"^\s*(?:\[([ xX~/-])\]|([☑✅✔✓🗹])|[☐⬜◻🔲⏳⌛🚧])\ufe0f?\s*")
#: Signs before the words of a line.
SIGNED = re.compile(rf"^[{SIGNS}]+\s*")
CLOCK = re.compile(
    r"^\s*\[?\d{1,2}[:h]\d{2}(?::\d{2})?(?:\s?[ap]m)?(?:\s*[-–—]\s*\d{1,2}[:h]\d{2}(?:\s?(?:UTC|GMT|CES?T)\b)?+(?!\s+[a-z])|(?!\s*[-–—]\s*\d{1,2}[:h]\d{2}))\]?\s*[-–—:|,]?\s+"
)
MARKS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`|~~")
#: Crossed out: its writer no longer says it.
STRUCK = re.compile(r"~~(?=\S).+?~~|<(del|s|strike)\b[^<>]*>.*?</\1>", re.I | re.S)
#: In French a space stands before the colon; what is in brackets says whose it is, or which.
LABEL = re.compile(
    r"^((?i:decisions?|decided|agreed|rul(?:e|ing)|policy|lesson),(?: [\w'’/&-]+){1,3}|"
    # Who took it with whom, and when: "Decision with Ada and Bo", "Decision 10:30 (Ada, me)".
    r"(?i:decisions?|decided|agreed)(?: \d{1,2}:\d\d)?(?: (?:with|by|between) [A-Z][^:.;\n]{1,40})?(?: \([^()]{1,40}\))?|"
    r"[^\W\d_][\w'’/&-]*(?: [\w'’/&-]+){0,3}(?: \([^()]{1,40}\))?)\s?:\s+(?=\S)"
)
SAYS_DECISION = re.compile(
    r"\b(decisions?|decided|choices?|agreed|agreements?|resolutions?|rulings?|verdict|adr|policy|rules?|revers(?:ed|al)s?|"
    r"settled(?: on)?|besluit\w*|beschl(?:uss|üsse)|entscheidung\w*|décisions?|decisi[oó]n\w*|"
    r"decisioni?|решени\w+)\b|決定|^(?-i:D(?:EC|R)?|RFC)-?\d{1,4}$",
    re.I,
)
NUMBERED = re.compile(r"D-?\d{1,4}")
SAYS_OUTCOME = re.compile(
    r"\b(outcomes?|results?|shipped|done|completed?|accomplish\w*|deliver(?:ed|ables?)|merged|"
    r"deployed|released|^releases?(?= v?\d|$)|wins?|resolved|resolution|fixed|closed|finished|achiev\w*|landed|"
    r"published|milestones?|solved|got done|^found(?= it\b| out\b| why\b|$)|erledigt|fertig|terminé|hecho|gedaan|готово)\b|完了",
    re.I,
)
#: What stands between two things that a heading is over.
EITHER = re.compile(r" ?/ ?| (?:&|and|or|vs\.?) ")
SAYS_OPEN = re.compile(
    r"^(?:still |what (?:is|lies|remains) |left )?open(?:$| ?[,(]| (?:besides|too|also|at|by|for|from|since|after|until|on|in|with|tonight|today|now|as of|things?|ends?|"
    r"tasks?|matters?|business|list|and|or)\b)|\b(block(?:ed|ers?)|blocking(?! (?!(?:issue|item|problem|point|question|bug|thing)s?\b)\w)|outstanding|open (?:items?|loops?|questions?|issues?|points?|threads?)|"
    r"to-?\s?dos?(?! (?:differently|better)\b)|next(?! time\b)|pending|waiting(?! list)(?: (?:on|for))?|risks|risk(?! \w)|follow-?\s?ups?|"
    r"unresolved|action items?|actions|carried (?:over|forward)|remaining|still open|stuck|"
    r"impediments?|concerns?|problems|^(?:the |open )?problem$|worr(?:y|ies)|tomorrow|hanging|left (?:for|to do|over|lying|undone)|owed|next shift|not done|"
    r"not (?:here|in|back|settled|decided)(?: yet)?|in progress|ongoing|wip|upcoming|coming up|looking ahead|"
    r"keep (?:in view|an eye on)|on (?:the|my|our) radar|to watch|watch ?list|(?:no|without(?: an)?) answer|unanswered|undecided|"
    r"still (?:to come|missing|out|waiting)|loose ends?|^for (?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"offen\w*|blockiert|ausstehend|bloqu\w+|pendientes?|geblokkeerd|aperti|en attente|"
    r"ожида\w+|блок\w+)\b|未決|課題",
    re.I,
)
#: The name of a list for a day to come, and what says in it that something is done nevertheless.
FOR_A_DAY = re.compile(
    r"(?:left |open |still )?(?:for |to do )?(?:tomorrow|next week|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?!')"
)
HAS_BEEN = re.compile(r"\b(?:done|finished|already|was|were|has|have|had|went|came|sent)\b|[✓✔✅☑]")
#: A capital that does not open a sentence.
NAME_INSIDE = re.compile(r"(?<=[a-z0-9,] )[A-Z]")
#: What a program printed: a log level, a prompt, a trace, a table of columns, a list of results.
OUTPUT = re.compile(
    r"\W{0,3}(?:(?:INFO|DEBUG|WARN(?:ING)?|TRACE|NOTICE)\b|\$ \w|>>> |Traceback\b|(?:GET|POST|PUT) /|"
    r"npm |Step \d+/\d+|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|[A-Z]{3,}\s+[A-Z]{3,}\s+[A-Z]{3,}\s|"
    r"at [\w.$]+\(|[\w./-]+:\d+:\d+:|exit(?:ed)? (?:code|status) 0|\d+ passing\b|={3,}|\w+ing[^.]{0,60}…)",
)
#: Nothing of the kind happened.
NONE_OF = re.compile(
    r"\b(?:still )?(?:0|zero|none|no) (?:(?!way|one|idea)\w+ )?"
    r"(?:lost|failed|missing|dropped|broken|rejected|refused|late|stuck|duplicates?|loss(?:es)?|"
    r"timeouts?|failures?|crash(?:es)?|outages?|drop-?outs?|alerts?|alarms?)\b(?! (?:from|yet|on)\b)|"
    r"\bnothing (?:more |else |left )?to do\b",
    re.I,
)
#: Where somebody goes, and chooses nothing by it.
OUTING = re.compile(
    r"\b(?:went|go|goes|going|gone) for a (?:\w+ )?(?:walk|run|swim|ride|drive|sail|stroll|coffee|drink|beer|meal|smoke|jog|bite)\b"
)
#: A figure that is no time of day, one that became another, and the path of a file.
FIGURE = re.compile(r"(?<![\d:])\d(?!\d?:\d\d)")
SHIFT = re.compile(r"\d\S*(?: [\w%°/-]+){0,2} ?(?:[-=]>|→) ?\W{0,3}\d")
FILE = re.compile(r"(?:^|[\s(:])[\w-]+/[\w-]+[/.]\w")
#: What was learnt is to be kept, whatever it says.
LESSON = re.compile(r"(?:the )?(?:lessons?|learne?[dt]:|takeaways?|note to self|moral)\b", re.I)
#: What follows tells why something was as it was, and leaves nothing open.
CAUSE = re.compile(r"(?:root )?causes?|reasons?|why|because|explanation|ursache|grund", re.I)
#: A line over a list of what might be, and one over a list of what follows from something.
OPTIONS = re.compile(r"\b(?:options|alternatives|candidates|ideas|possibilities|suggestions)\b")
EXPLAINS = re.compile(r"\b(?:explains|because|reasons?)\b")
#: A question that its own sentence answers: "Why it smells: the drain is dry".
ANSWERED = re.compile(r"(?:why|how) [^:?]{5,60}: \w")
UNKNOWN = re.compile(
    r"\b(?:unknown|unclear|unexplained|not (?:yet )?(?:known|found|clear|sure)|no idea|tbd)\b|\?$"
)
STRONG_DONE = (
    r"shipped|merged|deployed|released|fixed|resolved|solved|finished|completed|launched|"
    r"delivered|closed|signed|migrated|published|upgraded|passed|won|submitted|landed|restored|"
    r"recovered|unblocked|achieved|rolled (?:out|back)|went live|goes live|(?:is|are) (?:now )?live|"
    r"handed over|signed off|cut over|refunded|implemented|repaired|accepted|confirmed"
)
UNBLOCKED = re.compile(
    r"\bun-?blocked\b|\bno longer (?:blocked|stuck|waiting)\b|"
    r"\b(?:resolv(?:ed|es|ing)|clear(?:ed|s)|lift(?:ed|s)|remov(?:ed|es)|clos(?:ed|es)|fix(?:ed|es)|end(?:ed|s)) "
    r"(?:the |our |this |that |a |all )?(?:\w+ ){0,3}(?:block\w*|issue|problem|ticket|impediment)\b|"
    r"\bblocker (?:is )?(?:gone|resolved|cleared|lifted|closed|removed|fixed)\b|\bnot blocked\b|"
    r"\bno (?:\w+ )?blockers?\b|\bnothing (?:is )?blocked\b",
)
RESOLVED = re.compile(
    rf"\b(?:resolved|resolves|resolving|fixed|fixes|solved|closed|closes|unblocked|arrived|delivered|"
    rf"received|granted|answered|replied|signed|approved|settled|cleared|lifted|done|finished|"
    rf"completed|works again|working again|back online|no longer|confirmed|restored|issued|repaired|reversed|"
    rf"(?:is|are) (?:over|back|green|fine|normal|gone|in(?=[.,;!]|$))|back (?:to normal|up|at|in|on|under)|(?:can|could) (?:\w+ ){{1,3}}again|"
    rf"(?:(?!fail|break|drop|stop|crash|hang|leak|los|slip|die)\w+s(?: \w+)?|flowing|running|reachable|green) again|"
    rf"corrected(?! (?:me|us|him|her|them|my|his|our)\b)|gelöst|behoben|erledigt|freigeschaltet|repariert|abgeschlossen|geliefert|"
    rf"fertig|résolu|réparé|résolue|resuelto|resuelta|opgelost|{STRONG_DONE})\b",
)
RESOLVED_HINTS: tuple[str, ...] = (
    *("ed", "fixes", "closes", "resolv", "done", "works again", "working again", "online"),
    *(
        "no longer",
        "won",
        "live",
        "over",
        "out",
        "back",
        "again",
        "gone",
        "fine",
        "normal",
        "green",
    ),
    *(
        "is in",
        "are in",
        "gel",
        "behob",
        "erledigt",
        "schalt",
        "repar",
        "répar",
        "schloss",
        "fertig",
    ),
    *("sol", "suelt"),
)
NEGATED = re.compile(
    r"\b(?:not|never|no|n't|cannot|nothing|nobody|without|failed to|unable to|hardly|isn't|wasn't|"
    r"aren't|weren't|hasn't|haven't|hadn't|didn't|doesn't|don't|won't|can't|couldn't)\b",
)
FUTURE = re.compile(
    r"\b(?:will|would|should|shall|could|may|might|plans? to|planning to|planned|going to|intends?|"
    r"hopes? to|wants? to|expect(?:s|ed)? to|to be|if|unless|until|once|when|proposes?|proposed|"
    r"suggest(?:s|ed)?|consider(?:s|ed|ing)?|tomorrow|next week|try(?:ing)? to)\b",
)
CORRECTION = re.compile(
    r"\bcorrect(?:ed|ion|ions|s)\b(?! answers?| format\w*)|\bwas wrong\b|\bwere wrong\b|"
    r"\bnot [$€£]?[\w.,%'-]+(?: [\w.,%'-]+){0,3}[,:;] (?:but|it's|it is|as)\b|"
    r"\bi (?:had |was )?(?:mis(?:read|understood|stated|counted|remembered)|mistaken|wrong|"
    r"assumed wrongly|wrongly)\b|"
    r"\b(?:actually|in fact|rather),? (?:it|the|that|we|they|he|she)\b[^.]{0,60}\bnot\b|"
    r"\bmistake\b|\bmistakenly\b|\bwrongly\b|\bshould have (?:been|said|used|read)\b|\berratum\b|"
    r"\b(?:told|asked|reminded|warned) me (?:not |to stop|to never|never|again)\b|\bpushed back\b|"
    r"\brevis(?:ed|ion) (?:from|to|the|down|up)\b|\brevised\b[^.]{0,50}\b(?:from|to|down|up)\b|"
    r"\bsuperseded?s?\b|\bretract(?:ed|s)?\b|\b, not \$?\d|\binstead of the \$?\d|"
    r"\b(?:is|was|are|were) (?:false|untrue|not true)\b|\bno truth (?:in|to)\b|\bfalse alarm\b|"
    r"\btrue figure\b|\bright (?:figure|number|value) is\b",
)
CORRECTION_HINTS: tuple[str, ...] = (
    *("correct", "wrong", "mis", "not", "rather", "in fact", "should have", "erratum"),
    *("me never", "me to", "me again", "pushed", "revis", "supersed", "retract", "instead"),
    *("figure", "number", "value", "actually", "assumed", "tru", "false"),
)
PROHIBITION_HINTS: tuple[str, ...] = (
    *("must", "never", "not", "n't", "n’t", "no "),
    *("forbid", "prohib", "limits", "banned", "without", "nothing"),
)
#: "No news yet", "no result so far" report that there is none, and forbid nothing.
NONE_YET = re.compile(
    r"^no (?:new |more |further )?(?:news|answers?|repl(?:y|ies)|responses?|results?|signs?|traces?|word|changes?|errors?|alarms?|"
    r"alerts?|dates?|updates?|progress|movement|complaints?|problems?|issues?|harm|luck|loss(?:es)?|surprises?|one|need)\b|"
    r"^no\b.*\b(?:yet|so far|none|expected)\b"
)
#: A task with its end behind an arrow: "call the mill -> done at four".
TICKED_OFF = re.compile(
    r"(?:→|[-=]>)\s*(?:all\s+)?(?:done|finished|sent|fixed|settled|closed|paid|delivered|signed)\b",
    re.I,
)
#: What somebody heard is no decision.
HEARSAY = re.compile(
    r"\b(?:(?:has|have|had) heard|heard (?:from|that)|rumou?rs?|word is|is said to|are said to|the story goes)\b"
)
PROHIBITION = re.compile(
    # An order stands at the head of its clause; elsewhere the same words only describe.
    r"(?:^|[:;,.\"'(!-]\s?|\b(?:and|or|but|so|please|to|should|shall|will|is|are) )"
    r"never (?!(?:been|had|was|were|did|mind|got|knew|heard|seen|on|in|at|by|with|again|before|a|"
    r"the|more|quite|really|once|enough|too|to|from|for|any|came|made|went)\b)(?!\w+ed\b)\w+|"
    r"(?:^|[:;,.\"'(!-]\s?|\b(?:and|but|so|please) )(?:do not|don't) (?!(?:know|think|have|need|see|seem|"
    r"want|believe|match|work|exist|agree|worry|remember|understand|get|mean|mind|you|we|they|"
    r"forget|even|like|care|really|feel)\b)\w+|"
    r"(?:^|[:;,.] )no (?:more )?(?:[\w-]+ ){0,2}(?:on|after|before|during|without|until|outside) "
    r"(?:the |a |any )?\w+|"
    r"\b(?:must(?: not|n't)\b|must never\b|"
    r"(?:not allowed|forbidden|prohibited|off[- ]limits|banned)\b|"
    r"(?:we|you|i|nobody|no one|they|agents?) may not\b|under no circumstances\b|"
    r"without (?:\w+'s |prior |explicit |written )(?:\w+ )?(?:approval|consent|permission|review|sign-?off)\b|"
    r"not to (?:be )?(?:share|forward|touch|use|edit|send|deploy|call|mention|speak|interrupt|"
    r"shared|sent|used|edited|touched|quoted|interrupted|disturbed|called)\w*\b|"
    r"nothing (?:goes|leaves|is (?:sent|shared|deployed|merged)|over \d+) )",
)
#: The words in which something is forbidden outright: "no" also only counts.
FORBIDS = re.compile(r"\b(?:never|do not|don't|must not|mustn't|may not)\b")
PREFERENCE = re.compile(
    r"\b(?:prefers?|preferred|preference|would rather|likes? (?:to |it |his |her |their |short|the )|"
    r"wants? (?!to\b|it\b|that\b|this\b|them\b)\w+ (?!more\b)\w+|"
    r"favou?rs|hates?|dislikes?|can't stand|insists? on|insisted (?:on|that)|"
    r"asks? (?:for|that) (?:all|every|any|each)|asked (?:for|that) (?:all|every|any|each)|"
    r"wants? to (?:be|see|have|get|read|approve|review)|expects? (?:all|every|any|each|the|a)|"
    r"best reached|reach (?:him|her|them) (?:by|on|at)|works? from|does not work|is out on|"
    r"(?:reads|answers|checks) \w+ (?:on|in|before|after|only))\b"
)
STANDING = re.compile(
    r"\b(?:always|every time|from now on|going forward|as a rule|the rule|in (?:the )?future|"
    r"by default|whenever|each time|every \w+ (?:needs|must|gets|goes|has to|change|release|deploy)|"
    r"must|have to|has to|needs? \w+'s (?:review|approval|consent|sign-?off)|only (?:after|when|"
    r"with|if)|at (?:most|least) \w+ \w+|rule for)\b",
)
PRACTICE = re.compile(
    r"\b(?:practice|lesson|learned|learnt|takeaway|rule of thumb|pays? off|paid (?:off|for itself)|"
    r"worked (?:well|better|again)|works (?:well|better)|turns? out|habit|checklist|convention|"
    r"best (?:way|done|to)|helps? (?:to|when)|before (?:every|each|any)|after (?:every|each|any)|"
    r"rehears\w+|first (?:on|in) (?:the )?(?:staging|copy|sandbox))\b",
)
URL = re.compile(r"https?://[^\s<>()\[\]]+[^\s<>()\[\].,;:!?'\"`]")
POINTER = re.compile(
    r"(?<![\w/#&])#[a-z][a-z0-9_-]{2,}\b|\b(?:dashboard|channel|wiki|runbook|documentation|docs|handbook|"
    r"tracker|board|folder|repository|repo|spreadsheet|sheet|mailing list|ticket queue|status page|"
    r"vault|calendar|form)\b",
    re.I,
)
#: "May the money be used?" asks; it is no month.
MAY_I = re.compile(
    r"May (?:the|an?|i|we|he|she|it|they|you|this|that|my|our|his|her|their|its)\b", re.I
)
#: Words of reserve, and the one form each is known by. A rule ("should"), a document ("the plan",
#: "the draft"), a month and a guess of long ago hold nothing back.
HEDGE = re.compile(
    r"\b(?P<may>may)\b(?! \d)(?! only\b)|\b(?P<might>might)\b|\b(?P<could>could)\b(?! (?:not|only|no longer)\b|n't)(?! ?[.,;])|"
    r"\b(?P<probably>probabl[ey]|likely|presumably)\b|\b(?P<unlikely>unlikely)\b|"
    r"\b(?P<possibly>possibl[ey]|perhaps|maybe|potentially|conceivabl[ey])\b|"
    r"\b(?P<unconfirmed>unconfirmed|uncertain|unclear|not (?:yet )?(?:sure|certain|confirmed|clear)|to be confirmed|tb[cd])\b|"
    r"\b(?P<tentative>tentative(?:ly)?|provisional(?:ly)?|pencill?ed)\b|"
    r"\b(?P<reportedly>apparently|reportedly|allegedly|supposedly|rumou?red|said to be)\b|"
    r"\b(?<!\bas )(?<!\bthan )(?<!\bhad )(?<!\bwas )(?<!\bwere )(?P<plan>planned|planning to|plans? to|"
    r"(?<=\bwe )plan|(?<=\bthey )plan|(?<=\bi )plan|intends?(?: to)?|intending|aims? to)\b|"
    r"\b(?P<expect>(?:is|are|be) expected|expected (?:to|in|by|on|for|next)|(?:we|they|i|he|she) expects?(?! (?:all|every|any|each)\b)|"
    r"expects? (?:to|that|it)|should (?:arrive|be ready|be done|be back|work))\b|"
    r"\b(?P<propose>propos(?:e[sd]?|ing)|suggest(?:s|ed|ing)?|under (?:consideration|discussion)|consider(?:s|ing)|"
    r"(?:is|are|being) considered|mooted|floated)\b|"
    r"\b(?P<seem>seems?|seemingly|appears? (?:to|that)|it appears|looks? (?:like|as if))\b|"
    r"\b(?P<estimate>an? estimated?|estimated (?:at|to|\d|[$€£])|(?:is|are) estimated)|"
    r"\b(?P<guess>guess(?:es)?|suspects?|suspected|(?:i|we) (?:think|believe|assume)|assumedly)\b|"
    r"\b(?P<hope>hopes?(?! of)|hoping|hopefully)\b|\b(?P<conditional>subject to|if (?:approved|confirmed|all goes well|possible))\b|"
    r"\b(?P<would>if\b[^.;]{1,80}\bwould|would\b[^.;]{1,80}\bif)\b",
)
#: One of these stands in every reserve.
HEDGE_HINTS: tuple[str, ...] = (
    *(
        "may",
        "might",
        "could",
        "probabl",
        "likely",
        "presumably",
        "possibl",
        "perhaps",
        "potentially",
    ),
    *(
        "conceivabl",
        "unconfirmed",
        "uncertain",
        "unclear",
        "not sure",
        "not certain",
        "not confirmed",
    ),
    *(
        "not clear",
        "not yet",
        "to be confirmed",
        "tbc",
        "tbd",
        "tentative",
        "provisional",
        "pencil",
    ),
    *(
        "apparently",
        "reportedly",
        "allegedly",
        "supposedly",
        "rumo",
        "said to be",
        "plan",
        "intend",
    ),
    *("aim to", "aims to", "expect", "should ", "propos", "suggest", "under consideration"),
    *("under discussion", "consider", "mooted", "floated", "seem", "appear", "look", "estimate"),
    *(
        "guess",
        "suspect",
        "think",
        "believe",
        "assume",
        "hope",
        "hoping",
        "subject to",
        "if approved",
    ),
    *("if confirmed", "if all goes well", "if possible", "would"),
)
#: A clause that gives a reason out of the past.
PAST_REASON = re.compile(
    r"\b(?:because|since|after|as)\b[^.,;:]*?\b(?:was|were|had|did|last|ago|used to|\w{3,}ed)\b[^.,;:]*",
    re.I,
)
#: Talk between people: what it says of their plans is not the log's own decision.
TALK = re.compile(r"\b(?:you|your|you're|i'm|i've|i'll|thanks|hey|wow|yeah)\b|!")
SWORN = re.compile(
    r"\b(?:i|we)(?:'ve| have| had)? (?:just |finally |also |recently |both )?(?:decided|agreed|chose|quit|"
    r"signed|bought|sold|got (?:the job|married|engaged|hired|accepted|promoted|fired)|lost my|"
    r"finished|launched|opened|moved to|started (?:my|a|an|our|working)|won|graduated|passed|"
    r"adopted|enrolled)\b",
)
#: Words under which nothing is settled yet: a thought, a wish, a choice not made.
TENTATIVE = re.compile(
    r"\b(?:might|maybe|perhaps|possibly|probably|(?:think|thinks|thinking|thought) (?:about|of|on)(?![^.:;]{2,40}: )|"
    r"consider(?:ing|s)\b|considered (?!and\b)|wonder(?:ing|s|ed)?|toy(?:ing|ed)? with|"
    r"lean(?:s|ing|ed)? (?:to|towards?)|tempted|unsure|undecided|not (?:sure|certain|decided|agreed|settled)|"
    r"could (?:also |just |instead |maybe )?(?:be|go|try|use|move|switch|drop|add|have|do|make)|what if|how about|"
    r"should we|shall we|do we|one day|some ?day|sometime|at some point|in two minds|"
    r"would (?:be|make) (?:nice|good|great|worth|sense|better)|no (?:decision|conclusion|consensus|agreement|verdict)\b|"
    r"not (?:yet )?(?:decided|clear)|yet to (?:decide|agree)|open question|tbd|(?:an? )?(?:loose )?idea:|"
    r"(?<=\w )(?:suggested|suggests|floated|proposed|proposes|mooted)|up for discussion|"
    r"vielleicht|eventuell|überlegen|peut-être|quizás?|forse|misschien)\b|\?\W*$",
)
#: A choice made, whatever was weighed before it.
COMMITS = re.compile(
    r"\b(?<!not )(?<!n't )(?<!yet )(?<!never )(?<!to )(?<!not yet )(?:decided|agreed|chose|chosen|settled on|opted|approved|"
    r"rejected|ruled|voted|going with|went (?:with|for)|said (?:no|yes)|we go with|signed off|turned down)\b",
)
#: Words of a rule: with them a thing is settled unless someone doubts it outright.
BINDS = re.compile(r"\b(?:must|never|always|will not|won't|from now on|no longer)\b")
DOUBTS = re.compile(r"\b(?:might|maybe|perhaps|possibly|probably|vielleicht)\b")
#: What follows gives the reason; a doubt in it is none about the choice.
REASON = re.compile(r"\b(?:because|since|so that|in case|as otherwise|after)\b")
#: Someone takes back or denies what was said before.
DENIAL = re.compile(
    r"^(?:\W*)(?:correction\b|erratum\b|scratch that|strike that|not true|untrue\b|wrong[,:.!]|false alarm|"
    r"never ?mind|no[,:] |nope\b|update: (?:not|no)\b|retract\w*)|\b(?:"
    r"(?:that|this|it|which|they|these|what \w+ (?:said|wrote|told)|the \w+) (?:was|were|is|are|turned out(?: to be)?|proved) "
    r"(?:wrong|false|not true|untrue|incorrect|mistaken|a mistake|a misunderstanding|premature|not so|not the case|a false alarm)\b|"
    r"turn(?:s|ed) out (?:\w+ ){0,6}(?:not|never|wrong|false|untrue|\w+n't)\b|"
    r"(?:was|were|is|are|been|be|got|had|has|have) (?:since )?(?:retracted|withdrawn|rolled back|reverted|walked back|called off|"
    r"disproved|disproven|refuted|debunked|overturned|reversed|rescinded|undone|backed out)\b|"
    r"(?:retracted?|withdrew|rolled (?:it|this|that|back|the \w+) ?back?|reverted|backed out|denie[sd]|took (?:it|that|this) back)\b|"
    r"(?:not|\w+n't) [^.;]{0,40}\bafter all\b|contrary to what\b|false alarm\b|"
    r"i (?:was|had been) (?:wrong|mistaken)\b|i (?:had )?(?:misread|misheard|misunderstood|misstated|spoke too soon)\b|"
    r"spoke too soon\b|no truth (?:in|to)\b|(?:is|was|are|were|has|have|did|does|do)(?: not|n't) (?:true|so|the case|done|"
    r"fixed|finished|live|solved|resolved|shipped|signed|closed|merged|released|working)\b)",
)
#: A denial that does not name what it denies.
LEANING_DENIAL = re.compile(
    r"^(?:so |but |and |however,? |well,? |in fact,? |actually,? )?(?:no[,:.!]|nope\b|wrong\b|not true|untrue\b|false alarm|never ?mind|"
    r"(?:scratch|strike) that|(?:correction|update): (?:that|this|it|not?)\b|"
    r"(?:that|this|it|they|these|which) (?:was|were|is|are|turned|turns|proved|has|have|had|did|does|do|could|came)\b|"
    r"turn(?:s|ed) out (?:it|that|not|they|this)|i (?:was|had|mis|spoke)|rolled (?:it|this|that) back|reverted (?:it|this|that)|took (?:it|that) back)",
)
#: A question that a log leaves open: put to nobody in the talk, about a thing to be found out.
QUESTION = re.compile(
    r"^(?!.*\b(?:you|your)\b)(?:who|whom|whose|what|when|where|why|how|which|is|are|was|were|do|does|did|can|could|should|"
    r"will|would|has|have|may|must|wer|was|wann|wo|warum|wie)\b(?!.{0,12}\bhelp\b)",
)
