// Tokens on a real daemon: what each may do on every surface, and that its end is the end at once. K-numbers are lines of the parity list.
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEventReader } from '../../support/event-reader.ts';
import { sendTo } from '../../support/http-surface.ts';
import { startTestDaemon, type TestDaemon } from '../../support/test-daemon.ts';
import { asOwner, everySurfaceOf, mcpHttpOf, mcpLineOf, newToken, restOf } from '../../support/token-surfaces.ts';

const save = { content: 'The ledger closes on the last working day' };

async function withToken(
  input: object,
  env: Record<string, string> = {},
): Promise<{ daemon: TestDaemon; token: string }> {
  const daemon = await startTestDaemon({ env });
  return { daemon, token: await newToken(daemon, { name: 'probe', ...input }) };
}

async function verdicts(daemon: TestDaemon, token: string, calls: readonly (readonly [string, object])[]) {
  const found: Record<string, (string | null)[]> = {};
  for (const surface of everySurfaceOf(daemon, token)) {
    found[surface.name] = [];
    for (const [operation, input] of calls) found[surface.name]?.push((await surface.call(operation, input)).code);
  }
  return found;
}

function alike(found: Record<string, (string | null)[]>, wanted: (string | null)[]): void {
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, wanted])));
}

const search: [string, object] = ['memory_search', { query: 'ledger' }];
const plans: [string, object] = ['list_plans', {}];
const saving: [string, object] = ['memory_save', save];
const newPlan: [string, object] = ['create_project', { name: 'storefront', description: 'A shop' }];
const jobs: [string, object] = ['list_jobs', {}];

describe('scopes', () => {
  it('K15 `*` of the owner does all, the whole store included', async () => {
    const { daemon, token } = await withToken({});
    alike(await verdicts(daemon, token, [search, saving, jobs]), [null, null, null]);
  });

  it('K16 K17 K18 `read` reads on every surface and writes on none, and lists only what reads', async () => {
    const { daemon, token } = await withToken({ scopes: ['read'] });
    alike(await verdicts(daemon, token, [search, plans, saving, jobs]), [null, null, 'forbidden', 'forbidden']);
    for (const surface of [mcpHttpOf(daemon, token), mcpLineOf(daemon, token)]) {
      const tools = await surface.tools();
      expect(tools).toEqual(expect.arrayContaining(['memory_search', 'discover_tools']));
      expect(tools).not.toContain('memory_save');
      const { output } = await surface.call('discover_tools', { detail: true });
      const listed = Object.values(output.tools_by_category as Record<string, { mutates: boolean }[]>).flat();
      expect(listed.filter(({ mutates }) => mutates)).toEqual([]);
    }
  });

  it('K19 how_to_use_tool is refused for what is out of scope', async () => {
    const { daemon, token } = await withToken({ scopes: ['read'] });
    for (const surface of [mcpHttpOf(daemon, token), mcpLineOf(daemon, token)]) {
      expect((await surface.call('how_to_use_tool', { tool_name: 'create_memory' })).code).toBe('forbidden');
      expect((await surface.call('how_to_use_tool', { tool_name: 'query_memory' })).ok).toBe(true);
    }
  });

  it('K20 `read:memories` hides the other categories and reads no other kind', async () => {
    const { daemon, token } = await withToken({ scopes: ['read:memories'] });
    alike(await verdicts(daemon, token, [search, plans, saving]), [null, 'forbidden', 'forbidden']);
    const { output } = await mcpLineOf(daemon, token).call('discover_tools');
    const categories = Object.keys(output.tools_by_category as object);
    expect(categories).not.toEqual(expect.arrayContaining(['plan']));
    expect(categories).toContain('memory');
  });

  it('K21 K22 `read` with `write:memories` writes memories and nothing else', async () => {
    const { daemon, token } = await withToken({ scopes: ['read', 'write:memories'] });
    alike(await verdicts(daemon, token, [plans, saving, newPlan]), [null, null, 'forbidden']);
  });

  it('`write:memories` alone writes facts and reads none of them, though one tool does both', async () => {
    const { daemon, token } = await withToken({ scopes: ['write:memories'] });
    const fact = { action: 'save', category: 'technical', key: 'ledger_day', value: 'The ledger closes on Fridays' };
    const calls = [fact, { action: 'search', query: 'ledger' }, { action: 'list' }].map((input): [string, object] => [
      'memory',
      input,
    ]);
    alike(await verdicts(daemon, token, [...calls, search]), [null, 'forbidden', 'forbidden', 'forbidden']);
  });

  it('K23 the setting `auth.scopes` is what no token grants more than, the first one included', async () => {
    const daemon = await startTestDaemon({ env: { LOCI_AUTH_SCOPES: 'read,write:projects' } });
    const token = await newToken(daemon, { name: 'probe', scopes: ['read:memories', 'write'] });
    alike(await verdicts(daemon, token, [search, plans, saving]), [null, 'forbidden', 'forbidden']);
    const first = restOf(daemon, daemon.token);
    expect([(await first.call(...search)).code, (await first.call(...saving)).code]).toEqual([null, 'forbidden']);
  });

  it('`*` of a user who is not the owner is all of their own, not the whole store', async () => {
    const daemon = await startTestDaemon();
    await asOwner(daemon, 'create_user', { name: 'ana' });
    const token = await newToken(daemon, { name: 'anas', user: 'ana' });
    alike(await verdicts(daemon, token, [search, saving, jobs]), [null, null, 'forbidden']);
  });

  it('a token makes no token that may do more than itself', async () => {
    const { daemon, token } = await withToken({ scopes: ['admin', 'read'] });
    const surface = restOf(daemon, token);
    expect((await surface.call('create_token', { name: 'more', scopes: ['write'] })).code).toBe('forbidden');
    expect((await surface.call('create_token', { name: 'same' })).output.scopes).toEqual(['admin', 'read']);
  });

  it('the counts of the whole store, and its stop, need `admin`', async () => {
    const { daemon, token } = await withToken({ scopes: ['read', 'write'] });
    const headers = { authorization: `Bearer ${token}` };
    const socket = { socketPath: daemon.paths.httpSocket };
    expect((await sendTo(socket, { path: '/metrics', headers })).status).toBe(403);
    expect((await sendTo(socket, { method: 'POST', path: '/daemon/stop', headers })).status).toBe(403);
  });
});

describe('the end of a token', () => {
  it('B73 K192 a revoked one is refused by the next call on every surface', async () => {
    const { daemon, token } = await withToken({});
    alike(await verdicts(daemon, token, [search]), [null]);
    await asOwner(daemon, 'revoke_token', { id_or_name: 'probe' });
    alike(await verdicts(daemon, token, [search]), ['unauthorized']);
  });

  it('K194 an expired one is refused from its moment on', async () => {
    const { daemon, token } = await withToken({ expires_days: 1 });
    const surface = restOf(daemon, token);
    daemon.clock.advance(24 * 60 * 60 * 1000 - 1);
    expect((await surface.call(...search)).ok).toBe(true);
    daemon.clock.advance(1);
    expect((await surface.call(...search)).code).toBe('unauthorized');
  });

  it('a backup of the days when it was valid does not bring it back', async () => {
    const { daemon, token } = await withToken({});
    const { name } = await asOwner(daemon, 'create_backup');
    await asOwner(daemon, 'revoke_token', { id_or_name: 'probe' });
    await asOwner(daemon, 'restore_backup', { name });
    expect((await asOwner(daemon, 'list_tokens')).total).toBe(1);
    expect((await restOf(daemon, token).call(...search)).code).toBe('unauthorized');
  });

  it('its open streams and connections are closed', async () => {
    const { daemon, token } = await withToken({});
    const line = connect(daemon.paths.mcpSocket);
    const lineClosed = new Promise((resolve) => line.on('close', resolve));
    line.on('error', () => undefined).resume();
    const greeted = new Promise((resolve) => line.once('data', resolve));
    line.write(`${JSON.stringify({ loci: 1, token })}\n`);
    await greeted;
    const stream = await openEventReader({ socketPath: daemon.paths.httpSocket, token });
    await asOwner(daemon, 'revoke_token', { id_or_name: 'probe' });
    await lineClosed;
    await expect.poll(() => stream.isClosed()).toBe(true);
  });

  it('a greeting with a token that is not valid gets no session, never that of the owner', async () => {
    const daemon = await startTestDaemon();
    for (const token of ['wrong', `loci_${'x'.repeat(43)}`, 'a.b.c']) {
      expect((await mcpLineOf(daemon, token).call(...search)).code).toBe('unauthorized');
    }
  });

  it('a session of MCP over HTTP is served to the rights it was begun with', async () => {
    const { daemon, token } = await withToken({});
    const narrow = await newToken(daemon, { name: 'narrow', scopes: ['read'] });
    const ask = async (bearer: string, body: object, session?: string) =>
      sendTo(
        { host: '127.0.0.1', port: await daemon.port() },
        {
          method: 'POST',
          path: '/mcp',
          headers: {
            authorization: `Bearer ${bearer}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...(session === undefined ? {} : { 'mcp-session-id': session }),
          },
          body,
        },
      );
    const begun = await ask(token, {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    });
    const session = String(begun.headers['mcp-session-id']);
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'memory_save', arguments: save } };
    expect((await ask(narrow, call, session)).status).toBe(404);
    expect((await ask(token, call, session)).status).toBe(200);
  });
});

it('no token stands in any file of the home, and its last use is noted', async () => {
  const { daemon, token } = await withToken({});
  await restOf(daemon, token).call(...search);
  await restOf(daemon, token).call(...saving);
  const { tokens } = await asOwner(daemon, 'list_tokens');
  expect(tokens).toEqual([expect.objectContaining({ name: 'probe', last_used_at: expect.any(String) })]);
  await daemon.stop();
  const files = readdirSync(daemon.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const holding = files.filter((file) => readFileSync(join(file.parentPath, file.name)).includes(token));
  expect(holding.map(({ name }) => name)).toEqual([]);
});
