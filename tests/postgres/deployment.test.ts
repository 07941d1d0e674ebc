// The files of service-units/team at work: two daemons by the unit's own command and environment on one database, behind nginx with TLS by
// the files that are delivered. Only ports, folders and the certificate are this test's own.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { endProcess, type Home, homeIn, pidOf, untilUp } from '../support/daemon-process.ts';
import { findNginx, startNginx, testNginx } from '../support/nginx.ts';
import { runSql, startCluster } from '../support/postgres/cluster.ts';
import { connectTo, locid } from '../support/real-daemon.ts';
import { unitCommand, unitValues } from '../support/service-manager.ts';
import { root } from '../support/source-tree.ts';
import { tempFolder } from '../support/temp-folder.ts';

const files = join(root, 'service-units', 'team');
const read = (name: string): string => readFileSync(join(files, name), 'utf8');
const name = 'loci.example.org';

type Reply = { readonly status: number; readonly body: string };

it('two daemons by their unit behind nginx: a token for every call, events and MCP as they come, and one that dies is passed over', {
  timeout: 120_000,
}, async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  await runSql(cluster.url('postgres'), 'CREATE DATABASE team');
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const homes = ports.slice(0, 2).map((port) => startByUnit(port, cluster.url('team')));
  for (const home of homes) await untilUp(home, null, 30_000);
  const owner = connectTo(homes[0] as Home);
  const { token } = (await owner.call('create_token', { name: 'through the proxy' })) as { token: string };

  const program = findNginx();
  if (program === null) {
    // without nginx its files are read all the same: what makes a stream pass must stand there
    console.warn('not run: calls through nginx (it is not installed, and its package could not be had)');
    expect(read('nginx-server.conf')).toMatch(/proxy_buffering off;[\s\S]*proxy_request_buffering off;/);
    return;
  }
  const { ca, config, folder } = proxyFiles(ports);
  testNginx(program, config, folder);
  startNginx(program, config, folder);
  const send = (options: SendOptions): Promise<Reply> => sendOver({ port: ports[2], ca, ...options });
  const bearer = { authorization: `Bearer ${token}` };

  await expect
    .poll(
      () =>
        send({ path: '/health' }).then(
          ({ status }) => status,
          () => null,
        ),
      { timeout: 10_000 },
    )
    .toBe(200);
  expect((await send({ path: '/operations/memory_sync', body: {} })).status).toBe(401);
  expect(
    (await send({ path: '/operations/memory_sync', body: {}, headers: { ...bearer, origin: 'https://attacker.test' } }))
      .status,
  ).toBe(403);
  const events = await openEvents(ports[2], ca, bearer);
  expect(events.text()).not.toContain('memory');
  const saved = await send({
    path: '/operations/memory_save',
    body: { content: 'The harbour crane is serviced in May.' },
    headers: bearer,
  });
  expect(saved.status).toBe(201);
  await expect.poll(events.text, { timeout: 5_000 }).toContain('memory');
  const initialised = await send({
    path: '/mcp',
    headers: { ...bearer, accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
  });
  expect(initialised.body).toContain('"serverInfo"');

  // whichever of the two serves this token: both are ended once, and the proxy goes on each time
  for (const home of homes) {
    await endProcess(await pidOf(home));
    const found = await send({ path: '/operations/memory_search', body: { query: 'harbour crane' }, headers: bearer });
    expect(found).toMatchObject({ status: 200 });
    expect(found.body).toContain('serviced in May');
    startAgain(home);
    await untilUp(home, null, 30_000);
    await sleep(2_500); // until nginx tries it again
  }
});

const started = new WeakMap<Home, () => void>();

/** A daemon by the command and the environment of the unit, in a home of this test. */
function startByUnit(port: number, url: string): Home {
  const unit = read('locid@.service');
  const home = homeIn(tempFolder(), { LOCI_NO_AUTOSTART: '1' });
  const fromUnit = unitValues(unit.replaceAll('%i', String(port)), 'Environment', { h: '', t: '' }).flatMap((line) =>
    line.split(' '),
  );
  const env = {
    PATH: process.env.PATH,
    ...Object.fromEntries(fromUnit.map((assignment) => assignment.split(/=(.*)/s).slice(0, 2))),
    LOCI_HOME: home.folder,
    LOCI_STORAGE_URL: url,
    LOCI_HTTP_ALLOWED_HOSTS: name,
  };
  const [, ...flags] = unitCommand(unit, { h: '', t: '' }).slice(0, -1);
  const start = (): void => {
    const child = spawn(process.execPath, [...flags, locid], { env, cwd: '/', stdio: 'ignore' });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await exited;
    });
  };
  started.set(home, start);
  start();
  return home;
}

function startAgain(home: Home): void {
  started.get(home)?.();
}

/** The delivered files with this test's ports and a certificate for the name. */
function proxyFiles([one, other, proxy]: readonly [number, number, number]): {
  ca: Buffer;
  config: string;
  folder: string;
} {
  const folder = tempFolder();
  mkdirSync(join(folder, 'logs'));
  const [pem, key] = [join(folder, 'loci.pem'), join(folder, 'loci.key')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-x509', '-days', '2'];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  execFileSync('openssl', ['req', ...curve, '-keyout', key, '-out', pem, ...subject], { stdio: 'ignore' });
  const upstream = read('nginx-upstream.conf').replace(':3457', `:${one}`).replace(':3458', `:${other}`);
  const server = read('nginx-server.conf')
    .replace('listen 443 ssl', `listen 127.0.0.1:${proxy} ssl`)
    .replace('/etc/nginx/tls/loci.pem', pem)
    .replace('/etc/nginx/tls/loci.key', key);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${temporary.join(' ')} ${upstream} ${server} }`,
  );
  return { ca: readFileSync(pem), config, folder };
}

type SendOptions = { readonly path: string; readonly body?: object; readonly headers?: Record<string, string> };

function sendOver({ port, ca, path, body, headers = {} }: SendOptions & { port: number; ca: Buffer }): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        ca,
        servername: name,
        agent: false,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host: name, 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The stream of events through the proxy; resolves when its head has come. */
async function openEvents(port: number, ca: Buffer, headers: Record<string, string>): Promise<{ text: () => string }> {
  const options = { host: '127.0.0.1', port, path: '/events', ca, servername: name, agent: false as const };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ ...options, headers: { host: name, ...headers } }, resolve)
      .on('error', reject)
      .end();
  });
  let text = '';
  response.on('error', () => undefined);
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  onTestFinished(() => void response.destroy());
  return { text: () => text };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
