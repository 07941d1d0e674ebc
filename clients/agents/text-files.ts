// The skills are written once, as SKILL.md files; agents that know no skills get the same texts as commands in their own format.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LociProgram } from './agent.ts';
import type { Edit } from './edit.ts';

type Skill = { readonly name: string; readonly description: string; readonly body: string; readonly text: string };

/** A text that comes with Loci, below the folder of its texts. */
export function readText({ texts }: LociProgram, path: string): string {
  return readFileSync(join(texts, path), 'utf8');
}

export function textFile(file: string, program: LociProgram, path: string): Edit {
  return { kind: 'file', role: 'text', file, text: readText(program, path) };
}

/** `<folder>/<skill>/SKILL.md` for each skill. */
export function skillFiles(folder: string, program: LociProgram): Edit[] {
  return skillsOf(program).map(({ name, text }) => ours(join(folder, name, 'SKILL.md'), text));
}

/** `<folder>/recall.toml`, which Gemini CLI shows as `/loci:recall`. */
export function geminiCommandFiles(folder: string, program: LociProgram): Edit[] {
  return skillsOf(program).map(({ name, description, body }) => {
    const prompt = `${body}\nWhat the user added: {{args}}\n`;
    const text = `description = ${JSON.stringify(description)}\nprompt = '''\n${prompt}'''\n`;
    return ours(join(folder, `${shortName(name)}.toml`), text);
  });
}

/** `<folder>/loci-recall.md`, which OpenCode shows as `/loci-recall`. */
export function markdownCommandFiles(folder: string, program: LociProgram): Edit[] {
  return skillsOf(program).map(({ name, description, body }) => {
    const text = `---\ndescription: ${JSON.stringify(description)}\n---\n${body}\nWhat the user added: $ARGUMENTS\n`;
    return ours(join(folder, `${name}.md`), text);
  });
}

/** `<folder>/loci-recall.prompt.md`, which Copilot in VS Code shows as `/loci-recall`. */
export function promptFiles(folder: string, program: LociProgram): Edit[] {
  return skillsOf(program).map(({ name, description, body }) =>
    ours(join(folder, `${name}.prompt.md`), `---\ndescription: ${JSON.stringify(description)}\n---\n${body}`),
  );
}

function ours(file: string, text: string): Edit {
  return { kind: 'file', role: 'text', file, text };
}

function skillsOf(program: LociProgram): Skill[] {
  const folders = readdirSync(join(program.texts, 'skills')).sort();
  return folders.map((name) => {
    const text = readText(program, join('skills', name, 'SKILL.md'));
    const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    return { name, description: /^description: (.+)$/m.exec(front)?.[1] ?? '', body, text };
  });
}

function shortName(name: string): string {
  return name.replace(/^loci-/, '');
}
