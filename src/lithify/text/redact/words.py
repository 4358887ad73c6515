"""The words for credentials, and the ways in which a text gives one: patterns as data."""

from __future__ import annotations

_PASSWORD = (
    r"pass(?:[- ]?word|wd|[- ]?code|wort|ord)|pwd|kennwort|mot de passe|contrase(?:ñ|n\u0303?)a"
    r"|wachtwoord|l(?:ö|o\u0308)senord|salasana|adgangskode|hasło|пароль|パスワード|密[码碼]|비밀번호"
    r"|(?:wi-?fi|wlan|wpa[23]?|network)[- ](?:key|code|schlüssel)|(?<![a-z])clave(?![a-z])|geheimwort|pre-?shared[ _-]?(?:key|secret)|(?<=-)pass(?=[ =])"
    r"|(?<![a-z])(?:pw|mdp|senha|heslo|parola|psk)(?![a-z])|(?<=_)pass(?![a-z])"
    r"|(?<![a-z])pass(?=\s?[:=](?!:)|[\"'`]\s?:)|(?<=[/_ ])pass(?=\s[`\"'*(])|(?<=[,;] )pass(?=\s\S)"
)
_PHRASE = (
    r"pass[- ]?phrase|(?:seed|recovery|backup|secret|wallet|mnemonic)[- ](?:phrase|words?)"
    r"|mnemonic(?![a-z])|phrase secr[eè]te|frase (?:secreta|segreta)|paper key"
)
_PIN = (
    r"(?<![A-Za-z])(?-i:PINs?|PUK|TAN)(?![A-Za-z])(?:[- ](?:code|number)(?![a-z]))?"
    r"|(?<![a-z])pin[- ]?(?:code|number)|geheimzahl"
    r"|(?P<bare_pin>(?<![a-z])pin(?= (?:is|was|reset|changed|set|for|del|de|ist|lautet|to my)\b|:))"
)
_CODE = (
    r"(?:(?:door|gate|alarm|access|entry|security|verification|one[- ]time|2fa|mfa|otp|totp|backup"
    r"|recovery|unlock|pairing|auth|authenticat(?:ion|or)|log-?in|sign-?in|sms|safe|garage|building|keypad"
    r"|lock|locker|emergency|disarm|lockbox|confirmation|guard|fa[ck]tor|t(?:ü|ue?)r|zugangs|best(?:ä|ae)tigungs"
    r"|freischalt|entsperr|sicherheits|aktivierungs)[- ]?code|one[- ]time[- ]pass(?:code|word)|digicode"
    r"|keypad(?=:)|key ?box|(?:safe|lock|gate|door|box|locker) opens with(?! (?:an?|the|my|his|her)\b)"
    r"|(?:code|c[oó]digo|codice) d(?:e |i |['’])(?:v[eé]rif|acc|s[eé][cg]ur|conf|sicur|entr|apert)\w{1,9}"
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
    r"|authtoken|(?:authenticator|mfa|2fa) (?:seed|secret)|(?<![a-z])app_?id(?![a-z])"
    r"|(?:(?:access|auth|refresh|session|bearer|api|bot|id)[_ -]?)?token|jeton(?: d['’]accès)?"
    r"|(?:totp|otp|2fa|mfa)[_ -](?:seed|key)"
    r"|credential|(?<![a-z-])creds?(?![a-z])|(?P<bare_key>(?<![a-z_.-])(?:key|schlüssel)(?![a-z_]))"
)
#: A word for a credential; the group that matched last is its kind.
WORD = (
    rf"(?i)(?P<phrase>{_PHRASE})|(?P<password>{_PASSWORD})|(?P<pin>{_PIN})|(?P<code>{_CODE})"
    rf"|(?P<key>{_KEY})"
)
#: One of these small-letter strings stands in every match of a word.
NEAR = (
    *("pass", "pw", "secret", "key", "token", "cred", "kennwort", "contrase", "mdp", "schl", "psk"),
    *("wachtwoord", "senord", "salasana", "adgangskode", "hasło", "senha", "heslo", "пароль"),
    *("パスワード", "密码", "密碼", "비밀번호", "parola", "phrase", "mnemonic", "code", "otp"),
    *("pin code", "pin-code", "pincode", "pin number", "cookie", "jeton", "código", "codice"),
    *("clave", "wifi code", "wi-fi code", "wlan-code", "network code", "2fa", "mfa"),
    *("ombination", "wallet word", "seed word", "recovery word", "backup word", "secret word"),
    *("geheim", "frase ", "clé ", "chiave", "appid", "app_id", "pin is", "pin was", "pin reset"),
    *(
        "pin changed",
        "pin set",
        "pin for",
        "pin de",
        "pin ist",
        "pin lautet",
        "pin:",
        "pin to my",
        "keypad:",
        "opens with",
        "key box",
        "keybox",
    ),
)
#: Every match of a word is shorter than this.
LONGEST = 36
#: One of these stands in every line that speaks of an account.
NEAR_ACCOUNT = (
    *(
        "login",
        "log in",
        "logged in",
        "logged into",
        "sign in",
        "signed in",
        "cred",
        "user",
        "account",
    ),
    *("get in", "auth", "admin", "ssh ", "ftp", "portal", "zugang", "anmeld", "benutzer", "konto"),
    *("usuario", "identifiant", "utilisateur", "compte", "utente", "usuário", "superuser"),
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
    r"|coffre|t(?:ü|ue)r\b|\btor\b|puerta|portón|porta\b|shed|cabin|gym|bike|\bsms\b|text(?:ed| message)"
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
    r"(?:\s(?:for|of|to|on|at|in|used by|behind|du|des?|der|dem|del|della|vom|von|für|fürs|zum|zur|van|do|da)"
    r"(?:\s[\w.@/'’-]{1,30}){1,5}?)?"
)
ASSIGN = rf"{_ABOUT}\*{{0,2}}\s{{0,3}}(?P<how>=>|:=|={{1,2}}|[:：＝は为為是→]|->)\*{{0,2}}\s{{0,3}}"
VERB = (
    rf"s?(?:['’]s)?{_ABOUT}(?:,(?:[^,\n]{{1,40}},)?)?"
    r"\s(?:has been |have been |was |is |got |gets |being |just |wurde |est |a été )?"
    r"(?:(?:re)?set |changed |rotated |updated |switched |reset back |moved |generated |now )?"
    r"(?P<how>is|was|are|were|now|to|as|be|became|becomes|reads|(?:it|that|c)['’](?:s|est)|vaut|ist|war"
    r"|lautet|hei(?:ß|ss)t|auf|jetzt|est|es|era|é|è|är|en|in)"
    r"(?:\s(?:now|set\sto|still|jetzt|just|currently|literally|simply|changed\sto|called|again|die|der)){0,2}"
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
    r"(?P<link>is|was|as|for|=|,|–|—|-|\()\s?"
    r"(?:(?:the|our|my|its|your|her|his|their|a|an|new|old|current|temporary|initial|default|shared"
    r"|only|[\w.-]{2,20})[\s-]){0,4}$"
)
#: A password or key that other words part from its word shows by itself what it is.
NEARBY = r"(?<=\s)[\"'`*“„«(]{0,3}(?P<value>[^\s\"'`*“”„«»()<>|=/\\{}\[\]\u2e80-\uffef]{8,200}=?)"
LINKED = r"(?i)(?<!\w)(?:is|was|now|to|ist|war|jetzt|auf|est|es|è)\s$"
#: What makes of a run of letters and digits near a key another thing than the key.
NOT_THE_KEY = r"(?i)public|finger|hash|sha-?\d|digest|checksum|commit|\bid\b|etag|trace|[.!]\s"
#: Digits in groups, or with letters before them: `739 204`, `31-08-55`, `G-582104`.
GROUPED = r"(?:[A-Z]-)?\d{1,4}(?:[ -]\d{1,4}){1,4}(?![\w-])|[A-Z]-\d{4,8}(?!\w)"
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
PROSE = frozenset(
    [
        "the",
        "an",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "to",
        "of",
        "in",
        "on",
        "at",
        "for",
        "from",
        "by",
        "with",
        "without",
        "and",
        "or",
        "but",
        "not",
        "no",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "we",
        "you",
        "they",
        "he",
        "she",
        "our",
        "your",
        "their",
        "must",
        "should",
        "can",
        "could",
        "will",
        "would",
        "may",
        "has",
        "have",
        "had",
        "do",
        "does",
        "did",
        "if",
        "when",
        "where",
        "how",
        "what",
        "who",
        "which",
        "than",
        "then",
        "as",
        "so",
        "only",
        "also",
        "now",
        "still",
        "never",
        "always",
        "via",
        "per",
        "into",
        "out",
        "up",
        "too",
        "very",
    ]
)
INFLECTED = r"\w{3,}(?:ed|ly|ing|tion|ment|able|ness|sed|ned|ée?s?|[ai]do|iert)"
