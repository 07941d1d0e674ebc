// The daemon is killed sixteen times under sixty-four saves, through the shim, by the official clients of both generations of the SDK
// and in both eras of the protocol: every call is answered, and nothing is stored twice.

import { join } from 'node:path';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, expect, it } from 'vitest';
import { atEnd } from '../../support/at-end.ts';
import { createTestOperations } from '../../support/mcp-operations.ts';
import { buildShim, daemonPid, killDaemon, tempHome } from '../../support/shim.ts';

const calls = 64;
const kills = 16;

type Call = (name: string, args: Record<string, unknown>) => Promise<{ isError?: boolean | undefined }>;

let loci = '';
beforeAll(async () => {
  loci = await buildShim('kill-loop');
});

const stdio = (home: string) => ({
  command: process.execPath,
  args: [loci, 'mcp'],
  env: { PATH: process.env.PATH ?? '', HOME: home, LOCI_HOME: home },
});

async function oldClient(home: string): Promise<Call> {
  const client = new OldClient({ name: 'old', version: '1.0.0' });
  await client.connect(new OldTransport(stdio(home)));
  atEnd(() => client.close());
  return async (name, args) => client.callTool({ name, arguments: args }) as ReturnType<Call>;
}

async function newClient(home: string, mode: 'legacy' | { pin: string }): Promise<Call> {
  const client = new NewClient({ name: 'new', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new NewTransport(stdio(home)));
  atEnd(() => client.close());
  return (name, args) => client.callTool({ name, arguments: args });
}

it.each([
  ['v1 client', oldClient],
  ['v2 client, handshake', (home: string) => newClient(home, 'legacy')],
  ['v2 client, stateless revision', (home: string) => newClient(home, { pin: '2026-07-28' })],
])('%s: every call is answered and stored once', async (_name, connect) => {
  const home = tempHome();
  const call = await connect(home);
  let killed = 0;
  let lastPid = 0;
  const answers: Promise<{ isError?: boolean | undefined }>[] = [];
  for (let index = 0; index < calls; index += 1) {
    answers.push(call('memory_save', { content: `note ${index}` }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (index % (calls / kills) !== 0) continue;
    await expect.poll(() => isNew(daemonPid(home), lastPid), { timeout: 15_000 }).toBe(true);
    lastPid = daemonPid(home) ?? 0;
    await new Promise((resolve) => setTimeout(resolve, index % 3 === 0 ? 150 : 60)); // before, while and after it serves
    killDaemon(home);
    killed += 1;
  }
  const results = await Promise.all(answers);
  expect(killed).toBe(kills);
  expect(results.filter(({ isError }) => isError === true)).toEqual([]);
  killDaemon(home);
  const { stored, database } = await createTestOperations(join(home, 'data', 'loci.db'));
  const notes = await stored();
  await database.close();
  expect(notes.sort()).toEqual(Array.from({ length: calls }, (_, index) => `note ${index}`).sort());
});

function isNew(pid: number | null, lastPid: number): boolean {
  return pid !== null && pid !== lastPid;
}
