// The bytes of moving out and in over a daemon's sockets: rights, limits and order, and a daemon on another machine.
import { mkdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maxPartBytes } from '#shared/contract/transfer.ts';
import { type Send, sendTo } from '../../support/http-surface.ts';
import { programEnv, runLoci } from '../../support/run-program.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { startTestDaemon, type TestDaemon } from '../../support/test-daemon.ts';

const send = (daemon: TestDaemon, what: Send) => sendTo({ socketPath: daemon.paths.httpSocket }, what);
const begin = async (daemon: TestDaemon): Promise<string> =>
  String((await send(daemon, { method: 'POST', path: '/api/v1/imports', body: {} })).json.import_id);

/** The lines of an export, which are no one JSON document. */
async function exported(daemon: TestDaemon): Promise<{ type: unknown; lines: string[] }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath: daemon.paths.httpSocket, path: '/api/v1/export', agent: false }, resolve)
      .on('error', reject)
      .end();
  });
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { type: answer.headers['content-type'], lines: text.trim().split('\n') };
}

describe('PUT /api/v1/imports/:import_id/content', () => {
  it('takes parts in order, the same part again, and nothing that leaves a gap, is too large or belongs to no import', async () => {
    const daemon = await startTestDaemon();
    const id = await begin(daemon);
    const put = (query: string, body: Uint8Array) =>
      send(daemon, { method: 'PUT', path: `/api/v1/imports/${id}/content${query}`, body });
    expect((await put('?offset=0', Buffer.from('abc'))).json).toEqual({ received_bytes: 3 });
    expect((await put('?offset=3', Buffer.from('def'))).json).toEqual({ received_bytes: 6 });
    expect((await put('?offset=3', Buffer.from('def'))).json).toEqual({ received_bytes: 6 });
    const gap = await put('?offset=7', Buffer.from('x'));
    expect([gap.status, gap.json.details]).toEqual([400, { offset: expect.stringContaining('6 bytes are here') }]);
    expect((await put('?offset=-1', Buffer.from('x'))).status).toBe(400);
    expect((await put('?offset=0&file=../../etc', Buffer.from('x'))).status).toBe(400);
    expect((await put('?offset=6', Buffer.alloc(maxPartBytes + 1))).status).toBe(413);
    const status = await send(daemon, { path: `/api/v1/imports/${id}` });
    expect(status.json).toMatchObject({ state: 'uploading', received_bytes: 6 });
    for (const other of ['none', '..%2F..%2Floci', encodeURIComponent(`${id}/x`)]) {
      const path = `/api/v1/imports/${other}/content?offset=0`;
      expect((await send(daemon, { method: 'PUT', path, body: Buffer.from('x') })).status).toBe(404);
    }
    await send(daemon, { method: 'POST', path: `/api/v1/imports/${id}/run`, body: {} });
    await expect
      .poll(async () => (await send(daemon, { path: `/api/v1/imports/${id}` })).json.state, { timeout: 30_000 })
      .toBe('failed');
    expect((await put('?offset=6', Buffer.from('late'))).status).toBe(409);
  });
});

describe('GET /api/v1/export', () => {
  it('streams lines of JSON to who may read everything, and refuses a query that it does not know', async () => {
    const daemon = await startTestDaemon();
    await send(daemon, { method: 'POST', path: '/memories', body: { content: 'one', project: 'it is' } });
    const { type, lines } = await exported(daemon);
    expect(type).toBe('application/x-ndjson; charset=utf-8');
    const kinds = lines.map((line) => JSON.parse(line).kind);
    expect(kinds).toEqual(['loci_export', 'project', 'memory']);
    const unknown = await send(daemon, { path: '/api/v1/export?include_obsolet=true' });
    expect([unknown.status, unknown.json.message]).toEqual([400, expect.stringContaining('include_obsolete')]);
    const nowhere = await send(daemon, { path: '/api/v1/export?project=nowhere' });
    expect([nowhere.status, nowhere.headers['content-type']]).toEqual([404, expect.stringContaining('problem+json')]);
    const host = { host: '127.0.0.1', port: await daemon.port() };
    for (const [method, path] of [
      ['GET', '/api/v1/export'],
      ['PUT', '/api/v1/imports/x/content'],
    ] as const) {
      const refused = await sendTo(host, { method, path, headers: { host: `127.0.0.1:${host.port}` } });
      expect([method, refused.status]).toEqual([method, 401]);
    }
  });

  it('and an import go through a daemon on another machine: the client reads its own files', async () => {
    const [here, there] = [await startTestDaemon(), await startTestDaemon()];
    const folder = tempFolder();
    const file = join(folder, 'out.jsonl');
    await send(here, { method: 'POST', path: '/memories', body: { content: 'carried over' } });
    const local = programEnv(here.home);
    expect(await runLoci(['export', file], { env: local, cwd: '/' })).toMatchObject({ code: 0 });
    const server = ['--server', `http://127.0.0.1:${await there.port()}`];
    const remote = programEnv(folder, { LOCI_TOKEN: there.token });
    const carried = await runLoci(['import', file, ...server], { env: remote, cwd: '/' });
    expect(carried).toMatchObject({ code: 0, stdout: 'Imported 1 memory from loci.\n' });
    const back = await runLoci(['export', '-', '--quiet', ...server], { env: remote, cwd: '/' });
    expect(back.stdout).toContain('carried over');
    // folders of this machine mean nothing there, whatever project a folder of that path may be of
    const [work, memory] = [join(folder, 'work'), join(folder, 'projects', '-work', 'memory')];
    for (const made of [work, memory]) mkdirSync(made, { recursive: true });
    writeFileSync(join(work, '.loci.toml'), 'project = "of this machine"');
    writeFileSync(join(memory, '..', 's.jsonl'), JSON.stringify({ cwd: work }));
    writeFileSync(join(memory, 'a.md'), '---\nname: a\ndescription: d\ntype: user\n---\nBrief.');
    const notes = await runLoci(['import', join(folder, 'projects'), ...server], { env: remote, cwd: '/' });
    expect(notes).toMatchObject({ code: 0, stdout: 'Imported 1 memory from claude-code.\n' });
    writeFileSync(file, '');
    const empty = await runLoci(['import', file, ...server], { env: remote, cwd: '/' });
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringMatching(/The file is empty/) });
  });
});
