// TCP with a certificate, and TCP that others reach. The certificate is made by openssl, which every system of ours has.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../support/temp-folder.ts';
import { startTestDaemon } from '../../support/test-daemon.ts';

function makeCertificate(): { cert: string; key: string } {
  const folder = tempFolder();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=loci.test', '-addext', 'subjectAltName=DNS:loci.test,DNS:*.wild.test,IP:127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-x509', '-days', '2'];
  execFileSync('openssl', ['req', ...curve, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
  return { cert, key };
}

type Asked = { readonly host: string; readonly port: number; readonly hostHeader: string; readonly ca?: Buffer };

function statusOf({ host, port, hostHeader, ca }: Asked): Promise<number | string> {
  return new Promise((resolve) => {
    const options = { host, port, path: '/', headers: { host: hostHeader }, agent: false as const };
    const sent = ca === undefined ? httpRequest(options) : httpsRequest({ ...options, ca, servername: 'loci.test' });
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    sent.end();
  });
}

describe('TCP with a certificate', () => {
  it('speaks TLS and nothing else, under loopback and the names of the certificate', async () => {
    const { cert, key } = makeCertificate();
    const daemon = await startTestDaemon({ env: { LOCI_HTTP_TLS_CERT: cert, LOCI_HTTP_TLS_KEY: key } });
    const port = await daemon.port();
    const ca = readFileSync(cert);
    const ask = (hostHeader: string) => statusOf({ host: '127.0.0.1', port, hostHeader, ca });
    expect(await ask(`127.0.0.1:${port}`)).toBe(200);
    expect(await ask(`loci.test:${port}`)).toBe(200);
    expect(await ask(`attacker.test:${port}`)).toBe(403);
    expect(await ask(`x.wild.test:${port}`)).toBe(403);
    expect(await statusOf({ host: '127.0.0.1', port, hostHeader: `127.0.0.1:${port}` })).not.toBe(200);
  });

  it('that cannot be used ends the start: there is no falling back to plain HTTP', async () => {
    const { cert, key } = makeCertificate();
    const other = makeCertificate();
    const nonsense = join(tempFolder(), 'x.pem');
    writeFileSync(nonsense, 'no certificate');
    for (const [LOCI_HTTP_TLS_CERT, LOCI_HTTP_TLS_KEY] of [
      [cert, other.key],
      [nonsense, key],
      [join(tempFolder(), 'absent.pem'), key],
    ] as const) {
      await expect(startTestDaemon({ env: { LOCI_HTTP_TLS_CERT, LOCI_HTTP_TLS_KEY } })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
  });
});

it('TCP that others reach answers under its address and refuses a name that was bound to it (B67)', async () => {
  const daemon = await startTestDaemon({ env: { LOCI_HTTP_HOST: '0.0.0.0', LOCI_HTTP_ALLOW_INSECURE_REMOTE: 'true' } });
  const port = await daemon.port();
  const ask = (hostHeader: string) => statusOf({ host: '127.0.0.2', port, hostHeader });
  expect(await ask(`127.0.0.2:${port}`)).toBe(200);
  expect(await ask(`attacker.test:${port}`)).toBe(403);
  expect(await ask(`127.0.0.3:${port}`)).toBe(403);
});

describe('behind a reverse proxy', () => {
  it('answers under the names that `http.allowed_hosts` lists, as they stand there, and under no other', async () => {
    const daemon = await startTestDaemon({
      env: { LOCI_HTTP_ALLOWED_HOSTS: 'loci.example.org, other.example.org:8443' },
    });
    const port = await daemon.port();
    const ask = (hostHeader: string) => statusOf({ host: '127.0.0.1', port, hostHeader });
    expect(await ask('Loci.Example.org')).toBe(200);
    expect(await ask('other.example.org:8443')).toBe(200);
    expect(await ask(`127.0.0.1:${port}`)).toBe(200);
    for (const name of ['other.example.org', 'x.loci.example.org', 'example.org', 'loci.example.org.attacker.test'])
      expect(await ask(name)).toBe(403);
  });

  it('admits pages of that name by https alone, and still asks everybody for a token', async () => {
    const daemon = await startTestDaemon({ env: { LOCI_HTTP_ALLOWED_HOSTS: 'loci.example.org' } });
    const port = await daemon.port();
    const status = (headers: Record<string, string>): Promise<number> =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path: '/operations/memory_sync', method: 'POST' };
        const sent = httpRequest({ ...options, headers: { host: 'loci.example.org', ...headers }, agent: false });
        sent.on('response', (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        sent.on('error', reject);
        sent.end('{}');
      });
    expect(await status({})).toBe(401);
    expect(await status({ origin: 'https://loci.example.org' })).toBe(401);
    expect(await status({ origin: 'http://loci.example.org' })).toBe(403);
    expect(await status({ origin: `http://127.0.0.1:${port}` })).toBe(403);
    expect(await status({ origin: 'https://attacker.test' })).toBe(403);
  });
});
