// A network of the test's own: a namespace in the middle and others that are each joined to it by a cable, which can be pulled and put back.
// It needs root and `ip`; it is taken down by its name.
import { execFileSync, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';

export type TestNetwork = {
  /** Of the middle, and the address under which the others reach it. */
  readonly middle: { readonly namespace: string; readonly address: string };
  /** Of the others, in order. */
  readonly namespaces: readonly string[];
  /** Nothing passes between that one and the middle any more, and neither side is told. */
  cut(index: number): void;
  heal(index: number): void;
};

/** Why there can be no such network here, or null. */
export function noNetworkReason(): string | null {
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const name = `loci-try-${process.pid}`;
  const tried = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' });
  if (tried.error !== undefined) return 'the program `ip` is not installed';
  if (tried.status !== 0) return `\`ip netns add\` was refused: ${tried.stderr.trim()}`;
  ip('netns', 'del', name);
  return null;
}

export function openNetwork(others: number): TestNetwork {
  const base = `loci-${process.pid}`;
  const middle = `${base}-m`;
  add(middle);
  // an address that every cable leads to
  const address = '10.77.0.1';
  ip('-n', middle, 'link', 'set', 'lo', 'up');
  ip('-n', middle, 'addr', 'add', `${address}/32`, 'dev', 'lo');
  const namespaces = Array.from({ length: others }, (_, index) => {
    const namespace = `${base}-${index}`;
    add(namespace);
    ip('-n', middle, 'link', 'add', `c${index}`, 'type', 'veth', 'peer', 'name', 'c', 'netns', namespace);
    ip('-n', middle, 'addr', 'add', `10.77.${index + 1}.1/24`, 'dev', `c${index}`);
    ip('-n', namespace, 'addr', 'add', `10.77.${index + 1}.2/24`, 'dev', 'c');
    ip('-n', middle, 'link', 'set', `c${index}`, 'up');
    ip('-n', namespace, 'link', 'set', 'lo', 'up');
    ip('-n', namespace, 'link', 'set', 'c', 'up');
    ip('-n', namespace, 'route', 'add', `${address}/32`, 'via', `10.77.${index + 1}.1`);
    return namespace;
  });
  return {
    middle: { namespace: middle, address },
    namespaces,
    cut: (index) => ip('-n', middle, 'link', 'set', `c${index}`, 'down'),
    heal: (index) => ip('-n', middle, 'link', 'set', `c${index}`, 'up'),
  };
}

function add(namespace: string): void {
  ip('netns', 'add', namespace);
  onTestFinished(() => ip('netns', 'del', namespace));
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
