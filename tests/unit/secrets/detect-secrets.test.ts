import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSecrets, refuseSecrets } from '#daemon/secrets/detect-secrets.ts';
import { tokenRules, tokenRun } from '#daemon/secrets/token-rules.ts';
import { LociError } from '#shared/errors.ts';
import { hex, madeUp, madeUpContexts, madeUpTokens } from '../../support/made-up-secrets.ts';

/** The text with each secret replaced by its kind, as sweeping does it. */
function redact(text: string): string {
  return findSecrets(text).reduceRight(
    (rest, { kind, start, end }) => `${rest.slice(0, start)}[${kind}]${rest.slice(end)}`,
    text,
  );
}

/** How a shell or a template names a variable. */
const inBraces = (name: string) => `$\{${name}}`;

const refusal = (fields: Parameters<typeof refuseSecrets>[0]): LociError => {
  try {
    refuseSecrets(fields);
  } catch (error) {
    if (error instanceof LociError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('tokens that tell what they are', () => {
  it.each(madeUpTokens().map(([kind, token], index) => ({ kind, token, index })))(
    '$index a $kind is found in a sentence, alone, and in quotes, and nothing of it is left',
    ({ kind, token }) => {
      for (const text of [token, `It is ${token} for now`, `"${token}"`, `key=${token}\n`, `(${token}).`]) {
        expect(findSecrets(text).length).toBeGreaterThan(0);
        expect(redact(text)).not.toContain(token.slice(-12));
      }
      expect(findSecrets(`It is ${token} for now`)[0]?.kind).toBe(kind);
      expect(redact(`It is ${token} for now`)).toMatch(/^It is (?:https:\/\/|")?\[/);
    },
  );
});

describe('a text without a run of fifteen characters', () => {
  it.each(tokenRules.map(({ kind, pattern }, index) => ({ kind, pattern, index })))(
    '$index holds no $kind: whatever its rule matches is such a run',
    ({ pattern }) => {
      const bare = new RegExp(`^(?:${pattern.source.replaceAll(/\(\?<?[!=](?:\[[^\]]*\](?:\{[^}]*\})?)+\)/g, '')})$`);
      fc.assert(
        fc.property(fc.stringMatching(bare), (token) => tokenRun.test(token)),
        { numRuns: 20 },
      );
    },
  );
});

describe('secrets that their surroundings give away', () => {
  it.each(madeUpContexts().map(([text, secret], index) => ({ text, secret, index })))(
    '$index in “$text”',
    ({ text, secret }) => {
      expect(redact(text)).not.toContain(secret);
      const long = `A line before.\n${text}\nA line after.`;
      expect(redact(long)).not.toContain(secret);
      expect(redact(long)).toMatch(/^A line before\./);
    },
  );

  it('B72 the words around a secret are kept', () => {
    const token = `gh${'p_'}${madeUp(36)}`;
    expect(redact(`push with ${token} to origin`)).toBe('push with [GitHub token] to origin');
    expect(redact(`postgres://app:hun${'ter2'}@db.example.org/shop`)).toBe(
      'postgres://app:[connection string with a password]@db.example.org/shop',
    );
    expect(redact(`Authorization: Bearer ${madeUp(40)}\nAccept: */*`)).toMatch(
      /^Authorization: Bearer \[[^\]]+\]\nAccept: \*\/\*$/,
    );
  });
});

describe('a secret in a text that is not what it looks like', () => {
  const token = `gh${'p_'}${madeUp(36)}`;
  it.each([
    ['zero-width spaces', `use ${[...token].join('\u200B')} now 👩\u200D💻`, 'use [GitHub token] now 👩\u200D💻'],
    ['a soft hyphen', `use ${token.slice(0, 20)}\u00AD${token.slice(20)}.`, 'use [GitHub token].'],
    [
      'full-width letters',
      `ü ${[...token].map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).join('')} ö`,
      'ü [GitHub token] ö',
    ],
    ['a colon of another keyboard', `密码：hun${'ter2'}，请勿外传`, '密码：[password]'],
  ])('is found behind %s, and the words around it keep their places', (_name, text, left) => {
    expect(redact(text).startsWith(left.replace(/\]$/, ''))).toBe(true);
    expect(
      redact(text)
        .normalize('NFKC')
        .replace(/\p{Default_Ignorable_Code_Point}/gu, ''),
    ).not.toContain(token.slice(6, 20));
    expect(redact(text)).not.toContain(`hun${'ter2'}`);
  });
});

describe('texts that must survive', () => {
  const image = `data:image/png;base64,iVBORw0KGgo${madeUp(600, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')}==`;
  it.each([
    'the password lives in 1Password',
    'Password: see the vault entry "shop/prod"',
    'Passwords are hashed with argon2id, never stored.',
    'password: required, password: string',
    'The password is sha256-hashed before it is compared',
    'the password is base64 encoded in the Secret',
    'the token is refreshed every 15 minutes',
    'token budget 8000',
    'max_tokens = 4096, token_limit: 128000',
    'TOKEN_BUDGET=8000',
    'API_KEY=<your key>',
    'API_KEY=your-api-key-here',
    'export API_KEY=...',
    'export API_KEY=xxxxxxxxxxxxxxxx',
    'export API_KEY=$OPENAI_API_KEY',
    `export OPENAI_API_KEY="${inBraces('OPENAI_API_KEY')}"`,
    'export TOKEN=$(pass show shop/token)',
    'api_key: {{ secrets.API_KEY }}',
    'api_key = os.environ["SHOP_API_KEY"]',
    'const token = process.env.SHOP_TOKEN;',
    'const apiKey = config.get("shop.apiKey");',
    'password = getpass.getpass()',
    'password=None, secret: null, token = undefined',
    'llm.api_key_env = "OPENAI_API_KEY"',
    'secretName: shop-db-credentials-v2',
    'token_type: "bearer", token_url: "https://example.org/oauth2/token"',
    'secret: projects/12345/secrets/shop-db/versions/3',
    'client_secret = arn:aws:secretsmanager:eu-west-1:123456789012:secret:shop-AbCdEf',
    'password = op://Private/shop/password',
    'PASSWORD_FILE=/run/secrets/db_password_1',
    'password=/run/secrets/db_password_1',
    '"password": "Password is required", "confirm": "Enter your password"',
    'password_min_length: 12, passwordField: "input#pw1"',
    'next_page_token: "CAUQAA1b2c3d4e5f6g7"',
    'const accessToken = refreshAccessTokenV2(user);',
    'token = response_token_v2',
    'commit d670460b4b4aece5915caf5c68d12f560a9fe3e4 fixed it',
    'id 550e8400-e29b-41d4-a716-446655440000, uid 019212d0-7f3a-7cc1-8d3e-2f1a5b6c7d8e',
    `sha256:${madeUp(64, hex)} loci.tar.gz`,
    `integrity sha512-${madeUp(86)}==`,
    image,
    'sk-learn and sk- prefixes; the sk-estimator-with-long-hyphenated-name',
    'npm_config_registry and hf_hub_download and gho_ prefixes',
    'AKIA is the prefix of access key ids, AIza that of Google keys, eyJ that of a JWT',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'sk-proj-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
    'the header is Authorization: Bearer <token>',
    'Authorization: Bearer $TOKEN',
    'Bearer token authentication, basic authentication',
    `postgres://app:${inBraces('DB_PASSWORD')}@db.example.org/shop`,
    'postgres://app:<password>@db.example.org/shop, postgres://app:***@db/shop',
    'https://example.org:8080/@scope/package, http://localhost:3456/memories?q=a@b',
    'git@github.com:acme/shop.git and ssh://git@example.org:2222/acme/shop.git',
    '-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----',
    '"pbkdf2-password": "1.2.1", "password-prompt": "^1.1.3"',
    "console.log('password:', password); check = { password: !0, text: !0 }",
    'the key for this is the order id; the token for CI is in the vault',
    'everything between -----BEGIN PRIVATE KEY----- and its counterpart -----END PRIVATE KEY----- is secret',
    'a PEM file begins with -----BEGIN PRIVATE KEY----- and ends with a matching line',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me@example.org',
    '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----',
    'primary_key=order_id_2024_01, cache_key: "user:42:v3", public_key = abc123def456ghi789',
    'curl -u "$USER:$PASSWORD" https://example.org',
    'mysql -u root -p shop < dump.sql',
    'Use --password PASSWORD or --token <token> or --token "$TOKEN"',
    'I keep secrets out of the repository; the secret is in the keychain.',
    'cache-key-d41d8cd98f00b204e9800998ecf8427e and npm-key-d41d8cd98f00b204e9800998ecf8427e of the CI',
    'fw_updateFirmwareVersionNumber(device), rnd_fillBufferWithRandomNumbers(buffer), vcp_openVirtualComPortOfDevice()',
    `posthog.init("phc_${madeUp(43)}") is public`,
    'this.password=n,this.nonce="00000001";e.password=null;let i=1;var o={password:r,strength:i,ready:t}',
    'exports.AuthenticationMD5Password = AuthenticationMD5Password; key_password=key_password, CHALLENGE_PASSWORD: "challengePassword"',
    'if (typeof this.password === "function") return this.password();',
    'API_KEY_HEADER=X-Api-Key-2, TOKEN_ALGORITHM=RS256v2',
    'pass: 41, fail: 2, pass: 120.5ms; PASS src/a1.test.ts; pass=true; first pass: 2024-01-02; bypass: enabled2x',
    'const pass = !this.result.issues || this.result.ok2; "pass": "リスト項目に<ul>1つの親要素"',
    'pw=640 ph=480, pw: 1024px',
    '| password | string | required |\n| token | the bearer token of step2 | no |',
    '<password>string</password><Password></Password><token>{{token}}</token>',
    'Password\nForgot your password?\nToken\nsee the docs',
    'name: DB_PASSWORD\nvalueFrom:\n  secretKeyRef:\n    name: shop-db2',
    'docker run -p 8080:80/tcp shop; docker login -p "$TOKEN"; redis-cli -a "$REDIS_PASSWORD"',
    'openssl -passin pass:$PASS; app:@tcp(db:3306)/shop',
    `app:${inBraces('DB_PASSWORD')}@tcp(db:3306)/shop`,
    'https://x.example.org/a?sig=none&signature=required',
    `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${madeUp(300)} me@example.org`,
    `h1:${madeUp(43)}= and SHA256:${madeUp(43)} and W/"${madeUp(27)}"`,
    'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJkekNDQVIyZ0F3SUJBZ0lCQURBS0JnZ3Foa2pPUFFRREFqQWpNU0V3SHdZRFZRUURE',
    'Das Passwort ist zu kurz; la contraseña es obligatoria; 密码是必填项; пароль: обязателен',
    'The\u00A0password lives\u200B in 1Password 👩\u200D💻️',
    'El gato duerme; 猫は眠る; 🐈',
    '',
  ])('“%s”', (text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});

describe('refuseSecrets', () => {
  it('names the field and the kind, says what to record, and never shows the value', () => {
    const token = `gh${'p_'}${madeUp(36)}`;
    const error = refusal({ title: null, content: 'fine', solution: `use ${token}` });
    expect(error.code).toBe('rejected_by_policy');
    expect(error.message).toContain('`solution`');
    expect(error.message).toContain('GitHub token');
    expect(error.message).toContain('where the secret lives');
    expect(error.details).toEqual({ solution: 'looks like a secret (GitHub token)' });
    expect(JSON.stringify([error.message, error.details])).not.toContain(token.slice(4, 12));
  });

  it('looks into lists, and lets absent fields and clean texts pass', () => {
    expect(refusal({ tags: ['a', `gl${'pat-'}${madeUp(20)}`] }).details).toHaveProperty('tags');
    expect(() => refuseSecrets({ content: 'fine', tags: [], title: null, context: undefined })).not.toThrow();
  });
});

describe('whatever the text', () => {
  it('spans are in order, inside the text, not empty, and never overlap', () => {
    const pieces = fc.constantFrom(
      'password',
      '=',
      ': ',
      '"',
      "'",
      '://',
      '@',
      ':',
      'Bearer ',
      'sk-',
      'eyJ',
      '.',
      '-----BEGIN PRIVATE KEY-----',
      '-----END PRIVATE KEY-----',
      madeUp(40),
      '\n',
      '\\"',
      '💥',
      '\uD800',
    );
    const text = fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 40 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (given) => {
        let last = 0;
        for (const { start, end } of findSecrets(given)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(given.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ...['a', ' ', '-', '=', ':', '"', '/', '@', '.', '_', '\n', 'A1', 'a.', 'a-', '-a', '://', 'a:', 'a@', '":"'],
    ...['eyJ', 'eyJ-', 'eyJa.', 'sk-', 'sk-ant-', 'xoxb-', 'glpat-', 'SG.a', 'AKIA', 'pat', 'dp.pt.'],
    ...[
      'password',
      'password=',
      'password:',
      'password ',
      'password is ',
      'password for a ',
      'secret_key',
      'token ',
      '--token ',
      '--a',
    ],
    ...[
      'http://',
      'http://a:',
      'a://b:c',
      'Bearer ',
      'basic ',
      'authorization: ',
      'login a password ',
      'curl ',
      'curl -u ',
    ],
    ...[
      'mysql -',
      'session=',
      'seed phrase: ',
      'seed: word ',
      '-----BEGIN ',
      '-----BEGIN PRIVATE KEY-----',
      '123456789:AA',
    ],
    ...[
      '| password ',
      'pass: a',
      'pass=',
      '<password>',
      '<a-password',
      'name: TOKEN\nvalue: ',
      'ENV TOKEN ',
      "identified by '",
      'pa-pa',
      'pa-A1',
      'A',
      'sl.',
      'MTIw',
      'a:bcd@',
      'docker -p ',
      'password\n',
      'credentials: a',
      '\u200B',
      'ｐ',
      '密码是',
      '&sig=a',
      '"d":"kty"',
      'rnd_',
      'htpasswd -b a b ',
    ],
    ...['\\"', "password='", 'password="a', 'api key', '{"auth":"', 'aws.atlasv1.', '0Q~', 'hooks.slack.com/services/'],
  ])('20,000 characters of %j take at most 20 ms', (piece) => {
    const text = piece.repeat(Math.ceil(20_000 / piece.length)).slice(0, 20_000);
    const took = () => {
      const startMs = performance.now();
      findSecrets(text);
      return performance.now() - startMs;
    };
    // the best of a few: the machine may be busy with something else
    expect(Math.min(...Array.from({ length: 5 }, took))).toBeLessThan(20);
  });
});
