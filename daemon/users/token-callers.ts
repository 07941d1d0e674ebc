// From a token to whom it stands for, at each call anew: one row by its hash, so that a revoked token is refused by the very next call.
// Connections that outlive a call (streams, MCP) learn of the end by a signal.
import { timingSafeEqual } from 'node:crypto';
import type { Caller } from '#daemon/kernel/caller.ts';
import { ownerId } from '#daemon/kernel/caller.ts';
import { internalContext } from '#daemon/kernel/context.ts';
import type { Logger } from '#daemon/kernel/logger.ts';
import { narrowScopes, readScopes, scopesOfUser } from '#daemon/kernel/scopes.ts';
import type { UserDeps } from './deps.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import { markUsed, type TokenRow, tokenByHash } from './tokens.repository.ts';
import { hashOfToken } from './tokens.ts';
import { watchExpiry } from './watch-expiry.ts';

export type TokenCallers = {
  /** Null for a token that is unknown, revoked or expired. */
  callerOf(token: string): Promise<Caller | null>;
  /** Tells open connections that a token is no longer valid. */
  end(tokenId: number): void;
  close(): void;
};

export type TokenCallersDeps = UserDeps & {
  readonly logger: Logger;
  /** What no token grants more than: the setting `auth.scopes`. */
  readonly ceiling: readonly string[];
  readonly revoked: RevokedTokens;
};

/** Last use is a matter of minutes; writing it at each call would be a write per read. */
const useNotedEveryMs = 60_000;

type Live = { readonly aborter: AbortController; readonly stopWatching: () => void; notedMs: number };

export function createTokenCallers(deps: TokenCallersDeps): TokenCallers {
  const { database, clock, logger } = deps;
  const live = new Map<number, Live>();

  function end(tokenId: number): void {
    const entry = live.get(tokenId);
    if (entry === undefined) return;
    live.delete(tokenId);
    entry.stopWatching();
    entry.aborter.abort();
  }

  function liveEntry({ id, expires_at }: TokenRow): Live {
    const known = live.get(id);
    if (known !== undefined) return known;
    const stopWatching = expires_at === null ? () => undefined : watchExpiry(clock, expires_at, () => end(id));
    const entry: Live = { aborter: new AbortController(), stopWatching, notedMs: Number.NEGATIVE_INFINITY };
    live.set(id, entry);
    return entry;
  }

  return {
    end,
    async callerOf(token) {
      const hash = hashOfToken(token);
      const row = await tokenByHash(database.db, hash);
      if (row === null || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) return null;
      const nowMs = clock.now();
      if (row.revoked_at !== null || deps.revoked.has(hash) || (row.expires_at !== null && row.expires_at <= nowMs)) {
        end(row.id);
        return null;
      }
      const entry = liveEntry(row);
      // a clock that was set back has used nothing yet
      if (Math.abs(nowMs - entry.notedMs) >= useNotedEveryMs) {
        entry.notedMs = nowMs;
        database
          .write(internalContext, (trx) => markUsed(trx, row.id, nowMs))
          .catch((err: unknown) => logger.warn({ err }, 'the use of a token could not be noted'));
      }
      const granted = scopesOfUser(readScopes(row.scopes), row.user_id === ownerId);
      return {
        userId: row.user_id,
        scopes: narrowScopes(granted, deps.ceiling),
        ended: entry.aborter.signal,
      };
    },
    close() {
      for (const { stopWatching } of live.values()) stopWatching();
      live.clear();
    },
  };
}
