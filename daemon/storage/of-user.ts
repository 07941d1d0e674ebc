import { type RawBuilder, sql } from 'kysely';

/**
 * That a row found by its id is the user's. The sign keeps the planner from its indexes on `user_id`: without figures about the store it
 * would rather walk every row of the user than look up ten by their ids, 5 ms among 100,000.
 */
export function isOfUser(userId: number): RawBuilder<boolean> {
  return sql<boolean>`+user_id = ${userId}`;
}
