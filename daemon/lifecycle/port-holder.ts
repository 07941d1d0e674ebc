// "Port taken" alone sends people hunting. Linux tells who holds it: the socket's inode stands in /proc/net/tcp, and the
// process that has it open has a link to it. Processes of other users cannot be read: then nothing is said.
import { readdir, readFile, readlink } from 'node:fs/promises';

const listenState = '0A';

/** `process 123 (node server.js)` for the listener on a TCP port; null when it cannot be found. */
export async function describePortHolder(port: number): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  try {
    const inodes = await listeningInodes(port);
    const pid = inodes.size === 0 ? null : await pidWithSocket(inodes);
    return pid === null ? null : `process ${pid} (${await commandOf(pid)})`;
  } catch {
    return null; // a process that ended while we looked, or a /proc that is closed to us
  }
}

async function listeningInodes(port: number): Promise<Set<string>> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'utf8').catch(() => '');
    for (const line of text.split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/u);
      if (state === listenState && local?.endsWith(`:${hexPort}`) && inode !== undefined) inodes.add(inode);
    }
  }
  return inodes;
}

async function pidWithSocket(inodes: ReadonlySet<string>): Promise<string | null> {
  const targets = new Set([...inodes].map((inode) => `socket:[${inode}]`));
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/u.test(pid)) continue;
    const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const descriptor of descriptors) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
      if (targets.has(target)) return pid;
    }
  }
  return null;
}

/** Program and first argument: enough to know it, too little to show what was passed on the command line. */
async function commandOf(pid: string): Promise<string> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').filter(Boolean);
  return words.slice(0, 2).join(' ').slice(0, 120) || 'unknown program';
}
