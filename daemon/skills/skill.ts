// A skill and its pure rules: what of it is indexed, embedded and logged, and that its name is taken once.
import type { Selectable } from 'kysely';
import { toUtc } from '#daemon/kernel/clock.ts';
import { provenanceToWords } from '#daemon/storage/provenance.ts';
import type { Queries } from '#daemon/storage/sqlite.ts';
import type { SkillsTable } from '#daemon/storage/tables/things.ts';
import { linkThings, type Thing } from '#daemon/storage/thing-links.ts';
import { listOf, loggedText, type ThingKind } from '#daemon/things/index.ts';
import type { Skill } from '#shared/contract/knowledge/skills.ts';
import { LociError } from '#shared/errors.ts';

export type SkillRow = Selectable<SkillsTable>;

/** What comes with a new skill: links that a SKILL.md names. */
export type SkillExtra = {
  readonly userId: number;
  readonly links: readonly Thing[];
  readonly nowMs: number;
} | null;

export const skillKind: ThingKind<SkillRow, SkillExtra> = {
  table: 'skills',
  kind: 'skill',
  noun: 'Skill',
  secrets: ({ name, description, content, license, compatibility, tags, metadata, source_url, source_files }) => ({
    name,
    description,
    content,
    license,
    compatibility,
    tags: listOf(tags),
    metadata,
    source_url,
    source_files: listOf(source_files),
  }),
  logged: (skill) => ({
    name: skill.name,
    description: skill.description,
    license: skill.license,
    compatibility: skill.compatibility,
    allowed_tools: listOf(skill.allowed_tools),
    metadata: objectOf(skill.metadata),
    tags: listOf(skill.tags),
    importance: skill.importance,
    project_id: skill.project_id,
    ...provenanceToWords(skill),
    content: loggedText(skill.content),
  }),
  async check(trx, userId, { name }, id) {
    const other = await skillByName(trx, userId, name);
    if (other === null || other.id === id) return;
    throw new LociError('conflict', `A skill named '${name}' already exists: change it, or take another name.`, {
      name: 'is taken',
      id: other.id,
    });
  },
  async keepExtra(trx, id, extra) {
    for (const thing of extra?.links ?? []) {
      await linkThings(trx, extra?.userId ?? 0, { kind: 'skill', id }, thing, extra?.nowMs ?? 0);
    }
  },
  search: {
    type: 'skill',
    words: ({ name, description, content, tags, compatibility }) => ({
      title: name,
      texts: [description, content],
      labels: [...listOf(tags), compatibility],
      names: [],
      dates: [],
    }),
    // a skill is found by what it is for: its steps name much that it is not about
    pieces: ({ name, description, tags }) => [
      { text: [name.replaceAll('-', ' '), description, listOf(tags).join(', ')].filter(Boolean).join('\n') },
    ],
  },
};

/** A user's skill of exactly this name, or null. */
export async function skillByName(db: Queries, userId: number, name: string): Promise<SkillRow | null> {
  const row = await db
    .selectFrom('skills')
    .selectAll()
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row ?? null;
}

export const summaryColumns = [
  'id',
  'name',
  'description',
  'license',
  'tags',
  'importance',
  'project_id',
  'created_at',
  'updated_at',
] as const;

export type SkillSummaryRow = Pick<SkillRow, (typeof summaryColumns)[number]>;

export function skillToSummary(row: SkillSummaryRow) {
  const { id, name, description, license, importance, project_id } = row;
  return {
    id,
    skill_id: id,
    name,
    description,
    license,
    tags: listOf(row.tags),
    importance,
    project_id,
    created_at: toUtc(row.created_at),
    updated_at: toUtc(row.updated_at),
  };
}

export function skillToWords(row: SkillRow): Skill {
  return {
    ...skillToSummary(row),
    content: row.content,
    compatibility: row.compatibility,
    allowed_tools: listOf(row.allowed_tools),
    metadata: objectOf(row.metadata),
    ...provenanceToWords(row),
  };
}

export function objectOf(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}
