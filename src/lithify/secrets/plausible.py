"""Whether a value in the place of a secret is one, and not a placeholder, a name or prose."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

_PLACEHOLDER = (
    r"(?is)[\W_x]*|<.*|\$\{?\w*\}?.*|%\w+%|\{.*|\[.*|@\w.*|x{3,}.*|.*(?:\*{3}|\.{3}|…|•{2}|x{5}).*"
    r"|(?:your|my|the|some|an?|insert|enter|example|sample|dummy|fake|placeholder|redacted|change)"
    r"[-_ ].*"
    r"|(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key|api[-_]?key|changeme|changeit|todo|none"
    r"|null|nil|true|false|undefined|empty|hidden|masked|omitted|removed|unset|required|optional"
    r"|string|str|int|bool|bytes|text|value|default|user(?:name)?|admin|root|example|test|foo|bar"
    r"|rotated|expired|invalid|wrong|missing|unknown|same|n/?a|tbd)s?\d{0,3}(?:@\d{1,2}(?:\.\d+)*)?"
)
_TECHNICAL = (
    r"(?i)(?:base|sha|md|utf|oauth|aes|rsa|hs|rs|es|ed|x|pbkdf|argon|scrypt|bcrypt|tls|http|ipv|s(?=\d(?![^\W_]))|gpt)-?\d"
    r"(?:[\w.+-]{0,20}|\d*[:-].*)|\d+(?:password|fa)(?:\W.*)?"
    r"|[+~-]?\d+[-_ ]?(?:char(?:acter)?|digit|letter|byte|bit|day|hour|h|min(?:ute)?|month|week|year|time"
    r"|ms|s|k|m|kb|mb|gb|x|rpm|st|nd|rd|th|am|pm)s?(?:[-_ /].*)?"
    r"|\d+-?(?:stellig|zeichen|caract[eè]re|tekens|signos)\w*|\d{4}-\d\d(?:-\d\d\S*)?|\d\d?[:.]\d\d\S*"
    r"|v?\d+(?:\.\d+)+\S*|\d+/\d+|[~.]{0,2}/[\w./-]*|[a-z][a-z0-9+.-]*://.*|[\w./~-]+/[\w./~-]+/[\w./~-]*"
    r"|[\w./-]+\.(?:pem|key|crt|json|ya?ml|toml|txt|env|md|py|[jt]sx?|go|rs|sh|cfg|ini|html?|com|org|net|io)"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\w.-]+:\d[\d.]{1,10}|#[0-9a-f]{3,8}"
    # An equation, `k=72` or `23+4=27.5h`, and what no keyboard types: an arrow.
    r"|[^\s=]+=[~<>]?\d[\d.,]*[a-z%]{0,3}|.*[\u2190-\u21ff].*"
    # A package with its version, terms of a sum, a power, and what stands in formulas alone.
    r"|[a-z][\w./-]*=@?[a-z][\w./-]*@[\^~]?\d[\w.-]*|[a-z_]\w*(?:\+[a-z_]\w*){2,}|[^\s=]{1,12}=[\w.*/+-]*\^\d\S*"
    r"|.*[\u00b2\u00b3\u2070-\u209c\u2200-\u22ff].*"
    # The name of a session or message, in parts, and a number joined to words: `2026-specific`.
    r"|(?:[a-z][a-z-]*:){2,}(?:[a-z-]+|\d+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})|\d{1,4}(?:-[a-z]{3,}){1,3}"
)
#: A value that names where the secret is kept: a variable, an attribute, a constant.
_REFERENCE = r"[A-Za-z_]+(?:(?:\.|::|->)[A-Za-z_]+)+|[a-z_]+\d?(?:(?:\.|::|->)[a-z_]+\d?)+|[a-z]+(?:_[a-z]+)+|[a-z]+(?:-[a-z]+){1,2}|[A-Z]+(?:_[A-Z0-9]+)+"
#: Where a value goes on as the call or the type that it begins: `get_password(user)`.
_CALL = r"[A-Za-z_][\w.]*[(\[<]"
#: A piece of a name that a person chose: a word, a number, a word with a small number.
_PIECE = r"[A-Z]?[a-z]+\d{0,2}|[A-Z]+\d{0,2}|\d{1,4}|v\d+"
_UUID = r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
#: What gives a sign between letters another meaning: an escape, an entity, a ticket, a class.
_OTHER_SIGN = (
    r"%[0-9A-F]{2}|&\w{2,8};|#\d+\W*$|\.\w+#|#[a-z]\w*$|\w\$[A-Z\d]|^[A-Z]+&|[^&]+&\w+=|\*\*|\d%"
)
#: What a thing with a number is called: `Slide-Deck3`, `Node18-alpine`, `SystemTest2026`.
_NAMED = r"(?:[A-Z]?[a-z]+-)+[A-Za-z]+\d?|[A-Za-z]+\d{1,2}-[a-z]+|(?:[A-Z][a-z]+){2,}\d+|(?:[A-Z]+[a-z]*\d?(?:[A-Z][a-z]+)+)(?:-[A-Z][a-z]+)*"
_SAMPLE = r"(?i)example|x{5}|your|placeholder|dummy|sample|0{12}|1234567890abc|\.\.\.|…|\*{3}|<"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    # Hooks import these modules on every call: a pattern costs nothing until a text comes near it.
    return re.compile(pattern)


def fits(pattern: str, value: str) -> bool:
    return compiled(pattern).fullmatch(value) is not None


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: `<password>`, `$VAR`, `****`, `changeme`."""
    return fits(_PLACEHOLDER, value)


def is_technical(value: str) -> bool:
    """Whether a value is a measure, a date, a version, a path or an algorithm."""
    return fits(_TECHNICAL, value)


def is_reference(value: str) -> bool:
    """Whether a value is the name of a variable or the like."""
    return fits(_REFERENCE, value)


def is_uuid(value: str) -> bool:
    return fits(_UUID, value)


def is_call(value: str, text: str, end: int) -> bool:
    """Whether the text goes on after a value as the call or the type that the value begins."""
    rest = text[end : end + 300].partition("\n")[0]
    if rest[:1] in ("(", "["):
        return True
    closed = re.search(r"[)\]>]", value + rest) or not any(map(str.isdigit, value))
    return bool(closed and re.match(_CALL, value))


def is_name(value: str) -> bool:
    """Whether a value reads like a name: words and small numbers, joined by marks."""
    pieces = [piece for piece in re.split(r"[-_./:@+ ]", value) if piece]
    return all(fits(_PIECE, piece) for piece in pieces)


def is_mixed(value: str) -> bool:
    """Whether a value has letters and digits."""
    return any(map(str.isalpha, value)) and any(map(str.isdigit, value))


def is_random(value: str) -> bool:
    """Whether letters and digits stand as a machine throws them, not as a hash or a path has them."""
    kinds = (str.isupper, str.islower, str.isdigit)
    words = sum(map(len, re.findall("[a-z]{4,}", value)))
    return all(any(map(kind, value)) for kind in kinds) and 2 * words < len(value)


def is_strong(value: str) -> bool:
    """Whether a value mixes kinds of characters as a chosen or generated password does."""
    if len(value) < 6 or is_technical(value):
        return False
    symbols = has_symbol(value)
    digits, letters = any(map(str.isdigit, value)), any(map(str.isalpha, value))
    cases = any(map(str.isupper, value[1:])) and any(map(str.islower, value))
    return letters and digits and (symbols or cases or not is_name(value))


def has_symbol(value: str) -> bool:
    """Whether a value has a mark that neither a name nor the end of a sentence has."""
    return (
        any(not (c.isalnum() or c in "-_./:,'’ ") for c in value[:-1]) or value[-1] in "!#$%&*+=@^~"
    )


def is_thing(value: str) -> bool:
    """Whether a value is what a thing with a number is called."""
    return fits(_NAMED, value)


def is_chosen(value: str) -> bool:
    """Whether a value is what a person makes up for a password: a capital, a digit, no name of a thing."""
    kinds = (str.isupper, str.islower, str.isdigit)
    return len(value) >= 8 and not is_technical(value) and all(any(map(k, value)) for k in kinds)


def is_hex(value: str) -> bool:
    return fits(r"(?i)(?:0x)?[0-9a-f]+", value)


def is_thrown(value: str, least: int) -> bool:
    """Whether a value has the length and the mix of a key or token."""
    if len(value) < least or len(set(value)) < 6 or any(map(str.isspace, value)):
        return False
    if is_mixed(value):
        return not is_name(value)
    turns = sum(a.isupper() != b.isupper() for a, b in pairwise(value))
    return value.isalpha() and value.isascii() and turns >= 6 and turns * 4 >= len(value)


# What the value of a token with a known form must be


def anything(value: str) -> bool:
    """Accept every value: the form alone tells."""
    return True


def is_given(value: str) -> bool:
    """Whether a value is more than a placeholder."""
    return not is_placeholder(value)


def is_key(value: str) -> bool:
    """Whether a long run of letters and digits is thrown evenly enough to be a key by itself."""
    digits = sum(map(str.isdigit, value))
    named = sum(map(len, re.findall("[A-Z][a-z]{3,}", value)))
    ordered = compiled(r"(?i)abcdef|0123456|example").search(value)
    evenly = digits >= 3 and len(set(value)) >= 14 and 2 * named < len(value)
    return is_random(value) and evenly and not ordered


def is_compound(value: str) -> bool:
    """Whether the last part of a token is a key, and its other parts name it."""
    *others, last = re.split("[.:]", value)
    return is_key(last) or bool(others and is_thrown(others[-1], 16) and is_hex(last))


def is_token(value: str) -> bool:
    """Whether a value has a digit or a capital and is no sample."""
    bare = not any(map(str.isdigit, value)) and not any(map(str.isupper, value))
    return not bare and compiled(_SAMPLE).search(value) is None


def is_field(value: str) -> bool:
    """Whether the value of a field with the name of a credential is one, and no name or measure."""
    if is_placeholder(value) or is_technical(value) or is_reference(value):
        return False
    return is_mixed(value) or has_symbol(value)


def is_made_up(value: str) -> bool:
    """Whether a sign stands among capitals, small letters and digits as in a password somebody made up."""
    signs = compiled(r"[A-Za-z0-9][!#$%&*^;]+[A-Za-z0-9]").search(value)
    enough = signs and is_chosen(value) and sum(map(str.islower, value)) >= 3
    return bool(enough) and not (is_placeholder(value) or compiled(_OTHER_SIGN).search(value))


def is_coined(value: str) -> bool:
    """Whether words with a capital and digits are joined by a mark or a digit: `Larch-drum2`, `hedge9Sparrow`."""
    joined = compiled(r"[A-Za-z]{3}\d*[^\w/@:=<>|]?_?\d*(?<![A-Za-z])[A-Za-z]{3}").search(value)
    glued = compiled(r"[A-Za-z]\d").search(value)
    return bool(joined and glued) and is_chosen(value) and not is_thing(value)


def is_entered(value: str) -> bool:
    """Whether a value that somebody types to get in is a password."""
    return is_coined(value) or is_made_up(value)


def is_header_value(value: str) -> bool:
    """Whether a value is neither a placeholder nor a word."""
    is_word = value.islower() or value[1:].islower()
    return is_given(value) and (any(map(str.isdigit, value)) or not is_word)


def is_url_token(value: str) -> bool:
    """Whether a part of an address has the length and the mix of a token."""
    thrown = is_thrown(value, 20) or (len(value) < 16 and is_thrown(value, 10) and is_random(value))
    return thrown and not is_technical(value)


def is_otp_seed(value: str) -> bool:
    """Whether base32 is the key of an authenticator, and neither a word in capitals nor a digest."""
    return not is_hex(value.lower()) and sum(map(str.isdigit, value)) >= 2 and len(set(value)) >= 8


def is_credential_pair(value: str) -> bool:
    """Whether base64 holds a user name and a password."""
    from base64 import b64decode

    try:
        user, colon, secret = (
            b64decode(value + "=" * (-len(value) % 4)).decode("utf-8").partition(":")
        )
    except ValueError:
        return False
    return bool(colon and secret.isprintable() and fits(r"[\w.@+-]{1,64}", user))


def is_card_number(value: str) -> bool:
    """Whether the digits have the check digit of a card number."""
    digits = [int(char) for char in reversed(value) if char.isdigit()]
    total = sum(digits[::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return 13 <= len(digits) <= 19 and total % 10 == 0 and len(set(digits)) > 3
