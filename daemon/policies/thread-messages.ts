// What passes between the daemon and the thread of a policy.

export type Phase = 'before' | 'after';

export type PolicyQuestion = { readonly id: number; readonly phase: Phase; readonly write: unknown };

/** `verdict` is whatever the handler returned, as JSON has it; `failed` carries a reason for the log alone. */
export type PolicyReply =
  | { readonly id: number; readonly verdict: unknown }
  | { readonly id: number; readonly failed: string };

/** What the thread is started with. */
export type PolicyThreadData = { readonly file: string };
