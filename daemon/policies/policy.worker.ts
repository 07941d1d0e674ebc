// The thread in which an administrator's module runs. It gets copies, frozen to the last leaf, so that nothing it does to them reaches
// the write; and it answers JSON, so that nothing it returns is more than data.
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { PolicyQuestion, PolicyReply, PolicyThreadData } from './thread-messages.ts';

type Handlers = { readonly before?: unknown; readonly after?: unknown };

const { file } = workerData as PolicyThreadData;
const port = parentPort;
if (port === null) throw new Error('a policy runs in a thread only');

// the process is the daemon's: `process.exit` ends this thread alone, a signal would end all
process.kill = () => {
  throw new Error('a policy may not send signals');
};

let handlers: Promise<Handlers> | null = null;

port.on('message', (question: PolicyQuestion) => {
  judge(question).then(
    (verdict) => reply({ id: question.id, verdict }),
    (error: unknown) =>
      reply({ id: question.id, failed: error instanceof Error ? (error.stack ?? '') : String(error) }),
  );
});

async function judge({ phase, write }: PolicyQuestion): Promise<unknown> {
  handlers ??= load();
  const handler = (await handlers)[phase];
  if (handler === undefined) return null;
  if (typeof handler !== 'function') throw new Error(`\`${phase}\` is no function`);
  const verdict: unknown = await handler(deepFreeze(write));
  return verdict === undefined ? null : JSON.parse(JSON.stringify(verdict));
}

/** Exports by name, or a default export that holds them. */
async function load(): Promise<Handlers> {
  const loaded = (await import(pathToFileURL(file).href)) as Handlers & { default?: Handlers };
  const found = loaded.before === undefined && loaded.after === undefined ? (loaded.default ?? {}) : loaded;
  if (found.before === undefined && found.after === undefined) {
    throw new Error('the module exports neither `before` nor `after`');
  }
  return found;
}

function reply(message: PolicyReply): void {
  port?.postMessage(message);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
