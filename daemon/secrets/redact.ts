// Swept text is redacted instead of refused: nobody is there to say it in other words. What stands around the secret stays.
import { findSecrets } from './detect-secrets.ts';

export type Redacted = { readonly text: string; readonly redactions: number };

/** The text with each secret replaced by its kind: `[redacted: GitHub token]`. */
export function redactSecrets(text: string): Redacted {
  const secrets = findSecrets(text);
  if (secrets.length === 0) return { text, redactions: 0 };
  let redacted = '';
  let from = 0;
  for (const { kind, start, end } of secrets) {
    redacted += `${text.slice(from, start)}[redacted: ${kind}]`;
    from = end;
  }
  return { text: redacted + text.slice(from), redactions: secrets.length };
}
