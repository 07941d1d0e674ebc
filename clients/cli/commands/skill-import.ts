// `loci skill import PATH…`: the files are read here, because only the client may look into the caller's folders; the daemon gets their
// texts, all in one call, so that a folder is stored whole or not at all.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Command, Option } from 'commander';
import { importSkills } from '#shared/contract/knowledge/skills.ts';
import { LociError } from '#shared/errors.ts';
import type { CommandDeps } from '../derive-command.ts';
import { addGlobalOptions } from '../global-options.ts';
import type { Mount } from '../mount.ts';
import { renderOutput } from '../render/renderers.ts';
import { reading } from './reading-files.ts';

type Flags = { projectId?: string; importance?: string; skipInvalid?: boolean; idempotencyKey?: string };

/** Larger than any SKILL.md that the daemon takes. */
const maxFileBytes = 1024 * 1024;
const skippedFolders: ReadonlySet<string> = new Set(['node_modules', '.git']);

export function addSkillImportCommand(mount: Mount, deps: CommandDeps): void {
  const command = addGlobalOptions(
    new Command('import')
      .summary('import SKILL.md files')
      .description(
        'Import skills from SKILL.md files, and from every SKILL.md below a folder: all of them, or none when one is refused. What is stored already stays as it is.',
      )
      .argument('<path...>', 'a SKILL.md, or a folder')
      .addOption(new Option('--project-id <n>', 'the project of all of them'))
      .addOption(new Option('--importance <n>', 'of all of them, 1 to 10 (default: what the file says, or 7)'))
      .addOption(new Option('--skip-invalid', 'import the good ones and name the others'))
      .addOption(new Option('--idempotency-key <text>', 'the same key within 24 hours changes nothing twice')),
  );
  command.action(async (paths: string[]) => {
    const session = deps.openSession(command);
    const { projectId, importance, skipInvalid, idempotencyKey } = command.opts<Flags>();
    const skills = paths.flatMap(skillFilesAt).map((path) => ({ path, skill_md: readText(path) }));
    const input = {
      skills,
      ...(projectId === undefined ? {} : { project_id: projectId }),
      ...(importance === undefined ? {} : { importance }),
      ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }),
      skip_invalid: skipInvalid === true,
    };
    const output = await (await session.connection()).call(importSkills.name, input);
    session.print(output, () => renderOutput(importSkills.name, output, session.view(input)));
  });
  mount('skill import', command);
}

/** The file itself, or every SKILL.md below a folder, in the order of their paths. Symbolic links are not followed: they may lead anywhere. */
function skillFilesAt(path: string): string[] {
  const found = reading(path, () => statSync(path)).isDirectory() ? below(path) : [path];
  if (found.length > 0) return found;
  throw new LociError('not_found', `There is no SKILL.md below ${path}.`, { path });
}

function below(folder: string): string[] {
  const listed = reading(folder, () => readdirSync(folder, { withFileTypes: true }));
  const entries = listed.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : below(path);
    return entry.isFile() && basename(path).toLowerCase() === 'skill.md' ? [path] : [];
  });
}

function readText(path: string): string {
  if (reading(path, () => statSync(path)).size > maxFileBytes) {
    throw new LociError('invalid_input', `${path} is larger than 1 MB: that is no SKILL.md.`, { path: 'is too large' });
  }
  const bytes = reading(path, () => readFileSync(path));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new LociError('invalid_input', `${path} is no UTF-8 text: save it as UTF-8.`, { path: 'must be UTF-8' });
  }
}
