// `npm start`: starts the daemon on your own home, then shows in a throw-away home what it does, and what to do next.
// The throw-away home has a daemon of its own, which is stopped before its folder is removed: your memories are never touched.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const loci = fileURLToPath(new URL('../dist/loci.cjs', import.meta.url));
const memories = [
  ['Sign-in is handled by Clerk; our own session table was dropped because token rotation kept breaking.', 'decision'],
  ['Deploys go through Argo: merging to main is the release, and nobody runs the deploy script by hand.', 'context'],
  ['The user prefers small commits with a test each.', 'preference'],
];
const question = 'how do people log in?';

function run(args, env = {}) {
  return execFileSync(process.execPath, [loci, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const started = spawnSync(process.execPath, [loci, 'start'], { stdio: 'inherit' });
if (started.status !== 0) process.exit(started.status ?? 1);

const home = mkdtempSync(join(tmpdir(), 'loci-tour-'));
const tour = { LOCI_HOME: home, LOCI_PORT: '0', LOCI_NO_AUTOSTART: '' };
try {
  console.log('\nA short tour, in a home of its own that is removed afterwards:\n');
  for (const [text, type] of memories) {
    console.log(`$ loci add "${text}" --type ${type}`);
    process.stdout.write(run(['add', text, '--type', type], tour));
  }
  console.log(`\n$ loci search "${question}"`);
  process.stdout.write(run(['search', question, '-n', '1'], tour));
} finally {
  spawnSync(process.execPath, [loci, 'stop'], { env: { ...process.env, ...tour }, stdio: 'ignore' });
  rmSync(home, { recursive: true, force: true });
}

console.log(`
Loci runs. What to do next:
  connect your agents   node ${loci} setup
                        (any other MCP client: command ${process.execPath}, arguments ${loci} mcp)
  save from the shell   node ${loci} add "Auth is Clerk" --type decision
  find it again         node ${loci} search "who does login?"
  stop the daemon       node ${loci} stop
`);
