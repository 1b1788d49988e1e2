"""Credentials that nobody has: made from templates, so that none stands in this repository.

`{A36}` is 36 letters and digits, `{a…}` small ones, `{U…}` capital ones, `{h…}` hex digits, `{d…}`
digits, `{w…}` letters, digits, `_` and `-`, `{b…}` base64, `{uuid}` a UUID, `{}` nothing.
"""

import random
import re
import string

LETTERS = {
    "A": string.ascii_letters + string.digits,
    "a": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "h": "0123456789abcdef",
    "d": string.digits,
    "w": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
    "B": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}


def make_up(template: str, seed: int) -> str:
    chance = random.Random(f"{template}{seed}")

    def fill(found: re.Match[str]) -> str:
        if found[0] == "{}":
            return ""
        if found[0] == "{uuid}":
            return "-".join(take("h", length) for length in (8, 4, 4, 4, 12))
        return take(found[1], int(found[2]))

    def take(kind: str, length: int) -> str:
        letters = LETTERS[kind]
        while True:
            made = "".join(chance.choice(letters) for _ in range(length))
            if length < 12 or any(one.isdigit() for one in made):
                return made

    return re.sub(r"\{(?:([AaUhdwbB])(\d+)|uuid)?\}", fill, template)


BY_THEMSELVES = """
aws-access-key AK{}IA{U16} AS{}IA{U16} AB{}IA{U16}
aws-bedrock-key AB{}SK{b108}==
aws-mws-key amzn.mws.{uuid}
gcp-api-key AI{}za{w35}
gcp-oauth-token ya{}29.a0{w60} ya{}29.{w30}
gcp-refresh-token 1/{}/0{w60}
gcp-client-secret GOC{}SPX-{w28}
azure-client-secret {A3}8{}Q~{A34}
azure-devops-token {A76}AZ{}DO{A4}
alibaba-access-key LT{}AI{A20}
tencent-secret-id AK{}ID{A32}
yandex-key AQ{}VN{A36}
digitalocean-token do{}p_v1_{h64} do{}o_v1_{h64}
heroku-key HR{}KU-{w60}
fly-token fm{}2_{b80}
vercel-token vc{}p_{A40} vercel_{}blob_rw_{A30}
netlify-token nf{}p_{A40}
render-key rn{}d_{A32}
cloudflare-origin-key v1{}.0-{h24}-{h146}
scalingo-token tk-{}us-{w48}
openshift-token sha256{}~{w43}
rancher-token token-{a5}:{a54}
tailscale-key ts{}key-auth-{A12}-{A32} ts{}key-api-{A12}-{A32}
github-token gh{}p_{A36} gh{}o_{A36} gh{}s_{A36} gh{}u_{A36} gh{}r_{A36}
github-fine-grained-token github{}_pat_{A22}_{A59}
gitlab-token gl{}pat-{w20} gl{}dt-{w20} gl{}rt-{w20} GR{}1348941{w20}
atlassian-token AT{}ATT3xFfGF0{w180}={U8}
bitbucket-app-password AT{}BB{A32}
npm-token np{}m_{A36}
pypi-token py{}pi-AgEIcHlwaS5vcmc{w140}
rubygems-key ruby{}gems_{h48}
nuget-key oy{}2{a43}
crates-token ci{}o{A32}
clojars-token CLO{}JARS_{a60}
docker-token dckr{}_pat_{w27}
jfrog-key AK{}Cp{A69}
sonar-token sq{}p_{h40} sq{}u_{h40}
sourcegraph-token sg{}p_{h16}_{h40}
circleci-token CCI{}PAT_{A22}_{h40}
buildkite-token bk{}ua_{h40}
harness-token pa{}t.{A22}.{h24}.{A20}
postman-key PM{}AK-{h24}-{h34}
readme-key rd{}me_{a70}
prefect-key pn{}u_{A36}
dbt-token db{}tc_{A50}
terraform-token {A14}.at{}lasv1.{w67}
vault-token hv{}s.{w90} hv{}b.{w120} hv{}r.{w40}
pulumi-token pu{}l-{h40}
doppler-token dp{}.pt.{A43} dp{}.st.dev.{A43}
infisical-token s{}t.{h24}.{h32}.{h32}
onepassword-token op{}s_eyJ{b200}
onepassword-secret-key A{}3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}
age-secret-key AGE-{}SECRET-KEY-1{B58}
planetscale-token pscale{}_tkn_{w43} pscale{}_pw_{w43}
supabase-key sb{}p_{h40} sb{}_secret_{w31}
neon-key na{}pi_{a64}
mongodb-atlas-secret mdb{}_sa_sk_{w40}
databricks-token da{}pi{h32}
clickhouse-key 4b{}1d{A38}
anthropic-key sk{}-ant-api03-{w93}AA sk{}-ant-admin01-{w80} sk{}-ant-oat01-{w80}
openai-key sk{}-proj-{w120} sk{}-svcacct-{w100} sk{}-{A20}T3{}BlbkFJ{A20}
openrouter-key sk{}-or-v1-{h64}
langfuse-key sk{}-lf-{uuid}
sk-key sk{}-{A48} sk{}-{h32}
huggingface-token hf{}_{A34}
groq-key gs{}k_{A52}
xai-key xa{}i-{A80}
perplexity-key pp{}lx-{A48}
replicate-token r8{}_{A37}
fireworks-key fw{}_{A24}
cerebras-key cs{}k-{a48}
nvidia-key nv{}api-{w64}
pinecone-key pc{}sk_{A6}_{A60}
langsmith-key lsv2{}_pt_{h32}_{h10}
elevenlabs-key sk{}_{h48}
jina-key ji{}na_{h32}{w28}
tavily-key tv{}ly-dev-{A32}
firecrawl-key f{}c-{h32}
e2b-key e2{}b_{h40}
slack-token xo{}xb-{d12}-{d12}-{A24} xo{}xp-{d12}-{d12}-{d12}-{h32} xo{}xe.xoxp-1-{A60}
slack-app-token xa{}pp-1-{U11}-{d13}-{h64}
slack-webhook https://hooks.{}slack.com/services/T{U10}/B{U10}/{A24}
discord-webhook https://discord{}.com/api/webhooks/{d18}/{w68}
discord-token M{A23}.G{w5}.{w38}
telegram-token {d10}:A{}A{w33}
twilio-key S{}K{h32}
sendgrid-key S{}G.{w22}.{w43}
mailgun-key ke{}y-{h32}
mailchimp-key {h32}-u{}s14
mandrill-key m{}d-{w22}
brevo-key xkey{}sib-{h64}-{A16}
resend-key r{}e_{A8}_{A24}
facebook-token EA{}A{A160}
twitter-bearer AAAAAAAAAAAA{}AAAAAAAAAA{A80}
stripe-key sk{}_live_{A24} rk{}_live_{A40} sk{}_test_{A99}
webhook-secret wh{}sec_{b32}
square-token sq0{}atp-{w22} sq0{}csp-{w43} EA{}AA{w60}
braintree-token access_{}token$production${a16}${h32}
shopify-token shp{}at_{h32} shp{}ss_{h32}
razorpay-key rzp{}_live_{A14}
mollie-key liv{}e_{A32}
flutterwave-key FLW{}SECK_TEST-{h32}-X
plaid-token access-{}sandbox-{uuid}
easypost-key EZ{}AK{A54}
shippo-token shippo{}_live_{h40}
duffel-token duffel{}_test_{w43}
newrelic-key NR{}AK-{U27} {h36}NR{}AL
grafana-token gl{}sa_{A32}_{h8} gl{}c_{b60}
sentry-token sn{}tryu_{h64} sn{}trys_eyJ{b90}
honeycomb-key hc{}aik_{a58}
dynatrace-token dt{}0c01.{U24}.{U64}
launchdarkly-key sd{}k-{uuid} ap{}i-{uuid}
posthog-key ph{}x_{A43}
notion-token nt{}n_{A46} sec{}ret_{A43}
airtable-token pa{}t{A14}.{h64}
linear-key lin{}_api_{A40}
figma-token fi{}gd_{w43}
dropbox-token s{}l.B{w130}
hubspot-token pa{}t-na1-{uuid}
salesforce-token 00{}D{A15}!{A96}
contentful-token CF{}PAT-{w43}
mapbox-token s{}k.eyJ{A60}.{w22}
typeform-token tf{}p_{w44}
frameio-token fio{}-u-{w64}
settlemint-token sm{}_pat_{A16}
maxmind-key {A6}_{A29}_m{}mk
trello-token AT{}TA{A72}
assent-key as{}k_{w43}
assent-key as{}t_{w43}
assent-key as{}r_{w43}
jwt ey{}JhbGciOiJIUzI1NiJ9.ey{}J{A60}.{w43}
"""
"""Formats with a mark of their own: the rule, and templates."""

BESIDE_A_NAME = """
aws-secret-key aws_secret_access_key {b40}
azure-openai-key AZURE_OPENAI_KEY {a32}
alibaba-secret-key ALIYUN_SECRET {A30}
ibm-cloud-key IBM_CLOUD_API_KEY {w44}
linode-token LINODE_TOKEN {h64}
vultr-key VULTR_KEY {U36}
hetzner-token HCLOUD_TOKEN {A64}
scaleway-secret SCW_SECRET_KEY {uuid}
heroku-uuid-key HEROKU_API_KEY {uuid}
railway-token RAILWAY_TOKEN {uuid}
cloudflare-token CLOUDFLARE_API_TOKEN {w40}
fastly-token FASTLY_API_TOKEN {w32}
snyk-token SNYK_TOKEN {uuid}
circleci-plain-token CIRCLECI_TOKEN {h40}
codecov-token CODECOV_TOKEN {uuid}
jenkins-token JENKINS_API_TOKEN 11{h32}
rapidapi-key x-rapidapi-key {w50}
consul-token CONSUL_HTTP_TOKEN {uuid}
mistral-key MISTRAL_API_KEY {A32}
cohere-key COHERE_API_KEY {A40}
together-key TOGETHER_API_KEY {h64}
deepgram-key DEEPGRAM_API_KEY {h40}
wandb-key WANDB_API_KEY {h40}
twilio-token TWILIO_AUTH_TOKEN {h32}
postmark-token POSTMARK_SERVER_TOKEN {uuid}
sparkpost-key SPARKPOST_API_KEY {h40}
mailjet-key MAILJET_SECRET {h32}
facebook-secret FACEBOOK_APP_SECRET {h32}
plaid-secret PLAID_SECRET {h30}
datadog-key DD_API_KEY {h32}
datadog-key DATADOG_APP_KEY {h40}
sentry-plain-token SENTRY_AUTH_TOKEN {h64}
splunk-token SPLUNK_HEC_TOKEN {uuid}
pagerduty-key PAGERDUTY_API_KEY {A20}
opsgenie-key OPSGENIE_API_KEY {uuid}
hubspot-key HUBSPOT_KEY {uuid}
zendesk-token ZENDESK_API_TOKEN {A40}
okta-token OKTA_API_TOKEN 00{w40}
auth0-secret AUTH0_CLIENT_SECRET {w64}
algolia-key ALGOLIA_ADMIN_KEY {h32}
trello-key TRELLO_KEY {h32}
asana-secret ASANA_CLIENT_SECRET {h32}
"""
"""Formats that only their names give away: the rule, a name, and a template."""
