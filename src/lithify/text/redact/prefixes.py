"""Tokens that are known by their first characters, as data."""

from __future__ import annotations

#: Tokens by their prefixes. After the kind: the characters that may follow (w letters and digits,
#: d also - and _, x hex digits, u capitals and digits, b base64), how many at least, the prefixes.
PREFIXED = """
aws-access-key      u 16 AKIA ASIA ABIA ACCA
github-token        w 30 ghp_ gho_ ghu_ ghs_ ghr_
github-token        d 22 github_pat_
gitlab-token        d 20 glpat- gldt- glrt- glptt- glft- glsoat- glcbt- glimt- glagent- gloas-
anthropic-key       d 16 sk-ant-
openrouter-key      d 32 sk-or-v1-
langfuse-key        d 32 sk-lf-
slack-token         d 10 xoxa- xoxb- xoxc- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxp- xapp-
google-key          d 35 AIza
google-token        d 20 ya29. GOCSPX-
google-token        d 30 1//0
stripe-key          w 10 sk_live_ sk_test_ rk_live_ rk_test_
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
dropbox-token       d 60 sl.
facebook-token      w 60 EAAG EAAC EAAB EAAJ
planetscale-token   d 30 pscale_tkn_ pscale_pw_ pscale_oauth_
supabase-key        w 30 sbp_ sb_secret_
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
