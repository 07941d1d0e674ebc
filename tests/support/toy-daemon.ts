// A daemon with the real process life and the smallest app: it answers what every daemon answers and echoes operations.
// It stands in for the composition root where only the life of the process is tested.
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createLineServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createListeners } from '#daemon/lifecycle/listen.ts';
import { type App, type AppStart, runDaemon } from '#daemon/lifecycle/run-daemon.ts';
import { version } from '#shared/version.ts';

const shownVersion = process.env.LOCI_TOY_VERSION ?? version;

async function startApp(start: AppStart): Promise<App> {
  const { paths, settings, logger, env } = start;
  const open = new Set<Socket>();
  const answer = (request: IncomingMessage, response: ServerResponse) => void reply(start, request, response);
  const http = createServer(answer);
  const tcp = createServer(answer);
  const mcp = createLineServer((socket) => socket.end());
  for (const server of [http, tcp, mcp]) {
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      socket.on('error', () => undefined);
    });
  }
  const listeners = createListeners({ paths, settings: settings.values, logger, env });
  if (env.LOCI_TOY_FAILS !== undefined) throw new Error('the toy fails');
  await listeners.socket('mcp.sock', mcp);
  await listeners.socket('loci.sock', http);
  start.publishPort((await listeners.tcp(tcp)).port);
  return {
    async stop() {
      await sleep(Number(env.LOCI_TOY_STOP_MS ?? 0));
      for (const server of [http, tcp, mcp]) server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

async function reply(start: AppStart, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/json', 'loci-version': shownVersion });
    response.end(JSON.stringify(body));
  };
  const identity = { pid: process.pid, version: shownVersion, started_at: new Date(start.startedAtMs).toISOString() };
  const route = `${request.method} ${request.url}`;
  if (route === 'GET /health') return send(200, { status: 'ok' });
  if (route === 'GET /daemon') return send(200, identity);
  if (route === 'POST /daemon/stop' && start.env.LOCI_TOY_NO_STOP_ROUTE === undefined) {
    response.once('close', () => start.requestStop());
    return send(202, identity);
  }
  const operation = /^POST \/operations\/(\w+)$/u.exec(route)?.[1];
  if (operation === undefined) return send(404, { code: 'not_found', message: `There is no ${route}.`, details: {} });
  await operate(start, operation, request, send);
}

async function operate(
  { paths }: AppStart,
  operation: string,
  request: IncomingMessage,
  send: (status: number, body: object) => void,
): Promise<void> {
  let text = '';
  for await (const chunk of request) text += chunk;
  appendFileSync(join(paths.state, 'calls'), `${operation} ${request.headers['idempotency-key']}\n`);
  if (operation === 'refuse') return send(409, { code: 'conflict', message: 'It stands already.', details: { id: 7 } });
  if (operation === 'slow') await sleep(5_000);
  if (operation === 'die') process.kill(process.pid, 'SIGKILL');
  if (operation === 'die_once' && firstTime(paths.state)) process.kill(process.pid, 'SIGKILL');
  const { env } = process;
  const { 'loci-folder': folder, 'loci-agent': agent } = request.headers;
  const names = Object.keys(env).sort();
  send(200, { operation, input: JSON.parse(text), folder, agent, pid: process.pid, cwd: process.cwd(), env: names });
}

function firstTime(state: string): boolean {
  try {
    appendFileSync(join(state, 'died'), '', { flag: 'ax' });
    return true;
  } catch {
    return false;
  }
}

await runDaemon({
  argv: process.argv.slice(2),
  env: process.env,
  loadApp: async () => ({ startApp }),
  lockCheckMs: Number(process.env.LOCI_TOY_LOCK_CHECK_MS ?? 60_000),
});
