import { describe, expect, it } from 'vitest';
import { rawRoutes } from '#daemon/http/raw-routes.ts';
import { LociError } from '#shared/errors.ts';
import { version } from '#shared/version.ts';
import { openHttpSurface } from '../../support/http-surface.ts';
import { noteOperations } from '../../support/note-operations.ts';

describe('hand-written routes', () => {
  it('are counted: a new one is a decision, not a habit', () => {
    const paths = rawRoutes({ contracts: [], version } as never).map(({ methods, path }) => `${methods} ${path}`);
    expect(paths).toEqual([
      'GET /',
      'GET /page.js',
      'GET /graph.js',
      'GET /layout.js',
      'GET /page.css',
      'GET /icon.svg',
      'POST /page/session',
      'GET /page/session',
      'DELETE /page/session',
      'GET /health',
      'GET /api/v1',
      'GET /api/v1/health',
      'GET /api/v1/capabilities',
      'GET /daemon',
      'POST /daemon/stop',
      'GET /memories/instructions',
      'GET,POST,DELETE /mcp',
      'GET /api/v1/files/:id/content',
      'PUT /api/v1/files/:id/content',
      'GET /api/v1/export',
      'PUT /api/v1/imports/:import_id/content',
      'GET /events',
      'GET /api/v1/activity/stream',
      'GET /metrics',
      'GET /openapi.json',
      'GET /docs',
    ]);
  });

  it.each([
    ['ok', 200, 'healthy'],
    ['degraded', 200, 'degraded'],
    ['starting', 503, 'initialising'],
  ] as const)('health while %s', async (status, code, word) => {
    const surface = await openHttpSurface([], { health: () => status });
    const short = await surface.send({ path: '/health' });
    expect([short.status, short.json]).toEqual([code, { status }]);
    const long = await surface.send({ path: '/api/v1/health' });
    expect(long.status).toBe(code);
    expect(long.json).toEqual({ status: word, timestamp: expect.stringMatching(/Z$/), service: 'loci', version });
  });

  it('/daemon tells which process this is', async () => {
    const { json } = await (await openHttpSurface([])).send({ path: '/daemon' });
    expect(json).toEqual({ pid: process.pid, version, started_at: '2026-01-05T09:00:00.000Z' });
  });

  it('/daemon/stop stops from the socket alone, after its answer', async () => {
    let stops = 0;
    const requestStop = (): void => {
      stops += 1;
    };
    const surface = await openHttpSurface([], { requestStop });
    const overTcp = await surface.sendTcp({ method: 'POST', path: '/daemon/stop' });
    expect([overTcp.status, overTcp.json.code, stops]).toEqual([403, 'forbidden', 0]);
    const reply = await surface.send({ method: 'POST', path: '/daemon/stop' });
    expect([reply.status, reply.json.pid]).toEqual([202, process.pid]);
    await expect.poll(() => stops).toBe(1);
  });

  it('/api/v1 lists where to go on, /api/v1/capabilities what there is', async () => {
    const surface = await openHttpSurface(noteOperations([]));
    const index = await surface.send({ path: '/api/v1' });
    expect(index.json).toMatchObject({ service: 'loci', version, status: 'ok', docs: '/docs' });
    expect(index.json.endpoints).toEqual(['/notes', '/notes/:id', '/notes/break', '/notes/search']);
    const { json } = await surface.send({ path: '/api/v1/capabilities' });
    expect(json).toEqual({
      schema_version: 1,
      capabilities: { planning: false, skills: false, files: false, activity_stream: false },
    });
  });

  it('/memories/instructions is short markdown for an agent without MCP', async () => {
    const { headers, text } = await (await openHttpSurface([])).send({ path: '/memories/instructions' });
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(text.split('\n').length).toBeLessThanOrEqual(61);
    for (const word of [
      'loci sync',
      'loci search',
      'loci add',
      'loci checkpoint',
      'Idempotency-Key',
      'not',
      'secrets',
    ]) {
      expect(text).toContain(word);
    }
  });

  it('the page and its files are served without a token, under a policy that runs nothing of strangers', async () => {
    const surface = await openHttpSurface([]);
    const types = {
      '/': 'text/html',
      '/page.js': 'text/javascript',
      '/page.css': 'text/css',
      '/icon.svg': 'image/svg+xml',
    };
    for (const [path, type] of Object.entries(types)) {
      for (const reply of [
        await surface.send({ path }),
        await surface.sendTcp({ path, headers: { authorization: '' } }),
      ]) {
        expect([path, reply.status]).toEqual([path, 200]);
        expect(reply.headers['content-type']).toContain(type);
        const policy = String(reply.headers['content-security-policy']);
        expect(policy.split('; ')).toEqual([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "img-src 'self' data:",
          "connect-src 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
          "form-action 'none'",
        ]);
        expect(reply.headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
        });
      }
    }
    const { text } = await surface.send({ path: '/' });
    expect(text).toContain('long-term memory');
    expect(text).toMatch(/src="\/[\w-]+\.js"/);
    expect(text).toMatch(/href="\/[\w-]+\.css"/);
    expect(text).not.toMatch(/https?:\/\/|<style|<script(?![^>]*src=)/);
  });

  it('a path beside the list of the page is no file', async () => {
    const surface = await openHttpSurface([]);
    for (const path of ['/page.js.map', '/../package.json', '/index.html', '/assets/page.js']) {
      expect((await surface.send({ path })).status).toBe(404);
    }
  });
});

describe('/mcp', () => {
  it('hands the whole request and the caller to the handler', async () => {
    const surface = await openHttpSurface([], {
      mcpHandler: async (request, context) =>
        Response.json({
          method: request.method,
          body: await request.text(),
          session: request.headers.get('mcp-session-id'),
          transport: context.transport,
        }),
    });
    const headers = { 'mcp-session-id': 's' };
    const { json, headers: answered } = await surface.sendTcp({
      method: 'POST',
      path: '/mcp',
      body: { jsonrpc: '2.0' },
      headers,
    });
    expect(json).toEqual({ method: 'POST', body: '{"jsonrpc":"2.0"}', session: 's', transport: 'tcp' });
    expect(answered['loci-version']).toBe(version);
    expect((await surface.send({ path: '/mcp' })).json).toMatchObject({ method: 'GET', body: '' });
    const big = await surface.send({ method: 'POST', path: '/mcp', body: 'x'.repeat(17 * 2 ** 20) });
    expect(big.status).toBe(413);
  });

  it('without a handler it is unavailable', async () => {
    const { status, json } = await (await openHttpSurface([])).send({ method: 'POST', path: '/mcp', body: {} });
    expect([status, json.code]).toEqual([503, 'unavailable']);
  });

  it('a stream of the handler reaches the client piece by piece', async () => {
    let push = (_text: string): void => undefined;
    const surface = await openHttpSurface([], {
      mcpHandler: async () => {
        const body = new ReadableStream({
          start(controller) {
            push = (text) => controller.enqueue(new TextEncoder().encode(text));
          },
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    const response = await fetch(`http://127.0.0.1:${surface.port}/mcp`, {
      headers: { authorization: 'Bearer test-token-of-this-surface' },
    });
    const reader = response.body?.getReader();
    push('data: 1\n\n');
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
    push('data: 2\n\n');
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 2\n\n');
    await reader?.cancel();
  });
});

describe('while the daemon starts', () => {
  it('a call waits until the store is open; health, daemon and docs answer at once', async () => {
    let open = (): void => undefined;
    const ready = new Promise<void>((resolve) => {
      open = resolve;
    });
    const surface = await openHttpSurface(noteOperations([]), { ready: () => ready, health: () => 'starting' });
    const call = surface.send({ path: '/notes/search?q=x' });
    expect((await surface.send({ path: '/health' })).status).toBe(503);
    for (const path of ['/daemon', '/docs', '/openapi.json', '/metrics', '/memories/instructions', '/', '/api/v1']) {
      expect((await surface.send({ path })).status).toBe(200);
    }
    open();
    expect((await call).status).toBe(200);
  });

  it('a call that waited too long is told to come back', async () => {
    const surface = await openHttpSurface(noteOperations([]), {
      ready: () => new Promise(() => undefined),
      readyTimeoutMs: 20,
    });
    const { status, headers, json } = await surface.send({ path: '/notes/search?q=x' });
    expect([status, json.code, headers['retry-after']]).toEqual([503, 'unavailable', '5']);
  });

  it('a store that cannot be opened says why to every call', async () => {
    const ready = async (): Promise<void> => {
      throw new LociError('unavailable', 'The database is from a newer Loci: install 9.9.9 or later.');
    };
    const surface = await openHttpSurface(noteOperations([]), { ready });
    for (const path of ['/notes/search?q=x', '/notes/1']) {
      expect((await surface.send({ path })).json).toMatchObject({
        status: 503,
        message: expect.stringContaining('newer'),
      });
    }
  });
});

describe('/metrics', () => {
  it('counts operations by outcome, with durations, memory and memories, in the format of Prometheus', async () => {
    const surface = await openHttpSurface(noteOperations([{ id: 1, content: 'a', tags: [] }]), {
      memoryCounts: async () => ({ active: 3, archived: 1, obsolete: 0 }),
    });
    for (const id of [1, 1, 2, 'x']) await surface.send({ path: `/notes/${id}` });
    await surface.send({ method: 'POST', path: '/notes/break' });
    await surface.send({ path: '/metrics' });
    const { headers, text } = await surface.send({ path: '/metrics' });
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const value = (name: string): number => {
      const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
      return Number(line?.slice(name.length + 1));
    };
    const count = 'loci_operation_duration_seconds_count';
    expect(value(`${count}{operation="note_get",outcome="ok"}`)).toBe(2);
    expect(value(`${count}{operation="note_get",outcome="not_found"}`)).toBe(1);
    expect(value(`${count}{operation="note_get",outcome="invalid_input"}`)).toBe(1);
    expect(value(`${count}{operation="note_break",outcome="internal"}`)).toBe(1);
    expect(value('loci_operation_duration_seconds_bucket{operation="note_get",outcome="ok",le="+Inf"}')).toBe(2);
    expect(value('loci_memories{status="active"}')).toBe(3);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(value('loci_event_loop_delay_seconds{quantile="1"}')).toBeGreaterThanOrEqual(0);
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [-+0-9.e]+)$/);
    }
  });
});
