// Tokens of the clouds, forges, registries and services that most stores will ever meet. Those of smaller ones stand in
// service-token-rules.ts.

import type { Found } from './secret-words.ts';
import { serviceTokenRules } from './service-token-rules.ts';
import { alone, digitSoon, end, rule, type TokenRule } from './token-rule.ts';

/** No rule matches less than so many characters, or one that is white space: a text without such a run needs none of them. */
export const tokenRun = /\S{15}/;

export const tokenRules: readonly TokenRule[] = [
  rule('AWS access key', `(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}${end}`),
  rule('Loci token', 'loci_[A-Za-z0-9_-]{43}'),
  rule(
    'GitHub token',
    'gh[pousr]_[A-Za-z0-9]{36,255}',
    'github_pat_[A-Za-z0-9_]{22,255}',
    'ghs_[A-Za-z0-9]{1,20}_eyJ[A-Za-z0-9._-]{40,2000}',
  ),
  rule(
    'GitLab token',
    'gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct|oas|wt)-[A-Za-z0-9_-]{20,300}(?:\\.[0-9a-z]{2}\\.[0-9a-z]{9})?',
    'GR1348941[A-Za-z0-9_-]{20,50}',
  ),
  rule(
    'Slack token',
    'xox[a-eoprs]-[A-Za-z0-9%/+=_-]{10,400}',
    'xapp-[0-9]-[A-Z0-9]{5,20}-[0-9]{5,20}-[a-z0-9]{10,100}',
  ),
  rule('Slack webhook', 'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{24,100}'),
  rule('Discord webhook', 'discord(?:app)?\\.com/api/webhooks/[0-9]{15,22}/[A-Za-z0-9_-]{30,100}'),
  rule('Stripe key', '[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}', 'whsec_[A-Za-z0-9+/=]{24,100}'),
  rule('Google API key', 'AIza[A-Za-z0-9_-]{35}'),
  rule('Google token', 'GOCSPX-[A-Za-z0-9_-]{20,50}', 'ya29\\.[A-Za-z0-9_-]{20,500}', '1//0[A-Za-z0-9_-]{40,200}'),
  rule('Anthropic key', 'sk-ant-[A-Za-z0-9_-]{20,300}'),
  rule('OpenAI key', 'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,300}', 'sk-[A-Za-z0-9]{20,200}'),
  rule('model provider key', 'sk-or-v1-[A-Za-z0-9]{32,100}', 'gsk_[A-Za-z0-9]{32,100}', 'pplx-[A-Za-z0-9]{32,100}'),
  rule('model provider key', 'xai-[A-Za-z0-9]{32,200}', 'r8_[A-Za-z0-9]{30,100}', 'nvapi-[A-Za-z0-9_-]{40,100}'),
  rule('Hugging Face token', '(?:hf_|api_org_)[A-Za-z0-9]{30,100}'),
  rule('npm token', 'npm_[A-Za-z0-9]{36,100}'),
  rule('PyPI token', 'pypi-[A-Za-z0-9_-]{50,500}'),
  rule('package registry token', 'rubygems_[a-f0-9]{48}', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}', 'oy2[a-z0-9]{43}'),
  rule('SendGrid key', 'SG\\.[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9_-]{39,50}'),
  rule('Mailgun key', `${alone}key-[a-f0-9]{32}${end}`),
  rule('Twilio key', `SK[a-f0-9]{32}${end}`),
  rule('Telegram bot token', '[0-9]{8,10}:AA[A-Za-z0-9_-]{33}'),
  rule('Shopify token', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'),
  rule('DigitalOcean token', 'do[opr]_v1_[a-f0-9]{64}'),
  rule('Azure secret', 'AccountKey=[A-Za-z0-9+/]{80,90}={0,2}', '[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}'),
  rule('Vault token', 'hv[sbr]\\.[A-Za-z0-9_-]{24,300}'),
  rule('Terraform token', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,70}'),
  rule('Databricks token', `dapi[a-f0-9]{32}(?:-[0-9])?${end}`),
  rule('Doppler token', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9.]{40,80}'),
  rule('Tailscale key', 'tskey-[a-z]{3,10}-[A-Za-z0-9-]{20,100}'),
  rule('Atlassian token', 'AT(?:ATT|CTT)3[A-Za-z0-9_=-]{40,300}', 'ATBB[A-Za-z0-9]{28,40}'),
  rule('Airtable token', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'),
  rule('Grafana token', 'gl(?:c|sa)_[A-Za-z0-9+/_=]{32,400}'),
  rule(
    'service token',
    'lin_(?:api|oauth)_[A-Za-z0-9]{32,64}',
    'ntn_[A-Za-z0-9]{40,60}',
    'secret_[A-Za-z0-9]{43}',
    'figd_[A-Za-z0-9_-]{36,60}',
  ),
  rule(
    'service token',
    'sbp_[a-f0-9]{40}',
    'sb_secret_[A-Za-z0-9_-]{20,60}',
    'pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.-]{32,80}',
  ),
  rule(
    'service token',
    'PMAK-[a-f0-9]{24}-[a-f0-9]{34}',
    'NRAK-[A-Z0-9]{27}',
    'sntry[su]_[A-Za-z0-9+/=_-]{40,300}',
    'nfp_[A-Za-z0-9]{36}',
  ),
  rule(
    'service token',
    'ops_eyJ[A-Za-z0-9_=-]{100,1000}',
    'fo1_[A-Za-z0-9_-]{40,60}',
    'dop_v1_[a-f0-9]{64}',
    // `phc_` is public: it stands in every page of who uses it
    'phx_[A-Za-z0-9]{40,50}',
  ),
  // by the rules of gitleaks and of the issuers' own pages: prefixes that mean nothing else
  rule(
    'model provider key',
    `fw_${digitSoon}[A-Za-z0-9]{24}`,
    'tvly-[A-Za-z0-9-]{32,60}',
    'lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}',
  ),
  rule('CI token', 'CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}', 'bkua_[a-z0-9]{40}', 'HRKU-[A-Za-z0-9_-]{58,62}'),
  rule('Pulumi token', `pul-[a-f0-9]{40}${end}`),
  rule('Postmark or Brevo key', 'xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}'),
  rule('Square token', 'sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,60}'),
  rule('Shippo token', 'shippo_(?:live|test)_[a-fA-F0-9]{40}'),
  rule('Typeform token', 'tfp_[A-Za-z0-9_.=-]{40,70}'),
  rule('Dynatrace token', 'dt0c01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  rule('Sourcegraph token', 'sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}'),
  rule('Contentful token', 'CFPAT-[A-Za-z0-9_-]{40,50}'),
  rule('Readme or Prefect key', 'rdme_[a-z0-9]{70}', 'pnu_[A-Za-z0-9]{36}'),
  rule('JFrog token', `AKCp[A-Za-z0-9]{69}${end}`),
  rule('Artifactory reference', `cmVmd[A-Za-z0-9]{59}${end}`),
  // base64 without this boundary holds it often
  rule('Facebook token', '(?<![+/])EAA[A-Za-z0-9]{60,250}(?![A-Za-z0-9+/])'),
  rule('Alibaba key', `LTAI[A-Za-z0-9]{20}${end}`),
  rule('Yandex key', 'AQVN[A-Za-z0-9_-]{35,38}', 'y[0-3]_[A-Za-z0-9_-]{55,60}'),
  rule('Mapbox secret token', 'sk\\.eyJ[A-Za-z0-9_-]{60,200}\\.[A-Za-z0-9_-]{20,30}'),
  rule('age key', 'AGE-SECRET-KEY-1[0-9A-Z]{58}'),
  {
    kind: 'JSON Web Token',
    // the boundary has the body's own alphabet: `eyJ-eyJ-eyJ-…` would otherwise be read again from each of its parts
    pattern:
      /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,2000}(?:\.[A-Za-z0-9_-]{10,8000}){0,2}/g,
  },
  ...serviceTokenRules,
];

/** The tokens of a text, in the order of the rules; two may overlap. */
export function findTokens(text: string): Found[] {
  // names, ids and most sentences hold no run that could be a token: a hundred patterns would be asked for nothing
  if (!tokenRun.test(text)) return [];
  return tokenRules.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)]
      .filter(([token]) => !isMask(token))
      .map((match) => ({ kind, start: match.index, end: match.index + match[0].length })),
  );
}

/** `ghp_xxxxxxxx…`: a prefix and nothing but filling. */
function isMask(token: string): boolean {
  return /[-_.]?[xX0*]{8,}$/.test(token) && /^[A-Za-z]{2,12}[-_]?(?:[a-z]{2,8}[-_])?[xX0*]+$/.test(token);
}
