// Tokens of every shape, put together at run time, so that no scanner of repositories finds one here. None ever opened a door.

const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `length` characters of an alphabet, the same for the same seed, at least one digit and one letter where it has both. */
export function madeUp(length: number, alphabet = base62, seed = 7): string {
  let state = seed;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += alphabet[(state >>> 16) % alphabet.length];
  }
  return text;
}

export const hex = '0123456789abcdef';
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const dash = '-'.repeat(5);

/** A block with header and footer, as `openssl` and `ssh-keygen` write them. */
export function keyBlock(name: string, lines = 3): string {
  const body = Array.from({ length: lines }, (_, index) => madeUp(64, `${base62}+/`, index + 1)).join('\n');
  return `${dash}BEGIN ${name}${dash}\n${body}\n${dash}END ${name}${dash}`;
}

/** What must be refused: the kind the refusal names, and the secret. */
export function madeUpTokens(): [kind: string, token: string][] {
  const part = (text: string) => Buffer.from(text).toString('base64url');
  return [
    ['AWS access key', `AK${'IA'}${madeUp(16, upper)}`],
    ['AWS access key', `AS${'IA'}${madeUp(16, upper)}`],
    ['GitHub token', `gh${'p_'}${madeUp(36)}`],
    ['GitHub token', `gh${'s_'}${'a'.repeat(36)}`],
    ['GitHub token', `github${'_pat_'}${madeUp(22)}_${madeUp(59)}`],
    ['GitLab token', `gl${'pat-'}${madeUp(20)}`],
    ['Slack token', `xo${'xb-'}${madeUp(12, '0123456789')}-${madeUp(24)}`],
    ['Slack webhook', `https://hooks.sl${'ack.com'}/services/T${madeUp(8, upper)}/B${madeUp(8, upper)}/${madeUp(24)}`],
    ['Stripe key', `sk${'_live_'}${madeUp(24)}`],
    ['Google API key', `AI${'za'}${madeUp(35)}`],
    ['Google token', `GOC${'SPX-'}${madeUp(28)}`],
    ['Anthropic key', `sk${'-ant-'}api03-${madeUp(93)}AA`],
    ['OpenAI key', `sk${'-proj-'}${madeUp(48)}`],
    ['OpenAI key', `sk${'-'}${madeUp(48)}`],
    ['Hugging Face token', `h${'f_'}${madeUp(34)}`],
    ['npm token', `np${'m_'}${madeUp(36)}`],
    ['PyPI token', `py${'pi-'}AgEIcHlwaS5vcmc${madeUp(60)}`],
    ['SendGrid key', `S${'G.'}${madeUp(22)}.${madeUp(43)}`],
    ['Telegram bot token', `${madeUp(9, '123456789')}:A${'A'}${madeUp(33)}`],
    ['DigitalOcean token', `do${'p_v1_'}${madeUp(64, hex)}`],
    ['Vault token', `hv${'s.'}${madeUp(24)}`],
    ['Shopify token', `shp${'at_'}${madeUp(32, hex)}`],
    ['Loci token', `lo${'ci_'}${madeUp(43)}`],
    ['CI token', `CCI${'PAT_'}${madeUp(22)}_${madeUp(40, hex)}`],
    ['Pulumi token', `pu${'l-'}${madeUp(40, hex)}`],
    ['Square token', `sq0${'atp-'}${madeUp(22)}`],
    ['Dynatrace token', `dt0${'c01.'}${madeUp(24, upper)}.${madeUp(64, upper)}`],
    ['Sourcegraph token', `sg${'p_'}${madeUp(40, hex)}`],
    ['Alibaba key', `LT${'AI'}${madeUp(20)}`],
    ['JFrog token', `AK${'Cp'}${madeUp(69)}`],
    ['age key', `AGE-SEC${'RET-KEY-1'}${madeUp(58, upper)}`],
    ...madeUpServiceTokens(),
    ['JSON Web Token', `${part('{"alg":"HS256"}')}.${part('{"sub":"1234567890"}')}.${madeUp(43)}`],
    ['private key', keyBlock(`RSA PRIV${'ATE KEY'}`)],
    ['private key', keyBlock(`PRIV${'ATE KEY'}`, 1)],
    ['private key', keyBlock(`OPENSSH PRIV${'ATE KEY'}`)],
    ['private key', keyBlock(`PGP PRIV${'ATE KEY BLOCK'}`)],
    ['private key', JSON.stringify(keyBlock(`EC PRIV${'ATE KEY'}`))],
    ['private key', `${dash}BEGIN RSA PRIV${'ATE KEY'}${dash}\nMIIEpAIBAAKCAQEA`],
    ['private key', keyBlock(`ENCRYPTED PRIV${'ATE KEY'}`).split('\n').slice(0, 3).join('\n')],
  ];
}

function madeUpServiceTokens(): [kind: string, token: string][] {
  const uuid = `${madeUp(8, hex)}-${madeUp(4, hex)}-${madeUp(4, hex)}-${madeUp(4, hex)}-${madeUp(12, hex)}`;
  const lower = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const digits = '0123456789';
  return [
    ['Slack token', `xo${'xd-'}${madeUp(60)}%2B${madeUp(20)}`],
    ['GitHub token', `gh${'s_'}12345_ey${'J'}${madeUp(30)}.ey${'J'}${madeUp(40)}.${madeUp(43)}`],
    ['GitLab token', `gl${'pat-'}${madeUp(27)}.01.${madeUp(9, lower)}`],
    ['service token', `li${'n_oauth_'}${madeUp(64, hex)}`],
    ['Atlassian token', `ATC${'TT3'}${madeUp(120)}`],
    ['private key', Buffer.from(keyBlock(`EC PRIV${'ATE KEY'}`)).toString('base64')],
    ['Discord bot token', `MT${'I5'}${madeUp(22)}.${madeUp(6)}.${madeUp(38)}`],
    ['model provider key', `s${'k_'}${madeUp(48, hex)}`],
    ['model provider key', `s${'k-lf-'}${uuid}`],
    ['model provider key', `p${'a-'}${madeUp(43)}`],
    ['agent service key', `pc${'sk_'}${madeUp(6)}_${madeUp(60)}`],
    ['agent service key', `f${'c-'}${madeUp(32, hex)}`],
    ['hosting token', `np${'g_'}7${madeUp(12)}`],
    ['hosting token', `rn${'d_'}7${madeUp(31)}`],
    ['work service token', `p${'k_'}${madeUp(8, digits)}_${madeUp(32, upper)}`],
    ['work service token', `pa${'t-na1-'}${uuid}`],
    ['work service token', `s${'l.'}u.${madeUp(140)}`],
    ['payment key', `access${'-production-'}${uuid}`],
    ['package registry token', `ci${'o7'}${madeUp(31)}`],
    ['mail service key', `r${'e_'}${madeUp(8)}_7${madeUp(23)}`],
    ['mail service key', `${madeUp(32, hex)}-u${'s12'}`],
    ['monitoring or CI token', `sq${'p_'}${madeUp(40, hex)}`],
    ['wallet key', `xp${'rv'}${madeUp(107, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')}`],
  ];
}

/** Secrets that their surroundings give away: the whole text, and the part that may not be kept. */
export function madeUpContexts(): [text: string, secret: string][] {
  const random = madeUp(32);
  const word = `hun${'ter2'}`;
  const noDigit = madeUp(43, base62.slice(0, 52));
  const aws = `wJalrXUtnFEMI/K7MDENG/bPxRfiCY${'EXAMPLEKEY'}`;
  const basic = Buffer.from(`deploy:${word}`).toString('base64');
  return [
    [`password = ${word}`, word],
    [`The password: ${word}.`, word],
    [`DB_PASSWORD=${word}`, word],
    [`export DB_PASSWORD="sword${'fish'}"`, `sword${'fish'}`],
    [`{"user":"app","password":"${word}"}`, word],
    [`{\\"password\\":\\"${word}\\"}`, word],
    [`password: str = "${word}"`, word],
    [`passphrase: 'correct horse battery ${'staple'}'`, `correct horse battery ${'staple'}`],
    [`the admin password is ${word}, change it`, word],
    [`My password is: ${word}`, word],
    [`the password for the staging db was ${word}`, word],
    [`The API key for billing is ${random}`, random],
    [`machine example.org login deploy password ${word}`, word],
    [`export API_KEY=${random}`, random],
    [`export API_KEY=abcdefgh${'ijkl'}`, `abcdefgh${'ijkl'}`],
    [`api_key: ${random}`, random],
    [`apiKey: "abc123${'def456'}"`, `abc123${'def456'}`],
    [`X-API-Key: ${random}`, random],
    [`client_secret=${random}&grant_type=x`, random],
    [`aws_secret_access_key = ${aws}`, aws],
    [`AWS_SECRET_ACCESS_KEY=${aws}`, aws],
    [`//registry.example.org/:_authToken=${random}`, random],
    [`SECRET_KEY_BASE=${madeUp(64, hex)}`, madeUp(64, hex)],
    [`deploy --token ${random} --force`, random],
    [`deploy --password ${word}`, word],
    [`curl -u deploy:${word} https://example.org`, word],
    [`Authorization: Bearer ${random}`, random],
    [`curl -H "Authorization: Bearer ${random}" https://example.org`, random],
    [`Authorization: Basic ${basic}`, basic],
    [`postgres://app:${word}@db.example.org:5432/shop`, word],
    [`mongodb+srv://app:${word}@cluster.example.org/shop`, word],
    [`redis://:${word}@cache.example.org:6379/0`, word],
    [`https://me:${random}@git.example.org/acme/shop.git`, random],
    [`Server=db;Database=shop;User Id=app;Password=${word};`, word],
    [`DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${madeUp(86)}==`, madeUp(86)],
    [`Cookie: session=${madeUp(40)}`, madeUp(40)],
    [`DB_PASS=${word}`, word],
    [`auth: { user: 'me', pass: '${word}' }`, word],
    [`pw: ${word}`, word],
    [`the pass is ${word}`, word],
    [`user/pass: admin/${word}`, word],
    [`**Password**: ${word}`, word],
    [`*token:* \`${random}\``, random],
    [`| user | admin |\n| password | ${word} |`, word],
    [`password\t${word}`, word],
    [`Username\nadmin\nPassword\n${word}`, word],
    [`password → ${word}`, word],
    [`<password>${word}</password>`, word],
    [`<add key="DbPassword" value="${word}"/>`, word],
    [`env:\n  - name: API_KEY\n    value: abc123${'def456'}`, `abc123${'def456'}`],
    [`[{"name": "DB_PASSWORD", "value": "${word}"}]`, word],
    [`API_KEY: abc123${'def456'}`, `abc123${'def456'}`],
    [`ENV API_KEY abc123${'def456'}`, `abc123${'def456'}`],
    [`CREATE USER app IDENTIFIED BY '${word}'`, word],
    [`ALTER ROLE app WITH PASSWORD '${word}'`, word],
    [`requirepass ${word}`, word],
    [`app:${word}@tcp(db:3306)/shop`, word],
    [`redis-cli -h cache -a ${word} ping`, word],
    [`docker login -u me -p ${word} registry.example.org`, word],
    [`openssl rsa -in key.pem -passin pass:${word}`, word],
    [`tool --pass ${word}`, word],
    [`Passwort: ${word}`, word],
    [`Das Passwort lautet ${word}`, word],
    [`la contraseña es ${word}`, word],
    [`mot de passe : ${word}`, word],
    [`пароль: ${word}`, word],
    [`密码：${word}`, word],
    [`密码是${word}`, word],
    [`パスワードは ${word}`, word],
    [`pass\u200Bword: ${word}`, word],
    [`password:\u00A0${word}`, word],
    [`https://x.example.org/c?sv=2024&sig=${madeUp(43)}%3D`, `${madeUp(43)}%3D`],
    [`Cookie: JSESSIONID=${madeUp(32, upper)}`, madeUp(32, upper)],
    [`X-Vault-Token: s.${madeUp(24)}`, madeUp(24)],
    [`{"kty":"OKP","x":"abc","d":"${madeUp(43)}"}`, madeUp(43)],
    [`PresharedKey = ${madeUp(43)}=`, `${madeUp(43)}=`],
    [`PrivateKey = ${noDigit}=`, `${noDigit}=`],
    [`seed phrase: ${'apple river stone '.repeat(4).trim()}`, `${'apple river stone '.repeat(4).trim()}`],
  ];
}
