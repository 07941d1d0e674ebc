import { searchEverything } from '#shared/contract/knowledge/graph.ts';
import { exportSkill, getSkill, importSkills, listSkills, searchSkills } from '#shared/contract/knowledge/skills.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import { ageOf } from './age.ts';
import { emphasise } from './emphasis.ts';
import { escapeBlock, escapeLine } from './escape.ts';
import { rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { pairs, table } from './table.ts';

type Listed = OutputOf<typeof listSkills>['skills'][number];

export const listSkillsRenderer = rendererFor(listSkills, (output, view) => ({
  result: skillTable(output.skills, view),
  notices: output.has_more
    ? [`${output.total} in all; \`--offset ${output.offset + output.skills.length}\` shows more.`]
    : [],
}));

export const searchSkillsRenderer = rendererFor(searchSkills, (output, view) => ({
  result: skillTable(output.skills, view),
  notices: [
    ...(output.skills.length === 0 ? ['Nothing found.'] : []),
    ...(output.degraded.length > 0 ? [`This search did without: ${output.degraded.join(', ')}.`] : []),
  ],
}));

/** Every skill by id, name and what it is for. */
function skillTable(skills: readonly Listed[], view: View): string {
  if (skills.length === 0) return '';
  const columns = [
    { head: 'ID', align: 'right', paint: view.style.cyan },
    { head: 'NAME' },
    { head: 'AGE', align: 'right', paint: view.style.dim },
    { head: 'FOR' },
  ] as const;
  const rows = skills.map((skill) => [
    String(skill.id),
    skill.name,
    ageOf(skill.updated_at, view.nowMs),
    skill.description,
  ]);
  return table(columns, rows, view);
}

export const getSkillRenderer = rendererFor(getSkill, (skill, view) => {
  const { style } = view;
  const fields = [
    ['license', skill.license],
    ['needs', skill.compatibility],
    ['tools', skill.allowed_tools.join(', ')],
    ['tags', skill.tags.join(', ')],
    ['importance', String(skill.importance)],
    ['project', skill.project_id === null ? null : `#${skill.project_id}`],
    ['metadata', Object.keys(skill.metadata).length === 0 ? null : JSON.stringify(skill.metadata)],
  ] as const;
  const said = fields.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, escapeLine(value)] as const],
  );
  const heading = `${style.cyan(`#${skill.id}`)} ${style.bold(escapeLine(skill.name))}`;
  return {
    result: [heading, escapeLine(skill.description), '', escapeBlock(skill.content), '', pairs(said, view)].join('\n'),
  };
});

/** Into a pipe or a file exactly as it is; on a terminal with control characters made visible. */
export const exportSkillRenderer = rendererFor(exportSkill, ({ skill_md }, view) => {
  const text = skill_md.replace(/\n$/, '');
  return { result: view.columns === null ? text : escapeBlock(text) };
});

export const importSkillsRenderer = rendererFor(importSkills, (output) => {
  const { created, unchanged, skipped, warnings } = output;
  const lines = [
    ...created.map(({ id, name }) => `Imported #${id} ${escapeLine(name)}.`),
    ...unchanged.map(({ id, name }) => `#${id} ${escapeLine(name)} is stored already.`),
  ];
  return {
    result: lines.join('\n'),
    notices: [
      ...skipped.map(({ path, problem }) => `skipped ${path}: ${problem}`),
      ...warnings.map(({ path, warning }) => `warning: ${path}: ${warning}`),
    ],
  };
});

export const findRenderer = rendererFor(searchEverything, (output, view) => {
  const { style } = view;
  const columns = [
    { head: 'KIND' },
    { head: 'ID', align: 'right', paint: style.cyan },
    { head: 'SCORE', align: 'right' },
    { head: 'AGE', align: 'right', paint: style.dim },
    { head: 'TITLE', paint: emphasise(output.query, style.bold) },
  ] as const;
  const rows = output.results.map((hit) => [
    hit.kind.replace('_', ' '),
    String(hit.id),
    hit.score.toFixed(2),
    ageOf(hit.updated_at, view.nowMs),
    [hit.title, ...(hit.heading_path ?? [])].join(' › '),
  ]);
  return {
    result: rows.length === 0 ? '' : table(columns, rows, view),
    notices: [
      ...(rows.length === 0 ? ['Nothing found.'] : []),
      ...(output.degraded.length > 0 ? [`This search did without: ${output.degraded.join(', ')}.`] : []),
    ],
  };
});
