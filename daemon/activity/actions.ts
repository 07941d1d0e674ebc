// The log keeps the exact word of each change (claimed, merged, obsoleted); the catalogue knows five. One table turns one into the
// other, for reading and for filtering alike.
import type { ActionWords } from '#daemon/storage/reader.ts';
import { type ActivityAction, activityActions } from '#shared/contract/knowledge/activity.ts';

/** Words of the log by the catalogue's action; every other word is an update. */
const wordsOf: Readonly<Record<Exclude<ActivityAction, 'updated'>, readonly string[]>> = {
  created: ['created', 'saved', 'imported'],
  // what hides a thing counts as its deletion, as its return counts as an update
  deleted: ['deleted', 'obsoleted', 'archived', 'superseded', 'purged'],
  read: ['read'],
  queried: ['queried'],
};

export function wordToAction(word: string): ActivityAction {
  return activityActions.find((action) => action !== 'updated' && wordsOf[action].includes(word)) ?? 'updated';
}

/** What of the log belongs to an action. */
export function actionToWords(action: ActivityAction): ActionWords {
  if (action !== 'updated') return { words: wordsOf[action], without: false };
  return { words: Object.values(wordsOf).flat(), without: true };
}
