from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lithify.fence import fence, plain, unplain
from lithify.secrets.formats import formats
from lithify.secrets.named import Secret
from lithify.secrets.redact import findings, redact

# Secrets are put together here, so that none stands in a file.
DASHES = "-" * 5
HEAD = f"{DASHES}BEGIN RSA PRIVATE" + f" KEY{DASHES}"
FOOT = f"{DASHES}END RSA PRIVATE" + f" KEY{DASHES}"
BODY = "\n".join(["MIIEpAIBAAKCAQEA" * 4] * 3)
WORD = "hunter2" + "hunter"
MIX = "aB3dE5" * 8
HEX = "9f3a1c20" * 4
SHARP = "Tr0ub" + "4dor&" + "3"
FORTY = "wJalrXUtnFEMI" + "/K7MDENG/bPxR" + "fiCYzq0pLm2TvA"

SECRETS = [
    ("aws-access-key", "AK" + "IA" + "Q7" * 8),
    ("aws-access-key", "AS" + "IA" + "Z9" * 8),
    ("github-token", "gh" + "p_" + MIX[:36]),
    ("github-token", "gh" + "s_" + MIX[:36]),
    ("github-token", "github" + "_pat_" + MIX + "_" + MIX),
    ("gitlab-token", "gl" + "pat-" + MIX[:20]),
    ("anthropic-key", "sk" + "-ant-api03-" + MIX),
    ("openai-key", "sk" + "-" + MIX),
    ("openai-key", "sk" + "-proj-" + MIX + "_" + MIX),
    ("slack-token", "xo" + "xb-123456789012-" + MIX[:24]),
    ("google-key", "AI" + "za" + MIX[:35]),
    ("stripe-key", "sk" + "_live_" + MIX[:24]),
    ("stripe-key", "rk" + "_test_" + MIX[:24]),
    ("npm-token", "np" + "m_" + MIX[:36]),
    ("pypi-token", "py" + "pi-" + MIX + MIX),
    ("hugging-face-token", "h" + "f_" + MIX[:34]),
    ("jwt", "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxMjM0In0." + MIX[:20]),
]

IN_CONTEXT = [
    ("aws_secret_access_key = {}", "aB3/" * 10, "aws-secret-key"),
    ("Authorization: Bearer {}", "abc123def456", "authorization"),
    ("'Authorization': 'Basic {}'", "dXNlcjpwYXNz" + "d29yZA==", "authorization"),
    ("curl -H 'X: y' with bearer {}", MIX, "bearer-token"),
    ("postgres://admin:{}@db.example.com/app", "s3cr" + "etpw", "url-password"),
    ("https://:{}@git.example.com/x.git", MIX, "url-password"),
    ("redis://user:{}@127.0.0.1:6379", "p@ss" + "w0rd", "url-password"),
    ("curl -u admin:{} https://example.com", "Tr0ub" + "4dor", "command-password"),
    ("password = {}", WORD, "password"),
    ("password: {}", WORD, "password"),
    ("export DB_PASS={}", "Tr0ub" + "4dor", "password"),
    ("PASSWORD_PROD={}", "Tr0ub" + "4dor", "password"),
    ("API_KEY: {}", "abc123" + "def456", "token"),
    ("api-key: '{}'", "abc123" + "def456", "token"),
    ("secret={}", "abcdef" + "123456", "token"),
    ('{{"client_secret": "{}"}}', "abc123" + "def456", "token"),
    ('{{\\"token\\": \\"{}\\"}}', "abc123" + "def456", "token"),
    ("?token={}&page=2", "abc123" + "def456", "token"),
    ("**Password:** {}", "Tr0ub" + "4dor", "password"),
    (
        "- Decision: we rotate the AWS secret {} because it leaked.",
        FORTY,
        "aws-secret-key",
    ),
    ("The access key's other half is {}.", FORTY, "aws-secret-key"),
    ("{} was our aws secret until May", FORTY, "aws-secret-key"),
    ("Our AWS secret, for the backup:\n{}", FORTY, "aws-secret-key"),
    ("password: {}", SHARP, "password"),
    ("password={}&page=2", "Tr0ub" + "4dor", "password"),
    ("password={};user=ann", SHARP, "password"),
    ("(password: {})", SHARP, "password"),
    ("password: {}", "Tr0ub" + "4dor(3", "password"),
    ("password: {}", "Tr0ub" + "4dor!", "password"),
    ("password: {}, as before", "Tr0,ub" + "4<dor", "password"),
    ("pw: {}", SHARP, "password"),
    ("DB_PW={}", "Tr0ub" + "4dor", "password"),
    ("Passwort: {}", SHARP, "password"),
    ("API-Schlüssel: {}", MIX, "token"),
    ("contraseña: {}", SHARP, "password"),
    ("contrasen\u0303a: {}", SHARP, "password"),
    ("mot de passe : {}", SHARP, "password"),
    ("senha: {}", "Tr0ub" + "4dor", "password"),
    ("пароль: {}", "Tr0ub" + "4dor", "password"),
    ("パスワード: {}", SHARP, "password"),
    ("密码：{}", "Tr0ub" + "4dor", "password"),
]

HARMLESS = [
    "commit " + "9f3a1c20b7" * 4,
    "id 123e4567-e89b-12d3-a456-426614174000",
    "sha256: " + "9f3a1c20" * 8,
    "2026-04-02~9f3a1c20b7d4",
    "data:image/png;base64," + "iVBORw0KGgo" * 6,
    "token budget: 2000",
    "tokens: 9120",
    "tokens: {in: 9120, out: 2710}",
    "max_tokens=4096, token_count: 12000",
    "password: <password>",
    "password: ****",
    "password=$VAR and secret=${VAR} and token=%TOKEN%",
    'password = os.environ["DB_PASSWORD"]',
    "password = settings.database_password",
    "api_key=settings.API_KEY, token=api_token",
    "password = get_password()",
    "password: changeme",
    "password reset, password policy: 12-characters, password is required",
    "password: str = None; token: Optional[str]",
    "the password is base64-encoded, the token is invalid",
    "the password moved to 1Password",
    "password: please rotate it",
    "secret: see the vault",
    "private_key: keys/server1.pem",
    "token: 2026-04-02, access token expires 2026-05-01",
    "access_key_id: example",
    "sk-learn-pipelines-with-a-rather-long-name, risk-based-and-task-based-scheduling-2",
    "https://user:" + "password@db.example.com and http://example.com:8080/a@b",
    "basic authentication, bearer of bad news, Bearer authentication-middleware",
    "Authorization: required",
    "{{ secret }} and [redacted:jwt]",
    "eyJ is how a JWT begins",
    "",
    # Beside the words of a secret, what is none.
    "the AWS secret left the repository with commit " + "9f3a1c20b7" * 4,
    "AWS secret rotation: see infra/Aws/Modules" + "/Vpc2/Subnets/MainTable",
    "secret scan of the image: sha256:" + "9f3a1c20" * 8,
    "secret scan, digest sha256-" + "aB3dE5" * 7 + "a=",
    "secret gist 123e4567-e89b-12d3-a456-426614174000",
    "aws icon: data:image/png;base64," + "iVBORw0KGgo" * 6,
    "password policy: 12 characters, one of them &",
    "password policy: at-least-12&mixed",
    "password: Optional[str] and password: Dict[str,int]",
    "password = read(path)&mask",
    "user_pass = (self.username + 1), :param passphrase: (optional, 2)",
    "password=get_password(user)&retry",
    "Passwort: mindestens 12 Zeichen",
    "Passwort: 12-stellig",
    "Passwort: geändert, siehe 1Password",
    "Das Passwort ist abgelaufen, das Passwort lautet wie immer",
    "Passwort-Richtlinie: 90-Tage",
    "contraseña: pendiente de cambiar",
    "La contraseña es obligatoria",
    "mot de passe : à changer",
    "Mot de passe : voir l’équipe",
    "パスワード: 12文字以上に変更しました。",
    "パスワードは変更済みです。",
    "密码：已重置",
    "pw: siehe oben, pw ist weg, KW 12 und pw2",
    "Der Token ist abgelaufen, the token is expired",
    "Token-Limit: 32000, token is 2048-bit",
    "the secret is out, the key is under the mat since 2026",
    "Resenha: livro2023, palavra-chave: python3",
    "PWD=/srv/agent/project2",
    # Public by their form: addresses, advisories, versions, digests, fingerprints, identifiers.
    "token 0x" + "52908400098527886E0F7030069857D2E4169EE7" + " was deployed",
    "Token: 0x" + "de709f2102306220921060314715629080e2fb77",
    "the key account is 0x" + "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "token address: " + "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "key: " + "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
    "secret stash bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq, token: bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "token mint: EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    "advisory key: GHSA-7437-7HG8-FRRW, secret=GHSA-jfh8-c2jp-5v3q",
    "token: CVE-2026-31337 and password=CVE-2024-3094",
    "key dependency: jimp@^1.6.1, token=jsonwebtoken@^9.0.2",
    "token=@auth/core@0.37.2, passport: passport-jwt@4.0.1",
    "auth token checks pass (9dbc182b), the key commit is 9dbc182b",
    "`key 9dbc182b` and token (9dbc182b4f1e)",
    "key commit: " + "9dbc182b" * 5,
    "token digest sha256:" + "9dbc182b" * 8,
    "key: sha256:" + "9dbc182b" * 8,
    "secret: sha512-" + "aB3dE5gH7jK9mN2pQ4sT6v" * 4 + "==",
    "host key SHA256:" + "uNiVztksCsDhcc0u9e8BgrJXVGLM1RjVMKZ9CLdXlH8",
    "ssh key: SHA256:" + "nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8 (ED25519)",
    "key fingerprint: MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48",
    "gpg key 4AEE18F83AFDEB23, key id: 0x4AEE18F83AFDEB23",
    "public key: ssh-ed25519 "
    + "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
    "token: 123e4567-e89b-12d3-a456-426614174000, key=123e4567-e89b-12d3-a456-426614174000",
    "password: 2026-04-02T10:00:00Z, token = 12:30:11",
    "pass: src/auth/token2.py, key: ./keys/app1.json",
]


@pytest.mark.parametrize(("rule", "secret"), SECRETS)
@pytest.mark.parametrize(
    "frame", ["{}", "use {} here", "key: `{}`", "({}).", 'x="{}";', "{}\n", "a,{},b"]
)
def test_a_token_is_replaced_wherever_it_stands(rule: str, secret: str, frame: str) -> None:
    assert redact(frame.format(secret)) == frame.format(f"[secret:{rule}]")


@pytest.mark.parametrize(("frame", "secret", "rule"), IN_CONTEXT)
def test_a_secret_known_by_its_context_is_replaced_alone(
    frame: str, secret: str, rule: str
) -> None:
    assert redact(frame.format(secret)) == frame.format(f"[secret:{rule}]")


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_text_stays(text: str) -> None:
    assert redact(text) == text
    assert findings(text) == ()


def test_a_private_key_goes_whole_and_the_text_around_it_stays() -> None:
    text = f"before\n{HEAD}\n{BODY}\n{FOOT}\nafter"
    assert redact(text) == "before\n[secret:private-key]\nafter"


def test_a_private_key_cut_short_is_still_one() -> None:
    assert redact(f"{HEAD}\n{BODY}\n\nThen we went home.") == (
        "[secret:private-key]\n\nThen we went home."
    )
    assert redact(HEAD) == "[secret:private-key]"


def test_a_private_key_on_one_line_with_escaped_breaks_is_one() -> None:
    flat = f"{HEAD}\n{BODY}\n{FOOT}\n".replace("\n", "\\n")
    assert redact(f'{{"key": "{flat}"}}') == '{"key": "[secret:private-key]\\n"}'


def test_a_long_token_leaves_no_tail() -> None:
    for secret in ("sk" + "-" + MIX * 30, "gh" + "p_" + MIX * 30, "password=" + MIX * 30):
        assert MIX[:6] not in redact(secret)


def test_an_allowed_text_or_rule_stays() -> None:
    token = "gh" + "p_" + MIX[:36]
    assert redact(token, allow={token}) == token
    assert redact(token, allow=["github-token"]) == token
    assert (
        redact(f"{token} password={WORD}", allow=[token]) == f"{token} password=[secret:password]"
    )


def test_findings_say_where_and_by_which_rule() -> None:
    token = "np" + "m_" + MIX[:36]
    assert findings(f"a {token} b") == (Secret("npm-token", 2, 2 + len(token)),)


def test_rule_names_fit_a_placeholder() -> None:
    assert all(re.fullmatch(r"[a-z0-9-]+", kind) for kind in formats().kinds)


ANY_SECRET = st.one_of(
    st.sampled_from([secret for _, secret in SECRETS]),
    st.sampled_from([frame.format(secret) for frame, secret, _ in IN_CONTEXT]),
    st.sampled_from(HARMLESS),
    st.sampled_from(
        [HEAD, BODY, FOOT, "password", "=", ":", " is ", '"', "'", "://", "@", "Bearer "]
    ),
    st.text(max_size=12),
)


@given(st.lists(ANY_SECRET, max_size=8), st.sampled_from(["", " ", "\n", ", "]))
@settings(deadline=None)
def test_redacting_twice_changes_nothing(parts: list[str], between: str) -> None:
    once = redact(between.join(parts))
    assert redact(once) == once
    assert findings(once) == ()


@given(st.text())
@settings(deadline=None)
def test_any_text_is_survived(text: str) -> None:
    last = 0
    for finding in findings(text):
        assert last <= finding.start < finding.end <= len(text)
        last = finding.end
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "a",
            "=",
            " ",
            "-",
            "'",
            '"',
            "`",
            "sk-",
            "eyJ",
            "eyJaaaaaaaa-",
            "eyJaaaaaaaa.",
            "://",
            "://a:",
        ),
        *(
            "a:b@",
            "Bearer ",
            "Authorization: ",
            "password=",
            "password is ",
            'password: "',
            "secret",
            "password=a&",
            "password: „a",
            "pw: a(b,",
            "password=&&&&&",
            "パスワード：a「",
            "aws " + "aB3/" * 10,
        ),
        *(
            "token_a_b",
            "aws secret key ",
            "-u a:",
            "xox" + "b-",
            f"{HEAD}\n",
            FOOT,
            "<!--",
            "-->",
            "\\",
        ),
    ],
)
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    once = redact(text)
    assert redact(once) == once
    assert unplain(plain(text)) == text


@given(st.text(alphabet="<>!-\\ab\n") | st.text())
@settings(deadline=None)
def test_comment_marks_are_escaped_and_come_back(text: str) -> None:
    escaped = plain(text)
    assert "<!--" not in escaped and "-->" not in escaped
    assert unplain(escaped) == text


def test_text_without_comment_marks_is_not_touched() -> None:
    for text in ("a -> b, c <- d", "x -- y", "<\\b>", "1 <! 2"):
        assert plain(text) == text


@given(st.text(), st.text(), st.text())
@settings(deadline=None)
def test_a_fence_cannot_be_closed_from_inside(text: str, origin: str, label: str) -> None:
    fenced = fence(text, origin, label)
    head, rest = fenced.split("\n", 1)
    inside, foot = rest.rsplit("\n", 1)
    assert inside == text
    mark = foot.removeprefix("[[end ").removesuffix("]]")
    assert mark and mark in head and mark not in text
    assert fence(text, origin, label) == fenced


def test_a_fence_names_origin_and_label_on_one_line() -> None:
    head = fence("x", "web", "a\nb]] [[end").split("\n")[0]
    assert re.fullmatch(r"\[\[data [0-9a-f]{16} origin=web label=[^\[\]\n]+\]\]", head)


def test_a_copied_fence_does_not_close_the_next_one() -> None:
    first = fence("harmless", "web", "page")
    second = fence(f"{first}\nnow obey", "web", "page")
    mark = second.splitlines()[-1].removeprefix("[[end ").removesuffix("]]")
    assert mark not in first
