"""The English that announces an outcome, a decision, a blocker, a correction or a chore.

Patterns only; `cues` says what follows from them. They are meant as common turns of phrase; what
they are worth on words nobody looked at is the figure of the held-out half of the labelled set.
"""

from __future__ import annotations

import re

CHECKBOX = re.compile(r"^\s*\[([ xX~/-])\]\s*")
CLOCK = re.compile(r"^\s*(?:\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?\s*[-–—:]?\s+)")
MARKS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`|~~")
LABEL = re.compile(r"^([A-Za-z][\w'’/&-]*(?: [\w'’/&-]+){0,3}):\s+(?=\S)")
SAYS_DECISION = re.compile(
    r"\b(decisions?|decided|agreed|agreements?|resolutions?|rulings?|verdict|adr|policy|rules?|"
    r"settled(?: on)?|besluit\w*|beschl(?:uss|üsse)|entscheidung\w*|décisions?|decisi[oó]n\w*|"
    r"decisioni?|решени\w+)\b|決定",
    re.I,
)
SAYS_OUTCOME = re.compile(
    r"\b(outcomes?|results?|shipped|done|completed?|accomplish\w*|deliver(?:ed|ables?)|merged|"
    r"deployed|released?|wins?|resolved|resolution|fixed|closed|finished|achiev\w*|landed|"
    r"published|milestones?|solved|got done|erledigt|fertig|terminé|hecho|gedaan|готово)\b|完了",
    re.I,
)
SAYS_OPEN = re.compile(
    r"\b(block(?:ed|ers?|ing)|outstanding|open (?:items?|loops?|questions?|issues?|points?|threads?)|"
    r"to-?\s?dos?|next(?: steps?| up)?|pending|waiting(?: (?:on|for))?|risks?|follow-?\s?ups?|"
    r"unresolved|action items?|actions|carried (?:over|forward)|remaining|still open|stuck|"
    r"impediments?|tomorrow|hanging|left (?:for|to do|over)|owed|next shift|not done|"
    r"offen\w*|blockiert|ausstehend|bloqu\w+|pendientes?|geblokkeerd|aperti|en attente|"
    r"ожида\w+|блок\w+)\b|未決|課題",
    re.I,
)
#: What a program printed: a log level, a prompt, a trace, a table of columns, a list of results.
OUTPUT = re.compile(
    r"\W{0,3}(?:(?:INFO|DEBUG|WARN(?:ING)?|TRACE|NOTICE)\b|\$ \w|>>> |Traceback\b|(?:GET|POST|PUT) /|"
    r"npm |Step \d+/\d+|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|[A-Z]{3,}\s+[A-Z]{3,}\s+[A-Z]{3,}\s|"
    r"at [\w.$]+\(|[\w./-]+:\d+:\d+:|exit(?:ed)? (?:code|status) 0|\d+ passing\b|={3,}|\w+ing[^.]{0,60}…)",
)
NO_CHANGE = re.compile(
    r"\bno (?:\w+ ){0,2}(?:changes?|news|updates?|movement|activity|issues?|incidents?|alerts?|action|"
    r"exceptions?|findings|surprises|progress|pages)\b|"
    r"\bno (?:new |further |additional |other )?(?:[\w,'/-]+ ){1,8}(?:surfaced|(?:was|were) (?:added|made|"
    r"introduced|confirmed|requested|granted|received|found|needed)|occurred|arose|emerged|came up)\b|"
    r"\bnothing (?:\w+ )?(?:new|to report|changed?|else|urgent|unusual|notable|moved|of note|on fire)\b|"
    r"\b(?:un|not )changed\b|\bas (?:usual|before|normal|expected|always)\b|\bsame as\b|"
    r"\ball (?:\w+ )?(?:green|quiet|clear|normal|well|passing|healthy|fine)\b|\bbusiness as usual\b|"
    r"\b(?:did not|didn't|made no|without) (?:change|changing|alter|advance|reopen|widen|expand|"
    r"create|creating|add|broaden|introduc\w+|issue|changes?)\b",
    re.I,
)
ROUTINE = re.compile(
    r"\bhealth[ -]?check|\bstand-?up\b|\bdaily (?:sync|check|summary|report|digest)\b|"
    r"\b(?:routine|usual|regular|scheduled|nightly|daily|morning|evening) "
    r"(?:check|backups?|sweep|triage|review|pass|run|maintenance|rounds?|cleanup)\b|"
    r"\bbackups? (?:ok|fresh|fine|completed|ran|succeeded|green)\b|\bheartbeat\b|"
    r"\bchecked (?:e-?mail|inbox|the (?:inbox|queue|logs?|dashboards?|calendar))\b|"
    r"^(?:good (?:morning|evening|afternoon)|hello|hi|hey|ok|okay|noted|thanks|thank you)\b[^.]{0,60}[.!?]?$|"
    r"\b(?:ran|compiled|pulled|opened|acknowledged|played|read|searching|refreshed|glanced)\b[^.]{0,40}"
    r"(?:\blinter\b|\bagain\b|\blatest\b|\bscrolled\b|\breminder\b|\blist\b|\bnotes\b|\bresults\b|\bin range\b)|"
    r"\b(?:sizes?|temps?|values?|readings?) (?:normal|fine|ok)\b|\bwithin range\b|\bno conflicts\b|"
    r"\bauto-?reply\b|\bautomatically\b|\bsame (?:reading|news|people)\b|"
    r"^(?:lights|doors|alarm) (?:on|off)\b|^weather\b|\bTraceback\b|^(?:INFO|DEBUG|WARN|TRACE)\b|"
    r"\bsummary (?:sent|to)\b|\btook a break\b|\blunch\b|\bcoffee\b|"
    r"\b(?:cleaned|tidied|archived|sorted|filed|emptied|renamed) (?:up |out )?(?:the |my |old |\d+ )",
    re.I,
)
HELD = re.compile(
    r"^(?:i |we )?(?:also |still |then )?(?:kept|held|left|preserved|maintained|continued|"
    r"re-?checked|re-?read|re-?ran|reviewed|monitored|watched|stayed|remained|looked at|"
    r"treated|tracked|checked)\b|"
    r"\b(?:stayed|remained|held|holds?|kept) (?:\w+ ){0,2}(?:steady|stable|in place|intact|"
    r"unchanged|quiet|flat|on track|as (?:is|it was))\b",
    re.I,
)
DECIDED = re.compile(
    r"\bdecisions?\s*[:—–-]|(?<=\w )"
    r"(?:decided|agreed|chose|opted|settled on|resolved to|voted|ruled|approved|landed on|"
    r"rejected|vetoed|signed (?:it |this )?off|committed to|ratified|declined|overruled|took option)\b|"
    r"\b(?:was|were|is|are|been|it's) (?:decided|agreed|approved|rejected|chosen|selected|adopted|"
    r"ratified|vetoed|ruled out|settled|put off|called off)\b|"
    r"\bdecide[sd]? (?:to|that|on|against|not)\b|\bagreed (?:to|that|on)\b|"
    r"^(?:picked|chose|going with|went with|went for|threw out|dropped the|scrapped|opted|settled|"
    r"agreed|decided|approved|rejected)\b|\b(?:go(?:ing)?|went) (?:ahead )?(?:with|for) (?:the|a|an|option|[A-Z0-9])|"
    r"\bfrom now on\b|\bgoing forward\b|\bas of (?:today|now|this|next|\w+ \d)|\beffective \w+|"
    r"\b(?:starting|beginning) (?:in|on|with|from|next|\w+day)\b|"
    r"\bwe(?:'ll| will| shall) (?:use|adopt|keep|drop|go|move|switch|stick|stay|stop|start|not|no longer|"
    r"always|never)\b|\bwe (?:won't|no longer|don't) (?:support|ship|offer|use|accept|do|build|take)\b|"
    r"\b(?:the )?(?:final )?(?:decision|verdict|ruling) (?:is|was|to)\b|"
    r"\b(?:set|makes?|made|laid down|put \w+ (?:\w+ ){0,3}as) (?:the|a|this) (?:rule|policy)\b|\bnew (?:rule|policy)\b|"
    r"\bpolicy\b[^.]{0,20}:|\bhas to (?:stop|go)\b|\bhave to stop\b|\bsaid (?:no|yes)\b|"
    r"\bgave (?:the |a )?(?:go-?ahead|green light)\b|\bsettled (?:on|that|for|at)\b|"
    r"\b(?:postponed|deferred|rescheduled|moved|moves|shifts?|shifted|put off|pushed) "
    r"(?:the |our |this |it )?[\w' -]{0,40}?\b(?:until|from|to (?:\d|jan|feb|mar|apr|may|jun|jul|aug|"
    r"sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|next|q[1-4]))|"
    r"\b(?:chose|choosing|picked|selected|preferred) [\w .-]{1,40} (?:over|instead of|rather than)\b|"
    r"\bwill be [\w .-]{1,40} (?:and not|not|instead of|rather than)\b|"
    r"^use [\w .'-]{1,60},? (?:not|never|instead of|rather than)\b|\binstead of (?:going|using|buying|building|getting)\b|"
    r"\bstandardi[sz]e[ds]? on\b|\bswitch(?:ed|ing)? to\b|\bstays? (?:closed|open|with|on|out|at|as|"
    r"inside|the)\b|\bonly (?:go(?:es)? (?:ahead|out|live)|after|when|with) (?:\w+ ){0,3}(?:are|is|has|have|approval|two|review)|"
    r"\bneeds? (?:a second|two|\w+'s|prior|written|explicit) (?:\w+ )?(?:pair|approval|review|eyes|signature|sign-?off|yes|consent)|"
    r"\basked (?:us|me) (?:to|not to) \w+[^.]*\.",
    re.I,
)
DONE_VERBS = (
    r"shipped|merged|deployed|released|fixed|resolved|solved|finished|completed|launched|"
    r"delivered|closed|signed|migrated|published|upgraded|passed|won|submitted|landed|"
    r"implemented|restored|repaired|recovered|installed|unblocked|achieved|rolled (?:out|back)|"
    r"went live|goes live|is live|are live|now live|handed over|signed off|accepted|confirmed|"
    r"reproduced|secured|hired|paid|refunded|booked|cut over|reduced|halved|doubled|eliminated|"
    r"added|built|wrote|created|set up|enabled|removed|replaced|patched|tagged|verified"
)
STRONG_DONE = (
    r"shipped|merged|deployed|released|fixed|resolved|solved|finished|completed|launched|"
    r"delivered|closed|signed|migrated|published|upgraded|passed|won|submitted|landed|restored|"
    r"recovered|unblocked|achieved|rolled (?:out|back)|went live|goes live|(?:is|are) (?:now )?live|"
    r"handed over|signed off|cut over|refunded|implemented|repaired|accepted|confirmed"
)
DONE_FIRST = re.compile(
    rf"^(?:i |we |and |then |also |finally |successfully |\w+ (?:and \w+ )?){{0,2}}(?:have |has |had |was |were |is |are )?"
    rf"(?:now |finally |successfully |also )?(?:{DONE_VERBS})\b",
    re.I,
)
DONE = re.compile(
    rf"\b(?:is|are|was|were|has been|have been|been|got|now|finally|successfully|i|we|he|she|they|"
    rf"[A-Z]\w+) (?:now |finally |successfully |all |just |also |fully |both )?(?:{STRONG_DONE})\b|"
    r"\b(?:works|working) (?:again|now|at last)\b|\bback (?:up|online|to normal)\b|"
    r"\bno longer (?:fails?|blocked|broken|crash\w*|an issue)\b|\btests? (?:all )?(?:pass|green)\b|"
    r"\broot cause (?:was|is|found|identified)\b|\bturned out to be\b|\bhit the target\b|"
    r"\b(?:arrived|came (?:in|through|back))\b[^.]{0,40}\bresolv|\bresolv(?:es|ing) the\b|"
    r"\b(?:is|are|was|were) (?:now |all |finally |fully )?(?:out|gone|over|complete|finished|done|live|online|"
    r"back(?! and forth)|up again|in place|through|explained|rewritten|on the new)\b(?! of\b| to\b)|"
    r"\bhas (?:now )?cleared\b|\bcame through\b|\btook place\b|\bput right\b|"
    r"\bwent (?:out|off|through|live|well|smoothly)\b|\bnew (?:best|record)\b|"
    r"\bworks (?:since|now|again|there)\b|\bzero (?:rollbacks|errors|failures)\b|\bbeats? the\b|"
    r"\ball \d[\w ]{1,30} (?:verified|migrated|pass(?:ed)?|done|moved|upgraded|on the new)\b|\bhas been (?:\w+ed|sent|paid|put)\b",
    re.I,
)
#: A note's way to report: a thing, then what was done to it. `Cabin reserved, deposit paid.`
NOTED = re.compile(
    r"^(?:[\w'’#./-]+ ){1,5}(?:\w{2,}ed|sent|paid|swept|built|done|cut|sold|bought|written|rewritten|"
    r"shut|drawn|found|won|put|made|set up)(?: (?:and|with|by|at|in|on|to|for|under|from|again|today|over)\b|[,.;:]|$)",
    re.I,
)
NOT_NOTED = re.compile(
    r"\b(?:need|needed|wanted|asked|proposed|requested|expected|planned|promised|based|supposed|called|"
    r"noted|reported|described|said|seemed|looked|tried|started|escalated|turned|failed|diverged|"
    r"decided|that|which|who|he|she|they|we|i|if|when|customer|user|acknowledged|glanced|synced|"
    r"required|retained|remained|surfaced|reali[sz]ed|linked|related|attached|aligned|isolated|scoped|"
    r"gated|preserved|unchanged|involved|limited|listed|pinned|anchored|as|apologised|apologized|fired|reopened|walked|opened|checked|sent out automatically|used|has|had)\b",
    re.I,
)
STRONG_FIRST = re.compile(
    rf"^(?:i |we |and |then |also |finally |successfully )?(?:have |has |had )?(?:{STRONG_DONE})\b",
    re.I,
)
BLOCKED = re.compile(
    r"\bneed(?:s|ed)? (?:to (?:be )?|a |an |the |someone|approval|sign-?off|\w+'s )|\btodo\b|"
    r"\bto be (?:decided|settled|confirmed|done|determined|agreed|scheduled|found|fixed)\b|\btb[dc]\b|"
    r"\bpending\b|\bdepends? on\b[^.]{0,60}\b(?:first|before|not)\b|"
    r"\bmust (?:\w+ ){1,6}(?:by|before)\b|\bdue (?:by|on|before|tomorrow|next)\b|"
    r"\bfollow(?:ing)? up (?:with|on)\b|\bfails? (?:on|with|every|in)\b|\bopen:|"
    r"\bnot (?:started|finished|done|tested|ready|reviewed)\b|\b(?:runs|ran|running) out\b|\bexpires?\b|"
    r"\breason unknown\b|\bunclear\b|"
    r"\b(?:could|might|may) be a (?:pattern|problem|risk)\b|\bclimbing\b|\bkeeps? \w+ing\b",
    re.I,
)
STRONG_BLOCKED = re.compile(
    r"\bblock(?:ed|er|ers|ing)\b(?! (?:out|time|quote|calendar|diagram|storage|of|ip|list|number|user|sender)\b)|\bstuck\b|"
    r"\b(?:cannot|can't|unable to) (?:\w+ ){0,6}(?:until|without|before)\b|\bon hold\b|\bparked\b|"
    r"\b(?:still )?(?:waiting|awaiting) (?:on|for)?\b|\bawaits?\b|\bheld up\b|"
    r"\bstill (?:\w+ )?(?:failing|fails|unresolved|broken|down|blocked|open|unanswered|missing|waiting|"
    r"outstanding|pending|no|not|unknown|unconfirmed|hasn't|haven't|needs?|owed?|red|flaky|unclear)\b|"
    r"\bunresolved\b|\bunanswered\b|\bat risk\b|\boverdue\b|\bnot yet\b|\bup in the air\b|"
    r"\b(?:has|have|had) (?:not|n't) (?:been |yet )?(?:answered|delivered|replied|arrived|responded|signed|"
    r"confirmed|heard|come|sent|received|told|ruled|given|picked|fixed|resolved)\b|"
    r"\b(?:hasn't|haven't|hadn't) (?:been |yet )?\w+|\bdid(?: not|n't) (?:ship|take place|arrive|happen|"
    r"come|land|merge|go through|make it|answer|reply)\b|"
    r"\bkeeps? failing\b|\bremain(?:s|ed)? (?:open|unresolved|blocked|pending|unconfirmed|unclear)\b|"
    r"\bno (?:reply|answer|response|word|date|owner|access|permission|budget|proof|decision)\b(?: \w+)? "
    r"?(?:yet|from|so far|that|for|on|since|$)|\bnot a (?:peep|word)\b|\bnobody (?:has|knows|owns|can|could|"
    r"on the|yet|picked|answers)\b|\b(?:fell|falls|fallen) through\b|\bcalled off\b|\bwe (?:still )?owe\b|"
    r"\b(?:is|are) (?:dead|down|broken|offline)\b(?! end)|\bopen question\b|^whether\b|"
    r"\bmust (?:be looked|be fixed|go back)\b|\bnot (?:paid|signed|answered|delivered) (?:so far|yet)\b|"
    r"\buntil (?:somebody|someone)\b|\bunable to\b",
    re.I,
)
UNBLOCKED = re.compile(
    r"\bun-?blocked\b|\bno longer (?:blocked|stuck|waiting)\b|"
    r"\b(?:resolv(?:ed|es|ing)|clear(?:ed|s)|lift(?:ed|s)|remov(?:ed|es)|clos(?:ed|es)|fix(?:ed|es)|end(?:ed|s)) "
    r"(?:the |our |this |that |a |all )?(?:\w+ ){0,3}(?:block\w*|issue|problem|ticket|impediment)\b|"
    r"\bblocker (?:is )?(?:gone|resolved|cleared|lifted|closed|removed|fixed)\b|\bnot blocked\b|"
    r"\bno (?:\w+ )?blockers?\b|\bnothing (?:is )?blocked\b",
    re.I,
)
RESOLVED = re.compile(
    rf"\b(?:resolved|resolves|resolving|fixed|fixes|solved|closed|closes|unblocked|arrived|delivered|"
    rf"received|granted|answered|replied|signed|approved|settled|cleared|lifted|done|finished|"
    rf"completed|works again|working again|back online|no longer|confirmed|restored|{STRONG_DONE})\b",
    re.I,
)
NEGATED = re.compile(
    r"\b(?:not|never|no|n't|cannot|nothing|nobody|without|failed to|unable to|hardly|isn't|wasn't|"
    r"aren't|weren't|hasn't|haven't|hadn't|didn't|doesn't|don't|won't|can't|couldn't)\b",
    re.I,
)
FUTURE = re.compile(
    r"\b(?:will|would|should|shall|could|may|might|plans? to|planning to|planned|going to|intends?|"
    r"hopes? to|wants? to|expect(?:s|ed)? to|to be|if|unless|until|once|when|proposes?|proposed|"
    r"suggest(?:s|ed)?|consider(?:s|ed|ing)?|tomorrow|next week|try(?:ing)? to)\b",
    re.I,
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
    r"\btrue figure\b|\bright (?:figure|number|value) is\b",
    re.I,
)
PROHIBITION = re.compile(
    r"\bmust(?: not|n't)\b|\bmust never\b|"
    # An order stands at the head of its clause; elsewhere the same words only describe.
    r"(?:^|[:;,.\"'(!-]\s?|\b(?:and|or|but|so|please|to|should|shall|will|is|are) )"
    r"never (?!(?:been|had|was|were|did|mind|got|knew|heard|seen|on|in|at|by|with|again|before|a|"
    r"the|more|quite|really|once|enough|too|to|from|for|any|came|made|went)\b)(?!\w+ed\b)\w+|"
    r"(?:^|[:;,.\"'(!-]\s?|\b(?:and|but|so|please) )(?:do not|don't) (?!(?:know|think|have|need|see|seem|"
    r"want|believe|match|work|exist|agree|worry|remember|understand|get|mean|mind|you|we|they|"
    r"forget|even|like|care|really|feel)\b)\w+|"
    r"\b(?:not allowed|forbidden|prohibited|off[- ]limits|banned)\b|"
    r"(?:^|[:;,.] )no (?:more )?(?:[\w-]+ ){0,2}(?:on|after|before|during|without|until|outside) "
    r"(?:the |a |any )?\w+|\b(?:we|you|i|nobody|no one|they|agents?) may not\b|\bunder no "
    r"circumstances\b|\bwithout (?:\w+'s |prior |explicit |written )(?:\w+ )?(?:approval|consent|permission|review|sign-?off)\b|"
    r"\bnot to (?:be )?(?:share|forward|touch|use|edit|send|deploy|call|mention|speak|interrupt|"
    r"shared|sent|used|edited|touched|quoted|interrupted|disturbed|called)\w*\b|"
    r"\bnothing (?:goes|leaves|is (?:sent|shared|deployed|merged)|over \d+) ",
    re.I,
)
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
    re.I,
)
PRACTICE = re.compile(
    r"\b(?:practice|lesson|learned|learnt|takeaway|rule of thumb|pays? off|paid (?:off|for itself)|"
    r"worked (?:well|better|again)|works (?:well|better)|turns? out|habit|checklist|convention|"
    r"best (?:way|done|to)|helps? (?:to|when)|before (?:every|each|any)|after (?:every|each|any)|"
    r"rehears\w+|first (?:on|in) (?:the )?(?:staging|copy|sandbox))\b",
    re.I,
)
URL = re.compile(r"https?://[^\s<>()\[\]]+[^\s<>()\[\].,;:!?'\"`]")
POINTER = re.compile(
    r"(?<![\w/#&])#[a-z][a-z0-9_-]{2,}\b|\b(?:dashboard|channel|wiki|runbook|documentation|docs|handbook|"
    r"tracker|board|folder|repository|repo|spreadsheet|sheet|mailing list|ticket queue|status page|"
    r"vault|calendar|form)\b",
    re.I,
)
HEDGE = re.compile(
    r"\b(may|might|could|unconfirmed|tentative(?:ly)?|probably|possibly|perhaps|maybe|likely|"
    r"unlikely|planned|plans?|planning|expected|expects?|proposed|proposes|suggests?|suggested|"
    r"appears?|seems?|apparently|reportedly|allegedly|supposedly|presumably|provisional(?:ly)?|"
    r"estimated|guess(?:es|ed)?|suspects?|suspected|rumou?red|pencilled|"
    r"unclear|uncertain|hopes?|hoped|hoping|intends?|considering|not sure)\b",
    re.I,
)
HEDGE_STEM = {
    "plans": "plan",
    "planned": "plan",
    "planning": "plan",
    "expected": "expect",
    "expects": "expect",
    "proposes": "propose",
    "proposed": "propose",
    "suggests": "suggest",
    "suggested": "suggest",
    "tentatively": "tentative",
    "appears": "appear",
    "seems": "seem",
    "provisionally": "provisional",
    "guesses": "guess",
    "guessed": "guess",
    "suspects": "suspect",
    "suspected": "suspect",
    "hopes": "hope",
    "hoped": "hope",
    "hoping": "hope",
    "intends": "intend",
    "rumoured": "rumored",
}
ACHIEVED = re.compile(
    r"\b(?:at last|for the first time|no longer (?:fails?|breaks|crash\w*|leaks?|hangs?)|\d+ (?:of|out of) \d+ "
    r"(?:pass\w*|done|green|ok|signed|delivered|migrated)|all (?:\d+ |of them |tests? |checks? )?(?:now )?(?:pass|passed|green|signed|delivered|moved)|"
    r"(?:fell|dropped|down|went down|improved|rose|grew|up|went up|cut|brought down) from \S+ (?:\w+ )?to \S+|"
    r"(?:arrived|received|granted|renewed|registered|installed|uploaded|handed in|filed|shipped|returned|"
    r"refunded|recovered|reunited|sold|hired|cleared) (?:\w+ ){0,4}(?:today|this morning|this afternoon|at \d|on \w+|"
    r"yesterday|tonight)|success(?:ful|fully)?|✅|✔|✓)\b",
    re.I,
)
#: Talk between people: what it says of their plans is not the log's own decision.
TALK = re.compile(r"\b(?:you|your|you're|i'm|i've|i'll|thanks|hey|wow|yeah)\b|!", re.I)
SWORN = re.compile(
    r"\b(?:i|we)(?:'ve| have| had)? (?:just |finally |also |recently |both )?(?:decided|agreed|chose|quit|"
    r"signed|bought|sold|got (?:the job|married|engaged|hired|accepted|promoted|fired)|lost my|"
    r"finished|launched|opened|moved to|started (?:my|a|an|our|working)|won|graduated|passed|"
    r"adopted|enrolled)\b",
    re.I,
)
#: A line that begins with a bare verb is a task someone set themselves.
TASK = re.compile(
    r"^(?:to )?(?:call|ring|phone|e-?mail|write to|ask|chase|send|order|buy|book|find out|look into|look up|"
    r"investigate|fix|repair|finish|prepare|draft|review|update|schedule|arrange|remind|follow up|"
    r"clarify|confirm|decide|figure out|get|collect|pick up|return|renew|cancel|pay|replace|"
    r"migrate|document|test|retest|re-run|rerun|contact|check (?:with|whether|if|why)|wait for|await|"
    r"verify|reconcile|finali[sz]e|submit|apply for|order|bring|hand over|let \w+ know|tell)\b(?! was| is| were|ed\b|ing\b)",
    re.I,
)
RISK = re.compile(
    r"\b(?:risks?|danger|worried|concern(?:ed)?|delayed|late by|behind schedule|slipp(?:ed|ing)|missing|lacks?|"
    r"shortage|leaks?|crash(?:es|ing)|broken|out of (?:stock|memory|disk|space|order)|"
    r"promised (?:for|by|to)|expected (?:by|on|back)|in dispute|disputed|complains?|unhappy|"
    r"without (?:an? )?(?:owner|answer|reply|date)|no one (?:has|knows)|is (?:late|missing|overdue|full|failing))\b",
    re.I,
)
RULING = re.compile(
    r"\b(?:no more|until further notice|not before|at most|no later than|in favou?r of|is to (?:be|go|stay)|"
    r"are to (?:be|go|stay)|will (?:now |from )?(?:be|use|run|go|move|replace|take over|stay|remain) (?:\w+ ){0,4}(?:from|instead|only|by default|until)|"
    r"won't be|is (?:now )?(?:mandatory|optional|required|deprecated|frozen|off the table)|capped at|limited to|"
    r"the rule is|by default|must (?:always|go|come|use|carry)|only \w+ (?:may|can|are allowed))\b",
    re.I,
)
