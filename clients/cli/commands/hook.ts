import { Command } from 'commander';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';

/**
 * `loci hook` for `--help`: the dispatcher runs hooks itself, long before this program is read, because agents wait for them.
 * Started past the dispatcher, this hands over.
 */
export function addHookCommand(mount: Mount): void {
  const command = addGlobalOptions(
    new Command('hook')
      .argument('[event]', 'session-start, user-prompt, post-tool-use, pre-compact or session-end')
      .summary('what agents run at their events')
      .description(
        "Run by an agent: reads the event's JSON on stdin, prints what goes into the agent's context or nothing, and exits 0 within a second whatever happens.",
      )
      .option(
        '--agent <name>',
        'claude-code, codex, gemini-cli, cursor, copilot-cli or windsurf; told by the event unless given',
      ),
  );
  command.action(async () => {
    await import(new URL('./loci.cjs', import.meta.url).href);
    await new Promise(() => undefined); // the hook ends the process
  });
  mount('hook', command);
}
