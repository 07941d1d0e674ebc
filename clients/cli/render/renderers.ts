import { accessRenderers } from './access.ts';
import { activityHistoryRenderer, listActivityRenderer } from './activity.ts';
import { renderAnyShape } from './any-shape.ts';
import {
  createBackupRenderer,
  listBackupsRenderer,
  repairDatabaseRenderer,
  restoreBackupRenderer,
  verifyBackupRenderer,
} from './backups.ts';
import { agentsRenderer, conflictsRenderer, listRenderer, mergeTwoRenderer } from './browse.ts';
import { diffRenderer } from './diff.ts';
import { factRenderer } from './facts.ts';
import { historyRenderer } from './history.ts';
import { recallRenderer, recapRenderer, sweepRenderer } from './hooks.ts';
import { listJobsRenderer, runJobRenderer } from './jobs.ts';
import { noteRenderers } from './notes.ts';
import {
  aliasRenderer,
  archiveRenderer,
  checkpointRenderer,
  mergeRenderer,
  purgeRenderer,
  saveManyRenderer,
  saveRenderer,
} from './outcomes.ts';
import { healthRenderer, listProjectsRenderer, startRenderer, syncRenderer } from './overview.ts';
import { boardRenderer, listPlansRenderer, planRenderers } from './plans.ts';
import { getReEmbeddingRenderer, reEmbedRenderer } from './re-embedding.ts';
import { getRenderer, revertRenderer, updateRenderer } from './record.ts';
import type { Rendered, Renderer } from './rendered.ts';
import { searchRenderer } from './search.ts';
import {
  exportSkillRenderer,
  findRenderer,
  getSkillRenderer,
  importSkillsRenderer,
  listSkillsRenderer,
  searchSkillsRenderer,
} from './skills.ts';
import { statsRenderer } from './stats.ts';
import type { View } from './style.ts';
import { nextTaskRenderer, queryTasksRenderer, taskRenderers } from './tasks.ts';
import { trustRenderers } from './trust.ts';
import {
  cleanRenderer,
  compressRenderer,
  consolidateRenderer,
  restoreFilesRenderer,
  undoConsolidationRenderer,
} from './upkeep.ts';

/** One renderer for each shape of answer, by the name of the operation. */
export const renderers: ReadonlyMap<string, Renderer> = new Map([
  factRenderer,
  syncRenderer,
  saveRenderer,
  saveManyRenderer,
  checkpointRenderer,
  searchRenderer,
  listRenderer,
  conflictsRenderer,
  mergeTwoRenderer,
  agentsRenderer,
  getRenderer,
  updateRenderer,
  revertRenderer,
  archiveRenderer,
  purgeRenderer,
  diffRenderer,
  historyRenderer,
  consolidateRenderer,
  undoConsolidationRenderer,
  cleanRenderer,
  compressRenderer,
  restoreFilesRenderer,
  recallRenderer,
  recapRenderer,
  sweepRenderer,
  statsRenderer,
  healthRenderer,
  startRenderer,
  listProjectsRenderer,
  aliasRenderer,
  mergeRenderer,
  listSkillsRenderer,
  searchSkillsRenderer,
  getSkillRenderer,
  exportSkillRenderer,
  importSkillsRenderer,
  findRenderer,
  listJobsRenderer,
  runJobRenderer,
  ...noteRenderers,
  ...planRenderers,
  listPlansRenderer,
  boardRenderer,
  ...taskRenderers,
  queryTasksRenderer,
  nextTaskRenderer,
  listActivityRenderer,
  activityHistoryRenderer,
  ...accessRenderers,
  ...trustRenderers,
  createBackupRenderer,
  listBackupsRenderer,
  verifyBackupRenderer,
  restoreBackupRenderer,
  repairDatabaseRenderer,
  reEmbedRenderer,
  getReEmbeddingRenderer,
]);

/** What a person reads of an operation's answer. */
export function renderOutput(operation: string, output: unknown, view: View): Rendered {
  return (renderers.get(operation) ?? renderAnyShape)(output, view);
}
