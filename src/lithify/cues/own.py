"""The English in which a speaker tells what they like and what they are."""

from __future__ import annotations

import re

_OFTEN = (
    r"(?:(?:really|strongly|usually|always|never|generally|normally|also|still|only|much|just|very much|"
    r"do|do not|don't|would|by default|mostly|tend to) ){0,3}"
)
#: Who speaks says how they like things, whatever the day.
OWN_PREFERENCE = re.compile(
    rf"^(?:user: )?(?:please note,? |note:? |fyi,? |btw,? |for the record,? )?(?:(?:i|we) {_OFTEN}"
    r"(?:like|prefer|love|hate|dislike|favou?r|enjoy|loathe|detest|avoid|insist on|can't stand|cannot stand|can't bear|'d rather|rather)"
    r"(?! (?:it|that|this|them|these|those|how|what|where|the way|your?|him|her|hearing|to (?:know|hear|see if|ask|thank))\b)|"
    r"i(?:'d| would) (?:much |really )?(?:rather|prefer)\b|"
    r"(?:i|we) (?:really |always )?want (?!to\b|it\b|that\b|this\b|them\b|these\b|those\b|you\b|him\b|her\b|us\b)[^.;]*"
    r"\b(?:always|never|every|each|all|any|no|only|by default|instead of|rather than)\b|"
    r"(?:i|we) (?:always|never|usually|normally|generally|only) (?!\w+ed\b|got\b|had\b|saw\b|said\b|knew\b|did\b|was\b|were\b|"
    r"went\b|thought\b|meant\b|heard\b|made\b|found\b|a\b|the\b|one\b|\d)[a-z]+ \w|"
    r"my (?:preference|preferred|favou?rite)\b|call me [A-Z])",
    re.I,
)
#: Who speaks says what they are or have: the thing of theirs, then what it is.
OWN_FACT = re.compile(
    r"^(?:user: )?(?:please note,? |note:? |fyi,? |btw,? |for the record,? )?(?:my (?P<what>[a-z][\w-]*(?: (?!is\b|are\b)[\w'-]+){0,3}) (?:is|are) "
    r"(?!(?:now |still |currently |again |already |almost |too |so |very )*(?:\w+ing|\w+ed|not|down|up|out|off|on|over|late|broken|stuck|"
    r"done|ready|slow|busy|full|gone|dead|empty|fine|ok|okay|good|bad|sick|ill|free|here|there|back|away|to|that|wrong|lost|"
    r"due|at risk)\b)\S|"
    r"i(?:'m| am) (?:an? (?!(?:bit|little|few|lot)\b)(?:[\w-]+ ){0,4}?[\w-]+|based (?:in|at)|from [A-Z]|allergic|colou?r-?blind|left-handed|"
    r"vegetarian|vegan|the (?:\w+ ){0,2}(?:lead|owner|manager|head|maintainer|author|founder|director))|"
    r"i (?:live in|speak|work (?:from|in|at|as|for|part)|go by|am called|use [\w.+-]+(?: \w+){0,2} (?:as|for|on) (?:my|all|every\w*))\b)",
    re.I,
)
#: What is said of a day or an hour holds no longer than that.
BRIEFLY = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|now|right now|at the moment|for now|so far|this (?:week|time|morning|afternoon|evening|"
    r"month|one)|until|till|just (?:now|got|saw)|currently|(?:next|last) (?:week|month|time))\b",
    re.I,
)
