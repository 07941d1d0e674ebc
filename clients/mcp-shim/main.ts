// `loci mcp`: a pipe of whole lines between an agent's stdio and the daemon's socket. It knows no tool and no protocol version.
// What it does know is what is unanswered: a daemon that is killed, stopped or upgraded is invisible to the agent, because the shim
// greets the next one, repeats the handshake and then every unanswered request. Repeating is safe, as session and request id are
// the idempotency key of each change. Node built-ins only: its start and its memory are those of an idle `node`.
import { join } from 'node:path';
import type { SpawnOutcome } from '#clients/connect/spawn-daemon.ts';
import { resolvePaths } from '#shared/paths.ts';
import { type Complaint, createDaemonLink, type Problem } from './daemon-link.ts';
import { createHello } from './hello.ts';
import { createLineCutter } from './lines.ts';
import { errorLine, idKey, parseMessage } from './message.ts';
import { readShimOptions } from './options.ts';
import { patienceMs, whyDown } from './patience.ts';

type Pending = { readonly id: unknown; readonly line: Buffer; readonly sinceMs: number; readonly isStream: boolean };

/** How long answers may take after the agent has closed stdin. */
const drainTimeoutMs = 10_000;
const maxHeldLines = 100;
const pending = new Map<string, Pending>(); // unanswered requests, in order
const handshake: { initialize?: Buffer; initialized?: Buffer } = {};
const held: Buffer[] = []; // what is neither request nor answer and came while no daemon was up
let askedOfHost = new Set<string>(); // requests of the present daemon that the agent has not answered
let isUp = false;
let isEnded = false;
let swallowed: string | null = null; // id of the repeated `initialize`, whose answer the agent has had
let refusal: Problem | undefined;
let downSinceMs = Date.now();

const options = readShimOptions(process.argv.slice(2), process.env);
const link = createDaemonLink({
  paths: resolvePaths(process.env, options),
  env: { ...process.env, ...(options.home === undefined ? {} : { LOCI_HOME: options.home }) },
  program: join(import.meta.dirname, 'locid.js'),
  hello: createHello(process.env, options),
  onGreeted: repeatHandshake,
  onRefused(problem) {
    refusal = problem;
    process.stderr.write(`loci mcp: ${problem.message}\n`);
    answerWithError(problem, () => true);
  },
  onLine: fromDaemon,
  onDown: giveUpOnTheOld,
  onFlow: (open) => void (open ? process.stdin.resume() : process.stdin.pause()),
});
pipeStdio();

function fromHost(line: Buffer): void {
  const { id, method, params } = parseMessage(line);
  const key = idKey(id);
  if (method === 'initialize') handshake.initialize = line;
  if (method === 'notifications/initialized') handshake.initialized = line;
  if (method === 'notifications/cancelled') pending.delete(idKey(params?.requestId) ?? '');
  const isRequest = typeof method === 'string' && key !== null;
  if (isRequest) {
    pending.set(key, { id, line, sinceMs: Date.now(), isStream: method === 'subscriptions/listen' });
  } else if (method === undefined && key !== null && !askedOfHost.delete(key)) return; // answers a daemon that is gone
  if (refusal !== undefined) answerWithError(refusal, () => true);
  else if (isUp) link.send(line);
  else if (!isRequest && line !== handshake.initialized && held.length < maxHeldLines) held.push(line);
}

function fromDaemon(line: Buffer): void {
  const { jsonrpc, id, method } = parseMessage(line);
  if (jsonrpc !== '2.0') return;
  const key = idKey(id);
  if (method !== undefined && key !== null) askedOfHost.add(key);
  if (method === undefined && key !== null) {
    if (key === swallowed) repeatRequests();
    if (!pending.delete(key)) return; // the repeated handshake, a cancelled call, or one answered while no daemon was up
  }
  toHost(line);
  exitWhenAnswered();
}

/** A new daemon: it must know the agent as the old one did before it gets a request. */
function repeatHandshake(): void {
  askedOfHost = new Set();
  const { initialize } = handshake;
  swallowed = initialize === undefined ? null : idKey(parseMessage(initialize).id);
  if (initialize !== undefined && swallowed !== null && !pending.has(swallowed)) link.send(initialize);
  else repeatRequests();
}

function repeatRequests(): void {
  swallowed = null;
  isUp = true;
  if (handshake.initialized !== undefined) link.send(handshake.initialized);
  for (const { line } of pending.values()) link.send(line);
  for (const line of held.splice(0)) link.send(line);
  exitWhenAnswered();
}

function giveUpOnTheOld(outcome: SpawnOutcome, wasUp: boolean, why: Complaint | null): void {
  if (wasUp) downSinceMs = Date.now();
  isUp = false;
  swallowed = null;
  // one that says why it cannot start is not waited for; who asks after that waits for the next attempt
  const earliestMs = why === null ? Date.now() - patienceMs[outcome] : why.startedMs;
  const problem = why === null ? whyDown(outcome) : { code: 'unavailable', message: why.message };
  answerWithError(problem, ({ sinceMs }) => Math.max(sinceMs, downSinceMs) <= earliestMs);
}

function answerWithError(problem: Problem, isChosen: (request: Pending) => boolean): void {
  for (const [key, request] of pending) {
    if (!isChosen(request)) continue;
    pending.delete(key);
    if (request.line === handshake.initialize) delete handshake.initialize; // failed: nothing to repeat
    toHost(errorLine(request.id, problem));
  }
  if (isEnded && isAnswered()) exit();
}

function toHost(line: Buffer | string): void {
  if (!process.stdout.write(line)) link.pause();
}

function pipeStdio(): void {
  const input = createLineCutter(fromHost);
  const parent = process.ppid;
  const exitIfOrphan = (): void => void (process.ppid === parent || process.exit(0));
  process.stdin.on('data', input.push);
  process.stdin.on('end', () => {
    input.flush();
    isEnded = true;
    setTimeout(exit, drainTimeoutMs);
    setInterval(exitIfOrphan, 250);
    if (isUp) exitWhenAnswered();
    else if (isAnswered()) exit();
  });
  process.stdout.on('drain', () => link.resume());
  process.stdout.on('error', () => process.exit(0));
  setInterval(exitIfOrphan, 5_000).unref();
}

function exitWhenAnswered(): void {
  if (isEnded && isUp && isAnswered()) link.end(exit);
}

/** A subscription lasts as long as its session: nobody waits for its end. */
function isAnswered(): boolean {
  return [...pending.values()].every(({ isStream }) => isStream);
}

function exit(): void {
  process.stdout.write('', () => process.exit(0));
}
