// Who looks at the page. `loci ui` opens it with a code behind the `#`, which is traded at once and taken out of the address.
import { signal } from '@preact/signals';
import { ApiError, type PageState, readState, signIn } from './api.ts';
import { replaceRoute } from './route.ts';

export type Session =
  | { readonly signedIn: true; readonly state: PageState }
  | { readonly signedIn: false; readonly why: string | null };

export const session = signal<Session>({ signedIn: false, why: null });

/** Trades a code from the address, if there is one, and asks who looks. */
export async function startSession(): Promise<void> {
  const code = /[#&]code=([\w-]+)/.exec(location.hash)?.[1];
  let why: string | null = null;
  if (code !== undefined) {
    replaceRoute('#/');
    why = await signIn(code).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  }
  try {
    session.value = { signedIn: true, state: await readState() };
  } catch (error) {
    const known = error instanceof ApiError && error.status === 401;
    session.value = { signedIn: false, why: known || !(error instanceof Error) ? why : error.message };
  }
}

/** A call that answers 401 ends the session here too. */
export function noticeEnd(error: unknown): void {
  if (error instanceof ApiError && error.status === 401)
    session.value = { signedIn: false, why: 'Your session has ended.' };
}

/** Whether this daemon has an operation, which a setting or its age may deny. */
export function has(operation: string): boolean {
  return session.value.signedIn && session.value.state.operations.includes(operation);
}

/** Whether the caller may change memories. */
export function mayWrite(): boolean {
  if (!session.value.signedIn) return false;
  return session.value.state.scopes.some((scope) => ['*', 'write', 'write:memories'].includes(scope));
}
