// The skills are written once, as SKILL.md files; agents that know no skills get the same texts as commands in their own format.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LociProgram } from '../agent.ts';
import type { Edit } from './edit.ts';

type Skill = { readonly name: string; readonly description: string; readonly body: string; readonly text: string };

/** Where a command's own text takes in what the user typed, as Claude Code and OpenCode write it. */
const typedText = '$ARGUMENTS';

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

/** `<folder>/loci/recall.toml` and so on, which Gemini CLI shows as `/loci:recall`, and `<folder>/loci.toml` for `/loci`. */
export function geminiCommandFiles(folder: string, program: LociProgram): Edit[] {
  return commandsOf(program).map(({ name, description, body }) => {
    const prompt = body.replaceAll(typedText, '{{args}}');
    const text = `description = ${JSON.stringify(description)}\nprompt = '''\n${prompt}'''\n`;
    return ours(join(folder, `${name.replace(/^loci-/, 'loci/')}.toml`), text);
  });
}

/** `<folder>/loci-recall.md` and so on, which OpenCode shows as `/loci-recall`, and `/loci`. */
export function markdownCommandFiles(folder: string, program: LociProgram): Edit[] {
  return commandsOf(program).map(({ name, description, body }) =>
    ours(join(folder, `${name}.md`), `${frontMatter(description)}${body}`),
  );
}

/** `<folder>/loci-recall.prompt.md` and so on, which Copilot in VS Code shows as `/loci-recall`, and `/loci`. */
export function promptFiles(folder: string, program: LociProgram): Edit[] {
  return commandsOf(program).map(({ name, description, body }) => {
    const prompt = body.replaceAll(typedText, 'what stands behind the command');
    return ours(join(folder, `${name}.prompt.md`), `${frontMatter(description)}${prompt}`);
  });
}

function frontMatter(description: string): string {
  return `---\ndescription: ${JSON.stringify(description)}\n---\n`;
}

function ours(file: string, text: string): Edit {
  return { kind: 'file', role: 'text', file, text };
}

function skillsOf(program: LociProgram): Skill[] {
  const folders = readdirSync(join(program.texts, 'skills')).sort();
  return folders.map((name) => parsed(name, readText(program, join('skills', name, 'SKILL.md'))));
}

/** `/loci`, and each skill as a command that takes in what the user typed. */
function commandsOf(program: LociProgram): Skill[] {
  const skills = skillsOf(program).map((skill) => ({
    ...skill,
    body: `${skill.body}\nWhat the user added: ${typedText}\n`,
  }));
  return [parsed('loci', readText(program, 'commands/loci.md')), ...skills];
}

function parsed(name: string, text: string): Skill {
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  return { name, description: /^description: (.+)$/m.exec(front)?.[1] ?? '', body, text };
}
