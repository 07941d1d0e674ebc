// Tokens of services that fewer stores meet, by the rules of gitleaks and the pages of their issuers. A prefix of two or three letters is a
// token only with a body that no name has: of hexadecimal digits, or with a digit among its first letters.
import { alone, digitSoon, end, rule, type TokenRule } from './token-rule.ts';

const uuid = '[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}';

/** A PEM block within base64, as Kubernetes keeps keys of clients: the first line of each kind, but for the bits that the next letter decides. */
const encodedKeyBlock = ['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED ']
  .map((kind) => `-----BEGIN ${kind}PRIVATE KEY`)
  .map((line) =>
    Buffer.from(line)
      .toString('base64')
      .slice(0, Math.floor((line.length * 8) / 6)),
  )
  .map((text) => text.replaceAll('+', '\\+'))
  .join('|');

export const serviceTokenRules: readonly TokenRule[] = [
  rule('private key', `(?:${encodedKeyBlock})[A-Za-z0-9+/=]{30,20000}`),
  rule(
    'Discord bot token',
    // the first part is a number in base64
    '(?:M[DTjz]|N[DTjz]|O[DT])[AEIMQUYcgk][w-z0-5][A-Za-z0-9_-]{19,24}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}',
  ),
  rule(
    'model provider key',
    'sk_[a-f0-9]{48}',
    `sk-lf-${uuid}`,
    'sk_car_[A-Za-z0-9]{20,40}',
    'sess-[A-Za-z0-9]{40}',
    'AQ\\.Ab8[A-Za-z0-9_-]{30,120}',
    `csk-${digitSoon}[a-z0-9]{40,60}`,
    'rpa_[A-Z0-9]{38,50}',
    'jina_[A-Za-z0-9]{50,70}',
    `pa-(?=[A-Za-z0-9_-]{0,42}[A-Z])(?=[A-Za-z0-9_-]{0,42}[0-9])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])`,
    'wandb_v1_[A-Za-z0-9_]{60,90}',
  ),
  rule(
    'agent service key',
    'pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,80}',
    'e2b_[a-f0-9]{40}',
    `${alone}fc-[a-f0-9]{32}${end}`,
    `bb_live_${digitSoon}[A-Za-z0-9_-]{20,40}`,
    'apify_api_[A-Za-z0-9]{30,40}',
    `${alone}m0-${digitSoon}[A-Za-z0-9]{40}${end}`,
    'crsr_[a-f0-9]{64}',
    `ctx7sk-${uuid}`,
  ),
  rule(
    'hosting token',
    'napi_[a-z0-9]{60,70}',
    `npg_${digitSoon}[A-Za-z0-9]{12,24}`,
    `vc[piark]_${digitSoon}[A-Za-z0-9]{24,80}`,
    `rnd_${digitSoon}[A-Za-z0-9]{28,40}`,
    'fm[12][ar]?_[A-Za-z0-9+/=_-]{80,4000}',
    'v1\\.0-[a-f0-9]{24}-[a-f0-9]{140,150}',
    `cf(?:ut|at|k)_${digitSoon}[A-Za-z0-9]{36,60}`,
  ),
  rule(
    'work service token',
    'pk_[0-9]{6,12}_[A-Z0-9]{30,40}',
    `pat-(?:na|eu|ap)[0-9]-${uuid}`,
    'ATTA[A-Za-z0-9]{60,80}',
    'sl\\.(?:u\\.)?[A-Za-z0-9_-]{120,2000}',
    'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
  ),
  rule('X bearer token', 'A{18,25}[A-Za-z0-9]{10,100}%(?:2[BF]|3D)[A-Za-z0-9%]{20,120}'),
  rule(
    'payment key',
    `access-(?:sandbox|development|production)-${uuid}`,
    'EZ[AT]K[A-Za-z0-9]{54,58}',
    `live_${digitSoon}[A-Za-z0-9]{30}${end}`,
    'duffel_(?:live|test)_[A-Za-z0-9_-]{43}',
    'FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}-X',
  ),
  rule('package registry token', `cio${digitSoon}[A-Za-z0-9]{32}${end}`, 'CLOJARS_[a-z0-9]{60}'),
  rule('mail service key', `re_[A-Za-z0-9]{6,12}_${digitSoon}[A-Za-z0-9]{20,30}`, `[a-f0-9]{32}-us[0-9]{1,2}${end}`),
  rule(
    'monitoring or CI token',
    'sq[pua]_[a-f0-9]{40}',
    'dbt[cu]_[A-Za-z0-9_-]{36,60}',
    'hcai[klm]_[A-Za-z0-9]{50,70}',
    '[a-f0-9]{36}(?:FFFF)?NRAL',
    'signkey-(?:prod|test|branch)-[a-f0-9]{32,64}',
    `tr_(?:dev|stg|prod)_${digitSoon}[A-Za-z0-9]{20,40}`,
  ),
  rule('wallet key', '[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,120}'),
];
