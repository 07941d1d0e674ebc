// Bytes of files as they are, over HTTP: the same doors, limits and rights as the JSON operations. And bodies of documents, small to large.
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { implement } from '#daemon/kernel/operation.ts';
import { getFile, updateFile } from '#shared/contract/knowledge/files.ts';
import { openHttpSurface, type Send, sendTo } from '../../support/http-surface.ts';
import { startTestDaemon, type TestDaemon } from '../../support/test-daemon.ts';

const send = (daemon: TestDaemon, what: Send) => sendTo({ socketPath: daemon.paths.httpSocket }, what);
const makeFile = (daemon: TestDaemon, more: object = {}) =>
  send(daemon, {
    method: 'POST',
    path: '/api/v1/files',
    body: { filename: "it's (1).png", description: 'd', mime_type: 'image/png', data: '', ...more },
  });

function download(daemon: TestDaemon, path: string): Promise<{ bytes: Buffer; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    request({ socketPath: daemon.paths.httpSocket, path, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ bytes: Buffer.concat(chunks), headers: response.headers }));
    })
      .on('error', reject)
      .end();
  });
}

describe('PUT and GET /api/v1/files/:id/content', () => {
  it('K120 carry up to 10 MB of any bytes there and back, and one byte more is refused and changes nothing', async () => {
    const daemon = await startTestDaemon();
    expect((await makeFile(daemon)).status).toBe(201);
    const bytes = randomBytes(10 * 2 ** 20);
    const put = (body: Uint8Array) => send(daemon, { method: 'PUT', path: '/api/v1/files/1/content', body });
    const stored = await put(bytes);
    expect([stored.status, stored.json.size_bytes, stored.json.data]).toEqual([200, bytes.length, undefined]);
    const back = await download(daemon, '/api/v1/files/1/content');
    expect(back.bytes.equals(bytes)).toBe(true);
    expect(back.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'content-disposition': "attachment; filename*=UTF-8''it%27s%20%281%29.png",
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    const whole = await send(daemon, { path: '/api/v1/files/1' });
    expect(whole.json.data).toBe(bytes.toString('base64'));
    const larger = await put(randomBytes(10 * 2 ** 20 + 1));
    expect([larger.status, larger.json.code]).toEqual([413, 'payload_too_large']);
    const asJson = await send(daemon, {
      method: 'PATCH',
      path: '/api/v1/files/1',
      body: { data: Buffer.alloc(10 * 2 ** 20 + 1).toString('base64') },
    });
    expect([asJson.status, asJson.json.code, asJson.json.details]).toMatchObject([
      400,
      'invalid_input',
      { data: expect.any(String) },
    ]);
    expect((await send(daemon, { path: '/api/v1/files/1' })).json.data).toBe(bytes.toString('base64'));
  });

  it('answer not_found for a file that is not there, 400 for an id that is none, and 401 without a token', async () => {
    const daemon = await startTestDaemon();
    for (const method of ['GET', 'PUT']) {
      expect((await send(daemon, { method, path: '/api/v1/files/9/content', body: 'x' })).status).toBe(404);
      expect((await send(daemon, { method, path: '/api/v1/files/x/content', body: 'x' })).status).toBe(400);
      const overTcp = { host: '127.0.0.1', port: await daemon.port() };
      expect((await sendTo(overTcp, { method, path: '/api/v1/files/9/content', body: 'x' })).status).toBe(401);
    }
  });

  it('serve what a page could run only as a download, and a type that is no type as bytes', async () => {
    const daemon = await startTestDaemon();
    await makeFile(daemon, {
      mime_type: 'text/html',
      data: Buffer.from('<script>alert(1)</script>').toString('base64'),
    });
    await makeFile(daemon, { mime_type: 'text/html\r\nset-cookie: a=b', filename: 'ü\n.txt' });
    const html = await download(daemon, '/api/v1/files/1/content');
    expect(html.headers['content-disposition']).toMatch(/^attachment/);
    const odd = await download(daemon, '/api/v1/files/2/content');
    expect(odd.headers).toMatchObject({ 'content-type': 'application/octet-stream' });
    expect(odd.headers['set-cookie']).toBeUndefined();
    expect(odd.headers['content-disposition']).toBe("attachment; filename*=UTF-8''%C3%BC%0A.txt");
  });

  it('need the rights of get_file and update_file', async () => {
    let asked: unknown = null;
    const file = { id: 1, file_id: 1, filename: 'f', description: '', mime_type: 'a/b', size_bytes: 1, tags: [] };
    const rest = { project_id: null, created_at: '', updated_at: '' };
    const provenance = { source_repo: null, source_files: [], source_url: null, confidence: null };
    const agent = {
      encoding_agent: null,
      encoding_version: null,
      agent_id: null,
      agent_version: null,
      agent_model: null,
    };
    const whole = { ...file, ...rest, ...provenance, ...agent };
    const surface = await openHttpSurface(
      [
        implement(getFile, async () => ({ ...whole, data: 'aGk=' })),
        implement(updateFile, async (input) => {
          asked = input;
          return whole;
        }),
      ],
      { callerOf: () => ({ userId: 1, scopes: ['read:files'] }) },
    );
    const path = '/api/v1/files/1/content';
    expect((await surface.sendTcp({ path })).text).toBe('hi');
    const refused = await surface.sendTcp({
      method: 'PUT',
      path,
      body: 'hi',
      headers: { 'content-type': 'text/plain' },
    });
    expect([refused.status, refused.json.code, asked]).toEqual([403, 'forbidden', null]);
    expect((await surface.send({ method: 'PUT', path, body: 'hi' })).status).toBe(200);
    expect(asked).toEqual({ id: 1, data: 'aGk=' });
  });
});

describe('B14 bodies of documents', () => {
  it('what is no JSON object is refused as such, and the next call is answered', async () => {
    const daemon = await startTestDaemon();
    for (const body of ['{"title":"x",', '', '[]', '['.repeat(10_000)]) {
      const { status, json, text } = await send(daemon, { method: 'POST', path: '/api/v1/documents', body });
      expect([status, json.code], body.slice(0, 20)).toEqual([400, 'invalid_input']);
      expect(text).not.toMatch(/node_modules|\.ts:|position \d/);
    }
    const large = await send(daemon, { method: 'POST', path: '/api/v1/documents', body: 'x'.repeat(20 * 2 ** 20) });
    expect(large.status).toBe(413);
    const overTcp = { host: '127.0.0.1', port: await daemon.port() };
    const headers = { authorization: `Bearer ${daemon.token}`, 'content-type': 'text/plain' };
    const typed = await sendTo(overTcp, { method: 'POST', path: '/api/v1/documents', headers, body: '{}' });
    expect(typed.status).toBe(415);
    expect((await send(daemon, { path: '/api/v1/documents' })).json).toMatchObject({ documents: [], total: 0 });
  });

  it('a document of 5 MB is stored and comes back whole; one byte more is refused, naming the limit', async () => {
    const daemon = await startTestDaemon();
    const line = 'Jede Bestellung wird zehn Jahre aufbewahrt, 🦊 inklusive.\n';
    const content = line.repeat(Math.floor((5 * 2 ** 20) / Buffer.byteLength(line)));
    const filled = content + 'x'.repeat(5 * 2 ** 20 - Buffer.byteLength(content));
    const post = (text: string) =>
      send(daemon, { method: 'POST', path: '/api/v1/documents', body: { title: 'Large', content: text } });
    const stored = await post(filled);
    expect([stored.status, stored.json.size_bytes]).toEqual([201, 5 * 2 ** 20]);
    expect((await send(daemon, { path: '/api/v1/documents/1' })).json.content === filled).toBe(true);
    const refused = await post(`${filled}x`);
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringMatching(/5242880 bytes/)]);
    expect((await send(daemon, { path: '/api/v1/documents' })).json).toMatchObject({ total: 1 });
  });
});
