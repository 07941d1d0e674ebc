// A project ends, its knowledge stays: memories leave it part by part, so that a large one never holds up the others; the rest goes
// with the row in one last transaction. Killed half-way, it is finished by repeating it.
import type { CallContext } from '#daemon/kernel/context.ts';
import { forgetAnswers } from '#daemon/storage/answers.ts';
import { type ChangeRow, changeToEvent, eraseChangeTexts, recordChanges } from '#daemon/storage/change-log.ts';
import type { VectorChange } from '#daemon/storage/search-types.ts';
import { removeLinks } from '#daemon/storage/thing-links.ts';
import { projectById } from './keep-project.ts';
import { moveInParts, type ProjectDeps } from './merge-projects.ts';
import { memoriesOf, moveMemories } from './move-memories.ts';
import { deleteProject as deleteRow } from './projects.repository.ts';

/** Erases a project. Throws `not_found` for an id that is not the user's, `conflict` where it has plans and `erasePlans` is not said. */
export async function deleteProject<Answer>(
  deps: ProjectDeps,
  given: { readonly id: number; readonly erasePlans: boolean },
  context: CallContext,
  answerOf: (id: number) => Answer,
): Promise<Answer> {
  const { id, erasePlans } = given;
  const { userId } = context;
  await projectById(deps.database.db, userId, id);
  const leaving = { fromId: id, intoId: null, userId, nowMs: deps.clock.now(), erasePlans };
  for (const { allow } of deps.followers) await allow?.(deps.database.db, leaving);
  const left = await moveInParts(deps, context, id, null);
  const vectors: VectorChange[] = [];
  const log: ChangeRow[] = [];
  const answer = await deps.database.write(context, async (trx) => {
    await projectById(trx, userId, id);
    const ids = await memoriesOf(trx, id, Number.MAX_SAFE_INTEGER);
    vectors.push(...(await moveMemories(trx, ids, leaving)));
    for (const { follow } of deps.followers) vectors.push(...(await follow(trx, leaving)));
    await removeLinks(trx, { kind: 'project', id });
    await deleteRow(trx, id);
    await eraseChangeTexts(trx, 'project', id);
    await forgetAnswers(trx, 'project', id);
    const metadata = { memories: left + ids.length };
    log.push(
      ...(await recordChanges(trx, context, deps.clock, [
        { kind: 'project', thingId: id, action: 'deleted', metadata },
      ])),
    );
    return answerOf(id);
  });
  deps.vectors.publish(vectors);
  for (const row of log) deps.events.announce(changeToEvent(row));
  await deps.database.checkpoint().catch(() => false);
  return answer;
}
