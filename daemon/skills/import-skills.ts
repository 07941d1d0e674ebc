// Import of SKILL.md files. A file that says what is stored already changes nothing; another text under a taken name is refused.
// Of a folder all are stored or none, unless the caller wants the good ones; each refused file is named with its line.
import type { CallContext } from '#daemon/kernel/context.ts';
import type { LinkedKind, Thing } from '#daemon/storage/thing-links.ts';
import { type Columns, createThings } from '#daemon/things/index.ts';
import type { importSkill, importSkills } from '#shared/contract/knowledge/skills.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { LociError } from '#shared/errors.ts';
import type { SkillDeps } from './deps.ts';
import { type LinkedUids, linkedKinds } from './kept-fields.ts';
import { readSkillMd } from './read-skill-md.ts';
import { type SkillExtra, type SkillRow, skillByName, skillKind, skillToWords } from './skill.ts';
import { inputToSkill } from './skill-input.ts';
import { idsByUid } from './skill-links.repository.ts';

export type SkillFileText = { readonly path: string; readonly text: string };

/** What the caller says of all files; undefined leaves it to each file. */
export type ImportOptions = {
  readonly projectId: number | null | undefined;
  readonly importance: number | undefined;
};

/** Imports one file. Throws `invalid_input` naming line or field, `conflict` for a name that another text has. */
export async function importOne(
  deps: SkillDeps,
  text: string,
  options: ImportOptions,
  context: CallContext,
): Promise<OutputOf<typeof importSkill>> {
  const plan = await planImport(deps, text, options, context);
  const { warnings } = plan;
  if ('present' in plan) return { ...skillToWords(plan.present), outcome: 'unchanged', warnings };
  return createThings(deps, skillKind, [plan.draft], context, ([row]) => ({
    ...skillToWords(row as SkillRow),
    outcome: 'created' as const,
    warnings,
  }));
}

/** Imports many files. Throws `invalid_input` naming every file that is refused, unless `skipInvalid`. */
export async function importMany(
  deps: SkillDeps,
  files: readonly SkillFileText[],
  options: ImportOptions & { readonly skipInvalid: boolean },
  context: CallContext,
): Promise<OutputOf<typeof importSkills>> {
  const skipped: { path: string; line: number | null; problem: string }[] = [];
  const planned = new Map<string, { path: string; plan: Plan }>();
  for (const { path, text } of files) {
    try {
      const plan = await planImport(deps, text, options, context);
      const twin = planned.get(plan.name);
      if (twin !== undefined) throw new LociError('conflict', `'${plan.name}' is the name of ${twin.path} too.`);
      planned.set(plan.name, { path, plan });
    } catch (error) {
      if (!(error instanceof LociError) || error.code === 'unavailable') throw error;
      const { line } = error.details;
      skipped.push({ path, line: typeof line === 'number' ? line : null, problem: error.message });
    }
  }
  if (skipped.length > 0 && !options.skipInvalid) throw refused(skipped, files.length);
  const all = [...planned.values()];
  const fresh = all.flatMap(({ path, plan }) => ('draft' in plan ? [{ path, draft: plan.draft }] : []));
  const unchanged = all.flatMap(({ path, plan }) =>
    'present' in plan ? [{ path, id: plan.present.id, name: plan.name }] : [],
  );
  const warnings = all.flatMap(({ path, plan }) => plan.warnings.map((warning) => ({ path, warning })));
  const drafts = fresh.map(({ draft }) => draft);
  return createThings(deps, skillKind, drafts, context, (rows) => ({
    created: rows.map(({ id, name }, index) => ({ path: fresh[index]?.path ?? '', id, name })),
    unchanged,
    skipped,
    warnings,
  }));
}

type Plan = { readonly name: string; readonly warnings: string[] } & (
  | { readonly draft: { readonly columns: Columns<SkillRow>; readonly extra: SkillExtra } }
  | { readonly present: SkillRow }
);

async function planImport(
  deps: SkillDeps,
  text: string,
  { projectId, importance }: ImportOptions,
  context: CallContext,
): Promise<Plan> {
  const { input, kept } = readSkillMd(text);
  const warnings: string[] = [];
  const project = projectId === undefined ? await projectOf(deps, kept.project, warnings, context) : projectId;
  const columns = inputToSkill({ ...input, importance: importance ?? input.importance, project_id: project }, context);
  const present = await skillByName(deps.database.db, context.userId, columns.name);
  if (present !== null) {
    if (isSame(present, columns)) return { name: columns.name, warnings, present };
    throw new LociError(
      'conflict',
      `A skill named '${columns.name}' already exists and says something else: change it, or take another name.`,
      { name: 'is taken', id: present.id },
    );
  }
  const links = await linksOf(deps, kept.links, warnings, context);
  const extra = { userId: context.userId, links, nowMs: deps.clock.now() };
  return { name: columns.name, warnings, draft: { columns, extra } };
}

/** Nothing that a SKILL.md can say differs; who wrote the row is no difference. */
function isSame(present: SkillRow, columns: Columns<SkillRow>): boolean {
  const said = [
    'name',
    'description',
    'content',
    'license',
    'compatibility',
    'allowed_tools',
    'metadata',
    'tags',
  ] as const;
  return said.every((column) => present[column] === columns[column]);
}

async function projectOf(
  deps: SkillDeps,
  name: string | null,
  warnings: string[],
  context: CallContext,
): Promise<number | null> {
  if (name === null) return null;
  const id = await deps.projects.idByName(deps.database.db, context.userId, name);
  if (id === null) warnings.push(`There is no project '${name}' here: the skill is in none.`);
  return id;
}

async function linksOf(deps: SkillDeps, uids: LinkedUids, warnings: string[], context: CallContext): Promise<Thing[]> {
  const links: Thing[] = [];
  for (const kind of linkedKinds) {
    const wanted = uids[kind] ?? [];
    const ids = await idsByUid(deps.database.db, kind, context.userId, wanted);
    links.push(...ids.map((id) => ({ kind: kind as LinkedKind, id })));
    const missing = wanted.length - ids.length;
    if (missing > 0) warnings.push(`${missing} linked ${kind.replace('_', ' ')}(s) do not exist here.`);
  }
  return links;
}

function refused(skipped: readonly { path: string; problem: string }[], total: number): LociError {
  const [first] = skipped;
  return new LociError(
    'invalid_input',
    `${skipped.length} of ${total} files were refused and nothing was stored; the first: ${first?.path}: ${first?.problem}`,
    Object.fromEntries(skipped.map(({ path, problem }) => [path, problem])),
  );
}
