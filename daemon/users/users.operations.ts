// The user whom a call is made for. Their notes are what every agent may read of them, so a credential in them is refused.
import { toUtc } from '#daemon/kernel/clock.ts';
import type { CallContext } from '#daemon/kernel/context.ts';
import { implement, type Operation } from '#daemon/kernel/operation.ts';
import { refuseSecrets } from '#daemon/secrets/detect-secrets.ts';
import { type ChangeRow, changeToEvent, recordChanges } from '#daemon/storage/change-log.ts';
import { isBlank } from '#shared/contract/common.ts';
import { getCurrentUser, updateUserNotes } from '#shared/contract/knowledge/users.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import type { UserDeps } from './deps.ts';
import { type User, userById, writeNotes } from './users.repository.ts';

export function userOperations(deps: UserDeps): Operation[] {
  return [
    implement(getCurrentUser, async (_input, { userId }) =>
      toWords(required(await userById(deps.database.db, userId))),
    ),
    implement(updateUserNotes, async (input, context) => updateNotes(deps, notesOf(input), context)),
  ];
}

async function updateNotes(deps: UserDeps, notes: string | null, context: CallContext) {
  refuseSecrets({ notes });
  const log: ChangeRow[] = [];
  const answer = await deps.database.write(context, async (trx) => {
    const before = required(await userById(trx, context.userId));
    if (before.notes === notes) return toWords(before);
    const user = await writeNotes(trx, before.id, notes, deps.clock.now());
    const changes = { notes: { old: before.notes, new: notes } };
    log.push(
      ...(await recordChanges(trx, context, deps.clock, [
        { kind: 'user', thingId: user.id, action: 'updated', changes },
      ])),
    );
    return toWords(user);
  });
  for (const row of log) deps.events.announce(changeToEvent(row));
  return answer;
}

type Given = { readonly notes?: string | null | undefined; readonly user_notes?: string | null | undefined };

/** The whole text under either name; blank and null clear. Throws `invalid_input` for none, and for two that differ. */
function notesOf({ notes, user_notes: other }: Given): string | null {
  const given = notes === undefined ? other : notes;
  if (given === undefined) throw new LociError('invalid_input', '`notes` is required.', { notes: 'is required' });
  if (other !== undefined && other !== given) {
    throw invalidField(
      'user_notes',
      '`notes` and `user_notes` are two names of one field and differ: give one of them.',
    );
  }
  return given === null || isBlank(given) ? null : given;
}

function required(user: User | null): User {
  if (user === null) throw new LociError('not_found', 'The user that this call is made for does not exist.');
  return user;
}

function toWords({ id, name, email, notes, created_at, updated_at }: User) {
  return {
    id,
    user_id: id,
    name,
    username: name,
    email,
    notes,
    user_notes: notes,
    created_at: toUtc(created_at),
    updated_at: toUtc(updated_at ?? created_at),
  };
}
