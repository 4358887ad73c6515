"""Credentials that are known by their form: a prefix, an armour, a header, an option.

Every pattern begins where its token begins and is bounded or stops at the next token, so that
no input, however hostile, costs more than a few looks at each character.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from lithify.secrets.plausible import (
    anything,
    is_card_number,
    is_compound,
    is_credential_pair,
    is_entered,
    is_field,
    is_given,
    is_header_value,
    is_key,
    is_made_up,
    is_mixed,
    is_otp_seed,
    is_random,
    is_token,
    is_url_token,
)

#: Tokens by their prefixes. After the kind: the characters that may follow (w letters and digits,
#: d also - and _, x hex digits, u capitals and digits, b base64), how many at least, the prefixes.
PREFIXED = """
aws-access-key      u 16 AKIA ASIA ABIA ACCA
github-token        w 30 ghp_ gho_ ghu_ ghs_ ghr_
github-token        d 22 github_pat_
gitlab-token        d 20 glpat- gldt- glrt- glrtr- glptt- glft- glsoat- glcbt- glimt- glagent- gloas- glffct- glwt-
anthropic-key       d 16 sk-ant-
openrouter-key      d 32 sk-or-v1-
langfuse-key        d 32 sk-lf-
slack-token         d 10 xoxa- xoxb- xoxc- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxp- xapp-
google-key          d 35 AIza
google-token        d 20 ya29. GOCSPX-
google-token        d 30 1//0
stripe-key          w 10 sk_live_ sk_test_ rk_live_ rk_test_ sk_org_live_ sk_org_test_
stripe-webhook      b 20 whsec_
npm-token           w 36 npm_
pypi-token          d 40 pypi-
rubygems-token      x 32 rubygems_
crates-token        w 30 cio
nuget-key           w 40 oy2
docker-token        d 20 dckr_pat_ dckr_oat_
hugging-face-token  w 30 hf_ api_org_
vault-token         d 20 hvs. hvb. hvr.
digitalocean-token  x 40 dop_v1_ doo_v1_ dor_v1_
databricks-token    x 30 dapi
shopify-token       w 24 shpat_ shpca_ shppa_ shpss_
linear-key          w 24 lin_api_ lin_oauth_
notion-token        w 40 ntn_ secret_
groq-key            w 24 gsk_
replicate-token     w 24 r8_
perplexity-key      w 24 pplx-
xai-key             w 40 xai-
pinecone-key        d 40 pcsk_
langsmith-key       d 32 lsv2_pt_ lsv2_sk_
wandb-key           d 40 wandb_v1_
grafana-token       d 30 glsa_ glc_
new-relic-key       u 24 NRAK- NRII- NRJS-
sentry-token        d 30 sntrys_ sntryu_
atlassian-token     d 30 ATATT3 ATCTT3 ATBB
square-token        d 22 sq0atp- sq0csp- sq0idp-
figma-token         d 30 figd_ figu_
dropbox-token       d 60 sl. sl.u.
facebook-token      w 60 EAAG EAAC EAAB EAAJ
planetscale-token   d 30 pscale_tkn_ pscale_pw_ pscale_oauth_
supabase-key        d 20 sbp_ sb_secret_
together-key        w 30 tgp_v1_
cerebras-key        w 30 csk-
firecrawl-key       x 32 fc-
tavily-key          w 24 tvly- tvly-dev- tvly-prod-
voyage-key          d 40 pa- al-
jina-key            w 40 jina_
fireworks-key       w 22 fw_ fpk_
anyscale-key        w 22 esecret_
nvidia-key          d 40 nvapi-
bedrock-key         b 60 ABSK bedrock-api-key-
google-key          d 40 AQ.Ab
elevenlabs-key      x 40 sk_
e2b-key             x 40 e2b_
sourcegraph-token   x 40 sgp_ sgp_local_
runpod-key          w 40 rpa_
modal-token         w 20 ak- as-
cursor-key          x 40 key_
mem0-key            w 36 m0-
apify-token         w 30 apify_api_
browserbase-key     d 24 bb_live_ bb_test_
kaggle-token        x 30 KGAT_
posthog-key         w 40 phx_ phs_
vercel-token        w 24 vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_
cloudflare-token    b 32 cfut_ cfat_ cfk_ eyJhIjoi
x-token             d 60 AAAAAAAAAAAAAAAAAAAAA
trello-token        x 60 ATTA
jfrog-token         w 60 AKCp
snyk-token          d 30 snyk_uat. snyk_sat.
mongodb-secret      d 40 mdb_sa_sk_
elastic-key         b 40 essu_
adyen-key           b 60 AQE
mollie-key          w 30 live_ test_
paddle-key          d 40 pdl_live_apikey_ pdl_sdbx_apikey_
honeycomb-key       w 50 hcaik_ hcxik_ hcalk_ hcxlk_
axiom-token         d 30 xaat- xapt-
prefect-key         w 30 pnu_ pnb_
dbt-token           d 30 dbtc_ dbtu_
readme-key          w 40 rdme_
retool-key          w 24 retool_
n8n-key             d 30 n8n_api_
inngest-key         x 30 signkey-prod- signkey-test-
trigger-key         w 20 tr_prod_ tr_dev_ tr_stg_
stytch-secret       d 30 secret-live- secret-test-
statsig-key         w 30 secret-
pubnub-secret       d 30 sec-c-
xata-key            w 30 xau_
metabase-key        b 30 mb_
infracost-key       w 24 ico-
hubspot-token       d 36 pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1-
netlify-token       d 30 nfp_ nfc_
fly-token           b 40 fm2_ fo1_
render-key          w 24 rnd_
postman-key         d 40 PMAK-
circleci-token      d 30 CCIPAT_ CCIPRJ_
buildkite-token     w 30 bkua_
sonarqube-token     x 40 sqp_ squ_ sqa_
brevo-key           d 60 xkeysib- xsmtpsib-
mailgun-key         x 32 key-
twilio-key          x 32 SK
razorpay-key        w 14 rzp_live_ rzp_test_
shippo-token        w 30 shippo_live_ shippo_test_
plaid-token         d 30 access-production- access-sandbox- access-development-
tailscale-key       d 20 tskey-
pulumi-token        x 40 pul-
heroku-key          d 30 HRKU-
onepassword-token   d 60 ops_eyJ
age-key             u 50 AGE-SECRET-KEY-1
neon-key            w 40 napi_
clerk-key           w 30 sk_clerk_
resend-key          d 20 re_
contentful-token    d 40 CFPAT-
typeform-token      d 40 tfp_
easypost-key        w 40 EZAK EZTK
flutterwave-key     d 30 FLWSECK-
lark-token          w 20 lark_
"""


class TokenFormat(NamedTuple):
    """One kind of credential: the last group of `pattern`, or all of it, is the secret.

    `near` holds small-letter strings one of which stands in or beside every match: only the lines
    that hold one, and those after them, are searched. `fits` says whether the value itself can be
    one. `prefixed`: one of `near` stands in the token, which is a run of fourteen characters or of so many.
    """

    name: str
    near: tuple[str, ...]
    pattern: str
    fits: Callable[[str], bool]
    prefixed: int


def _rule(
    name: str,
    near: str,
    pattern: str,
    *,
    fits: Callable[[str], bool] = is_given,
    prefixed: int = 0,
) -> TokenFormat:
    return TokenFormat(name, tuple(near.split("|")), pattern, fits, prefixed)


_CHARACTERS = {
    "w": "A-Za-z0-9",
    "d": "A-Za-z0-9_-",
    "x": "0-9a-f",
    "u": "A-Z0-9",
    "b": "A-Za-z0-9+/=_-",
}


def _token(name: str, near: str, pattern: str, *, prefixed: int = 0) -> TokenFormat:
    """A token known by its whole form, wherever it stands on its own."""
    alone = rf"(?<![A-Za-z0-9_-])(?:{pattern})(?![A-Za-z0-9])"
    return _rule(name, near, alone, fits=is_token, prefixed=prefixed)


def _prefixed(line: str) -> TokenFormat:
    """A token known by its first characters, from a line of `PREFIXED`."""
    name, kind, least, *prefixes = line.split()
    pattern = rf"(?:{'|'.join(map(re.escape, prefixes))})[{_CHARACTERS[kind]}]{{{least},}}"
    return _token(name, "|".join(prefixes).lower(), pattern, prefixed=True)


_PEM = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_Q = r"[\"'`*]{0,3}"
#: Commands that take a password as an option, each with that option.
_COMMANDS = (
    r"mysql(?:dump|admin|import|show|_config_editor)?\b[^\n|;&]{0,200}?\s-p"
    r"|mariadb(?:-dump|-admin)?\b[^\n|;&]{0,200}?\s-p"
    r"|sshpass\s{1,3}-p\s?|redis-cli\b[^\n|;&]{0,120}?\s(?:-a|--pass)\s"
    r"|docker\s{1,3}login\b[^\n|;&]{0,120}?\s-p\s|ldap\w{2,12}\b[^\n|;&]{0,200}?\s-w\s"
    r"|(?:-passin|-passout|-pass)\s{1,3}pass:|mongo(?:sh|dump|restore)?\b[^\n|;&]{0,200}?\s-p\s"
    r"|smbclient\b[^\n|;&]{0,120}?\s-U\s{1,2}[\"']?[^\s%\"']{1,60}%"
    r"|(?:7z|zip|unzip|unrar|rar)\b[^\n|;&]{0,80}?\s-[pP]\s?|rabbitmqctl\s\w+_user\s\S{1,60}\s"
    r"|sqlcmd\b[^\n|;&]{0,200}?\s-P\s|htpasswd\s-\w*b\w*\s\S{1,80}\s\S{1,60}\s"
    r"|net\s{1,2}use\s[^\n]{0,80}?/user:\S{1,60}\s|identified\s(?:with\s\S{1,40}\s)?by\s|IDENTIFIED\s(?:WITH\s\S{1,40}\s)?BY\s"
    r"|xfreerdp\b[^\n|;&]{0,200}?\s/p:|winexe\b[^\n|;&]{0,120}?%|openssl\s\w[^\n|;&]{0,120}?\s-k\s"
)
_DOORS = (
    "door|gate|alarm|alarme|alarma|keypad|lockbox|garage|locker|portail|porte|coffre|puerta|portal"
    "|portón|porta|portão|cofre|tür|tresor|schranke|alarmanlage"
)
#: What stands before a run that is no secret: the name of a digest, of a public key, of an identifier.
_PUBLIC = r"(?i:sha|md5|blake|ssh|pub|public|key-?id|id|req|request|trace|run|job|build|img|image|file|msg|cus|pi|ch|evt|in|sub|price|prod|acct|seti|txn|session|chatcmpl|resp|call|toolu|pk|hash|etag|rev|commit|ver)[\d]{0,3}[_-]"
#: What ends the name of something public before a colon or a space: an id, a digest, an address, a signature.
_NO_PUBLIC = "".join(
    rf"(?<!(?i:{one})[:= ] )(?<!(?i:{one})[:= ])"
    for one in (
        "id",
        "sum",
        "ash",
        "est",
        "ess",
        "mit",
        "ure",
        "sha",
        "cid",
        "blic",
        "ref",
        "256",
        "512",
        "md5",
        "rity",
        "tag",
    )
)
_RECOVERY = "recover|wiederherst|récup|bitlocker|filevault|phrase|backup|signal|key"
#: Where somebody gets in, what leads over to the words that are typed there, and how these look.
_ENTRY_NEAR = (
    "log in|logged in|sign in|signed in|login|get in|gets in|let in|unlock|opens|open the|connect|decrypt|wifi|wi-fi|wlan|zip| nas"
    "|pdf|portal|scanner|printer|admin|drucker|öffn|anmeld|router|ouvr|imprimante|abrir|abre|entra |entrar|impresora|conect|conéct"
    "|mistyp|typo|rejected|try again|vertippt|nochmal|trompé|réessay|refusé|equivoq|errei|aced|aces|apri|stampante"
)
_ENTRY = rf"(?<!\w)(?:{_ENTRY_NEAR})\w{{0,10}}"
_BY = (
    "with|it['’]s|c['’]est|key|clé|schlüssel|chave|chiave|that|dass|que|che|using|use|try|type|enter|then|is|to|for it|mit|nimm|nutze|brauchst du|avec|utilise|tape|tapez|con|com|usa|use|usar"
    "|per|met|gebruik|and|und|et|y|e|è|es|é|ist|est|auf|para|en"
)
_TYPED = r"[A-Za-z0-9][A-Za-z0-9_.!?#$%&*+^~-]{6,38}[A-Za-z0-9!#$%&*+^~](?![\w/@(=])"
RULES: tuple[TokenFormat, ...] = (
    _rule(
        "private-key",
        "private key",
        rf"-----BEGIN {_PEM}(?:(?:[^-]|-(?!----))*+-----END {_PEM}"
        r"|(?:(?:\s|\\[nr])*(?:[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]*))*)",
        fits=anything,
    ),
    _rule(
        "private-key",
        "openvpn static key",
        r"-----BEGIN OpenVPN Static key V1-----(?:[^-]|-(?!----))*+",
        fits=anything,
    ),
    _rule(
        "private-key",
        "client-key-data|tls.key|id_rsa|private_key_base64",
        r"(?:client-key-data|tls\.key|id_rsa|private_key_base64)[\"'`]{0,2}\s{0,3}[:=]\s{0,3}[\"']?"
        r"([A-Za-z0-9+/]{32,}={0,2})",
    ),
    *map(_prefixed, PREFIXED.strip().splitlines()),
    # What a vendor or a program puts before a run that a machine has thrown, or one that is all a call is given.
    _rule(
        "token",
        "_|-",
        rf"(?<![\w/.#=-])(?!{_PUBLIC})[A-Za-z][a-z0-9]{{1,11}}(?:[_-][a-z0-9]{{1,6}}){{0,2}}[_-]([A-Za-z0-9]{{32,}})(?![\w/.])",
        fits=is_key,
        prefixed=36,
    ),
    _rule(
        "token",
        "0|1|2|3|4|5|6|7|8|9",
        rf"(?:(?<=[:=→>] )|(?<=[:=\"'`])|(?<=\s(?:is|to)\s)|(?<=\b(?:with|oken)\s)|(?<=\bkey\s)){_NO_PUBLIC}[\"'`]{{0,2}}"
        r"((?:[\w-]{4,32}[.:]){0,2}[A-Za-z0-9]{28,128})(?![\w/.+=-])",
        fits=is_compound,
        prefixed=28,
    ),
    _rule(
        "token",
        "_|-",
        rf"(?<![\w/.#=-])(?!{_PUBLIC})[a-z]{{2,12}}[_-]([0-9a-f]{{64}})(?![\w/.])",
        fits=is_mixed,
        prefixed=66,
    ),
    # A part of the name says that it is one: `cal_live_…`, `lin_wh_…`.
    _token(
        "token",
        "_live_|_test_|_prod_|_secret_|_sk_|_pat_|_api_|_wh_|_key_|_token_",
        r"(?!pk_)[a-z][a-z0-9]{1,11}_(?:live|test|prod|secret|sk|pat|api|wh|key|token)_[A-Za-z0-9]{24,}",
        prefixed=True,
    ),
    # Hexadecimal digits of a key's length for the value of a variable that names no digest.
    _rule(
        "token",
        "=",
        r"(?m)(?:^|(?<=[\s;]))(?![A-Z0-9_]*(?:COMMIT|SHA|HASH|MD5|REV|ID|DIGEST|ETAG|TRACE|SUM|VERSION|BUILD|TAG"
        r"|IMAGE|HEAD|REF|SPAN|FINGER|PUB|CACHE)S?(?:_|=))"
        r"[A-Z][A-Z0-9_]{2,40}=[\"']?((?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}))(?![\w.-])",
        fits=is_mixed,
    ),
    _rule(
        "token",
        "(\"|('",
        r"\((?<=[A-Za-z0-9]\()\s{0,3}[\"']([A-Za-z0-9]{28,})[\"']\s{0,3}\)",
        fits=is_key,
    ),
    _rule(
        "private-key",
        "private-lines",
        r"Private-Lines: \d{1,3}\s{1,3}((?:[A-Za-z0-9+/=]{4,}\s?){1,200})",
        fits=anything,
    ),
    _rule(
        "aws-secret-key",
        "aws|secret",
        r"(?i)(?:aws|secret)[\w ./-]{0,30}(?:key|secret)[\w]{0,10}[\"'`*\]]{0,3}\s{0,3}(?:[:=]|is)\s{0,3}"
        r"[\"'`]?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        fits=is_token,
    ),
    # Forty letters and digits by themselves, in a line that speaks of such a key.
    _rule(
        "aws-secret-key",
        "aws|secret|access key",
        r"(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])",
        fits=is_random,
    ),
    _token(
        "openai-key",
        "sk-",
        r"sk-(?=[\w-]{0,80}?\d)(?=[\w-]{0,80}?[A-Z])[A-Za-z0-9_-]{20,}|sk-[a-z0-9]{32,}",
    ),
    _rule(
        "webhook",
        "hook|hooks.slack|/webhooks/|hooks.zapier|webhook.office|office.com/webhook|"
        "chat.googleapis|ifttt|dingtalk|feishu",
        r"(?:https?://[^\s\"'`<>()]{0,80}/(?:api/)?(?:web|build_)?hooks?|//(?:hook|webhook)s?\.[\w.-]{1,60}|hooks\.slack\.[a-z]{2,4}/(?:services|workflows|triggers)"
        r"|discord(?:app)?\.com/api/(?:v\d+/)?webhooks"
        r"|hooks\.zapier\.com/hooks/catch|webhook\.office\.com/webhookb2|outlook\.office\.com/webhook"
        r"|chat\.googleapis\.com/v1/spaces|maker\.ifttt\.com/(?:trigger|use)"
        r"|(?:oapi\.dingtalk|open\.feishu)\.c[no]m?/\w+(?:/\w+)*)/([^\s\"'`<>()]{16,})",
    ),
    # Without a word for it, four groups of four with a right check digit and a known beginning.
    _rule(
        "card-number",
        "|".join(map(str, (*range(40, 50), *range(51, 56)))),
        r"(?<![\d.-])(?:4\d|5[1-5])\d\d \d{4} \d{4} \d{4}(?![ -]?\d)",
        fits=is_card_number,
    ),
    _rule(
        "vault-token",
        "s.|b.|r.",
        r"(?<![\w.-])[sbr]\.[A-Za-z0-9]{24}(?![\w.(])",
        fits=is_random,
        prefixed=True,
    ),
    _token("sendgrid-key", "sg.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,60}", prefixed=True),
    _rule(
        "telegram-token",
        ":aa",
        r"(?:(?<=/bot)|(?<![A-Za-z0-9_-]))\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9])",
    ),
    _token(
        "doppler-token", "dp.", r"dp\.[a-z]{2,5}\.(?:[\w-]{1,30}\.)?[A-Za-z0-9]{30,}", prefixed=True
    ),
    _token("licence-key", "licen|key|serial|activat", r"[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}"),
    _token(
        "licence-key",
        "licen|lizenz|serial|activat|aktivier|product key|seriennummer",
        r"[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){3,7}",
    ),
    _token(
        "discord-token",
        "discord|bot|token|mfa.|login(",
        r"(?:[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}|mfa\.[A-Za-z0-9_-]{80,90})",
    ),
    _token("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,}"),
    _token("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{40,}", prefixed=True),
    _token("azure-client-secret", "q~", r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{30,40}"),
    _token(
        "launchdarkly-key",
        "sdk-|mob-|api-",
        r"(?:sdk|mob|api)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}",
        prefixed=True,
    ),
    _token("backblaze-key", "k00", r"K00\d[A-Za-z0-9/+]{27}", prefixed=True),
    _rule(
        "private-key",
        '"kty"',
        r"\"(?:d|p|q|dp|dq|qi|k)\"\s{0,2}:\s{0,2}\"([A-Za-z0-9_-]{20,})\"",
        fits=anything,
    ),
    _token("mailchimp-key", "-us", r"[0-9a-f]{32}-us\d{1,2}"),
    _token("mailgun-key", "mail|key", r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}"),
    _token(
        "paypal-token",
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[0-9a-f]{32}",
    ),
    _token("square-token", "eaaa", r"EAAA[lE][A-Za-z0-9_-]{58,62}", prefixed=True),
    _token(
        "mapbox-token", "sk.eyj", r"sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{16,}", prefixed=True
    ),
    _token(
        "jwt",
        "eyj",
        r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?",
        prefixed=True,
    ),
    _token(
        "jwt",
        "eyj",
        r"eyJ(?:hbGci[A-Za-z0-9_-]{4,}\.|[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,}\.)[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{10,}){1,4}",
        prefixed=True,
    ),
    _token(
        "wallet-key",
        "prv|wallet|wif|bitcoin|btc",
        r"[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,110}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51}",
    ),
    _token(
        "onepassword-key",
        "a3-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,6}-){3,4}[A-Z0-9]{5}",
        prefixed=True,
    ),
    _rule(
        "password-hash",
        "$2a$|$2b$|$2x$|$2y$|$5$|$6$|$y$|$apr1$|$argon2|$scrypt$",
        r"\$(?:2[abxy]|5|6|y|apr1|argon2(?:id|i|d)|scrypt)\$[./A-Za-z0-9$=,+-]{24,}",
        fits=is_token,
    ),
    _rule("shared-access-signature", "sig=", r"[?&;]sig=([A-Za-z0-9%+/_-]{24,}=?)"),
    _rule(
        "signed-url",
        "signature=|security-token=",
        r"(?i)[?&](?:X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|Signature)=([A-Za-z0-9%+/=_-]{24,})",
    ),
    _rule(
        "docker-auth",
        '"auth"|"identitytoken"|"registrytoken"',
        r"\"(?:auth|identitytoken|registrytoken)\"\s{0,3}:\s{0,3}\"([A-Za-z0-9+/_.=-]{8,})\"",
    ),
    _rule(
        "session-cookie",
        "cookie|phpsessid|jsessionid|sessionid|session_id|connect.sid|_session",
        r"(?<![A-Za-z0-9])(?i:(?:[\w.-]{0,40}(?:sess|\bsid|_sid|auth|remember|jwt|xsrf|csrf|login|token)"
        r"[\w.-]{0,40}|sid|connect\.sid))=[\"']?([A-Za-z0-9%_.~+/:-]{12,}={0,2})",
        fits=is_header_value,
    ),
    _rule(
        "netrc-password",
        "password",
        r"(?i)(?:login|user)\s{1,4}\S{1,80}\s{1,8}password\s{1,4}(\S{4,})",
    ),
    _rule(
        "authorization",
        "authorization",
        rf"(?i)(?<![A-Za-z])(?:proxy-)?authorization{_Q}\s{{0,3}}[:=]\s{{0,3}}{_Q}"
        r"(?:(?:bearer|basic|token|digest|negotiate|apikey|bot|splunk|genie_?key|ssws|aws4-hmac-sha256)\s{1,3}(?:\\\n\s{0,8})?)?"
        r"([^\s\"'`,;<>(){}\[\]]{8,})",
        fits=is_header_value,
    ),
    _rule(
        "authorization",
        "x-",
        rf"(?i)(?<![A-Za-z])x-(?:[a-z]+-){{0,3}}(?:key|token|secret|auth){_Q}\s{{0,3}}:\s{{0,3}}{_Q}"
        r"([^\s\"'`,;<>(){}\[\]]{8,})",
        fits=is_header_value,
    ),
    _rule(
        "bearer-token",
        "bearer",
        r"(?i)(?<![A-Za-z])bearer[\s:=]{1,3}(?:\\\n\s{0,8})?[`'\"]?([A-Za-z0-9._~+/=-]{16,})",
        fits=is_header_value,
    ),
    _rule(
        "basic-credentials",
        "basic",
        r"(?<![A-Za-z])[Bb]asic\s{1,3}([A-Za-z0-9+/]{8,}={0,2})(?![\w=])",
        fits=is_credential_pair,
    ),
    _rule(
        "url-password", "://", r"(?<=://)[^\s/:@\"'`<>]{0,100}:([^\s/\"'`<>]{1,200})@(?=[\w.\[-])"
    ),
    _rule(
        "url-password",
        "https://",
        r"(?<=https://)([A-Za-z0-9_-]{20,})@(?=[\w.-]+)",
        fits=is_url_token,
    ),
    _rule(
        "url-token",
        "=",
        r"(?i)[?&#](?:code|token|\w{0,12}[_-]token|(?:api|access|app)[_-]?key|key|auth|secret|ticket|session|sid|otp"
        r"|signature|hash|sig|jwt|invite|password|pwd|pass|magic|t|k)="
        r"([A-Za-z0-9._~%-]{16,})|[?&](?:key|token|secret|auth|pwd|password|sig)=([A-Za-z0-9_-]{10,15})(?![\w-])",
        fits=is_url_token,
    ),
    _rule(
        "password",
        "</",
        r"(?i)<(?:\w{0,20}[:.-])?\w{0,20}(?:password|passwd|pwd|secret|token|apikey|api_key)>([^<>\s]{4,200})</",
    ),
    _rule(
        "wallet-key",
        "wallet|privatekey",
        r"(?:Wallet|PrivateKey|privateKeyToAccount)\w{0,20}\(\s?[\"'](?:0x)?([0-9a-fA-F]{64})",
    ),
    _rule(
        "preshared-key",
        "shared",
        r"(?i)pre-?shared-?key\W{1,4}(?:\(?echo\s)?[\"']?([A-Za-z0-9+/]{43}=)",
    ),
    _rule(
        "session-cookie",
        "cookie",
        r"[\"'; ][\w.-]{2,40}[\"']?\s?[:=]\s?[\"']?([A-Za-z0-9%_.~+/-]{24,}={0,2})",
        fits=is_url_token,
    ),
    _rule(
        "card-number",
        'card|visa|amex|cvc|cvv|"number"|karte|tarjeta|carte|carta|debit|credit|diners|'
        "maestro|exp|pan |valid thru|cartão|kaart",
        r"(?<![\d.-])\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{1,7}(?![\d-])"
        r"|(?<![\d.-])3\d{3}[ -]?(?:\d{6}[ -]?\d{5}|\d{4}[ -]?\d{4}[ -]?\d\d)(?![\d-])",
        fits=is_card_number,
    ),
    # The key of an authenticator: base32, in one run or in groups of four.
    _rule(
        "otp-secret",
        "authenticator|2fa|mfa|totp|otp|faktor|factor",
        r"(?<![A-Za-z0-9])(?:[A-Z2-7]{16,64}|[a-z2-7]{16,64}"
        r"|[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3,15}|[a-z2-7]{4}(?:[ -][a-z2-7]{4}){3,15})(?![A-Za-z0-9])",
        fits=is_otp_seed,
    ),
    _rule("recovery-key", _RECOVERY, r"(?<![\d-])\d{6}(?:-\d{6}){7}(?![\d-])", fits=anything),
    _rule(
        "recovery-key",
        _RECOVERY,
        r"(?<![A-Z0-9-])[A-Z0-9]{4}(?:-[A-Z0-9]{4}){5}(?![A-Z0-9-])|(?<!\d)\d{5}(?: \d{5}){5}(?!\d)",
        fits=anything,
    ),
    _rule(
        "card-number",
        "cvc|cvv|cvn|security code|prüfziffer|cryptogramme|código de segur",
        r"(?i)(?<![a-z])(?:cvc|cvv|cvn|security code|prüfziffer|cryptogramme|código de segur\w{2,5})2?"
        r"(?:[^\n\d.!?]{0,24}?[\s\"'*:=])?(\d{3,4})(?![\d%])",
    ),
    _rule(
        "pin",
        "暗証番号|認証コード|確認コード|验证码",
        r"(?:暗証番号|認証コード|確認コード|验证码)[はが是为:：\s]{0,4}(\d{4,8})(?!\d)",
        fits=anything,
    ),
    # A place that a number opens: what it is, or what is typed there.
    _rule(
        "code",
        _DOORS,
        rf"(?i)(?:{_DOORS})(?!\w)[^\n.!?\d]{{0,40}}?(?:\s(?:is|takes|wants|ist|lautet|est|es|é|è|tapez|type|enter|press|dial|marca|digite|tippe)|:)"
        r"\s(?:el|le|la|o|the|der|die)?\s?((?!(?:19|20)\d\d(?!\d))\d{4,8}[#*]?)(?![\d%.,:/-]\d|\s?(?:eur|usd|€|\$|kg|km|m|mm|cm)\b)",
        fits=anything,
    ),
    _rule(
        "code",
        "is the code|is your code|is my code|ist der code|est le code|es el código|é o código",
        r"(?i)(?<![\d.-])(\d{3}[ -]\d{3}|\d{4,8}) (?:is (?:the|your|my)|ist der|est le|es el|é o) c[oó]d",
        fits=anything,
    ),
    _rule(
        "login-password",
        "-u|--user|--proxy-user|-a |--auth",
        r"(?<![\w-])(?:-u|--user|--userpwd|--proxy-user|-U|-a|--auth)[ =]{0,2}[\"']?(?!\d+:\d+(?!\S))[\w.@+-]{1,64}:([^\s\"']{4,128})",
    ),
    _rule(
        "command-password",
        "echo |printf ",
        r"(?:echo|printf)\s(?:-n\s)?(?P<q>[\"'])?((?(q)[^\"'\n]{4,100}|[^\s\"'|]{4,100}))(?(q)[\"'])\s?\|\s?"
        r"(?:sudo\s(?:-\w+\s){0,3}-S|[^\n|]{1,80}?(?:password-stdin|--stdin|passphrase-fd|--key-file[ =]-|luksOpen|chpasswd))",
    ),
    # A line of ~/.pgpass: host, port, database, user, password.
    _rule(
        "password",
        "5432|5433|6432|6543|pgpass",
        r"(?<![\w.-])[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w.*-]{1,60}:([^\s:\"'`]{4,128})",
    ),
    # A field that names itself in one place and its value in the next: XML, manifests of containers.
    _rule(
        "password",
        "pass|pwd|secret|token|apikey|api_key",
        r"(?i)(?:key|name)[\"']?\s{0,3}[=:]\s{0,3}[\"']?[\w.:-]{0,40}(?:pass(?:word|wd)?|pwd|secret|token|api_?key)[\"']?"
        r"(?:\s{0,3},?\s{0,12}[\"']?value[\"']?\s{0,3}[:=]\s{0,3}[\"']?|\s?>)([^\s\"'<>]{6,200})",
        fits=is_field,
    ),
    # A name that is an address, and what stands beside it.
    _rule(
        "private-link",
        "/private-",
        r"/private-([0-9a-f]{32})(?=/)",
    ),
    _rule(
        "password",
        "base64|decode|auth|user|pass|basic",
        r"(?<![\w+/=.-])([A-Za-z0-9+/]{16,}={0,2})(?![\w+/=.-])",
        fits=is_credential_pair,
    ),
    # Signs between letters and digits as in a password: nothing else looks like it. A tilde is none of
    # them: ids of entries have it.
    _rule(
        "password",
        "!|#|$|%|&",
        r"(?<![^\s\"'`„“«(:=,»>])(?=[A-Za-z0-9_.-]{2,30}[!#$%&])"
        r"([A-Za-z0-9][A-Za-z0-9_.!#$%&*+^~-]{6,39}[A-Za-z0-9_!#$%&*+^-])(?=[\s\"'`“»),:.?]|$)",
        fits=is_made_up,
    ),
    # What is typed where one gets in.
    _rule(
        "password",
        _ENTRY_NEAR,
        rf"(?i:{_ENTRY})[^\n!?;]{{0,60}}?\s(?i:{_BY})\s[\"'`„“«]?({_TYPED})"
        rf"|(?i:(?<!\w)(?:{_BY}))\s[\"'`„“«]?({_TYPED})(?=[^\n.!?;]{{1,40}}?(?i:{_ENTRY}))",
        fits=is_entered,
    ),
    _rule(
        "password",
        "log in|log on|login|sign in|anmeld|melde |einlogg|inlogg|connect|conéct|entr|acced",
        r"(?i)(?:(?:log|sign) ?[io]n|anmeld\w*|melde (?:dich|sich)|einlogg\w*|inlogg\w*|connect\w*|conéct\w*|entr\w{1,4}|acced\w*)"
        r"\s(?:as|with|als|mit|met|avec|con|com|como|en tant que|using)\s[\w.@+-]{2,60}"
        rf"(?:\s(?:and|und|en|et|y|e|with|mit)|,|\s/)\s[\"'`„“«]?({_TYPED})",
        fits=is_field,
    ),
    # The numbers that a safe is turned to.
    _rule(
        "code",
        "safe|tresor|coffre|fuerte|cofre|cassaforte|kluis|padlock",
        r"(?i)(?<!\w)(?:safe|tresor|coffre(?:-fort)?|caja fuerte|cofre|cassaforte|kluis|padlock)(?!\w)"
        r"[^\n.!?\d]{0,40}?\s(\d{1,2}(?: ?[-–] ?\d{1,2}){2,4})(?![\w-])",
        fits=anything,
    ),
    # Options and settings that end in "pass", and what a shell hands to a program for a line.
    _rule(
        "command-password",
        "pass|<<<",
        r"(?:(?<![\w-])--?[a-z_-]{2,20}pass(?:=|\s)|(?<!\w)requirepass\s|wpa_passphrase\s\S{1,40}\s|<<<\s?(?=[\"']))[\"']?"
        r"([^\s\"'$(){}<>]{6,100})",
        fits=is_field,
    ),
    # Options of one letter that many programs take a password by.
    _rule(
        "command-password",
        " -p| -w| -u",
        rf"(?<=\s)-(?:[pPW]|[uU] ?[\w.@-]{{1,40}}[,%])[ ]?[\"']?({_TYPED})",
        fits=is_entered,
    ),
    _rule(
        "command-password",
        "mysql|mariadb|sshpass|redis-cli|docker|ldap|-pass|mongo|smbclient|7z |zip |rar |"
        "rabbitmqctl|sqlcmd|htpasswd|xfreerdp|winexe|net use|identified|openssl",
        rf"(?<![\w-])(?:{_COMMANDS})(?P<quote>[\"'])?((?(quote)[^\"'\n]{{3,}}|[^\s\"'`|;&-][^\s\"'`|;&]{{3,}}))",
    ),
)
