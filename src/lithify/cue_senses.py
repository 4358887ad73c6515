"""Common work verbs by sense, and the turns of phrase in which English states a thing.

A phrase is a row of places: a word, `a/b` for either, `<sense.p>` for a form of a verb of that
sense (`b` base, `s` third person, `p` past, `g` -ing), `<list>` for a word of a list, `?` before
a place that may be missing, `..` for up to three words of the clause, `^` for the head of a
sentence, `$` for the end of a clause, `#` for a figure, `*` for any word, `!` for a word that
may not follow.
"""

from __future__ import annotations

VERBS: dict[str, str] = {
    # What ends with something achieved.
    "done": """ship merge deploy release fix resolve solve finish complete launch deliver close sign
        migrate publish upgrade pass win submit land restore recover unblock achieve refund implement
        repair accomplish conclude finalize finalise cure eliminate eradicate graduate secure renew
        reissue reinstate reconnect reunite roll-out accept repay overhaul relaunch inaugurate
        commission recoup rectify remedy mend straighten-out hand-in hand-over cut-over wrap-up""",
    # What makes, moves, buys or changes something.
    "made": """add build write create make enable remove replace patch tag verify install book pay hire
        send order buy sell receive file print upload post register enrol enroll reserve rent cancel
        return collect plant paint sweep sew bake mount assemble wire connect configure automate
        document translate transcribe digitise digitize catalogue catalog label reindex backfill import
        export convert port rewrite refactor extract split move swap rotate revoke retire decommission
        delete disable shut reduce cut halve double triple raise lower shrink trim optimise optimize
        tighten harden encrypt train onboard recruit present record edit design prototype calibrate
        reproduce replicate prove identify discover trace locate diagnose explain validate
        transfer relocate rebuild reset reinstall retrieve rescue save balance reconcile invoice bill
        credit reimburse donate certify accredit grant award free-up move-in set-up put-up wire-up
        correct strip fill mail issue redesign rename-to reroute restock resize backport bump pin
        provision seal stabilise stabilize speed-up clean-up sort-out pick-up bring-down bring-back
        win-back track-down narrow-down match cover attach insure notarise notarize photograph frame
        hang fit glue weld tune arrange announce celebrate enter earn reach beat exceed surpass score
        confirm approve-of vaccinate treat adopt-from harvest pour demolish dismantle varnish tile""",
    "decide": """decide agree choose opt settle pick select approve reject veto vote rule decline ratify
        overrule elect scrap abandon ditch shelve postpone defer reschedule ban forbid prohibit authorise
        authorize mandate standardise standardize stipulate earmark greenlight prioritise prioritize
        deprioritise deprioritize outlaw put-off rule-out throw-out go-with go-for settle-on
        land-on commit-to""",
    "fail": """fail break crash hang stall slip leak drip diverge lapse refuse deny lose collapse overheat
        corrupt vanish disappear misfire bounce flake wobble deteriorate worsen stop-working time-out
        die fall-through fall-over run-dry run-out back-out drop-out burn-out give-up flicker degrade""",
    # What is done every day and changes nothing.
    "look": """check look glance read open pull walk scan compile refresh sync browse scroll skim monitor
        watch listen play acknowledge greet tidy run search rename sort empty water stretch join attend
        poll ping tail re-read reread re-check recheck rescan re-run rerun
        log-in click flip warm-up boot-up dust vacuum""",
    "keep": "keep hold leave preserve maintain continue stay remain treat track review monitor watch",
    # A bare verb at the head of a line: a task someone set.
    "task": """call ring phone email e-mail mail ask chase send order buy book find investigate fix repair
        finish prepare draft update schedule arrange remind follow-up clarify confirm decide collect
        return renew cancel pay replace migrate document test retest contact verify reconcile finalise
        finalize submit apply bring tell write get check figure-out look-into pick-up hand-over
        add remove clean drop-off invite measure rewrite review rotate tidy-up track-down
        talk-to speak-to sign-up post print fill-in fill-out compare raise escalate reply respond
        rebook reorder reschedule set-up sort-out work-out explain give""",
    "rule": """use keep stop avoid prefer leave put go stick start begin drop treat ask send file take
        write round quote cite name sign route assume default store log""",
    "hold": "go stay stop wait move get need require remain apply hold count live belong come take",
    "give": "answer reply respond come confirm give get send say tell pick return sign deliver arrive"
    " hear receive rule decide turn-up show-up show call-back write happen see start begin land"
    " acknowledge commit pay fix test merge ship look find own",
}

IRREGULAR: dict[str, str] = {
    **{"win": "won", "build": "built", "write": "wrote written", "make": "made", "pay": "paid"},
    **{"send": "sent", "buy": "bought", "sell": "sold", "cut": "cut", "shut": "shut", "set": "set"},
    **{"put": "put", "find": "found", "sweep": "swept", "rewrite": "rewrote rewritten"},
    **{"rebuild": "rebuilt", "reset": "reset", "split": "split", "choose": "chose chosen"},
    **{"forbid": "forbade forbidden", "throw": "threw thrown", "go": "went gone", "break": "broke"},
    **{"hang": "hung", "lose": "lost", "fall": "fell fallen", "run": "ran run", "give": "gave given"},
    **{"read": "read", "keep": "kept", "hold": "held", "leave": "left", "take": "took taken"},
    **{"get": "got gotten", "come": "came come", "say": "said", "tell": "told", "hear": "heard"},
    **{"see": "saw seen", "begin": "began begun", "show": "showed shown", "bring": "brought"},
    **{"beat": "beat beaten", "hit": "hit", "sew": "sewed sewn", "reread": "reread", "pick": "picked"},
    **{"straighten": "straightened", "hand": "handed", "speak": "spoke", "draw": "drew drawn"},
    **{"teach": "taught", "meet": "met", "bet": "bet", "fit": "fitted fit", "free": "freed"},
    **{"overrule": "overruled", "pour": "poured", "stick": "stuck", "rerun": "reran rerun"},
    **{"repay": "repaid", "quote": "quoted", "speed": "sped", "re-run": "re-ran", "re-read": "re-read"},
}

LISTS: dict[str, str] = {
    "be": "is are was were be been being 's am",
    "now": "is are was were been got has have now finally 's",
    "who": "we i they he she you nobody everyone everybody everything nothing all",
    "lack": """reply answer response word date owner access permission budget proof decision slot stock
        spare spares room capacity quote signature approval confirmation key licence license credentials
        password evidence idea explanation contact delivery sponsor volunteer replacement funding test
        tests coverage fix workaround solution plan reviewer feedback eta estimate clue cause consensus
        agreement sign progress-on takers candidate candidates money backup""",
    "stuck": """blocked blocker blockers blocking stuck waiting awaiting awaits pending overdue outstanding
        unresolved unanswered undecided unpaid unsigned unconfirmed unassigned unfinished unsolved
        unexplained unfixed parked stalled todo tbd tbc fixme unstarted undelivered unclaimed""",
    "lame": """broken down dead offline late missing full failing flaky unclear unknown unhappy wrong
        stale empty short delayed red unusable unreachable unavailable unreadable insufficient leaking
        dripping cracked jammed frozen lost open incomplete""",
    "done": """done complete finished live online out gone over through fixed final closed
        explained rewritten sorted cured solved history public""",
    "state": "green running again ready back available passing clean reproducible stable signed up",
    "calm": """usual always normal before expected ever yesterday ordinary""",
    "fine": "green quiet clear normal well passing healthy fine ok okay calm steady stable clean nominal",
    "news": """change changes news update updates movement activity issue issues incident incidents alert
        alerts action exception exceptions finding findings surprise surprises progress page pages
        conflict conflicts errors error warnings complaints anomalies anomaly visitors mail messages
        calls tickets questions blockers blocker""",
    "rise": """rose fell dropped grew climbed went improved shrank increased decreased declined down up
        cut reduced lowered raised""",
    "bar": """not never no n't will would should could may might be if whether until unless once when
        before want wants wanted plan plans planned going need needs must can without nobody how
        that which who hardly barely shall let as like than unable did does do""",
    "all": "all every everything everywhere any each only always never both no nothing anything",
    "person": "he she they we i",
    "small": "a an the this that these those my our his her their its some any",
}

#: Section or routine, weight, phrases. Weights: 3 says it outright, 2 says it, 1 leans to it.
OUTCOME: tuple[tuple[float, str], ...] = (
    (3, "^ <done.p> | ^ * <done.p> | ^ * * <done.p> $ | ^ done $ | ✅ | ✔ | ✓ | ^ done/sorted/solved/fixed/resolved/finished/shipped :"),
    (3, "<now> ?now/all/also/just/fully/finally/both/been/already <done.p> | went/goes live"),
    (3, "is/are/was/were/'s ?now/all/finally/fully/both/again/already/back <done> !of/to/for/and/until"),
    (3, "rolled/cut/handed/wrapped out/back/over/up | signed off | took place | went through"),
    (2.5, "<done.p> | works/working/runs/running again/now/since/there/fine/at/everywhere | back up/online/in/to"),
    (2.5, "no longer <fail.s>/<fail.b>/blocked/broken | at last | new best/record/high | for the first time"),
    (2.5, "has/have been <made.p> | <be> now <made.p> | came/got through | hit the target | zero <news>"),
    (2.5, "<small> .. has/have ?now/finally cleared/arrived/landed/healed/sold | has/have * now $"),
    (2.5, "went out/off/well/smoothly | paid off | passed with | turned out to | root cause"),
    (2, "^ <made.p> | ^ * <made.p> !me/us/out/up/for | ^ * * <made.p> | ^ * * * <made.p> $ | ^ * * * * <made.p> $"),
    (2, "is/are/'s ?now/all/finally/already <made.p> | was/were ?finally/all <made.p> | got <made.p>/<done.p>"),
    (2, "<rise> .. from # .. to # | from # .. to # | # of # .. <done.p>/<made.p>/done | all # .. <done.p>/<made.p>/on"),
    (2, "put right/back/in/on | found the/a cause/culprit/bug/leak | beats the | ahead of | under budget"),
    (2, "now <have.s>/has/have/gets/shows/works/runs/passes/uses/reads/fits | has/have * now | can now"),
    (2, ", <made.p>/<done.p> $ | : <made.p>/<done.p> | , <made.p>/<done.p> by/at/in/on/to/and/for/with/under"),
    (1.5, "i/we/they/she/he <made.p> | <made.p> and/,/; <made.p>/<done.p> | arrived | came in/back/through"),
    (2.5, "<done.s> the/our/this/that | has/have ?now/finally/also/since/just <done.p>/<made.p>"),
    (1.8, "is/are/was ?now/all/again/back <state> | has/have ?now/finally -ed"),
    (2, "received | arrived | has/have arrived/come/landed | got <small> !wrong/from | # faster/cheaper/quicker/smaller/fewer/less | down/up from # | down/up to #"),
    (2, "saves/saved # | took # .. instead/against/not | now <done> | no more * | <be> up and | all .. pass/passed/passes/done/signed/in/through/moved | passes/pass on/all/again/with"),
    (2, "milestone | first customer/order/user/release/version/sale/run .. | record | earned/raised/collected/sold # | is/are in production | goes/went into production"),
    (1.8, "has/have been -ed | <be> finally/now -ed | ^ -ed <small>/# | ^ -ed and -ed | ^ * -ed and -ed | ^ * * -ed $ | ^ * -ed $ | , -ed $ | <small> * -ed , -ed"),
    (1, "finally | successfully | success | <made.p> by/at/in/on/for/with/to | first time | since this morning"),
)
DECISION: tuple[tuple[float, str], ...] = (
    (3, "decision/decided : | <decide.p> to/that/on/against/not/for/over/in | we/i/they/she/he/both/all <decide.p>"),
    (3, "^ <decide.p> | ^ * <decide.p> | ^ * * <decide.p> | <be>/been <decide.p> | going/went/go/goes with/for | from now on"),
    (3, "going forward | until further notice | ^ <rule.b> .. not/never/instead | must not/never/always"),
    (3, "^ never | ^ always | ^ do not | ^ no more | ^ please do/stop/never/always/use/keep | said no/yes"),
    (3, "we/they/i will not/no/only/never/use/keep/drop/go/move/switch/stick/stay/stop/start/adopt/always/take"),
    (3, "not allowed/permitted | off limits | new rule/policy | the rule | has/have to stop/go | rule :"),
    (2.5, "<decide.p> | <decide.s> to/that/on/against/for/not | , no longer | as a rule | a rule | effective today/immediately/from | stays/stay the/as | as of # | as of today/now/this/next/monday/tuesday/wednesday/thursday/friday | no longer <rule.b>/<made.b>"),
    (2.5, ": never/always/no/do | ; never/always/do | and/or/, never <rule.b>/<task.b>/<made.b> | so/and/but do not | , do not"),
    (2.5, "instead of <made.g>/<rule.g>/<task.g>/the/a/getting | rather than | in place of | in favour/favor of"),
    (2.5, "chosen/picked/chose/pick over | # not # | will be .. not/instead | stays/stay <where> | standardise/standardize on"),
    (2.5, "<hold.s>/<hold.b> only after/when/with/if | only after/when/with/if | not before | no later than | at most"),
    (2.5, "need/needs a/two/prior/written/explicit second/approval/approvals/signatures/signature/review/reviews/eyes"),
    (2.5, "effective # | starting/beginning in/on/with/from/next/monday | ^ <rule.b> .. <all> | ^ no * after/before/during/on/in/without/between"),
    (2.5, "policy | is/are to be/go/stay/use | by default | nothing goes/leaves/over/is | capped at | limited to"),
    (2.5, "gave .. go-ahead/green/approval/permission | signed .. off because | the plan is | we are going"),
    (2, "switch/switched/switching/moving/move/moves to | moves from | will replace | will stay/remain/become | is/are out"),
    (2, "told/asked/reminded/wants/want/asks us/me/everyone/them/everybody not/to | said : | insisted/insists that/on"),
    (2, "we/they keep/use/stay/stick/drop/stop/skip/take/treat/go/start | we are keeping/dropping/using/stopping/sticking/staying"),
    (2, "it/that stays/goes/is settled | <hold.s> to/through/first/on/out/back | must/shall | <all> .. go/goes/get/gets/stay/stays/need/needs"),
    (2, "preferred .. to/over | made/makes more sense | not worth | too expensive/risky/slow to | the answer is no"),
    (3, "off the table | out of scope | will not fix | no exceptions | not doing | ^ we will | let us/'s | in future | in the future | next time | every time | ^ remember to | ^ make sure | ^ be careful"),
    (3, "only <who>/* may/can | nobody/everyone/everybody may/must | may only/not | is/are/becomes mandatory/optional/required/deprecated/frozen/forbidden/default | ^ no .. without | not without"),
    (2.5, "stick/sticking/stuck with/to | stay/staying/stays with/on | ask/check/clear/agree .. before/first | should always/never/not/only | be <rule.p>/<made.p> first | at least # | does not/n't want"),
    (2.5, "brought/brings forward | pushed/moved/postponed .. to/until/by # | moved/pushed/postponed .. to/until monday/tuesday/wednesday/thursday/friday/saturday/sunday/next/after/the | turned down | took/accepted the offer/job"),
    (2.5, "takes/take/took over | is/are responsible | in charge of | replaces/supersedes/supersede | goes/go first | comes/come first | first .. then | we are not | for now we | until then we | the default | as default"),
    (2.5, "would like/wants/want/prefers us/me/everyone/it/them to/that/in/sent/done/kept | asked not | told not | not to be | is/are to | has/have to be | not <small> .. but | is/are allowed | no need to"),
    (3, "every/each/any/all .. needs/need/must/requires/require | without .. approval/consent/permission/review/sign-off | needs/need .. before | and no more"),
    (2, "set .. to/at # | set at # | the plan : | deadline/limit/budget/price/cap/target is/stays/set | we should/shall/would | will <rule.b>/<made.b>/<hold.b>/<done.b>/<task.b> | will be <made.p>/<done.p>/<hold.p>/-ed"),
    (2, "corrected me | not but | told/asked/warned/reminded me/us/them/him/her | the right * is | wins/won over | better than | cheaper/simpler/safer than | makes sense | worth the/it | <all> <hold.b>/<hold.s>"),
    (1, "because | so that | says | and not | full stop | over the | , not | will not | will | instead"),
)
OPEN: tuple[tuple[float, str], ...] = (
    (3, "<stuck> | on hold | at risk | not yet | up in the | open question | no <lack> | held up/back by"),
    (3, "still not/no/has/have/waiting/open/unclear/missing/needs/need/failing/fails/broken/down/red/unknown/owes/owe/without"),
    (3, "has/have not ?been/yet/even <give.p>/<made.p>/<done.p>/been | is/are not <give.g> | did not <give.b>/take/make/ship/go/arrive/happen/come/work"),
    (3, "can/could not .. until/without/before/yet | unable to | cannot until | ^ whether | nobody/no-one has/have/can/could/knows/owns/is/on"),
    (3, "<be> <lame> !end | keeps/kept/keep <fail.g>/going/coming/dropping/dripping/timing/asking | remains/remain <lame>/<stuck>/to"),
    (3, "<be> not ?yet/been/even <give.p>/<made.p>/<done.p>/ready/done/started/there | not <made.p>/<done.p>/started/tested/paid/ready yet/so/$"),
    (2, "<fail.p>"),
    (2.6, "<fail.p> at/on/with/again/to/because/in/after/when/for/and/$/by/today/this/over/the/his/her/our/us/it | <fail.p> , | <fail.p> ."),
    (2.5, "to be <decide.p>/<made.p>/<done.p>/confirmed/determined/found/scheduled/seen | we/i/they owe | yet to | have/has to/yet be"),
    (2.5, "need/needs to/someone/somebody/a/an/the/more/another/help/input/your/his/her/their/approval/sign-off/new/some/<made.g>/<task.g>/<done.g>"),
    (2.5, "must be <made.p>/<done.p>/looked/fixed/found | must .. by/before | due by/on/before/tomorrow/next/monday/friday/in/# | runs/run/ran/running out/dry/low"),
    (2.5, "only * knows/can/has | no one/idea | not sure/clear/certain | too few/little/late | short of | out of stock/memory/disk/space/order/paper/date"),
    (2.5, "expires/expire/expiring | depends/hangs/hinges on | reason/cause unknown | follow/following up | without a/an/any <lack> | if .. not"),
    (2.5, "has/have no | we do not have/know | do/does not know/match/have/answer/start/boot/load/open/build/work | can/could not"),
    (2, "<fail.s>/<fail.g> | risk/risks/danger/concern/worried/problem | missing/broken/overheating/leaking | wants/asked/asks/requests/requested .. by/which/before"),
    (2, "promised | called off | gone missing | turned away/down | climbing | dwindling | worse"),
    (2, "^ <task.b> | next : | open : | who <hold.s>/takes/trains/pays/owns/is/does/will | by tomorrow/monday/tuesday/wednesday/thursday/friday/saturday/noon"),
    (2, "second/third reminder/mail/attempt/time | again and | goes down | will break/fail/expire/lapse/run/miss/slip | may/might/could break/fail/miss/slip/lose"),
    (3, "to do | to-do | follow-up | action item | next steps | open items | back-ordered/backordered | sold out | short-staffed | not working | can not reproduce | do/does not know why | no one knows | no idea"),
    (2.5, "someone/somebody/we/i has/have/should/must/needs/need to | will not <give.b>/start/boot/load/open/build/compile/print/charge/connect/turn/fit/close/pair/sync/run/work | has/have to wait | not <give.g>/working/enough"),
    (2.5, "^ asked .. whether/for/if/to/about | ^ requested | ^ escalated | ^ chased | ^ reported .. to | ^ need/needs | ^ missing | ^ why | ^ how do/can/should/long/much/many | ^ who | ^ when | ^ question | not decided/settled/clear/agreed"),
    (2.5, "intermittent/intermittently/sporadic/sporadically | investigating | looking into | regression | outage | complaint/complaints from | behind schedule/plan | in dispute | no * left | only # .. left | low on | running low"),
    (2, "will get/call/come/write back | gets/get back to | expected by/on/in/back/next/# | on order | scheduled for | in the post | lack/lacks/lacking | <small> deadline | deadline # | ends/closes/lapses on/in/# | error/errors/exception/timeouts/timeout"),
    (2, "does/do not <give.b>/<made.b>/<done.b>/-ed | is/are/was not -ed | wait/waits for/on/until | depending on | too long/slow/hot/big/high/low/small/many/much/expensive | twice as slow | not enough | no * for/from/to/in/yet"),
    (2, "want/wants to know | wonder/wondering/wonders | suspect/suspects/suspected | ^ bug/defect/glitch | should | ought to | would need/break/mean | remains/remain | left to | if we/it/they/nobody do/does/not"),
    (1, "<lame> | until | tomorrow | yet | pattern | waiting | later | ask | missing | before the"),
)
ROUTINE: tuple[tuple[float, str], ...] = (
    (3, "no ?new/further/other/major/open <news> !from/on/about/yet/: | nothing new/changed/else/urgent/unusual/notable/moved/of/interesting/special/much/happened/personal/came"),
    (3, "as <calm> | same as/<small>/people/news/reading/story/again/old | all ?is/still/quiet <fine> | all .. <fine> $ | business as | nothing from"),
    (3, "health check | stand-up/standup/timesheet/timesheets/heartbeat/auto-reply/autoreply/voicemails/newsletters | traceback | info/debug/trace/warn *"),
    (3, "un/not changed | unchanged | within range/limits/tolerance/bounds | routine/usual/regular/scheduled/nightly/daily/weekly check/checks/backup/backups/sweep/triage/review/pass/run/maintenance/rounds/cleanup/sync/digest/report"),
    (3, "did not change/alter/advance/reopen/widen/expand/create/add/broaden/issue | made no changes/change | without changing/creating/change/changes/incident/issue/event/problems"),
    (3, "stayed/remained/held/holds/kept .. steady/stable/place/intact/unchanged/quiet/flat/track | automatically/auto-generated/automated | by system"),
    (2.5, "^ <look.p> !with/into/whether/why/if | ^ <look.g> | sizes/temps/values/readings/levels/numbers/vitals <fine>/in | backup/backups <fine>/ran/fresh/completed/succeeded/done"),
    (2.5, "^ <keep.p> | took a break | had/over lunch/coffee/tea | nothing to report/see/add/note | ^ weather | ^ lights/doors/alarm/heating on/off"),
    (2.5, "reminder/alarm/notification/survey fired/sent/rang/dismissed/snoozed/went | <look.p> the/my/old/# ?new inbox/queue/logs/log/dashboards/dashboard/calendar/feed/notes/list/folder/desk/mail"),
    (2, "<look.p> .. again/latest/once/twice | , <fine> $ | . <fine> $ | : <fine> $ | still up/running/there/fine/on | have/has # new | quick look | slow hour/day/night | small talk"),
    (3, "typo/typos/whitespace/linter/lint/reformatted/indentation | out of office | calendar invite | exit code # | # errors | # ok | in sync | log-rotate | cron job ran | up to date | keep-alive | no-op | idle"),
    (2.5, "sent/posted/filed/shared <small> ?usual/daily/weekly/morning/evening/status report/digest/summary/update/reminder/minutes/recap | weekly/daily/morning/evening/monthly standup/sync/call/email/digest/report/newsletter/meeting/status"),
    (2.5, "<look.p> and <look.p> | spam | took/had a * break/walk/nap/lunch | made/had/drank coffee/tea | ate lunch/dinner/breakfast | log/logs rotated | cache cleared | restarted my | cleared the cache/inbox | logged in/out/off"),
    (2.5, "end of shift/day/session | start of shift/day/session | signing off | shift/session started/ended/began"),
    (2, "^ nothing | , nothing | as planned | on schedule | on time | as agreed | ^ still <look.g>/on/at/here/working/running | zero <news> | quiet day/night/shift/morning/afternoon/weekend | ^ quiet"),
    (2, "^ <made.p> .. again $ | apologised/apologized/laughed/waved/smiled/yawned"),
)
#: Routine only where the line says little else: a letter may begin with a greeting too.
GREETING: tuple[tuple[float, str], ...] = (
    (3, "^ good morning/evening/afternoon/night/day | ^ hello/hi/hey/bye/goodbye | ^ ok/okay/noted/thanks/thx/ack/roger | thank you | thanks for | welcome back"),
    (3, "how are you | have a nice/good/great | you are welcome | no problem | sounds good | on my way | be right | brb | ready when | anything else | see you | talk soon | lol | haha"),
)
CONTEXT: tuple[tuple[float, str], ...] = (
    (2, "^ interesting | ^ fyi/note/heads-up/nb/curious/funny/tip/background/reminder | for reference | likes/prefers/hates/loves/enjoys/dislikes"),
    (2, "lives/lives/sits in/at/on/under | ^ hypothesis | perhaps | maybe | https | might be | may be/explain/account/have | according to | named after | turns out"),
    (1.5, "seems/seem/appears/tends/tend | which is | could be | did not expect | each time | is about | described | about # | on average | per day/month/week/year"),
    (1.5, "mentioned | talked/talk/spoke about | discussed | says it/the/that/he/she | said it/the/that/he/she | reads/means/explains | is/are called/named/located/based/known | consists/contains/includes/holds/weighs/measures"),
    (1.5, "^ she/he/they/it is/was/has/had/likes/lives/works/uses | ^ the * is/are/was/were/has/lives/uses/runs/holds | ^ their/his/her/our * is/are/uses/has/was | for background | in case | it/this/that means | apparently | the reason"),
    (1, "likely | probably | often | usually | sometimes | mostly | has/have # | costs/cost | takes about | compared"),
)
LISTS["where"] = (
    "closed open with on out at as inside in the off where until unchanged this that shut free"
)
LISTS["have"] = "have has"
