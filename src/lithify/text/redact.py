"""Secrets taken out of a text, and marks that would be read as more than text.

Every pattern begins where its token begins and is bounded or stops at the next token, so that
no input, however hostile, costs more than a few looks at each character.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of credential: `group` of `pattern` is the secret.

    `near` holds small-letter strings one of which stands in or beside every match: only the lines
    that hold one, and those after them, are searched. With `weighed`, the value must also look
    like a secret.
    """

    name: str
    pattern: str
    group: int | str = 0
    near: tuple[str, ...] = ()
    weighed: str = ""
    flags: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """Where a secret stands, and by which rule."""

    rule: str
    start: int
    end: int


def findings(text: str, allow: Collection[str] = ()) -> tuple[Finding, ...]:
    """The credentials in a text, in order, none overlapping another.

    `allow` holds texts that are known to be harmless, or names of rules to leave out.
    """
    lowered = text.lower()
    if not any(map(lowered.__contains__, _ANY_NEAR)):
        return ()
    found: list[Finding] = []
    for rule in RULES:
        if rule.name in allow:
            continue
        for start, end in _places(text, lowered, rule):
            for match in _compiled(rule).finditer(text, start, end):
                value = match[rule.group]
                if value in allow or value.startswith("[redacted:"):
                    continue
                if not rule.weighed or _is_secret(value, match, rule.weighed):
                    found.append(Finding(rule.name, *match.span(rule.group)))
    found.sort(key=lambda finding: (finding.start, -finding.end))
    kept: list[Finding] = []
    for finding in found:
        if not kept or finding.start >= kept[-1].end:
            kept.append(finding)
        elif finding.end > kept[-1].end:
            kept[-1] = Finding(kept[-1].rule, kept[-1].start, finding.end)
    return tuple(kept)


@cache
def _compiled(rule: Rule) -> re.Pattern[str]:
    # Hooks import this module on every call: a rule costs nothing until a text comes near it.
    return re.compile(rule.pattern, rule.flags)


def _places(text: str, lowered: str, rule: Rule) -> list[tuple[int, int]]:
    """The stretches worth searching: lines that hold a word of the rule, and the line after."""
    if len(lowered) != len(text) or rule.name == "private-key":
        return [(0, len(text))] if any(near in lowered for near in rule.near) else []
    lines: set[tuple[int, int]] = set()
    for near in rule.near:
        at = lowered.find(near)
        while at >= 0:
            end = text.find("\n", at) + 1 or len(text)
            lines.add((text.rfind("\n", 0, at) + 1, text.find("\n", end) + 1 or len(text)))
            at = lowered.find(near, end)
    places: list[tuple[int, int]] = []
    for start, end in sorted(lines):
        if places and start < places[-1][1]:
            places[-1] = (places[-1][0], max(end, places[-1][1]))
        else:
            places.append((start, end))
    return places


def redact(text: str, allow: Collection[str] = ()) -> str:
    """The text with every credential replaced by a placeholder that names its kind."""
    while found := findings(text, allow):
        pieces: list[str] = []
        done = 0
        for finding in found:
            pieces += text[done : finding.start], f"[redacted:{finding.rule}]"
            done = finding.end
        # What stood beside a secret may be one on its own once the secret is gone.
        text = "".join(pieces) + text[done:]
    return text


def plain(text: str) -> str:
    """The text with comment marks escaped, so that it can stand before a provenance comment."""
    if "--" not in text:
        return text
    return _CLOSE.sub(r"--\1\\>", _OPEN.sub(r"<\1\\!--", text))


def unplain(text: str) -> str:
    """The text that `plain` was given."""
    if "--" not in text:
        return text
    return _ESCAPED_OPEN.sub(r"<\1!--", _ESCAPED_CLOSE.sub(r"--\1>", text))


_OPEN, _CLOSE = re.compile(r"<(\\*)!--"), re.compile(r"--(\\*)>")
_ESCAPED_OPEN, _ESCAPED_CLOSE = re.compile(r"<(\\*)\\!--"), re.compile(r"--(\\*)\\>")


# What a secret looks like. -----------------------------------------------------------------------

_PLACEHOLDER = (
    r"(?is)[\W_x]*|<.*|\$\{?\w*\}?.*|%\w+%|\{.*|\[.*|x{3,}.*|.*(?:\*{3}|\.{3}|…|•{2}).*"
    r"|(?:your|my|the|some|an?|insert|enter|example|sample|dummy|fake|placeholder|redacted|change)"
    r"[-_ ].*"
    r"|(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key|api[-_]?key|changeme|changeit|todo|none"
    r"|null|nil|true|false|undefined|empty|hidden|masked|omitted|removed|unset|required|optional"
    r"|string|str|int|bool|bytes|text|value|default|user(?:name)?|example|test|foo|bar)s?\d{0,3}"
)
_TECHNICAL = (
    r"(?i)(?:base|sha|md|utf|oauth|aes|rsa|hs|rs|es|pbkdf|argon|scrypt|bcrypt|tls|http)-?\d[\w.+-]{0,20}"
    r"|\d+(?:password|fa)(?:\W.*)?"
    r"|\d+[-_ ]?(?:char(?:acter)?|digit|letter|byte|bit|day|hour|h|min(?:ute)?|month|week|year|time"
    r"|ms|s|k|m)s?(?:[-_ ].*)?|\d+-?(?:stellig|zeichen|caract[eè]re|tekens|signos)\w*|\d{4}-\d\d-\d\d\S*|v?\d+(?:\.\d+)+|[~.]{0,2}/[\w./-]*|https?:.*"
    r"|[\w./-]+\.(?:pem|key|crt|json|ya?ml|toml|txt|env|md|py|[jt]s|go|rs)"
)
#: A value that names where the secret is kept: a variable, an attribute, a constant.
_REFERENCE = r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+|[a-z]+(?:[_-][a-z]+)+|[A-Z]+(?:_[A-Z]+)+"


#: Where a value goes on as the call or the type that it begins: `get_password(user)`.
_CALL = r"[A-Za-z_][\w.]*[(\[<]"


def _is_secret(value: str, match: re.Match[str], weighed: str) -> bool:
    """Whether a value given for a password or a key is one, and not a placeholder or prose."""
    if weighed == "random":
        return _is_random(value)
    if re.fullmatch(_PLACEHOLDER, value):
        return False
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    if weighed == "url":
        return True
    if weighed == "header":
        return digits or not (value.islower() or value[1:].islower())
    quoted = match["quote"] is not None
    if re.fullmatch(_TECHNICAL, value):
        return False
    if not quoted and (_is_call(value, match) or re.fullmatch(_REFERENCE, value)):
        return False
    password = match["password"] is not None
    if weighed == "prose" and not quoted:
        return letters and digits and len(value) >= (6 if password else 12)
    if password:
        symbols = any(not (char.isalnum() or char in "-_./") for char in value)
        sure = quoted or (match["how"] == "=" and match["what"].isupper())
        return len(value) >= 6 and (sure or digits or symbols)
    return letters and digits and len(value) >= (8 if quoted else 12) and len(set(value)) >= 6


def _is_call(value: str, match: re.Match[str]) -> bool:
    rest = match.string[match.end() : match.end() + 300].partition("\n")[0]
    if rest[:1] in ("(", "["):
        return True
    closed = re.search(r"[)\]>]", value + rest) or not any(map(str.isdigit, value))
    return bool(closed and re.match(_CALL, value))


def _is_random(value: str) -> bool:
    """Whether letters and digits stand as a machine throws them, not as a hash or a path has them."""
    kinds = (str.isupper, str.islower, str.isdigit)
    words = sum(map(len, re.findall("[a-z]{4,}", value)))
    return all(any(map(kind, value)) for kind in kinds) and 2 * words < len(value)


# The rules. --------------------------------------------------------------------------------------


def _rule(
    name: str, pattern: str, *near: str, group: int | str = 0, weighed: str = "", flags: int = 0
) -> Rule:
    return Rule(name, pattern, group, near, weighed, flags)


def _token(name: str, pattern: str, *near: str) -> Rule:
    """A token known by its prefix, wherever it stands on its own."""
    return _rule(name, rf"(?<![A-Za-z0-9_-])(?:{pattern})(?![A-Za-z0-9])", *near)


_PEM = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
#: What a password is called; the shortest words stand alone.
_PASSWORD = (
    r"pass(?:word|wd|phrase|code|wort|ord)|(?<=_)pass|pwd|kennwort|mot de passe|contrase(?:ñ|n\u0303?)a"
    r"|wachtwoord|l(?:ö|o\u0308)senord|salasana|adgangskode|hasło|пароль|パスワード|密[码碼]|비밀번호"
    r"|(?<![a-z])(?:pw|mdp|senha|heslo)(?![a-z])"
)
_KEY = (
    r"secret(?:[_ -]?(?:access)?[_ -]?key)?"
    r"|(?:api|access|signing|encryption|private|account)[_ -]?key(?![_ -]?id)"
    r"|(?:api|zugangs)[_ -]?schl(?:ü|u\u0308|ue)ssel"
    r"|(?:(?:access|auth|refresh|session|bearer|api|bot|id)[_ -]?)?token|credential"
)
_NAMED = rf"(?P<what>(?i:(?P<password>{_PASSWORD})|{_KEY}))"
_PLAIN, _PRINTED = "\"'`", "„“”‚‘’«»「」『』"
_MARKS = r",;&<>(){}\[\]|"
#: Marks inside of a password: one before a space, or before the next `name=`, ends it.
_INSIDE = rf"[{_MARKS}]{{1,4}}(?=[\w@#$%^])(?![\w.-]{{1,40}}[=:])"
#: Scripts without spaces run on after a password, which is hardly ever written in them.
_BARE = (
    rf"(?![{_MARKS}])(?:[^\s{_PLAIN}{_PRINTED}{_MARKS}\u3000-\uffef]|{_INSIDE}){{4,}}(?<![.,:?*])"
)
_VALUE = (
    rf"(?P<quote>\\?[{_PLAIN}]|(?P<printed>[{_PRINTED}]))?"
    rf"(?P<secret>(?(printed)[^{_PLAIN}{_PRINTED}\n\\]{{4,}}|(?(quote)[^{_PLAIN}\n\\]{{4,}}|{_BARE})))"
    rf"(?(printed)[{_PRINTED}]|(?(quote)(?P=quote)))"
)
_NEAR = (
    *("pass", "pw", "secret", "key", "token", "credential", "kennwort", "contrase", "mdp", "schl"),
    *("wachtwoord", "senord", "salasana", "adgangskode", "hasło", "senha", "heslo", "пароль"),
    *("パスワード", "密码", "密碼", "비밀번호"),
)
RULES: tuple[Rule, ...] = (
    _rule(
        "private-key",
        rf"-----BEGIN {_PEM}(?:(?:[^-]|-(?!----))*+-----END {_PEM}"
        r"|(?:(?:\s|\\[nr])*(?:[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]*))*)",
        "private key",
    ),
    _token(
        "aws-access-key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}", "akia", "asia", "abia", "acca"
    ),
    _rule(
        "aws-secret-key",
        r"(?:aws|secret)[\w ./-]{0,30}(?:key|secret)[\w]{0,10}[\"'`*\]]{0,3}\s{0,3}(?:[:=]|is)\s{0,3}"
        r"[\"'`]?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        "aws",
        "secret",
        group=1,
        flags=re.IGNORECASE,
    ),
    # Forty letters and digits by themselves, in a line that speaks of such a key.
    _rule(
        "aws-secret-key",
        r"(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])",
        *("aws", "secret", "access key"),
        weighed="random",
    ),
    _token(
        "github-token",
        r"gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,}",
        *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    ),
    _token(
        "gitlab-token",
        r"gl(?:pat|dt|rt|ptt)-[A-Za-z0-9_-]{20,}",
        "glpat-",
        "gldt-",
        "glrt-",
        "glptt-",
    ),
    _token("anthropic-key", r"sk-ant-[A-Za-z0-9_-]{16,}", "sk-ant-"),
    _token(
        "openai-key",
        r"sk-(?=[\w-]{0,80}?\d)(?=[\w-]{0,80}?[A-Z])[A-Za-z0-9_-]{20,}|sk-[a-z0-9]{32,}",
        "sk-",
    ),
    _token(
        "slack-token",
        r"xox[abceoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,}",
        "xox",
        "xapp",
    ),
    _rule(
        "slack-webhook",
        r"hooks\.slack\.[a-z]{2,4}/(?:services|workflows)/([A-Za-z0-9/_-]{20,})",
        "hooks.slack",
        group=1,
    ),
    _token(
        "google-key",
        r"AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}",
        "aiza",
        "ya29.",
        "gocspx-",
    ),
    _token(
        "stripe-key",
        r"[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{20,}",
        "k_live_",
        "k_test_",
        "whsec_",
    ),
    _token("npm-token", r"npm_[A-Za-z0-9]{36,}", "npm_"),
    _token("pypi-token", r"pypi-[A-Za-z0-9_-]{40,}", "pypi-"),
    _token("hugging-face-token", r"hf_[A-Za-z0-9]{30,}", "hf_"),
    _token("sendgrid-key", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,60}", "sg."),
    _token("telegram-token", r"\d{8,10}:AA[A-Za-z0-9_-]{33}", ":aa"),
    _token("age-key", r"AGE-SECRET-KEY-1[A-Z0-9]{50,60}", "age-secret-key-1"),
    _token(
        "service-token",
        r"(?:dop_v1_|dapi|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|gsk_|r8_|pplx-)[A-Za-z0-9]{24,}",
        "dop_v1_",
        "dapi",
        "shp",
        "lin_api_",
        "ntn_",
        "gsk_",
        "r8_",
        "pplx-",
    ),
    _token(
        "jwt",
        r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?",
        "eyj",
    ),
    _rule(
        "authorization",
        r"authorization[\"'`*]{0,3}\s{0,3}[:=]\s{0,3}[\"'`*]{0,3}"
        r"(?:(?:bearer|basic|token|digest|negotiate|apikey)\s{1,3})?([^\s\"'`,;<>(){}\[\]]{8,})",
        "authorization",
        group=1,
        weighed="header",
        flags=re.IGNORECASE,
    ),
    _rule(
        "bearer-token",
        r"(?<![A-Za-z])bearer\s{1,3}([A-Za-z0-9._~+/=-]{16,})",
        "bearer",
        group=1,
        weighed="header",
        flags=re.IGNORECASE,
    ),
    _rule(
        "basic-credentials",
        r"(?<![A-Za-z])[Bb]asic\s{1,3}([A-Za-z0-9+/]{14,}={1,2})(?![\w=])",
        "basic",
        group=1,
    ),
    _rule(
        "url-password",
        r"(?<=://)[^\s/:@\"'`<>]{0,100}:([^\s/\"'`<>]{1,200})@(?=[\w.\[-])",
        "://",
        group=1,
        weighed="url",
    ),
    _rule(
        "login-password",
        r"(?<![\w-])(?:-u|--user)[ =][\"']?[^\s:\"']{1,64}:([^\s\"']{4,128})",
        *("-u ", "-u=", "--user"),
        group=1,
        weighed="url",
    ),
    _rule(
        "secret",
        rf"{_NAMED}s?(?:_(?!(?i:id|file|path|url|name|ttl|type|length|policy|count|limit|budget)(?![A-Za-z]))"
        r"[A-Za-z0-9]{1,12}){0,2}\\?[\"'`*\]]{0,3}\s{0,3}(?P<how>=>|:=|={1,2}|[:：＝は为為是])\*{0,2}\s{0,3}"
        + _VALUE,
        *_NEAR,
        group="secret",
        weighed="given",
    ),
    _rule(
        "secret",
        rf"(?<![A-Za-z]){_NAMED}(?:\s(?:for|of|to|on)(?:\s[\w.@/-]{{1,30}}){{1,3}}?)?\s"
        r"(?P<how>is|was|now|to|ist|war|lautet|est|es|era|é|è|är):?"
        r"\s(?:now\s|set\sto\s|still\s|jetzt\s)?" + _VALUE,
        *_NEAR,
        group="secret",
        weighed="prose",
    ),
)

#: What stands near every match: most texts hold none of it. Where one is a part of
#: another, the shorter speaks for both.
_ANY_NEAR = tuple(
    sorted(
        near
        for near in {near for rule in RULES for near in rule.near}
        if not any(other != near and other in near for rule in RULES for other in rule.near)
    )
)
