// Words of the catalogue ↔ use-cases. No rule lives here.
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import {
  changeThing,
  createThing,
  deleteThing,
  listThings,
  oneOf,
  pageOf,
  requireThing,
} from '#daemon/things/index.ts';
import {
  createSkill,
  deleteSkill,
  exportSkill,
  getSkill,
  importSkill,
  importSkills,
  listSkills,
  searchSkills,
  updateSkill,
} from '#shared/contract/knowledge/skills.ts';
import type { SkillDeps } from './deps.ts';
import { importMany, importOne } from './import-skills.ts';
import { foundSkills } from './search-skills.ts';
import {
  type SkillRow,
  type SkillSummaryRow,
  skillKind,
  skillToSummary,
  skillToWords,
  summaryColumns,
} from './skill.ts';
import { inputToSkill, patchSkill } from './skill-input.ts';
import { linkedUids } from './skill-links.repository.ts';
import { writeSkillMd } from './write-skill-md.ts';

const kind = skillKind;

export function skillOperations(deps: SkillDeps): Operation[] {
  const { db } = deps.database;
  return [
    implement(createSkill, async (input, context) =>
      createThing(deps, kind, { columns: inputToSkill(input, context), extra: null }, context, skillToWords),
    ),
    implement(getSkill, async (input, context) =>
      skillToWords(await requireThing<SkillRow>(db, kind, context.userId, idOf(input))),
    ),
    implement(listSkills, async ({ project_id, tags, importance_threshold, name, limit, offset }, context) => {
      const { rows, total } = await listThings<SkillRow, keyof SkillSummaryRow>(deps.database, kind, summaryColumns, {
        userId: context.userId,
        projectId: project_id,
        tags: tags ?? [],
        equals: name === undefined ? undefined : { column: 'name', value: name },
        atLeast: importance_threshold === undefined ? undefined : { column: 'importance', value: importance_threshold },
        limit,
        offset,
      });
      return { skills: rows.map(skillToSummary), ...pageOf({ limit, offset }, rows.length, total) };
    }),
    implement(searchSkills, async (input, context) => foundSkills(deps, input, context)),
    implement(updateSkill, async (input, context) => {
      const apply = (present: SkillRow) => ({ columns: patchSkill(present, input), extra: null });
      return changeThing(deps, kind, { id: idOf(input), apply }, context, skillToWords);
    }),
    implement(deleteSkill, async (input, context) =>
      deleteThing(deps, kind, idOf(input), context, (id) => ({ success: true, deleted_id: id, skill_id: id })),
    ),
    ...moving(deps),
  ];
}

function moving(deps: SkillDeps): Operation[] {
  const { db } = deps.database;
  return [
    implement(importSkill, async (input, context) => {
      const { skill_md_content, skill_md, project_id: projectId, importance } = input;
      return importOne(deps, oneOf({ skill_md_content, skill_md }), { projectId, importance }, context);
    }),
    implement(importSkills, async ({ skills, project_id: projectId, importance, skip_invalid }, context) => {
      const files = skills.map(({ path, skill_md }) => ({ path, text: skill_md }));
      return importMany(deps, files, { projectId, importance, skipInvalid: skip_invalid }, context);
    }),
    implement(exportSkill, async (input, context) => {
      const row = await requireThing<SkillRow>(db, kind, context.userId, idOf(input));
      const projects = await deps.projects.byIds(db, context.userId, row.project_id === null ? [] : [row.project_id]);
      const project = [...projects.values()][0]?.name ?? null;
      const skill_md = writeSkillMd(row, project, await linkedUids(db, row.id));
      return { id: row.id, skill_id: row.id, name: row.name, skill_md };
    }),
  ];
}

function idOf({ skill_id, id }: { readonly skill_id?: number | undefined; readonly id?: number | undefined }): number {
  return oneOf({ skill_id, id });
}
