// The answers to "does it work, and what is in it": sync, health, projects.
import { memoryHealth, memoryStart, memorySync } from '#shared/contract/overview.ts';
import { listProjects } from '#shared/contract/projects.ts';
import { ageOf, durationText } from './age.ts';
import { escapeLine } from './escape.ts';
import { rendererFor } from './rendered.ts';
import type { Style, View } from './style.ts';
import { pairs, table } from './table.ts';

export const syncRenderer = rendererFor(memorySync, (output, view) => {
  const { active, archived, obsolete } = output.stats;
  const head = `Memory is ${light(output.health, view.style)}: ${active} active, ${archived} archived, ${obsolete} obsolete.`;
  const here = output.project === null ? [] : [`You are in project ${escapeLine(output.project)}.`];
  const projects = output.projects.length === 0 ? [] : ['', projectTable(output.projects, view)];
  return { result: [head, ...here, ...projects].join('\n') };
});

export const healthRenderer = rendererFor(memoryHealth, (output, view) => {
  const { style } = view;
  const part = ({ status, why }: { status: Health; why?: string | undefined }): string =>
    `${light(status, style)}${why === undefined ? '' : `: ${escapeLine(why)}`}`;
  return {
    result: pairs(
      [
        ['status', light(output.status, style)],
        ['version', escapeLine(output.version)],
        ['process', `${output.pid}, up ${durationText(output.uptime_s * 1_000)}`],
        ['daemon', part(output.daemon)],
        ['database', part(output.database)],
        ['vector index', part(output.vector_index)],
        ['embedder', `${part(output.embedder)} (${escapeLine(output.embedder.model ?? 'no model')})`],
        ['jobs', part(output.jobs)],
        ['disk', part(output.disk)],
        ['backups', backupsText(output.backups, view)],
      ],
      view,
    ),
  };
});

export const startRenderer = rendererFor(memoryStart, (output, view) => ({
  result: pairs(
    [
      [
        'locid',
        `${output.running ? 'running' : 'stopped'}, process ${output.pid}, version ${escapeLine(output.version)}`,
      ],
      ['socket', escapeLine(output.socket)],
      ['mcp socket', escapeLine(output.mcp_socket)],
      ['port', output.port === null ? 'none' : String(output.port)],
      ...(output.page === null ? [] : [['page', escapeLine(output.page)] satisfies [string, string]]),
    ],
    view,
  ),
}));

export const listProjectsRenderer = rendererFor(listProjects, (output, view) => ({
  result:
    output.projects.length === 0
      ? ''
      : table(
          [
            { head: 'ID', align: 'right', paint: view.style.cyan },
            { head: 'MEMORIES', align: 'right' },
            { head: 'STATUS' },
            { head: 'NAME' },
          ],
          output.projects.map((project) => [
            String(project.id),
            String(project.memory_count),
            project.status,
            project.name,
          ]),
          view,
        ),
  notices: [
    ...(output.projects.length === 0 ? ['No projects.'] : []),
    ...(output.has_more ? [`${output.total - output.projects.length} more: use --offset.`] : []),
  ],
}));

type Health = 'ok' | 'degraded' | 'down';

/** When the newest backup was made, and when one was last restored on trial. */
export function backupsText(
  backups: { readonly last_at: string | null; readonly rehearsed_at: string | null },
  view: View,
): string {
  const age = (at: string | null): string => (at === null ? 'never' : ageOf(at, view.nowMs));
  if (backups.last_at === null) return 'none yet: one is made each night, or by `loci backup create`';
  return `last ${age(backups.last_at)}; restored on trial ${age(backups.rehearsed_at)}`;
}

function light(status: Health, style: Style): string {
  return { ok: style.green, degraded: style.yellow, down: style.red }[status](status);
}

function projectTable(
  projects: readonly { name: string; memories: number; last_saved_at: string | null }[],
  view: View,
): string {
  return table(
    [{ head: 'MEMORIES', align: 'right' }, { head: 'SAVED', align: 'right' }, { head: 'PROJECT' }],
    projects.map((project) => [
      String(project.memories),
      project.last_saved_at === null ? '' : ageOf(project.last_saved_at, view.nowMs),
      project.name,
    ]),
    view,
  );
}
