// Under which names and with which certificate TCP is reached. On loopback under those of loopback alone; elsewhere under the machine's own
// name, the names of the certificate, and the address itself. A certificate that cannot be read ends the start: falling back to plain HTTP
// would send every token in the clear.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { LociError } from '#shared/errors.ts';
import { isLoopback } from '#shared/read-settings.ts';
import type { SettingValues } from '#shared/settings.ts';

export type TcpAccess = {
  readonly allowedHosts: readonly string[];
  /** Whole values of `Host`, as a proxy in front passes them on; pages come from there by https alone. */
  readonly publicHosts: readonly string[];
  readonly isRemote: boolean;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
};

type TcpSettings = Pick<SettingValues, 'http.host' | 'http.allowed_hosts' | 'http.tls_cert' | 'http.tls_key'>;

/** Throws `invalid_input` for a certificate or key that cannot be used. */
export function readTcpAccess(settings: TcpSettings): TcpAccess {
  const host = settings['http.host'];
  const isRemote = !isLoopback(host);
  const publicHosts = (settings['http.allowed_hosts'] ?? '')
    .split(',')
    .flatMap((name) => name.trim().toLowerCase() || []);
  const { 'http.tls_cert': certFile, 'http.tls_key': keyFile } = settings;
  if (certFile === null || keyFile === null) {
    return { isRemote, publicHosts, tls: null, allowedHosts: isRemote ? [host, hostname()] : [] };
  }
  const cert = read('http.tls_cert', certFile);
  const key = read('http.tls_key', keyFile);
  const names = namesOf(cert, key);
  const allowedHosts = isRemote ? [...names, host, hostname()] : names;
  return { isRemote, publicHosts, tls: { cert, key }, allowedHosts };
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new LociError('invalid_input', `\`${setting}\` cannot be read (${code ?? 'unknown error'}): ${file}.`);
  }
}

/** The DNS names that a certificate is good for, wildcards left out. */
function namesOf(cert: Buffer, key: Buffer): string[] {
  try {
    const certificate = new X509Certificate(cert);
    if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new Error('not a pair');
    const names = [...(certificate.subjectAltName ?? '').matchAll(/DNS:([^,\s]+)/g)].map(([, name = '']) => name);
    return names.filter((name) => !name.includes('*'));
  } catch {
    throw new LociError(
      'invalid_input',
      '`http.tls_cert` and `http.tls_key` must be a certificate and its key, in PEM.',
    );
  }
}
