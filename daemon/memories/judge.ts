// What this room asks of an administrator's policy: before a memory is saved or changed, outside every transaction, and after it. A
// policy sees the words of the wire, not our fields; what it remarks goes into the answer beside what was done.
import { toUtc } from '#daemon/kernel/clock.ts';
import type { PolicyWrite } from '#daemon/policies/index.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import type { MemoryDeps } from './deps.ts';
import { snapshotOf } from './history.repository.ts';
import type { Memory, MemoryDraft } from './memory.ts';

export type MemoryWrite = {
  readonly operation: PolicyWrite['operation'];
  readonly previous: Memory | null;
  readonly proposed: MemoryDraft;
  readonly projectIds?: readonly number[] | undefined;
  /** After the write: the memory's id, and what was found around it. */
  readonly id?: number;
  readonly found?: unknown;
};

type Asking = Pick<MemoryDeps, 'policy'>;

/** Throws `rejected_by_policy` or `unavailable`; nothing has been written then. */
export async function judgeBefore({ policy }: Asking, write: MemoryWrite): Promise<readonly PluginWarning[]> {
  return policy.isSet ? policy.before(writeToWords(write)) : [];
}

/** What the policy remarks about a write that stands. */
export async function judgeAfter({ policy }: Asking, write: MemoryWrite): Promise<readonly PluginWarning[]> {
  return policy.isSet ? policy.after(writeToWords(write)) : [];
}

/** Puts remarks into an answer whose warnings are texts. */
export function remarkInWords<Answer extends { warnings: string[] }>(
  answer: Answer,
  warnings: readonly PluginWarning[],
): Answer {
  if (warnings.length === 0) return answer;
  return { ...answer, warnings: [...answer.warnings, ...warnings.map(({ message }) => message)] };
}

function writeToWords({ operation, previous, proposed, projectIds, id, found }: MemoryWrite): PolicyWrite {
  return {
    operation,
    previous: previous === null ? null : { id: previous.id, ...draftToWords(previous, previous.projectIds) },
    proposed: {
      ...(id === undefined ? {} : { id }),
      ...draftToWords(proposed, projectIds ?? previous?.projectIds ?? []),
    },
    ...(found === undefined ? {} : { found }),
  };
}

/** `occurredAtMs: 0` → `occurred_at: '1970-…'`; concepts and files have the catalogue's names. */
function draftToWords(draft: MemoryDraft, projectIds: readonly number[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(snapshotOf(draft, projectIds)).map(([field, value]) => {
      const name =
        catalogueNames[field] ?? field.replace(/Ms$/, '').replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);
      return [name, field.endsWith('Ms') ? toUtc(value as number | null) : value];
    }),
  );
}

const catalogueNames: Readonly<Record<string, string>> = { concepts: 'keywords', files: 'source_files' };
