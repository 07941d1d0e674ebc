// B70: the folder of the socket has a name that can be guessed. A shim must not pour an agent's words into a stranger's socket.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { homeIn } from '../../support/daemon-process.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const shim = `${root}/dist/shim-${process.pid}.js`;

beforeAll(async () => {
  await build({
    entryPoints: [`${root}/clients/mcp-shim/main.ts`],
    outfile: shim,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: 'process.getuid = () => 54321;' }, // whoever runs this is not the owner of the socket
  });
});
afterAll(() => rmSync(shim, { force: true }));

describe('the shim', () => {
  it('B70 tells its agent that the socket is a stranger’s and says nothing to it', async () => {
    const home = homeIn(tempFolder(), { LOCI_NO_AUTOSTART: '1' });
    mkdirSync(home.paths.run, { recursive: true });
    let connections = 0;
    const stranger = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(home.paths.mcpSocket);
    onTestFinished(() => void stranger.close());
    await new Promise((resolve) => stranger.once('listening', resolve));

    const child = spawn(process.execPath, [shim], { env: home.env, stdio: ['pipe', 'pipe', 'pipe'] });
    let answer = '';
    let complaint = '';
    child.stdout.on('data', (chunk) => {
      answer += chunk;
    });
    child.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`);
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(JSON.parse(answer)).toMatchObject({ id: 1, error: { message: expect.stringContaining('another user') } });
    expect(complaint).toContain('another user');
    expect(connections).toBe(0);
  });
});
