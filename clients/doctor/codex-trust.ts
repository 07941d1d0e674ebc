// Codex skips a hook that the user has not trusted, and says nothing. Its trust is a record in its settings, keyed by the hook's file, event
// and place; whether the hash in it still fits only Codex can tell. It is read here and never written: trusting is the user's to do.
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentStates } from './agent-states.ts';
import { broken, type Check, type Finding, notice, ok } from './check.ts';
import { shellWord } from './shell-word.ts';

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
  const settings = join(dirname(file), 'config.toml');
  const hooks = await readHooks(settings);
  if (hooks === null) return [notice(about, 'The settings of Codex cannot be read, so its trust is not known.', mend)];
  if (hooks.areOff) {
    const says = `All hooks are switched off in ${settings} (features.hooks).`;
    return [broken(about, says, `$EDITOR ${shellWord(settings)}`)];
  }
  const own = ownHooks(file).map((hook) => ({ ...hook, state: stateOf(hook, hooks.states) }));
  const untrusted = own.filter(({ state }) => typeof state?.trusted_hash !== 'string');
  const off = own.filter(({ state }) => state?.enabled === false);
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

type Hooks = { readonly areOff: boolean; readonly states: Readonly<Record<string, HookState>> };

/** What the settings say of hooks; null where they cannot be read. */
async function readHooks(file: string): Promise<Hooks | null> {
  const { parse } = await import('smol-toml');
  try {
    const { hooks, features } = parse(readFileSync(file, 'utf8')) as {
      hooks?: { state?: Record<string, HookState> };
      features?: { hooks?: unknown };
    };
    return { areOff: features?.hooks === false, states: hooks?.state ?? {} };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? { areOff: false, states: {} } : null;
  }
}

type HookGroup = { readonly hooks?: readonly { readonly command?: string }[] };

type OwnHook = { readonly keys: readonly string[]; readonly event: string };

/** Our hooks with their keys, `FILE:session_start:0:0`: the event in snake case, the place of the group, the place of the hook in it. Of a file behind a link either name may stand there. */
function ownHooks(file: string): OwnHook[] {
  const { hooks = {} } = JSON.parse(readFileSync(file, 'utf8')) as { hooks?: Record<string, HookGroup[]> };
  const names = [...new Set([file, realpathOf(file)])];
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks: handlers = [] }, group) =>
      handlers.flatMap(({ command }, place) => {
        if (!/ hook [\w-]+ --agent codex/.test(command ?? '')) return [];
        return [{ event, keys: names.map((name) => `${name}:${snakeCase(event)}:${group}:${place}`) }];
      }),
    ),
  );
}

function stateOf({ keys }: OwnHook, states: Hooks['states']): HookState | undefined {
  return keys.map((key) => states[key]).find((state) => state !== undefined);
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
