// The skills and commands that setup copies: each agent's own format, and nothing in them that does not exist.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { agents } from '#clients/agents/index.ts';
import { contracts } from '#shared/contract/index.ts';
import { version } from '#shared/version.ts';
import { agentHome } from '../../support/agent-home.ts';
import { root } from '../../support/source-tree.ts';

const folder = join(root, 'clients/agents');
const skills = readdirSync(join(folder, 'skills')).sort();
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const frontMatter = (text: string): Record<string, unknown> =>
  parseYaml(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '') as Record<string, unknown>;

describe('skills', () => {
  it('are the five, named as their folder, with a description that a model can choose by', () => {
    expect(skills).toEqual(['loci-curate', 'loci-encode', 'loci-explore', 'loci-recall', 'loci-remember']);
    for (const name of skills) {
      const given = frontMatter(read(`skills/${name}/SKILL.md`));
      expect(given).toEqual({ name, description: expect.stringMatching(/Use (when|before)/) });
      expect(String(given.description).length).toBeLessThan(1_024);
    }
  });

  it('name only tools and commands that exist', () => {
    const known = new Set([...contracts.map(({ name }) => name), 'execute_tool', 'how_to_use_tool', 'discover_tools']);
    const texts = [...skills.map((name) => read(`skills/${name}/SKILL.md`)), read('commands/loci.md')].join('\n');
    const named = [...texts.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name]) => name ?? '');
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !known.has(name) && !['ci_host', 'dry_run'].includes(name))).toEqual([]);
  });
});

describe('the same as commands', () => {
  const home = () => {
    const one = agentHome();
    one.setup(['gemini', 'opencode', 'vscode']);
    return one;
  };

  it('Gemini CLI gets TOML that takes in what was typed', () => {
    const { read: written } = home();
    for (const name of ['loci', ...skills.map((skill) => skill.replace('loci-', 'loci/'))]) {
      const { description, prompt } = parseToml(written(`.gemini/commands/${name}.toml`));
      expect(String(description).length).toBeGreaterThan(20);
      expect(prompt).toContain('{{args}}');
      expect(prompt).not.toContain('$ARGUMENTS');
    }
  });

  it('OpenCode and VS Code get Markdown with a description', () => {
    const { read: written } = home();
    for (const name of ['loci', ...skills]) {
      const command = written(`.config/opencode/commands/${name}.md`);
      expect(Object.keys(frontMatter(command))).toEqual(['description']);
      expect(command).toContain('$ARGUMENTS');
      expect(Object.keys(frontMatter(written(`.config/Code/User/prompts/${name}.prompt.md`)))).toEqual(['description']);
    }
  });
});

describe('the plugin', () => {
  it('has the version of the package and the hooks that setup would write', () => {
    const plugin = JSON.parse(read('.claude-plugin/plugin.json')) as {
      version: string;
      hooks: Record<string, unknown>;
    };
    expect(plugin.version).toBe(version);
    const { program, machine } = agentHome();
    const { edits } = agents['claude-code'].plan({ machine, program: { ...program, env: {} }, hooks: true });
    const wanted = edits.flatMap((edit) => (edit.kind === 'hook' ? [[edit.path.at(-1), [edit.value]]] : []));
    const text = JSON.stringify(Object.fromEntries(wanted)).replaceAll(`${program.node} ${program.script}`, 'loci');
    expect(plugin.hooks).toEqual(JSON.parse(text));
  });
});
