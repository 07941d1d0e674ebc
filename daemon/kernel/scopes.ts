import type { Scope } from '#shared/contract/operation.ts';

/** Whether a caller that holds `granted` may do what needs `needed`. `*` is all; `read` covers every `read:<kind>`; nothing but `*` and `admin` covers `admin`. */
export function isAllowed(granted: readonly string[], needed: Scope): boolean {
  if (granted.includes('*') || granted.includes(needed)) return true;
  const [action] = needed.split(':') as [string];
  return action !== 'admin' && granted.includes(action);
}
