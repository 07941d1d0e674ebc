// Importance, project, provenance and links have no field in a SKILL.md. An export keeps those that are not the usual below `metadata.loci`
// (the project by name, links by uid, which are the same on every machine), and an import reads them back. A plain file stays plain.
import { isRecord } from '#daemon/kernel/is-record.ts';
import { provenanceToWords } from '#daemon/storage/provenance.ts';
import type { SkillRow } from './skill.ts';
import { reservedName, type SkillInput } from './skill-input.ts';
import { trimmedBody } from './split-skill-md.ts';

export const linkedKinds = ['memory', 'file', 'code_artifact', 'document'] as const;
export type LinkedUids = { readonly [K in (typeof linkedKinds)[number]]?: readonly string[] };

export type Kept = {
  /** Importance and provenance, under the names of the contract. */
  readonly fields: Partial<SkillInput>;
  readonly project: string | null;
  readonly links: LinkedUids;
  /** The body begins or ends with white space that must not be trimmed. */
  readonly exactBody: boolean;
};

const usualImportance = 7;

/** What an export keeps of a skill; null where a plain SKILL.md says it all. */
export function keptOf(row: SkillRow, project: string | null, links: LinkedUids): Record<string, unknown> | null {
  const provenance = Object.entries(provenanceToWords(row)).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  const linked = Object.entries(links).filter(([, uids]) => uids.length > 0);
  const kept = {
    ...(row.importance === usualImportance ? {} : { importance: row.importance }),
    ...(project === null ? {} : { project }),
    ...Object.fromEntries(provenance),
    ...(linked.length === 0 ? {} : { links: Object.fromEntries(linked) }),
    ...(trimmedBody(row.content) === row.content ? {} : { exact_body: true }),
  };
  return Object.keys(kept).length === 0 ? null : kept;
}

/** Takes what an export kept out of the metadata of a file. */
export function readKept(metadata: Readonly<Record<string, unknown>>): {
  kept: Kept;
  metadata: Record<string, unknown>;
} {
  const { [reservedName]: block, ...rest } = metadata;
  if (!isRecord(block))
    return { kept: { fields: {}, project: null, links: {}, exactBody: false }, metadata: { ...metadata } };
  const { project, links, exact_body: exactBody, ...fields } = block;
  return {
    kept: {
      fields: fields as Partial<SkillInput>,
      project: typeof project === 'string' ? project : null,
      links: isRecord(links) ? uidsOf(links) : {},
      exactBody: exactBody === true,
    },
    metadata: rest,
  };
}

function uidsOf(links: Readonly<Record<string, unknown>>): LinkedUids {
  return Object.fromEntries(
    linkedKinds.map((kind) => {
      const uids = links[kind];
      return [kind, Array.isArray(uids) ? uids.filter((uid) => typeof uid === 'string') : []];
    }),
  );
}
