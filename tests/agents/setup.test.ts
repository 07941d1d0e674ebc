// `loci setup` on the two agents that run in CI; tests/long/agents-setup.test.ts has all five.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../support/agents/scene.ts';
import { tellSetupStory } from '../support/agents/setup-story.ts';
import { root } from '../support/source-tree.ts';

tellSetupStory([
  {
    name: 'Claude Code',
    connected: /loci: .*loci\.cjs mcp - ✔ Connected/,
    hears: true,
    decision: 'From now on we use pnpm instead of npm in this repo, because the lockfile is smaller.',
  },
  {
    name: 'Codex',
    connected: /^loci\s.*loci\.cjs mcp.*\benabled\b/m,
    hears: true,
    decision: 'We decided that invoices are rendered with Typst, because LaTeX took 9 seconds a page.',
  },
]);

describe('the plugin for Claude Code', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene({ names: ['Claude Code'] });
    mkdirSync(scene.settingOf('Claude Code').home, { recursive: true });
  });
  afterAll(() => scene?.end());

  const claude = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await scene.command('Claude Code', args, { LOCI_HOME: join(scene.folder, 'loci') });
    return `${stdout}${stderr}`;
  };

  it('is valid where it is shipped and where it is written, brings server, hooks and skills, and setup writes nothing beside it', async () => {
    expect(await claude('plugin', 'validate', root)).toContain('Validation passed');
    const shipped = join(root, 'dist', 'agent-texts');
    expect(await claude('plugin', 'validate', shipped)).toContain('Validation passed');
    await claude('plugin', 'marketplace', 'add', shipped);
    await claude('plugin', 'install', 'loci@loci');
    const details = await claude('plugin', 'details', 'loci');
    for (const part of ['loci-recall', 'loci-curate', 'SessionStart', 'UserPromptSubmit', 'SessionEnd']) {
      expect(details).toContain(part);
    }
    expect(await claude('mcp', 'list')).toMatch(/plugin:loci:loci: loci mcp - ✔ Connected/);
    const { stdout, stderr } = await scene.loci('Claude Code', ['setup', '--agent', 'claude-code', '--yes']);
    expect(stdout).toContain('No file to change.');
    expect(stderr).toContain('plugin');
  });
});
