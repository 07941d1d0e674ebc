// A skill as the text of a SKILL.md, in the order that people read it in. Values that an older YAML would take for something else
// (`yes`, `1.0`) are quoted, because every agent brings a reader of its own.
import { stringify } from 'yaml';
import { listOf } from '#daemon/things/index.ts';
import { keptOf, type LinkedUids } from './kept-fields.ts';
import { objectOf, type SkillRow } from './skill.ts';
import { reservedName } from './skill-input.ts';

export function writeSkillMd(row: SkillRow, project: string | null, links: LinkedUids): string {
  const kept = keptOf(row, project, links);
  const metadata = { ...objectOf(row.metadata), ...(kept === null ? {} : { [reservedName]: kept }) };
  const tags = listOf(row.tags);
  const tools = listOf(row.allowed_tools);
  const front = {
    name: row.name,
    description: row.description,
    ...(row.license === null ? {} : { license: row.license }),
    ...(row.compatibility === null ? {} : { compatibility: row.compatibility }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(tools.length === 0 ? {} : { 'allowed-tools': tools }),
  };
  const yaml = stringify(front, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false });
  return `---\n${yaml}---\n\n${row.content}\n`;
}
