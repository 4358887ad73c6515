"""Common work verbs by sense, their irregular forms, and lists of words that phrases share."""

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
        provision seal stabilise stabilize speed-up clean-up back-up sort-out pick-up bring-down bring-back
        win-back track-down narrow-down match cover attach insure notarise notarize photograph frame
        hang fit glue weld tune arrange celebrate enter earn reach beat exceed surpass score
        confirm uninstall approve-of vaccinate treat adopt-from harvest pour demolish dismantle varnish tile""",
    "decide": """decide agree choose opt settle pick select approve reject veto vote rule decline ratify
        overrule elect scrap abandon ditch shelve postpone defer reschedule ban forbid prohibit authorise
        authorize mandate standardise standardize stipulate earmark greenlight prioritise prioritize
        deprioritise deprioritize deprecate adopt green-light outlaw put-off rule-out throw-out turn-down go-with go-for settle-on
        land-on commit-to""",
    "fail": """fail break crash hang stall slip leak drip diverge lapse refuse deny lose collapse overheat
        corrupt vanish disappear misfire bounce flake wobble deteriorate worsen stop-working time-out
        die fall-through fall-over run-dry run-out back-out drop-out burn-out give-up flicker degrade jam squeak stutter clog""",
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
    "win": "won",
    "greenlight": "greenlit",
    "build": "built",
    "write": "wrote written",
    "make": "made",
    "pay": "paid",
    "send": "sent",
    "buy": "bought",
    "sell": "sold",
    "cut": "cut",
    "shut": "shut",
    "set": "set",
    "put": "put",
    "find": "found",
    "sweep": "swept",
    "rewrite": "rewrote rewritten",
    "rebuild": "rebuilt",
    "reset": "reset",
    "split": "split",
    "choose": "chose chosen",
    "forbid": "forbade forbidden",
    "throw": "threw thrown",
    "go": "went gone",
    "break": "broke",
    "hang": "hung",
    "lose": "lost",
    "fall": "fell fallen",
    "run": "ran run",
    "give": "gave given",
    "read": "read",
    "keep": "kept",
    "hold": "held",
    "leave": "left",
    "take": "took taken",
    "get": "got gotten",
    "come": "came come",
    "say": "said",
    "tell": "told",
    "hear": "heard",
    "see": "saw seen",
    "begin": "began begun",
    "show": "showed shown",
    "bring": "brought",
    "beat": "beat beaten",
    "hit": "hit",
    "sew": "sewed sewn",
    "reread": "reread",
    "pick": "picked",
    "straighten": "straightened",
    "hand": "handed",
    "speak": "spoke",
    "draw": "drew drawn",
    "teach": "taught",
    "meet": "met",
    "bet": "bet",
    "fit": "fitted fit",
    "free": "freed",
    "overrule": "overruled",
    "pour": "poured",
    "stick": "stuck",
    "rerun": "reran rerun",
    "repay": "repaid",
    "quote": "quoted",
    "speed": "sped",
    "re-run": "re-ran",
    "re-read": "re-read",
}

LISTS: dict[str, str] = {
    # Words in -ed that tell a state, a wish or a manner of speaking, not a thing done.
    "state-of": """based called named used related supposed tired interested married located required
        expected planned proposed needed wanted seemed looked liked asked talked discussed mentioned
        noted reported described wondered hoped indeed speed feed seed need exceed proceed hundred
        agreed doubted feared worried pleased surprised limited involved concerned complained
        preferred mixed shared united advanced detailed experienced linked listed suggested claimed
        argued believed assumed realised realized noticed remembered tried wished loved hated owed
        remained stayed lived existed happened started continued waited belonged mattered depended
        visited phoned varied differed consisted contained included requested apologised apologized escalated""",
    # Words before the verb that leave it the head of its sentence.
    "lead": "i we and then also finally just so but have has had he she they successfully now today",
    "be": "is are was were be been being 's am",
    "now": "is are was were been got has have now finally 's",
    "who": "we i they he she you nobody everyone everybody everything nothing all",
    "lack": """reply answer response word date owner access permission budget proof decision slot stock
        spare spares room capacity quote signature approval confirmation key licence license credentials
        password evidence idea explanation contact delivery sponsor volunteer replacement funding test
        tests coverage fix workaround solution plan reviewer feedback eta estimate clue cause consensus
        agreement sign progress-on taker takers candidate candidates money backup""",
    "stuck": """blocked blocker blockers blocking stuck waiting awaiting awaits pending overdue outstanding
        unresolved unanswered undecided unpaid unsigned unconfirmed unassigned unfinished unsolved
        unexplained unfixed parked stalled todo tbd tbc fixme unstarted undelivered unclaimed""",
    "lame": """broken down dead offline late missing full failing flaky unclear unknown unhappy
        stale short delayed red unusable unreachable unavailable unreadable insufficient leaking
        dripping cracked jammed frozen lost open incomplete""",
    "done": """done complete finished live online out gone over through fixed final closed
        explained rewritten sorted cured solved history public""",
    "state": "green running again ready back available passing clean reproducible stable signed up",
    "calm": """usual always normal before expected ever yesterday ordinary""",
    "fine": "green quiet clear normal well passing healthy fine ok okay calm steady stable clean nominal",
    "news": """change changes news update updates movement activity issue issues incident incidents alert
        alerts action finding findings surprise surprises progress page pages
        conflict conflicts errors error warnings complaints anomalies anomaly visitors mail messages
        calls tickets questions blockers blocker""",
    "rise": """rose fell dropped grew climbed went improved shrank increased decreased declined down up
        cut reduced lowered raised""",
    "bar": """what not never no n't will would should could may might be if whether until unless once when
        before nothing none want wants wanted plan plans planned going need needs must can without nobody how
        that which who hardly barely shall let as like than unable did does do
        propose proposes proposed suggests suggested asks considers promises estimates expects""",
    # Third person of a verb that, with "again", says a thing has come back.
    "act-again": """reports answers starts opens flows flowing prints runs turns responds shows sells delivers loads
        rings sends prints accepts arrives pays syncs closes shuts boots order log-in reachable usable""",
    "fault": """fault leak crack hole noise smell mismatch discrepancy conflict bottleneck shortage mess error bug
        problem issue hitch delay gap queue rattle stain backlog outage""",
    "de-done": """fertig erledigt behoben gelöst abgeschlossen repariert online durch geliefert bezahlt veröffentlicht
        umgezogen fertiggestellt erreichbar da gebucht verschickt unterschrieben genehmigt""",
    "all": "all every everything everywhere any each only always never both no nothing anything",
    "where": "closed open up with on out as inside in the off where until unchanged this that shut free",
    "few": "one two three four five six seven eight nine ten",
    "work": "work",
    "works": "works",
    "working": "working",
    "small": "a an the this that these those my our his her their its some any",
}
