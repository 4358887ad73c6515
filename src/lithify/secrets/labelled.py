"""Credentials that are known by the words around them: `the PIN is now …`, `password (…)`.

A word for a credential is looked for first; then a value in one of the places where people write
it: after a colon, an equals sign or a verb, in brackets, bold or code marks, before the word
("… is the password"), in the answer to a question, or beside a user name. Each look goes at most a
few hundred characters from the word, so that the time is linear in the text. Others stand in runs:
cells of a table, lists of codes, phrases of plain words. The words and ways come first, as data.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from lithify.secrets.plausible import (
    compiled,
    has_symbol,
    is_call,
    is_chosen,
    is_coined,
    is_entered,
    is_hex,
    is_mixed,
    is_name,
    is_placeholder,
    is_random,
    is_reference,
    is_strong,
    is_technical,
    is_thing,
    is_thrown,
    is_uuid,
)

_PASSWORD = (
    r"pass(?:[- ]?word|wd|[- ]?code|wort|ord)|pwd|kennwort|mot de passe|contrase(?:ñ|n\u0303?)a"
    r"|wachtwoord|l(?:ö|o\u0308)senord|salasana|adgangskode|hasło|пароль|パスワード|密[码碼]|비밀번호|jelszó"
    r"|palavra[- ]passe|losung|mật khẩu|kata sandi|كلمة (?:المرور|السر)|合言葉|合い言葉|口令"
    r"|(?:code|magic|secret)[- ]word|open sesame|mot magique|palabra (?:clave|mágica)|parola d['’]ordine"
    r"|security (?:answer|question)|maiden name|sicherheits(?:antwort|frage)|(?:réponse|question) secrète"
    r"|(?:respuesta|pregunta) (?:secreta|de seguridad)|(?:resposta|pergunta) secreta"
    r"|(?<![a-z])(?:opens|unlocks|decrypts|decrypt) with(?= \S)"
    r"|(?:with an? |con |avec un |com |mit |in )?(?:capital|upper-?case|mayúscula|majuscule|maiúscul[ao]|gro(?:ß|ss)em)(?: \w)?(?=\s?:)|大文字(?:でした)?(?=[:：])"
    r"|(?:wi-?fi|wlan|wpa[23]?|network)[- ](?:key|code|schlüssel)|(?<![a-z])clave(?![a-z])|geheimwort|pre-?shared[ _-]?(?:key|secret)|(?<=-)pass(?=[ =])"
    r"|(?<![a-z])(?:pw|mdp|senha|heslo|parola|psk)(?![a-z])|(?<=_)pass(?![a-z])"
    r"|(?<![a-z])pass(?=\s?[:=](?!:)|[\"'`]\s?:)|(?<=[/_ ])pass(?=\s[`\"'*(])|(?<=[,;] )pass(?=\s\S)|(?P<bare_pass>(?<![a-z-])pass(?=\s\S))"
)
#: The names of a phrase that is given for a password.
_PASSPHRASE = (
    r"pass[- ]?phrase|phrase (?:secr[eè]te|de (?:passe|récup\w{0,8}))|paper key|passsatz"
    r"|frase(?:[- ]passe| (?:secreta|segreta|semilla|semente|d[ei] (?:paso|contraseña|segurança|recup\w{0,8})))"
)
_PHRASE = rf"{_PASSPHRASE}|(?:seed|recovery|backup|secret|wallet|mnemonic)[- ](?:phrase|words?)|mnemonic(?![a-z])"
_PIN = (
    r"(?<![A-Za-z])(?-i:PINs?|PUK|TAN)(?![A-Za-z])(?:[- ](?:code|number)(?![a-z]))?"
    r"|(?<![a-z])pin[- ]?(?:code|number)|geheimzahl|暗証番号"
    r"|(?:voice-?mail|mailbox|sim|card|bank|debit|atm|phone|tablet|i(?:pad|phone)|laptop|tv|screen|locker|parental|app|lock|unlock)[- ]pin(?![a-z])"
    r"|(?P<bare_pin>(?<![a-z])pin(?= (?:is|was|got|reset|changed|set|for|del\w*|de|d[ao]s?|ist|lautet|to my)\b|:))"
)
_CODE = (
    r"(?:(?:door|gate|alarm|access|entry|security|verification|one[- ]time|2fa|mfa|otp|totp|backup"
    r"|recovery|unlock|pairing|auth|authenticat(?:ion|or)|log-?in|sign-?in|sms|safe|garage|building|keypad"
    r"|lock|locker|emergency|disarm|lockbox|confirmation|guard|fa[ck]tor|t(?:ü|ue?)r|zugangs|best(?:ä|ae)tigungs"
    r"|freischalt|entsperr|sicherheits|aktivierungs)[- ]?code|one[- ]time[- ]pass(?:code|word)|digicode"
    r"|keypad(?=:)|key ?box|(?:safe|lock|gate|door|box|locker) opens with(?! (?:an?|the|my|his|her)\b)"
    r"|(?:code|c[oó]digo|codice) d(?:e |i |['’]|e l['’])(?:v[eé]rif|acc|s[eé][cg]ur|conf|sicur|entr|apert|desbloq|déverr"
    r")\w{1,9}"
    r"|(?:code|c[oó]digo|codice) (?:confidentiel|secret|secreto|segreto|pin|bancaire)(?![a-z])|geheim(?:code|nummer)"
    r"|code on the (?:front|back|card|sticker|box)|(?:解錠|解锁|ロック)(?:番号|コード)|(?:認証|確認)コード|验证码"
    r"|(?<![a-z])(?:totp|otp)(?![a-z]|[ _-](?:seed|secret|key))|(?<![a-z])[ck]ombination(?![a-z]))"
    r"|(?P<bare_code>(?<![a-z-])(?:code|código|codice)(?![a-z]))"
)
_KEY = (
    r"(?:(?:client|shared|app|webhook|signing|totp|consumer|api|master|hmac|jwt|oauth)[_ -]?)?"
    r"secret(?:[_ -]?(?:access)?[_ -]?key)?"
    r"|(?:api|access|signing|encryption|private|account|master|storage|licen[cs]e|product|deploy"
    r"|service|shared|root|session|app|application|webhook|auth|admin|activation|integration|ingest"
    r"|write|setup|entry|recovery|bitlocker)[_ -]?key(?![_ -]?id)"
    r"|(?:api|zugangs|faktor|geheim|wiederherstellungs)[_ -]?schl(?:ü|u\u0308|ue)ssel|session[- ]cookie"
    r"|cookie value|cl(?:é|e\u0301) (?:d['’])?(?:api|secr[eè]te|d['’]acc[eè]s)|chiave (?:api|segreta)"
    r"|authtoken|(?<![a-z])hmac(?=\s?[:=])|(?<![a-z])oauth(?=:\w)|(?:authenticator|mfa|2fa) (?:seed|secret)|(?<![a-z])app_?id(?![a-z])"
    r"|(?:(?:access|auth|refresh|session|bearer|api|bot|id)[_ -]?)?token|jeton(?: d['’]accès)?"
    r"|(?:totp|otp|2fa|mfa)[_ -](?:seed|key)"
    r"|credential|(?<![a-z-])creds?(?![a-z])|(?P<bare_key>(?<![a-z_.-])(?:key|schlüssel)(?![a-z_]))"
)
#: The kinds of words, each with how a mark names it.
_KINDS = {"phrase": "passphrase", **{kind: kind for kind in ("password", "pin", "code", "key")}}
#: A word for a credential; the group that matched last is its kind.
WORD = (
    rf"(?i)(?P<phrase>{_PHRASE})|(?P<password>{_PASSWORD})|(?P<pin>{_PIN})|(?P<code>{_CODE})"
    rf"|(?P<key>{_KEY})"
)
#: One of these small-letter strings stands in every match of a word.
NEAR = (
    "pass|pw|secret|key|token|cred|kennwort|contrase|mdp|schl|psk|wachtwoord|senord|salasana|"
    "adgangskode|hasło|senha|heslo|пароль|パスワード|密码|密碼|비밀번호|parola|phrase|mnemonic|code|otp|"
    "pin code|pin-code|pincode|pin number|cookie|jeton|código|codice|clave|wifi code|wi-fi code|"
    "wlan-code|network code|2fa|mfa|ombination|wallet word|seed word|recovery word|backup word|"
    "secret word|geheim|frase|clé |chiave|appid|app_id|pin is|pin was|pin reset|pin changed|"
    "palavra|losung|mật khẩu|kata sandi|كلمة |合言葉|合い言葉|口令|jelszó|magic word|code word|"
    "open sesame|mot magique|palabra clave|palabra mágica|parola d|security answer|security question|maiden name|sicherheitsantwort|sicherheitsfrage|"
    "respuesta secreta|respuesta de seg|pregunta secreta|pregunta de seg|resposta secreta|pergunta secreta|réponse secr|question secr|opens with|unlocks with|decrypts with|decrypt with|"
    "oauth|hmac|capital|uppercase|upper-case|mayúscula|majuscule|maiúscul|großem|grossem|大文字|passsatz|暗証番号|"
    "voicemail|mailbox pin|mailbox-pin|sim pin|sim-pin|card pin|bank pin|debit pin|atm pin|phone pin|tablet pin|"
    "ipad pin|laptop pin|tv pin|screen pin|locker pin|parental pin|app pin|lock pin|解錠|解锁|ロック|認証コ|確認コ|验证码|"
    "pin set|pin for|pin got|pin do|pin da|pin de|pin ist|pin lautet|pin:|pin to my|keypad:|opens with|key box|keybox"
)
#: Every match of a word is shorter than this.
LONGEST = 44
#: One of these stands in every line that speaks of an account.
NEAR_ACCOUNT = (
    "login|log in|logged in|logged into|sign in|signed in|cred|user|account|get in|auth|admin|"
    "ssh |ftp|portal|zugang|anmeld|benutzer|konto|usuario|identifiant|utilisateur|compte|utente|"
    "usuário|superuser|@"
)
#: What a token or key may be that is no secret.
HARMLESS = (
    r"(?i)(?:cache|primary|foreign|sort|partition|idempotency|public|object|row|dictionary|dict|json"
    r"|registry|index|composite|unique|lookup|query|translation|i18n|shortcut|hot|arrow|page|next"
    r"|continuation|pagination|cancellation|design|stop|special|input|output|prompt|completion|max"
    r"|per|s3|answer|map|config|settings?|routing|dedup\w*|trace|correlation|request|piano|music"
    r"|surrogate|host|etag|error|exit|status|zip|post(?:al)?|country|area|source|colou?r|product"
    r"|promo|discount|booking|qr|bar|gpg|pgp|ssh|deploy public)[\s_-]?$"
)
#: Words that make another thing of the word before them.
OTHER = (
    r"(?i)s?[\s_-](?:polic(?:y|ies)|managers?|lengths?|fields?|forms?|prompts?|rotation|expiry"
    r"|hash(?:es|ing)?|algorithms?|strength|rules?|formats?|types?|count|limit|budget|usage|bucket"
    r"|size|name|id|reviews?|base|path|freeze|owners?|points?|style|protected)(?![a-z])"
)
#: Beside one of these, a code of which no more is said lets somebody in.
ACCESS = (
    r"(?i)door|gate\b|key ?box|\block|alarm|safe\b|garage|keypad|opens?\b|unlock|entrance|porte\b|portail"
    r"|coffre|t(?:ü|ue)r\b|\btor\b|puerta|portón|porta\b|shed|cabin|gym|bike|cofre|caja fuerte|cassaforte|carte|tarjeta|cartão|immeuble|prédio|candado|cadenas|\bsms\b|text(?:ed| message)"
    r"|authenticator|\b2fa\b|\bmfa\b|tresor|schranke|parkhaus|barri[eè]re"
)

_PLAIN, _PRINTED = "\"'`", "„“”‚‘’«»「」『』"
_MARKS = r",;&<>(){}\[\]|"
#: Marks inside of a password: one before a space, or before the next `name=`, ends it.
_INSIDE = rf"[{_MARKS}]{{1,4}}(?=[\w@#$%^])(?![\w.-]{{1,40}}[=:])"
#: The most characters of a value that are weighed; a longer one is taken to its end.
MOST = 400
#: Scripts without spaces run on after a password, which is hardly ever written in them.
_BARE = (
    rf"(?![{_MARKS}])(?:[^\s{_PLAIN}{_PRINTED}{_MARKS}\u3000-\uffef]|{_INSIDE})"
    rf"{{3,{MOST}}}(?<![.,:?*])"
)
VALUE = (
    rf"(?P<bold>\*\*|__)?(?:(?P<quote>\\?[{_PLAIN}])(?P<quoted>[^{_PLAIN}\n\\]{{3,{MOST}}})"
    rf"(?:(?P=quote)|(?=[^{_PLAIN}\n\\]{{{MOST}}}))"
    rf"|[{_PRINTED}]\s?(?P<printed>[^{_PLAIN}{_PRINTED}\n\\]{{3,{MOST}}}?)\s?[{_PRINTED}]"
    rf"|(?P<bare>{_BARE}))"
)
BOXED = (
    r"\((?P<boxed>[^\s()]{3,200})\)|\[(?P<squared>[^\s()\[\]]{3,200})\](?!\()"
    r"|<(?P<angled>[^\s<>]{8,200})>"
)

#: After the word: the rest of a name, closing marks.
TAIL = (
    r"s?(?:_(?!(?i:id|file|path|url|name|ttl|type|length|policy|count|limit|budget|hash)(?![A-Za-z]))"
    r"[A-Za-z0-9]{1,12}){0,2}\\?[\"'`*\]]{0,3}"
)
_ABOUT = (
    r"(?:\s\([^()\n]{1,40}\))?"
    r"(?:\s(?:for|of|to|on|at|in|used by|behind|du|des?|der|dem|dell?[ao]?|vom|von|für|fürs|zum|zur|van|do|da)"
    r"(?:\s[\w.@/'’-]{1,30}){1,5}?)?"
)
ASSIGN = rf"{_ABOUT}\*{{0,2}}\s{{0,3}}(?:[Vv]alue(?==))?(?P<how>=>|:=|={{1,2}}|[:：＝は为為是を→»]|->|改为|设为|改成)\*{{0,2}}\s{{0,3}}(?:base64:)?"
#: The value is all of the next line that is not blank, as in the scalar of a block or an answer in a chat.
ALONE = (
    r"(?P<scalar>[\"']?[ \t]*:[ \t]*[|>][+-]?[ \t]*\n[ \t]+(?P<block>[^\n]{6,120}))"
    r"|[^\n]{0,80}[ \t]*\n(?:[ \t>│|]*\n)?[ \t>│|]*[\"'`*]{0,3}(?P<value>[^\s\"'`*]{4,120})[\"'`*]{0,3}[ \t│|]*(?=\n|\Z)"
)
#: What a model reads and writes is counted in tokens: `53.3M tokens`.
_COUNTED = r"\d\s?[km]?\s\Z"
#: Four groups of four letters, as one vendor writes the passwords of its programs.
_FOURS = r"[a-z]{4}(?: [a-z]{4}){3}(?![a-z])"
VERB = (
    rf"s?(?:['’]s)?{_ABOUT}(?:,(?:[^,\n]{{1,40}},)?)?"
    r"\s(?:has been |have been |was |is |got |gets |being |just |wurde |est |a été )?"
    r"(?:(?:re)?set |changed |rotated |updated |switched |reset back |moved |generated |now )?"
    r"(?P<how>is|was|are|were|now|to|as|be|became|becomes|reads|(?:it|that|this) (?:is|was)|(?:it|that|c)['’](?:s|est)|vaut|ist|war"
    r"|lautet|hei(?:ß|ss)t|bleibt|reste|remains|stays|sigue siendo|continua|auf|jetzt|est|es|era|é|è|är|en|in|ficou|fica|quedó|queda|devient|wird|jest|là)"
    r"(?:\s(?:now|set\sto|still|jetzt|just|currently|literally|simply|changed\sto|called|again|die|der|noch|le|la|el|o|il|adesso|ahora|agora|maintenant|toujours|encore|immer noch|todavía|ainda)){0,2}"
    r":?\s"
)
DIRECT = r"s?,?\s{1,2}"
GAP = (
    r"s?(?:[ /][\w.@/'’-]{1,30}){1,6}?"
    r"(?: (?:is|was|to|as|now|said|answered|wrote|replied)[:,]?|[ ]?[:=]| [–—-]| (?=\())[ ](?:[\"“„](?=\S+\W{1,2}\s))?"
    r"|s?(?: [\w.@/'’-]{1,30}){1,6}? (?=\()"
)
#: A question, and the answer on the next line: `PIN?`, `> A: …`.
ASKED = (
    r"[^\n?]{0,40}\?[\"”]?[ ]*\n[>\s]*(?:\[[^\]\n]{1,20}\]\s*)?(?:\*{0,2}[\w .]{1,20}:\*{0,2}\s*)?"
    r"(?:(?:it|that)(?:['’]s| is) |sure[,:]? |yes[,:]? )?"
)
#: The word ends a message, and the next one is the value: `here's my key`, `user: …`.
NEXT_LINE = r"s?[:.!]?[ ]*\n[>\s]*(?:\[[^\]\n]{1,20}\]\s*)?\*{0,2}[\w .]{1,20}:\*{0,2}\s+"
FROM = (
    r"s?(?:\s[\w.@/'’-]{1,30}){0,6}?\s(?:from|von|vom|de|da|fra|från|van)\s(?P<old>\S{3,200})"
    r"\s(?:over\s)?(?:to|into|→|->|auf|zu|a|à|al|til|till|naar|para|em)\s"
)
#: Another value of the same credential: `…, the old one was …`.
ALSO = (
    r"[)\"'`*]{0,2}\s(?:with|by|durch|par|por)\s|[^\n]{0,30}?\b(?:old|new|previous|former|other|alte|neue|ancien|antigua|vieja)(?:\s(?:one|was|is)){0,2}"
    r"(?:\s(?:is|was|war|ist|était|era))?:?\s"
)
BEFORE = (
    r"(?:^|[\s(\"'`*“„«])(?P<value>[^\s\"'`*“”„«»()]{4,120})[\"'`*”“»]{0,3}\s?"
    r"(?P<link>(?<=\s)(?:is|was|as|for|como|come|comme|als|è|es|é|est|ist)(?=\s)|=|,|–|—|-|\()\s?"
    r"(?:(?:the|our|my|its|your|her|his|their|a|an|la|le|il|das|mi|new|old|current|temporary|initial|default|shared"
    r"|only|[\w.-]{2,20})[\s-]){0,4}$"
)
#: A password or key that other words part from its word shows by itself what it is.
NEARBY = r"(?<=\s)[\"'`*“„«(]{0,3}(?P<value>(?:[^\s\"'`*“”„«»()<>|=/\\{}\[\]\u2e80-\uffef]|(?<=\w)\*(?=\w)){8,200}=?)"
LINKED = r"(?i)(?:(?<!\w)(?:is|was|now|to|ist|war|jetzt|auf|est|es|è|é)|:)\s$"
#: What makes of a run of letters and digits near a key another thing than the key.
NOT_THE_KEY = r"(?i)public|finger|hash|sha-?\d|digest|checksum|commit|\bid\b|etag|trace|[.!]\s"
#: Digits in groups, or with letters before them: `739 204`, `31-08-55`, `G-582104`.
GROUPED = r"(?:[A-Z]-)?\d{1,4}(?:[ -]\d{1,4}){1,4}(?![\w-])|(?:(?:right|left|rechts|links|droite|gauche)[, ]+)?\d{1,2}(?: ?[-–] ?\d{1,2}){2,4}(?![\w-])|[A-Z]-\d{4,8}(?!\w)"
#: A code after a few other words: `the code from the text message: …`, `is from Monday …`.
NEARBY_CODE = (
    r"(?:[^\n.!?]{0,50}?(?:[:→,]|(?<![\w-])(?:is|was|ist|war|lautet|est|es|è|reads|typed|entered|to|auf|jetzt"
    r"|now|ab \w{3,10}))|(?:\s[\w'’-]{2,20}){1,4})\s{1,2}[\"'`*“„«]{0,3}(?P<value>\d{3}[ -]\d{3}|\d\d \d\d \d\d|\*?\d{4,8}[#*]?)"
    r"(?=(?<=\d{3}[ -]\d{3})\s|[\"'`*”“»]{0,3}(?:[.,;!)]?\s*$|[.,;!)]|\s(?:and|but|then|from|on|when|for|to|which|und|aus|et|y)\s))"
)
#: A user name and a password beside it.
PAIR = (
    r"(?i)(?<![\w/.-])(?P<user>[\w.@+-]{2,40})[`\"']?(?P<between>\s[/|]\s|[/:]|\s[–—]\s|\s(?:with|using|mit)\s|,\s|\s(?:and|und|et|y)\s|\s→\s|(?<=\.\w\w)\s|(?<=\.\w{3})\s|(?<=\.\w{7})\s)[`\"']?"
    r"(?=(?P<value>[^\s\"'`*|/\u2e80-\uffef]{6,80}?)(?:[\s\"'`*),;|]|[.?](?:\s|$)|$))"
)
FLAG = (
    r"(?<![\w-])--?(?P<name>[a-z-]{0,24}"
    r"(?:pass(?:word|wd|phrase|code)?|pw|secret|token|key|pin|auth|credentials?))"
    r"(?:=|\s)(?P<quote>[\"'])?"
    r"(?P<value>(?(quote)[^\"'\n]{4,400}|[^\s\"'`<>|;&-][^\s\"'`<>|;&]{3,400}))"
)
#: Words that prose can hardly do without and a chosen phrase hardly ever has.
_PROSE = """
the an is are was were be been being to of in on at for from by with without and or but not no
it its this that these those we you they he she our your their must should can could will
would may has have had do does did if when where how what who which than then as so only also
now still never always via per into out up too very
"""
PROSE = frozenset(_PROSE.split())
INFLECTED = r"\w{3,}(?:ed|ly|ing|tion|ment|able|ness|sed|ned|ée?s?|[ai]do|iert)"


# Values beside a word


class Secret(NamedTuple):
    """Where a secret stands in a text, and its kind."""

    kind: str
    start: int
    end: int


class Word(NamedTuple):
    """A word for a credential: its kind, whether no more is said of it, and how it is introduced."""

    kind: str
    text: str
    start: int
    end: int
    bare: bool
    mark: str
    given: bool


_ESCAPED_LINE_END = "\\n"
#: Short words for a credential that count in capitals alone.
CAPITALS = ("PIN", "PUK", "TAN")


def labelled_secrets(text: str, lowered: str, near: Iterable[str]) -> Iterator[Secret]:
    """The secrets of a text that the words around them give away.

    The words are looked for only around the few strings that one of them must hold, `near` of
    `NEAR`; a value stands in the line of its word or in the next.
    """
    at = start = line = end = 0
    for hit in sorted({*_hits(lowered, near), *_hits(text, CAPITALS)}):
        stop = hit + LONGEST
        found = compiled(WORD).search(text, max(at, hit - LONGEST), stop)
        if not found:
            continue
        at = found.end()
        if found.start() >= line:
            start = text.rfind("\n", line, found.start()) + 1 or line
            line = text.find("\n", at) + 1 or len(text)
            end = text.find("\n", line) + 1 or len(text)
        if text[found.start() - 1 : found.start()] in ("-", "_"):
            before = max(start, found.start() - 26)
            if option := compiled(FLAG).search(text, before, min(line, at + 430)):
                yield from _option(option)
        word = _word(text, found, start, end)
        for place in _around(text, word, start, end) if word else ():
            yield place
            at = max(at, place.end)
            also = compiled(ALSO).match(text, place.end, min(end, place.end + 80))
            if also and word:
                yield from _value(text, also.end(), end, "said", word)


def _hits(text: str, near: Iterable[str]) -> list[int]:
    hits = []
    for one in near:
        at = text.find(one)
        while at >= 0:
            hits.append(at)
            at = text.find(one, at + len(one))
    return hits


def paired_secrets(text: str, lowered: str, accounts: Collection[str]) -> Iterator[Secret]:
    """Passwords beside a user name, in lines that speak of an account by some of `NEAR_ACCOUNT`."""
    done = 0
    for hit in sorted(_hits(lowered, accounts)):
        if hit < done:
            continue
        start, done = text.rfind("\n", 0, hit) + 1, text.find("\n", hit) + 1 or len(text)
        only_addresses = not any(one in lowered[start:done] for one in accounts if one != "@")
        for found in compiled(PAIR).finditer(text, start, done):
            value = found["value"]
            # Glued to a slash it may be the end of a path.
            in_path = text[found.start("value") - 1] == "/" and not has_symbol(value)
            if found["user"].lower() in PROSE:
                continue
            # "react@18" is a version of a package, and no address.
            at_host = compiled(r"@[^\W\d]").search(found["user"])
            if only_addresses and (not at_host or found["between"].isspace()):
                continue
            if is_placeholder(value) or is_call(value, text, found.end("value")) or in_path:
                continue
            if _is_paired(value, found["between"]):
                yield Secret("password", *found.span("value"))


def _word(text: str, found: re.Match[str], start: int, end: int) -> Word | None:
    """What a match means; None where it is another thing, as in `cache key` or `password policy`."""
    kind = next(name for name in _KINDS if found[name])
    bare = any(
        found[name] is not None for name in ("bare_code", "bare_key", "bare_pin", "bare_pass")
    )
    if compiled(OTHER).match(text, found.end(), end):
        return None
    if kind in ("key", "code") and compiled(HARMLESS).search(
        text, max(start, found.start() - 24), found.start()
    ):
        return None
    if found["bare_code"] is not None:
        around = text[max(start, found.start() - 80) : min(end, found.end() + 60)]
        if not compiled(ACCESS).search(around):
            return None
    low = found[0].lower()
    mark = _KINDS[kind]
    if kind == "key":
        names = {"token": "token", "jeton": "token", "secret": "secret", "cred": "credential"}
        mark = next((names[name] for name in names if name in low), "key")
    before = text[max(start, found.start() - 12) : found.start()].lower()
    if mark == "token" and compiled(_COUNTED).search(before):
        return None
    given = before.endswith(("with the ", "with ", "using the ", "use the ", "mit dem "))
    return Word(kind, found[0], found.start(), found.end(), bare, mark, given)


def _around(text: str, word: Word, start: int, end: int) -> Iterator[Secret]:
    """The value that belongs to one word for a credential."""
    if link := compiled(FROM).match(text, word.end, min(end, word.end + 400)):
        old = link["old"].strip("\"'`*“”„«»()")
        new = list(_value(text, link.end(), end, "said", word))
        if old and new and is_secret(old, word, "said", delimited=old != link["old"]):
            begin = link.start("old") + link["old"].index(old)
            yield Secret(word.mark, begin, begin + len(old))
        yield from new
        if new:
            return
    tail = compiled(TAIL).match(text, word.end, end)
    after = tail.end() if tail else word.end
    ways = (
        ("given", ASSIGN, after),
        ("said", VERB, word.end),
        ("direct", DIRECT, word.end),
        ("said", ASKED, word.end),
        ("gap", NEXT_LINE, word.end),
        ("gap", GAP, word.end),
    )
    for how, pattern, begin in ways:
        link = compiled(pattern).match(text, begin, min(end, begin + 300))
        if not link:
            continue
        if how == "given" and link["how"] == "=" and word.text.isupper():
            how = "sure"
        if found := list(_value(text, link.end(), end, how, word)):
            yield from found
            return
    for way in (_before(text, word, start), _nearby(text, word, end), _alone(text, word)):
        if found := list(way):
            yield from found
            return


def _alone(text: str, word: Word) -> Iterator[Secret]:
    """A value that has a line of its own after the line of its word."""
    found = compiled(ALONE).match(text, word.end, word.end + 330)
    if not found:
        return
    if found["scalar"]:
        if not is_placeholder(found["block"]) and word.kind in ("password", "phrase", "key"):
            yield Secret(word.mark, *found.span("block"))
        return
    value = found["value"].rstrip(".,;")
    said = text[word.end : found.start("value")]
    if is_placeholder(value) or is_technical(value) or is_reference(value) or is_uuid(value):
        return
    if word.kind in ("pin", "code"):
        good = value.isdigit() and 4 <= len(value) <= 8 and ":" in said and not _is_year(value)
    elif word.kind == "key":
        good = is_thrown(value, 20) and not (word.bare or is_hex(value))
    else:
        good = is_mixed(value) and (is_strong(value) or has_symbol(value)) and len(value) >= 6
    if good:
        first = found.start("value")
        yield Secret(word.mark, first, first + len(value))


def _nearby(text: str, word: Word, end: int) -> Iterator[Secret]:
    """A value that other words part from its word, where its form leaves little doubt."""
    stop = min(word.end + 90, end)
    line = text.find("\n", word.end, stop)
    stop = line if line >= 0 else stop
    if word.kind in ("pin", "code"):
        found = compiled(NEARBY_CODE).match(text, word.end, stop)
        if found and _is_code(found["value"], word, "said") and not _is_year(found["value"]):
            yield Secret(word.mark, *found.span("value"))
        return
    for found in compiled(NEARBY).finditer(text, word.end, stop):
        value = found["value"].rstrip(".,;:?")
        between = text[word.end : found.start("value")]
        if is_placeholder(value) or is_technical(value) or is_reference(value):
            continue
        if word.kind == "key":
            good = len(value) >= (32 if word.bare else 20) and is_random(value)
        else:
            good = (
                is_mixed(value) and (has_symbol(value) or is_chosen(value)) and not is_name(value)
            ) or is_coined(value)
            linked = compiled(LINKED).search(between)
            good = good or bool(linked and len(value) >= 10 and is_mixed(value))
        if good and not compiled(NOT_THE_KEY).search(between):
            yield Secret(word.mark, found.start("value"), found.start("value") + len(value))
            return


def _is_year(value: str) -> bool:
    return len(value) == 4 and value.startswith(("19", "20"))


def _value(text: str, begin: int, end: int, how: str, word: Word) -> Iterator[Secret]:
    """The value that begins at a position, if it is a secret."""
    boxed = compiled(BOXED).match(text, begin, end)
    if boxed and how != "said":
        group = str(boxed.lastgroup)
        strict = "gap" if word.kind in ("password", "phrase") else how
        if is_secret(boxed[group], word, strict, delimited=True):
            yield Secret(word.mark, *boxed.span(group))
        return
    if word.kind in ("pin", "code"):
        grouped = compiled(GROUPED).match(text, begin, end)
        if grouped and _is_code(grouped[0], word, how) and not is_technical(grouped[0]):
            yield Secret(word.mark, *grouped.span())
            return
    fours = compiled(_FOURS).match(text, begin, end) if how == "given" else None
    if fours and word.kind == "password" and not PROSE.intersection(fours[0].split()):
        yield Secret(word.mark, *fours.span())
        return
    found = compiled(VALUE).match(text, begin, end)
    if not found:
        return
    group = next(name for name in ("quoted", "printed", "bare") if found[name] is not None)
    value, delimited = found[group], group != "bare"
    first, last = found.span(group)
    if found["bold"] and not delimited:
        value = value.rstrip("*_")
        delimited, last = True, first + len(value)
    if not delimited and (is_call(value, text, last) or is_reference(value)):
        return
    if (
        how == "direct"
        and word.given
        and not delimited
        and text[last : last + 1] in ("", *".,;)\n")
    ):
        # "unlocks with the password …": only the value can follow.
        how = "told"
    elif how == "direct" and word.text.lower() in ("pw", "pwd", "passwd", "mdp"):
        # A short form needs no verb.
        how = "said"
    if not is_secret(value, word, how, delimited=delimited):
        return
    if len(value) >= MOST and (rest := compiled(r"[^\s\"'`]+").match(text, last)):
        last = rest.end()
    yield Secret(word.mark, first, last)


def is_secret(value: str, word: Word, how: str, *, delimited: bool) -> bool:
    """Whether a value beside a word for a credential is one.

    The surer the place, the less the value itself must look like a secret: `sure` is an assignment
    to a constant, `given` any other, `told` and `said` are sentences, `direct` follows the word
    itself, and with a `gap` other words stand between.
    """
    if _ESCAPED_LINE_END in value:
        return False
    if is_placeholder(value):
        return False
    if word.kind in ("pin", "code"):
        return _is_code(value, word, how)
    if is_technical(value):
        return False
    first, *rest = value.lower().split()
    if word.kind == "phrase" and how != "gap":
        spoken = delimited and len(rest) >= 2 and first not in PROSE
        if spoken and not compiled(INFLECTED).fullmatch(first):
            return True
    if word.kind in ("password", "phrase") and how != "gap":
        # Four words or more joined by marks, none of which prose needs.
        pieces = re.split(r"[-._]", value.lower())
        if len(pieces) >= 4 and all(pieces) and not PROSE.intersection(pieces):
            return True
    if word.bare and word.kind == "password":
        return is_entered(value) or (is_random(value) and len(value) >= 10)
    if word.kind in ("password", "phrase"):
        return _is_password(value, how, delimited)
    if delimited and is_reference(value):
        return False
    if how in ("direct", "gap", "said", "told"):
        if is_uuid(value) or (is_hex(value) and how == "gap"):
            return not word.bare and how != "gap" and word.mark in ("key", "secret")
        if word.bare and how != "said" and is_hex(value):
            return False
        return is_thrown(value, 10 if delimited else 12 if how == "said" and not word.bare else 16)
    return is_thrown(value, 8 if delimited else 12)


def _is_password(value: str, how: str, delimited: bool) -> bool:
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    symbols = any(not (char.isalnum() or char in "-_./") for char in value)
    if how == "told":
        return len(value) >= 6 and not value.islower()
    if how in ("direct", "gap"):
        if delimited and how == "direct":
            lower = value.islower() and not (is_mixed(value) and len(value) >= 8)
            return len(value) >= 6 and not lower and not _is_prose(value)
        if how == "direct" and is_mixed(value) and len(value) >= 10 and not is_reference(value):
            return True
        return is_chosen(value) or (is_strong(value) and len(value) >= 8)
    if delimited:
        return len(value) >= 6 and not _is_prose(value)
    if how == "said" and value.isdigit() and 4 <= len(value) <= 8:
        return not _is_year(value)
    if how == "said":
        return letters and len(value) >= 6 and (digits or (len(value) >= 8 and has_symbol(value)))
    return len(value) >= 6 and (how == "sure" or digits or symbols)


def _is_code(value: str, word: Word, how: str) -> bool:
    plain = value.strip("#*.").replace("-", "").replace(" ", "")
    if plain.isdigit():
        if word.bare and how not in ("given", "said") and word.kind == "pin":
            return False  # a pin of a plug or a chip
        return 4 <= len(plain) <= 12 and (how != "gap" or word.kind == "pin")
    return (
        word.kind == "code"
        and how != "gap"
        and is_mixed(plain)
        and (
            (len(plain) >= 6 and is_strong(value) and not word.bare)
            or (len(plain) >= 5 and plain.isupper())
        )
    )


def _is_prose(value: str) -> bool:
    """Whether quoted words are a sentence or a name and not what somebody chose for a secret."""
    said = value.lower().split()
    if any(map(str.isdigit, value)):
        return False
    if len(said) < 2:
        return is_reference(value) and value.count("-") < 2
    return any(word in PROSE for word in said)


def _is_paired(value: str, between: str) -> bool:
    """Whether a value beside a user name is the password."""
    if _ESCAPED_LINE_END in value or is_technical(value.rstrip("):")):
        return False  # the words of two lines of a JSON string; a version or address
    if is_mixed(value) and has_symbol(value) and len(value) >= 6:
        return True
    if between == " / " and len(value) >= 8 and (is_strong(value) or has_symbol(value)):
        return True
    # "and" or a space join many other things.
    joined = between.strip()
    is_listed = joined in ("", "and", "und", "et", "y") or (joined == "," and is_thing(value))
    return is_chosen(value) and not is_listed


def _option(found: re.Match[str]) -> Iterator[Secret]:
    """The secret that an option of a command line gives."""
    name, value = found["name"], found["value"]
    if is_placeholder(value) or is_technical(value):
        return
    if "pass" in name or name.endswith(("pw", "pin")):
        given = found["quote"] is not None or f"{name}=" in found[0]
        if given or not value.isalpha() or len(value) >= 8:
            yield Secret("password", *found.span("value"))
    elif is_mixed(value) and len(value) >= 8 and not is_name(value):
        yield Secret("token", *found.span("value"))


def _before(text: str, word: Word, start: int) -> Iterator[Secret]:
    """A value that stands before its word: `… is the new password`."""
    begin = max(start, word.start - 160)
    line = text.rfind("\n", begin, word.start) + 1 or begin
    if found := compiled(BEFORE).search(text, max(begin, line), word.start):
        value = found["value"].rstrip(".,:;?")
        if is_placeholder(value) or is_technical(value) or is_reference(value):
            return
        if word.kind in ("password", "phrase"):
            good = is_strong(value) or is_chosen(value)
            # A commit and what it did: `76fccbc - password reset`.
            good = good and not (is_hex(value) and found["link"] in "–—-(")
        elif word.kind in ("pin", "code"):
            digits = value.isdigit() and 4 <= len(value) <= 8 and not _is_year(value)
            good = digits and not word.bare and found["link"] in ("is", "was", "as", "=")
        else:
            good = word.kind == "key" and is_thrown(value, 16)
            good = good and not is_uuid(value) and not is_hex(value)
        if good:
            first = found.start("value") + found["value"].index(value)
            yield Secret(word.mark, first, first + len(value))


# Values that stand in runs


_RULER = r"\s*\|?(?:\s*:?-+:?\s*\|)*\s*(?::?-+:?\s*)?\|?\s*"
_CODES = (
    r"(?:(?:backup|recovery|scratch|emergency|rescue|2fa|mfa|one[- ]time|not(?:fall)?|wiederherstellungs|ersatz|einmal)[- ]?(?:2fa )?codes?\b"
    r"|(?:codes|c[oó]digos|codici|chaves) d(?:e |i |['’])(?:secours|récup\w*|respaldo|recup\w*|reserva|emergencia|emergência|backup|recupero)"
    r"|(?:バックアップ|リカバリー?|回復)コード|(?:备用|恢复)(?:验证)?码)[^\n]*"
)
_CODE_LINE = (
    r"[ \t>]*(?:[-*+]|\d{1,2}[.)])?[ \t]*[`*]{0,2}(?P<code>[0-9A-Za-z]{4,10}(?:[- ][0-9A-Za-z]{3,10}){0,4})"
    r"[`*]{0,2}[ \t]*(?:\n|$)"
)
_CODE_BESIDE = (
    r"[0-9A-Za-z]{4,6}-[0-9A-Za-z]{4,6}(?:-[0-9A-Za-z]{4,6})?|(?<!\d)\d{8,10}(?!\d)|(?<!\d)(?<!\d )\d{4} \d{4}(?! ?\d)"
    r"|(?<=[ ,;:])(?=[a-z]{0,9}\d)(?=\d{0,9}[a-z])[a-z\d]{8,12}(?![\w-])"
)
_HEX_NEAR = ("api", "app", "twilio", "datadog", "algolia")
_SEED_NEAR = (
    "words",
    "seed",
    "phrase",
    "frase",
    "mnemonic",
    "wallet",
    "wörter",
    "mots",
    "palabras",
)
_SEED_WORD = rf"(?!(?:{'|'.join(sorted(PROSE))})(?![a-z]))[a-z]{{3,8}}"
_SEED = (
    rf"(?<![a-z])(?:\d{{1,2}}[.):]\s?)?{_SEED_WORD}"
    rf"(?:(?:,\s?|\s+)(?:\d{{1,2}}[.):]\s?)?{_SEED_WORD}(?![a-z])){{11,23}}"
)
_SEED_PART = (
    rf"(?i)(?:last|first|other|remaining|missing|rest|letzten|ersten|übrigen|derniers|premiers|autres|últimas|primeras|primeiras|otras|ultime)"
    rf"(?: (?:one|two|three|four|five|six|seven|eight|twelve|\d\d?|half|words?|mots|palabras|palavras|wörter|\w{{2,8}}|of|the|it)){{0,6}}?"
    rf"(?:[^\n:.]{{0,40}}:| (?:are|is|sind|sont|son|são|half)):? (?P<words>{_SEED_WORD}(?:,? {_SEED_WORD}(?![a-z])){{3,14}})(?=[.,;!]?\s*(?:\n|\Z))"
)
#: What says that words, or so many of them, follow; "the last message from me:" does not.
_OF_WORDS = r"(?i)word|half|rest\b|seed|phrase|mots|palabras|palavras|wörter|\d|(?:one|two|three|four|five|six|eight|twelve)\b"
#: A bent word; in prose more than one of so many is.
_BENT = r"\w{3,}(?:ed|ly|ing|tion|ment)|\w{3,}[^sui]s"
_MOST_BENT = 6
_HEX = r"(?<![\w/.@+-])(?:[0-9a-f]{32}|[0-9a-f]{40})(?![\w/.+-])"
_API = r"(?<![a-z])(?:api|app)(?![a-z])|application[ _-]?key|twilio|datadog|algolia"
_OTHER_HEX = (
    r"commit|sha|md5|etag|\bid\b|_id\b|hash|digest|trace|span|rev\b|finger|request|image|build|dash"
    r"|sum\b|version|public|cache|object|primary|idempotency|\bat\b|branch|merge|cherry"
)
#: One of these stands in every text with secrets in runs.
LISTED = (
    "code",
    "código",
    "codici",
    "コード",
    "码",
    "username",
    "login",
    *_HEX_NEAR,
    *_SEED_NEAR,
    "frase",
    "paper key",
    "|",
)
#: What a phrase may have of the words that prose needs.
_SMALL = frozenset(("the", "an", "of", "in", "on", "at"))
_LOCK_PHRASE = rf"(?:unlock|decrypt|encrypt|vault|disk)\w{{0,5}} phrase|{_PASSPHRASE}"
_WORDS = r"(?P<words>[^\W\d_][^\W_’']{1,13}(?:[ -][^\W_][^\W_]{0,13}){2,15})"
_RUN = rf"[\"'`*“„«]{{0,3}}{_WORDS}(?![\w-])"
_SURE = ("to", ":", "=", "→")
#: Words that begin what is said of a passphrase.
_SAID_OF = frozenset(("see", "ask", "use", "same", "none", "unknown", "ist", "siehe", "voir", "im"))
_BOXED_RUN = rf"[^\n(\"“]{{0,60}}(?:[(\"“]|\s[–—-]\s|:\s){_WORDS}(?=[)\"”.,;]|\s*(?:\n|$))"
_WITH_RUN = rf"\s{_WORDS}(?=[.,;]|\s*(?:\n|$))"
_RUN_BEFORE = rf"[\"“„«`]{_WORDS}[\"”“»`]\s(?:is|was|as|ist|war|est)\s(?:[\w-]{{1,15}}\s){{1,4}}$"


def listed_secrets(text: str, lowered: str) -> Iterator[Secret]:
    """The secrets of a text that stand in runs."""
    if "|" in text and "-" in text:
        yield from table_cells(text)
    if "\n" in text and "password" in lowered:
        yield from exported_cells(text)
    if any(near in lowered for near in ("code", "código", "codici", "コード", "码")):
        yield from code_lists(text, lowered)
    if any(near in lowered for near in _HEX_NEAR):
        yield from hex_keys(text, lowered)
    if any(near in lowered for near in _SEED_NEAR):
        yield from seed_phrases(text)
    if "phrase" in lowered or "frase" in lowered or "paper key" in lowered:
        yield from passphrases(text, lowered)


def table_cells(text: str) -> Iterator[Secret]:
    """The cells of tables under a heading that is a word for a credential."""
    columns: dict[int, str] = {}
    before, at = "", 0
    for line in text.splitlines(keepends=True):
        if "|" not in line:
            columns = {}
        elif "-" in line and compiled(_RULER).fullmatch(line.rstrip("\r\n")):
            columns = dict(_credential_columns(before))
        elif columns:
            for number, (cell, begin) in enumerate(_cells(line)):
                value = cell.strip("`*\"'")
                if number in columns and value and _is_cell(value, columns[number]):
                    start = at + begin + cell.index(value)
                    yield Secret(columns[number], start, start + len(value))
        before, at = line, at + len(line)


def exported_cells(text: str) -> Iterator[Secret]:
    """The passwords of a list that a browser or a vault has exported: a line of names, then values."""
    lines = text.splitlines(keepends=True)
    at = 0
    columns, comma = list[int](), ""
    for line in lines:
        cells = line.rstrip("\r\n").split(comma or ",")
        if columns and len(cells) > max(columns):
            for number in columns:
                begin = at + sum(len(one) + 1 for one in cells[:number])
                value = cells[number].strip('" ')
                if len(value) >= 4 and not is_placeholder(value):
                    start = begin + cells[number].index(value)
                    yield Secret("password", start, start + len(value))
        else:
            comma = next((c for c in ",;\t" if line.count(c) >= 2), "")
            names = line.strip().lower().split(comma) if comma else []
            columns = [n for n, name in enumerate(names) if name.strip('" ') in _EXPORTED]
            known = all(len(name) <= 24 and " " not in name.strip() for name in names)
            columns = columns if known else []
        at += len(line)


#: The names of a column of passwords in what browsers and vaults export.
_EXPORTED = ("password", "passwort", "login_password", "pass", "contraseña", "senha", "passwd")


def _credential_columns(line: str) -> Iterator[tuple[int, str]]:
    """The columns of a header row that hold credentials, each with its kind."""
    for number, (head, _) in enumerate(_cells(line)):
        found = compiled(WORD).search(head) if len(head) <= 40 else None
        if found and not compiled(OTHER).match(head, found.end()):
            if found["bare_code"]:
                continue
            kind = next(name for name in _KINDS if found[name])
            kind = "api-key" if kind == "key" and not found["bare_key"] else kind
            yield number, _KINDS.get(kind, kind)


def _is_cell(value: str, kind: str) -> bool:
    if is_placeholder(value):
        return False
    if kind == "passphrase" and value.count(" ") >= 2:
        return True
    if kind in ("pin", "code"):
        return value.strip("#*").isdigit() and 4 <= len(value) <= 10
    if " " in value or is_technical(value) or (is_reference(value) and not is_mixed(value)):
        return False
    if kind.endswith("key"):
        # "Key" alone heads many a column of names.
        return is_thrown(value, 20 if kind == "key" else 10)
    return is_strong(value) or (len(value) >= 8 and not value.isalpha())


def _cells(line: str) -> list[tuple[str, int]]:
    """The cells of a row, each with where it begins."""
    cells, at = [], 0
    line = line.rstrip("\r\n")
    for number, piece in enumerate(line.split("|")):
        if number or piece.strip():
            cells.append((piece.strip(), at + len(piece) - len(piece.lstrip())))
        at += len(piece) + 1
    return cells


def code_lists(text: str, lowered: str) -> Iterator[Secret]:
    """Codes on the line that speaks of recovery codes, or on lines of their own after it."""
    for found in compiled(_CODES).finditer(lowered):
        for code in compiled(_CODE_BESIDE).finditer(text, found.start(), found.end()):
            if any(map(str.isdigit, code[0])):
                yield Secret("recovery-code", *code.span())
        at = found.end() + 1
        for _ in range(20):
            line = compiled(_CODE_LINE).match(text, at)
            if not line:
                break
            if is_mixed(line["code"]) or line["code"].replace(" ", "").replace("-", "").isdigit():
                yield Secret("recovery-code", *line.span("code"))
            at = line.end()


def hex_keys(text: str, lowered: str) -> Iterator[Secret]:
    """Hex runs of a key's length beside `api` or `app`, unless a word says what else they are."""
    for found in compiled(_HEX).finditer(lowered):
        before = lowered[max(0, found.start() - 40) : found.start()].rpartition("\n")[2]
        after = lowered[found.end() : found.end() + 8].partition("\n")[0]
        beside = compiled(_API).search(before) or compiled(_API).search(after)
        if beside and is_mixed(found[0]) and not compiled(_OTHER_HEX).search(before):
            yield Secret("api-key", *found.span())


def seed_phrases(text: str) -> Iterator[Secret]:
    """Twelve to twenty-four plain words in a row, without one that prose needs."""
    for found in compiled(_SEED).finditer(text):
        said = re.findall("[a-z]+", found[0])
        # A phrase is of single words; prose without its small words still bends them.
        bent = sum(compiled(_BENT).fullmatch(word) is not None for word in said)
        if len(set(said)) >= 10 and bent * _MOST_BENT < len(said):
            yield Secret("seed-phrase", *found.span())
    # What is said of a part of it: the last four words, the other half.
    for found in compiled(_SEED_PART).finditer(text):
        if not compiled(_OF_WORDS).search(found[0], 0, found.start("words") - found.start()):
            continue
        yield Secret("seed-phrase", *found.span("words"))


def passphrases(text: str, lowered: str) -> Iterator[Secret]:
    """A run of words that is given for a passphrase."""
    for found in compiled(_LOCK_PHRASE).finditer(lowered):
        stop = found.end() + 300
        near = max(0, found.start() - 160)
        line = max(text.rfind("\n", near, found.start()) + 1, near)
        if run := compiled(_RUN_BEFORE).search(text, line, found.start()):
            yield Secret("passphrase", *run.span("words"))
        for pattern in (ASSIGN, VERB):
            link = compiled(pattern).match(text, found.end(), stop)
            run = compiled(_RUN).match(text, link.end(), stop) if link else None
            if (
                link
                and run
                and _is_phrase(run["words"], link["how"] in _SURE or text[link.end()] in '"“„«')
            ):
                yield Secret("passphrase", *run.span("words"))
                break
        else:
            given = lowered[line : found.start()].endswith(("with the ", "with ", "mit der "))
            pattern = _WITH_RUN if given else _BOXED_RUN
            run = compiled(pattern).match(text, found.end(), stop)
            if run and _is_phrase(run["words"], sure=False):
                yield Secret("passphrase", *run.span("words"))


def _is_phrase(run: str, sure: bool) -> bool:
    """Whether words in the place of a passphrase are one, and not what is said of it."""
    said = run.lower().replace("-", " ").split()
    if said[0] in PROSE or said[0] in _SAID_OF or compiled(INFLECTED).fullmatch(said[0]):
        return False
    rest = [word for word in said if compiled(INFLECTED).fullmatch(word)]
    rest += [word for word in said if word in PROSE and word not in _SMALL]
    return (sure and len(said) > 3) or not (rest or (len(said) == 3 and _SMALL.intersection(said)))
