import { readFileSync } from 'node:fs';
import { LociError } from '#shared/errors.ts';

/** The template at `file` with its `{{words}}` filled in. Throws `internal` for a word that nothing fills or a template that is gone. */
export function fillTemplate(file: string, values: Readonly<Record<string, string>>): string {
  return readTemplate(file).replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new LociError('internal', `The template of the service has no value for ${name}.`);
    return value;
  });
}

function readTemplate(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new LociError('internal', 'The templates of the service are missing: reinstall Loci.');
  }
}
