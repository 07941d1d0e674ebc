// Codex skips a hook that the user has not trusted, and says nothing. Its trust is a record in its settings, keyed by the hook's file, event
// and place; whether the hash in it still fits only Codex can tell. It is read here and never written: trusting is the user's to do.
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentStates } from './agent-states.ts';
import { broken, type Check, type Finding, notice, ok } from './check.ts';

const about = 'Codex trust';
const mend = 'codex, then /hooks in its session';

export const codexTrust: Check = {
  about,
  async run(deps) {
    const file = agentStates(deps).find(({ name }) => name === 'codex')?.hooks[0]?.file;
    return file === undefined ? [] : await judge(file);
  },
};

async function judge(file: string): Promise<Finding[]> {
  const states = await hookStates(join(dirname(file), 'config.toml'));
  if (states === null) return [notice(about, 'The settings of Codex cannot be read, so its trust is not known.', mend)];
  const keys = ownKeys(file);
  const untrusted = keys.filter(({ key }) => typeof states[key]?.trusted_hash !== 'string');
  const off = keys.filter(({ key }) => states[key]?.enabled === false);
  if (untrusted.length > 0) {
    const events = untrusted.map(({ event }) => event).join(', ');
    return [broken(about, `Its hooks are installed and not trusted, so Codex skips them: ${events}.`, mend)];
  }
  if (off.length > 0) {
    return [notice(about, `Switched off in Codex: ${off.map(({ event }) => event).join(', ')}.`, mend)];
  }
  return [ok(about, 'its hooks are trusted')];
}

type HookState = { readonly trusted_hash?: unknown; readonly enabled?: unknown };

async function hookStates(file: string): Promise<Readonly<Record<string, HookState>> | null> {
  const { parse } = await import('smol-toml');
  try {
    const { hooks } = parse(readFileSync(file, 'utf8')) as { hooks?: { state?: Record<string, HookState> } };
    return hooks?.state ?? {};
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? {} : null;
  }
}

type HookGroup = { readonly hooks?: readonly { readonly command?: string }[] };

/** `FILE:session_start:0:0`: the event in snake case, the place of the group, the place of the hook in it. */
function ownKeys(file: string): { readonly key: string; readonly event: string }[] {
  const { hooks = {} } = JSON.parse(readFileSync(file, 'utf8')) as { hooks?: Record<string, HookGroup[]> };
  const source = realpathOf(file);
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks: handlers = [] }, group) =>
      handlers.flatMap(({ command }, place) =>
        / hook [\w-]+ --agent codex/.test(command ?? '')
          ? [{ key: `${source}:${snakeCase(event)}:${group}:${place}`, event }]
          : [],
      ),
    ),
  );
}

function realpathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function snakeCase(event: string): string {
  return event.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
