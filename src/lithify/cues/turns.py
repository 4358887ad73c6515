"""The turns of phrase in which English states a thing.

A phrase is a row of places: a word, `a/b` for either, `<sense.p>` for a form of a verb of that
sense (`b` base, `s` third person, `p` past, `g` -ing), `<list>` for a word of a list, `-ed` for
any word in -ed, `?` before a place that may be missing, `..` for up to three words of the clause,
`^` for the head of a sentence, `$` for the end of a clause, `#` for a figure, `*` for any word,
`!` for a word that may not follow.
"""

from __future__ import annotations

#: What outcomes, decisions, open items, chores and plain facts sound like. Each line: a weight (3
#: says it outright, 2 says it, 1 leans to it), then phrases.
OUTCOME = """
4: # have/has ?now/already/all agreed/accepted/confirmed/signed/answered/replied/paid | sold out , # of # | # of # sold |
    ^ sent/issued/posted/published .. correction
3: ^ <done.p> | ^ * <done.p> | ^ * * <done.p> $ | ^ done $ | ✅ | ✔ | ✓ |
    ^ done/sorted/solved/fixed/resolved/finished/shipped : |
    <now> ?now/all/also/just/fully/finally/both/been/already <done.p> | went/goes live |
    is/are/was/were/'s ?now/all/finally/fully/both/again/already/back <done> !of/to/for/and/until/there |
    rolled/cut/handed/wrapped out/back/over/up | signed off | took place | went through |
    ist/sind/wurde/wurden ?jetzt/nun/wieder/alle/heute <de-done> | läuft/läuft/funktioniert/geht wieder |
    est/sont ?enfin/maintenant terminé/terminée/réparé/livré/résolu/fini | está/están ?ya listo/resuelto/terminado/arreglado |
    is/zijn ?nu/weer klaar/opgelost/gerepareerd/af | ^ erledigt/behoben/fertig
3: <be> dealt with | # is in $ | problem/outage/incident/trouble is over | can/could .. again | problem/fehler/störung gelöst/behoben | hat/haben .. freigeschaltet/repariert/geliefert/behoben/gelöst/genehmigt/bezahlt
2.6: payment/transfer/money/deposit/reply/answer/order/parcel .. came/arrived | target/goal met/reached/hit |
    ( was/were/before/previously/formerly # | # # before $ | it is back |
    used to take/be/need # | keeps/keep/holds/reads/tells/talks .. again | can/could be * * * again |
    online/up/open/running again | switched/turned off at/after/on/for | paid out # |
    went/gone in .. before/on | has/have been green | is/are happy/satisfied with |
    we/i/she/he/they have/has/got our/my/the/his/her/a ?signed/valid/new permit/keys/lease/licence/license/visa/slot/place/contract |
    done and <made.p>/<done.p>/-ed | gone after/since/with/for | is/are in and | -ed and -ed $ |
    cut/halved/doubled/reduced .. by/to | -ed out $ | above/below/under/over plan/target/budget |
    arrived/came in the post | back under/over/above/below/to # | can reproduce |
    picked .. up | has/have its/an answer | is/are <made.p>/<done.p> and | # in a row
2.5: # instead of ?the # | # * instead of ?the # | # in place of # | confirms/proves/shows :/that
2.5: <done.p> | works/<working>/runs/running again/now/since/there/fine/everywhere |
    <act-again> again/normally | is/are/'s/was <state>/green/well/fine again/since |
    have/has a/the/our signed/working/valid/final/finished/approved | no findings |
    * gone after/since/with | ^ * * done and/, | ^ * .. done and | : done/passed/fixed/solved/accepted $ |
    back up/online/in/to | no longer <fail.s>/<fail.b>/blocked/broken | at last |
    new best/record/high | for the first time | has/have been <made.p> | <be> now <made.p> |
    came/got through | hit the target | zero <news> |
    <small> .. has/have ?now/finally cleared/arrived/landed/healed/sold | has/have * now $ |
    went out/off/well/smoothly | paid off | passed with | turned out to | root cause :/is/was/found |
    <done.s> the/our/this/that | has/have ?now/finally/also/since/just <done.p>/<made.p> |
    found why/out/the/what/that |
    now loads/handles/starts/opens/prints/accepts/supports/sends/syncs/builds/compiles/stands/answers/returns/finishes/takes/covers |
    no longer happens/occurs/appears/shows/needed | turned/turns up |
    ^ first .. without/ever/run/time | can * now | is/are home | won the/a/our |
    withdrew/withdrawn
2: now <made.s>/<done.s> | now <keep.s> !#
2.2: ^ * * .. <made.p> on #/monday/tuesday/wednesday/thursday/friday/saturday/sunday | <small> .. came $ | i/we <made.p> <small> | is/are here $ |
    test/rehearsal/trial/drill : .. #
2: ^ <made.p> !no/nothing/none | ^ * <made.p> !me/us/out/up/for/:/that/about | ^ * * <made.p> !:/that/about | ^ * * * <made.p> $ |
    ^ * * * * <made.p> $ | is/are/'s ?now/all/finally/already <made.p> |
    was/were ?finally/all <made.p> | got <made.p>/<done.p> | <rise> .. from # .. to # |
    from # .. to # | # of # .. <done.p>/<made.p>/done | all # .. <done.p>/<made.p>/on |
    put right/back/in/on | found the/a cause/culprit/bug/leak | beats the | ahead of |
    under budget | now has/have/gets/shows/<works>/runs/passes/uses/reads/fits |
    has/have * now | can now | i/we/they can .. now | down/up from * | is/are -ed and | is/are ?all/now/again -ed $ |
    is/are ?all/now/again -ed , | * of # .. <made.p>/<done.p> | , <made.p>/<done.p> $ | : <made.p>/<done.p> !no/nothing/none |
    , <made.p>/<done.p> by/at/in/on/to/and/for/with/under | ^ got | ^ wrote | ^ found | received |
    arrived | has/have arrived/come/landed | got <small> !wrong/from |
    # faster/cheaper/quicker/smaller/fewer/less | down/up from # | down/up to # | saves/saved # |
    took # .. instead/against/not | now <done> | no more * | <be> up and |
    all .. pass/passed/passes/done/signed/through/moved | all .. in $ | passes/pass on/all/again/with |
    milestone | first customer/order/user/release/version/sale/run .. | record |
    earned/raised/collected/sold # | is/are in production | goes/went into production/main/master/service/print
1.8: so that .. not/never | is/are/was ?now/all/again/back <state> | has/have ?now/finally -ed | has/have been -ed |
    <be> finally/now -ed | ^ -ed <small>/# | ^ -ed and -ed | ^ * -ed and -ed | ^ * * -ed $ |
    ^ * -ed $ | , -ed $ | <small> * -ed , -ed
1.6: test/tests/rehearsal/trial/drill with # | <made.p> to/by | given/held/done , | are/is in : | out to #
1.5: i/we/they/she/he <made.p> | <made.p> and/,/; <made.p>/<done.p> | arrived |
    came in/back/through
1: finally | successfully | success | <made.p> by/at/in/on/for/with/to | first time |
    since this morning
"""
DECISION = """
4: decision/decided :
3.4: ^ release/launch/date/deadline/meeting/go-live .. moved/pushed ?again/back :/to/from/by/until |
    put/puts/putting .. on hold/ice | is/are against it/this/that/the | wants/want/asks/expects .. to be
3: we always * | and we are done | ^ ?the lesson/lessons/takeaway
2.8: goes/go up/down/back to # | goes/go/rises/rise from # .. to # | we take/choose/pick/adopt <small> | turned it/them/him/her/us down |
    we/they change/changes/switch/switches to/from | moves/move/moved from # .. to | is/are no longer # | now # instead
3: we/they/i no longer | changed/changes his/her/my/our/their/its mind | on no account |
    nobody/no-one .. until/without/unless | nobody/no-one * * .. until/without/unless | freeze from/until/begins/starts | , never -ed/removed/sent/given |
    ^ we do not !know/have/see/understand/yet * | from here on | green-lit | final/the/my/our call : | verdict/ruling : | ^ resolved to | ^ will not |
    <decide.p> to/that/on/against/not/for/over/in |
    we/i/they/she/he/both/all <decide.p> | ^ <decide.p> | ^ * <decide.p> | ^ * * <decide.p> |
    <be>/been <decide.p> | going/went/go/goes with/for | from now on | going forward |
    until further notice | ^ <rule.b> .. not/never/instead | must not/never/always | ^ never |
    ^ always | ^ do not !know/understand/see/have/think/yet | ^ no more | ^ please do/stop/never/always/use/keep |
    please always/never | ^ please .. <all> | ^ please nobody/no-one/everyone/everybody | said no/yes !or | gives/gave/give in $ | against what we/i/they/he/she said/agreed/decided/wrote | one exception |
    we/they/i will not/no/only/never/use/keep/drop/go/move/switch/stick/stay/stop/start/adopt/always/take |
    not allowed/permitted | off limits | new rule/policy | the rule | has/have to stop/go |
    ^ rule : | new/house/standing/our rule : | off the table | out of scope | will not fix | no exceptions | not doing | ^ we will !see/know/find/hear |
    let us | let's | ^ let !me/him/her/them/it | in future | in the future | ^ next time | next time , not | ^ make sure |
    ^ be careful | only <who>/* may/can | nobody/everyone/everybody may/must | may only/not |
    is/are/becomes mandatory/optional/required/deprecated/frozen/forbidden/default |
    ^ no .. without | not without | every/each/any/all .. needs/need/must/requires/require |
    without .. approval/consent/permission/review/sign-off | needs/need .. before | and no more |
    it is $ | it is then $ | overturns/reverses/overrules/rescinds/undoes what/the/our/that/her/his/my/their |
    decision/decisions/plan/rule .. is/are taken/withdrawn/reversed/overturned/void/rescinded | ^ priority is | that is/'s what we | dropped/scrapped/abandoned the idea/plan/project/feature/support/option |
    is/are/was ?now cancelled/canceled/postponed/scrapped | is/are ?now off :/./;/because/for | no exceptions | unless/except .. says/agree/agrees |
    wir/man .. beschlossen/entschieden/vereinbart/entschied | beschlossen/entschieden/vereinbart $ | ab sofort |
    ^ nie/niemals/immer/bitte | à partir de maintenant | a partir de ahora | vanaf nu | on a décidé | hemos decidido
2.6: ^ at least !it/he/she/they/that/this/i/we/you/the | at least .. each/every/per | our/company/house policy | policy is to/now/that/# |
    every time !it/he/she/they/the/a | from today/tomorrow | ^ only !#/<few>/a/an/half/then/now/today/yesterday | we are taking/choosing/picking/using/buying | and not more/less |
    wants/want/demands every/all/each/only/no | we/they * .. throughout | , use/ask/keep/avoid |
    is/are retired | da oggi | on garde/passe/arrête | darauf verständigt/geeinigt |
    heeft/hebben besloten/afgesproken | made/makes/named/appointed .. owner/lead/head/chair/responsible | so/then we will |
    cut/cutting/pulled/pulling/removed/took/taken/dropped .. from/off the scope/roadmap/plan/release/sprint/agenda/list |
    scope reduced/cut/limited/narrowed/is | priority/priorities/order is/are now |
    go-ahead/greenlight/approval from | should read/say/be # | should read/say | got .. wrong | the winner is | gets the contract/job/order/money |
    goes to vendor/supplier | the convention | house style | we/i/they only * |
    asked/asks/requested/insists that | must be/have/go/come/use/carry | was/were wrong |
    i was mistaken/wrong | correction | <small> right way |
    you/everyone/everybody/people/agents/we should !have/see
2.5: <decide.p> | <decide.s> to/that/on/against/for/not | , no longer | as a rule | a rule |
    effective today/immediately/from | stays/stay the/as | as of # |
    as of today/now/this/next/monday/tuesday/wednesday/thursday/friday |
    no longer <rule.b>/<made.b> | : never/always/do | ; never/always/do | : no more/, | no .. please |
    : no !change/changes/news/movement/progress .. after/before/during/on/in/without/between/until/unless |
    and/or/, never <rule.b>/<task.b>/<made.b> | so/and/but do not | , do not |
    instead of <made.g>/<rule.g>/<task.g>/the/a/getting !# | rather than |
    in favour/favor of | chosen/picked/chose/pick over | # not # | will be .. not/instead |
    stays/stay <where> | stays/stay at # | standardise/standardize on | <hold.s>/<hold.b> only after/when/with/if |
    only after/when/with/if | not before | no later than | at most |
    need/needs ?a two/prior/written/explicit/second pair/approval/approvals/signatures/signature/review/reviews/eyes/consent |
    effective # | starting/beginning in/on/with/from/next/monday | ^ <rule.b> !of .. <all> |
    ^ no !change/changes/news/movement/progress/time/sign/word * after/before/during/on/in/without/between | ^ no * .. is/are -ed/taken/made/sent/sold/given until | policy : | is/are to be/go/stay/use |
    by default | nothing goes/leaves/over/is | capped at | limited to |
    gave .. go-ahead/green/approval/permission | signed .. off because | the plan is |
    we are going | stick/sticking/stuck with/to | stay/staying/stays with/on |
    ask/check/clear/agree * .. before/first | should always/never/not/only |
    be <rule.p>/<made.p> first | does not/n't want | brought/brings forward |
    pushed/moved/postponed .. to/until/by # |
    moved/pushed/postponed .. to/until monday/tuesday/wednesday/thursday/friday/saturday/sunday/next/after |
    moved/pushed/postponed .. to/until the #/morning/afternoon/evening/week/weekend/spring/summer/autumn/winter |
    turned down | took/accepted the offer/job | takes/take over | is/are responsible |
    in charge of | has/have the last word | are/is async/mandatory/obsolete now | from now $ |
    maximum/minimum .. is now # | owns/owned .. until | are/is split/shared/divided | are/is discarded/ignored/rejected/excluded |
    , not monday/tuesday/wednesday/thursday/friday/saturday/sunday | . nothing else | , ever $ | after .. debate/discussion/vote : |
    ^ no !change/changes/news/movement/progress/hurry/rush/time/sign/word/answer * for | ^ ok so : | it is * .. not | replaces/supersedes/supersede | goes/go first | comes/come first |
    first .. then | we are not | for now we | until then we | the default | as default |
    would like/wants/want/prefers us/me/everyone/it/them to/that/in/sent/done/kept | asked not |
    told not | not to be | is/are to | has/have to be | not <small> .. but | is/are allowed |
    no need to | get/gets <made.p>/<done.p>/-ed |
    ^ <decide.g>/dropping/switching/moving/keeping/stopping/retiring/adopting/giving !<fault> | passes/pass to |
    ^ use/keep/stop/avoid/prefer/treat/assume/stick !about/of |
    ^ store/quote/cite/round/leave <small>/all/every/each/no/it/them/only/both | ^ store/round/leave to/up/in/as/out/off |
    go/goes/run/runs through/via/to * now/first/only | is/are -ed before/first/only/unless/never/always |
    unless | has/have to stay/remain/be | <all> <hold.b>/<hold.s> through | said yes/no to |
    he/she/they wants/want <small> * in/as/with/before/by/first | would like <small>/it/them .. in/before/by/always |
    instead of <made.g>/<rule.g>/<task.g>/hiring/buying/quarterly/monthly/weekly/daily | takes/take/took over from |
    always $ | works/comes/answers/opens/closes/runs .. only $ | in/for/on/at/to/within .. only $ | here only $ |
    target/deadline : | ^ target for .. : | wait/waits until/for then |
    from month/monday/tuesday/wednesday/thursday/friday/january/february/march/april/may/june/july/august/september/october/november/december we/the/on/all/it |
    are/is history | not any more | any more $
2: in place of | switch/switched/switching/moving/move/moves to | moves from | will replace |
    will stay/remain/become | is/are out !there/of/for/to/and |
    told/asked/reminded/wants/want/asks us/me/everyone/them/everybody not/to | said : |
    insisted/insists that/on | we/they keep/use/stay/stick/drop/stop/skip/take/treat/go/start !about/up |
    we are keeping/dropping/using/stopping/sticking/staying | it/that stays/goes/is settled |
    <hold.s> to/through/first/on/out/back | must | shall !see |
    <all> .. go/goes/get/gets/stay/stays/need/needs | preferred .. to/over |
    made/makes more sense | not worth | too expensive/risky/slow to | the answer is no |
    set .. to/at # | set at # | the plan : | deadline/limit/budget/price/cap/target is/stays/set |
    we should/shall/would !see/have | will <rule.b>/<made.b>/<hold.b>/<done.b>/<task.b> |
    will be <made.p>/<done.p>/<hold.p>/-ed | corrected me | not but |
    told/asked/warned/reminded me/us/them/him/her !./,/;/about | the right * is | wins/won over | better than |
    cheaper/simpler/safer than | makes sense | worth the/it | <all> <hold.b>/<hold.s>
2.2: next time
1.4: at least # | policy | maximum/minimum .. is # | every time
1: please $ | because | so that !is/was | says | and not | full stop | over the | , not | will not | will | instead
"""
OPEN = """
4: rejected/refused/denied <small> claim/application/request/form/visa | needs/need repair/repairing/fixing/replacing/cleaning
3.4: it stopped/died/broke/hung/failed | missing are/is the | cause/reason .. one/it/this open $
3: ^ passed/forwarded ?it/on to
3.2: delayed/slipped/slips/delays .. to/until/from/by
3: <stuck> | on hold | still nothing/must/lacks | must/should/has/have still | at risk | not yet | up in the | open question | no <lack> |
    held up/back by |
    still not/no/has/have/waiting/open/unclear/missing/needs/need/failing/fails/broken/down/red/unknown/owes/owe/without |
    <fail.s> every |
    someone/somebody should/must/ought/needs/has | gone silent/missing/dark/wrong/bad/quiet/down |
    not <give.p>/<made.p>/<done.p>/started/tested/written/ready/begun/finished $ |
    have/has to <task.b>/wait | there is/are/'s a/an/no/another/some <fault> | looks/look/seems wrong/off/broken |
    half/some/many/most/none/all/# of .. <fail.b> | did not get/manage/make | still at/in/on/with the/his/her |
    wartet/warten/blockiert/ausstehend/kaputt/ungeklärt/offen | noch nicht/kein/keine/keinen/immer/offen |
    schlägt/schlagen .. fehl | ursache unbekannt/unklar | attendons/attend/bloqué/manque | falta/pendiente/bloqueado |
    wacht/geblokkeerd | nog niet/geen/steeds |
    has/have not ?been/yet/even <give.p>/<made.p>/<done.p>/been | is/are not <give.g> |
    may/might not arrive/last/<work>/happen/suffice | , may/might not | <fault>/gaps/question/ticket/position/case .. open again |
    did not <give.b>/take/make/ship/go/arrive/happen/come/<work> |
    can/could not .. until/without/before/yet | unable to | cannot until | ^ whether |
    nobody/no-one has/have/can/could/knows/owns/is/on | is/are/be/been/being/'s/am <lame> !end/#/to/by/from/for |
    keeps/kept/keep <fail.g>/going/coming/dropping/dripping/timing/asking/growing/rising/filling/losing/restarting/swapping |
    remains/remain <lame>/<stuck>/to |
    <be> not ?yet/been/even <give.p>/<made.p>/<done.p>/ready/done/started/there |
    not <made.p>/<done.p>/started/tested/paid/ready yet/so/$ | not * yet | not * ?so far |
    can/could someone/somebody/anyone/you | <be> wrong by/again |
    asked them/him/her/us for/to/whether | was/were/<be> declined/denied/refused/turned |
    postponed/delayed/cancelled/moved again | threatens/threatened to | in limbo |
    still has/have to | wants .. back/refund/refunded/replaced | to do | to-do | follow-up |
    action item | next steps | open items | back-ordered/backordered | sold out | short-staffed |
    not working | can not reproduce | do/does not know/understand why/the/what/how/where/yet | no one knows | no idea
2.8: must <give.b>/approve | need/needs someone/somebody | wants/want/needs/need it/them/this by | second/third/another slip/delay | must/should be dealt/fixed/solved/sorted/cleared/addressed | they/he/she will discuss/decide/answer/reply/confirm/respond/deliver | is/are to discuss/decide
2.6: wants/want .. before he/she/it/they/anyone/anybody | wants/want * * .. before he/she/it/they/anyone/anybody
2.6: owes/owe us/me/him/her/them/# | <be>/being looked into |
    <fail.p> at/on/with/again/to/because/in/after/when/for/and/by/today/this/over/the/his/her/our/us/it |
    <fail.p> $
2.5: promises/promise it/them/to/for/us/me/an/a/the | question for/to | to be <decide.p>/<made.p>/<done.p>/confirmed/determined/found/scheduled/seen |
    we/i/they owe | yet to | have/has to/yet be |
    need/needs to/someone/somebody/a/an/the/more/another/help/input/your/his/her/their/approval/sign-off/new/some/<made.g>/<task.g>/<done.g> |
    must be looked/fixed/found/sorted/solved | must .. by | has/have to .. by |
    due by/on/before/tomorrow/next/monday/friday/in/# | runs/run/ran/running out/dry/low |
    only * knows/can/has | no one/idea | not sure/clear/certain | too few/little/late | short of |
    out of stock/memory/disk/space/order/paper/date | expires/expire/expiring |
    depends/hangs/hinges on | reason/cause unknown | follow/following up | nobody/no-one picked/answered/came/knew/replied/showed/turned |
    <be> slow/ill/sick/wrong/empty/overbooked/understaffed again/for/since/, | <be> ill/sick/overbooked $ | unclear how/who/why/when/whether/if/what |
    smells/smell/stinks/rattles/squeaks of/again/when | disagree/disagrees/differ/contradict by/on/about |
    <be> out of * | would like an/some answer/reply/decision/help | drops/drop every/again/when/at |
    sitting/lying there/around/since | someone/somebody keeps | lead time |
    without a/an/any <lack> | if .. not | has/have no | we do not have/know |
    do/does not know !./;/, | do/does not <work>/match/have/answer/start/boot/load/open/build | can/could not |
    <fail.b> with/on/when/every/after/if/again/since | ^ remember to | ^ remind | need/needs !# * $ |
    still <look.g>/searching/trying/hunting for/to | times/time/timed out |
    <fail.s> on/with/when/if/after/in/at/to/for/every/again |
    someone/somebody/we/i has/have/should/must/needs/need to |
    will not <give.b>/start/boot/load/open/build/compile/print/charge/connect/turn/fit/close/<work>/pair/sync/run |
    has/have to wait | not <give.g>/<working>/enough | ^ asked .. whether/for/if/to/about |
    ^ requested | ^ escalated | ^ chased | ^ reported .. to | ^ need/needs | ^ missing | ^ why |
    ^ how do/can/should/long/much/many | ^ who/when * .. ? | ^ question |
    not decided/settled/clear/agreed | intermittent/intermittently/sporadic/sporadically |
    investigating | looking into | regression | outage | complaint/complaints from |
    behind schedule/plan | in dispute | no * left | only # .. left | low on | running low
2: <fail.p> | <fail.s>/<fail.g> | risk/risks/danger/concern/worried/problem |
    missing/broken/overheating/leaking | wants/asked/asks/requests/requested .. by/which/before |
    promised | called off | gone missing | turned away/down | climbing | dwindling | worse |
    ^ <task.b> | next : | open : | who <hold.s>/takes/trains/pays/owns/is/does/will |
    by tomorrow/monday/tuesday/wednesday/thursday/friday/saturday/noon |
    second/third reminder/mail/attempt/time | again and | goes down |
    will break/fail/expire/lapse/run/miss/slip | may/might/could break/fail/miss/slip/lose |
    will get/call/come/write back | gets/get back to | expected by/on/in/back/next/# | on order |
    scheduled for | in the post | lack/lacks/lacking | <small> deadline | deadline # |
    ends/closes/lapses on/in/# | error/errors/exception/timeouts/timeout |
    does/do not <give.b>/<made.b>/<done.b>/-ed | is/are/was not -ed | wait/waits for/on/until |
    depending on | too long/slow/hot/big/high/low/small/many/much/expensive | twice as slow |
    not enough | no * for/from/to/in/yet | want/wants to know | wonder/wondering/wonders |
    suspect/suspects/suspected | ^ bug/defect/glitch | ought to | ^ if | ? |
    wants/want <small>/more/# | would need/break/mean | remains/remain | left to |
    if we/it/they/nobody do/does/not
1.8: was/were <lame> !end/#/to/by/from/for | <lame> $ | should be -ed | on its way | <small> noise
1: <lame> | until | tomorrow | yet | pattern | waiting | later | ask | missing | before the
"""
ROUTINE = """
4: suite ?: # passed | tests : # passed | # passed , # failed/skipped | # passed in #
3: no ?new/further/other/major/open <news> !from/on/about/yet/: |
    nothing new/changed/else/urgent/unusual/notable/moved/of/interesting/special/much/happened/personal/came |
    as <calm> | same as/<small>/people/news/reading/story/again/old | all ?is/still/quiet <fine> |
    all .. <fine> $ | business as | nothing from | health check |
    stand-up/standup/timesheet/timesheets/heartbeat/auto-reply/autoreply/voicemails/newsletters |
    traceback | info/debug/trace/warn * | un/not changed | unchanged |
    within range/limits/tolerance/bounds |
    routine/usual/regular/scheduled/nightly/daily/weekly check/checks/backup/backups/sweep/triage/review/pass/run/maintenance/rounds/cleanup/sync/digest/report |
    did not change/alter/advance/reopen/widen/expand/create/add/broaden/issue |
    made no changes/change |
    without changing/creating/change/changes/incident/issue/event/problems |
    stayed/remained/held/holds/kept .. steady/stable/place/intact/unchanged/quiet/flat/track |
    auto-generated/automated | sent automatically | by system |
    typo/typos/whitespace/linter/lint/reformatted | out of office !until/till/from | got nowhere | calendar invite |
    exit code # | # errors | # ok | in sync | log-rotate | cron job ran | up to date |
    keep-alive | no-op | idle | as every/each | usual * , usual | locked up | usual traffic/round/rounds/commute
2.5: ^ <look.p> !with/into/whether/why/if | ^ <look.g> |
    sizes/temps/values/readings/levels/numbers/vitals <fine>/in |
    backup/backups <fine>/ran/fresh/completed/succeeded/done | ^ <keep.p> | took a break |
    had/over lunch/coffee/tea | nothing to report/see/add/note | ^ weather |
    ^ lights/doors/alarm/heating on/off |
    reminder/alarm/notification/survey fired/sent/rang/dismissed/snoozed/went |
    <look.p> the/my/old/# ?new inbox/queue/logs/log/dashboards/dashboard/calendar/feed/notes/list/folder/desk/mail |
    sent/posted/filed/shared <small> ?usual/daily/weekly/morning/evening/status report/digest/summary/update/reminder/minutes/recap |
    ^ ?the weekly/daily/morning/evening/monthly standup/sync/call/email/digest/report/newsletter/meeting/status/round |
    nichts neues/neu/besonderes | wie immer/gestern/üblich | rien de/à nouveau/signaler | sin novedad/novedades | niets nieuws |
    <look.p> and <look.p> | spam | took/had a * break/walk/nap/lunch | made/had/drank coffee/tea |
    ate lunch/dinner/breakfast | log/logs rotated | cache cleared | restarted my |
    cleared the cache/inbox | logged in/out/off | end of shift/day/session |
    start of shift/day/session | signing off | shift/session started/ended/began |
    <fine> all/today/tonight/overnight/throughout | queue/inbox empty/clear/clean |
    in the/my inbox $
2: ^ <look.p> .. again/latest/once/twice | , <fine> $ | . <fine> $ | : <fine> $ |
    still up/running/there/fine/on | have/has # new | quick look | slow hour/day/night |
    small talk | ^ nothing | , nothing | as planned | on schedule | on time | as agreed |
    ^ still on/at/here/<working>/running | zero <news> |
    quiet day/night/shift/morning/afternoon/weekend | ^ quiet | ^ <made.p> .. again $ |
    apologised/apologized/laughed/waved/smiled/yawned
"""
#: Routine only where the line says little else: a letter may begin with a greeting too.
GREETING = """
3: ^ good morning/evening/afternoon/night/day | ^ hello/hi/hey/bye/goodbye |
    ^ ok/okay/noted/thanks/thx/ack/roger | thank you | thanks for | welcome back | how are you |
    have a nice/good/great | you are welcome | no problem | sounds good | on my way | be right |
    brb | ready when | anything else | see you | talk soon | lol | haha
2.5: <fine> $ | <fine> , | ^ lunch/coffee/dinner/breakfast/tea/break $ | ^ lunch/coffee/dinner/breakfast/tea with | nothing
"""
CONTEXT = """
4: they/he/she say/says/claim/claims $ | is/was/are/were/as intended/deliberate/intentional/designed $ | on purpose | by design
3: says # at most | agree/agrees on # of | that/this/which is why | blocked out | blocked <small> hour/day/morning/afternoon/slot | blocked in .. calendar/diary |
    fixed cost/costs/price/prices/rate/rates/fee/fees/term/terms | is/are fixed cost/costs/price/prices/rate/rates |
    # months/years/month/year/weeks fixed | fixed for .. months/years/weeks |
    was/were built/founded/born/written/made/published/established in #
2.6: range/ranges/ranged/varies/vary/open/opens from # .. to # |
    offers/offer <small> .. trial/test |
    thinks/finds/feels/believes/thought the/it/that/a/our | works at/for/as/in | grew up | one idea | an idea |
    would love/like to see/go/visit/try | dates/date from
2: ^ interesting | ^ fyi/note/heads-up/nb/curious/funny/tip/background/reminder | for reference |
    likes/prefers/hates/loves/enjoys/dislikes | lives/lives/sits in/at/on/under | ^ hypothesis |
    perhaps | maybe | https | might be | may be/explain/account/have | according to |
    named after | turns out
2.5: closed/shut until | is/are written/built/made in/of/with/from | competitor/competitors | recommendation | quote : | comes/come from
1.5: seems/seem/appears/tends/tend | which is | could be | did not expect | each time | is about |
    described | about # | on average | per day/month/week/year | mentioned |
    talked/talk/spoke about | discussed | says it/the/that/he/she | said it/the/that/he/she |
    reads/means/explains | is/are called/named/located/based/known |
    consists/contains/includes/holds/weighs/measures |
    ^ she/he/they/it is/was/has/had/likes/lives/<works>/uses |
    ^ the * is/are/was/were/has/lives/uses/runs/holds |
    ^ their/his/her/our * is/are/uses/has/was | for background | in case | it/this/that means |
    apparently | the reason
1: likely | probably | often | usually | sometimes | mostly | has/have # | costs/cost |
    takes about | compared
"""
#: Past forms at the head of a short line that tells of a chore.
PAST = """
ate took said had went made saw got ran came met put left gave sat slept drank wrote sent found
brought bought fed drove rode paid swept told heard did kept held set cut read
"""
