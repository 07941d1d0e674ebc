// A file of ten megabytes takes the detector a second. Whoever has to wait for it is whoever sends it: everybody else's calls go between the
// parts of a long text. Parts overlap by more than any secret is long, so that none is cut in two.
import { setImmediate as letOthers } from 'node:timers/promises';
import { findSecrets, refuseFound, refuseSecrets } from './detect-secrets.ts';

const partChars = 64 * 1024;
const overlapChars = 8 * 1024;
/** What stands before a secret and may say that it is none: a part needs that much of the one before. */
const leadChars = 512;

/** As `refuseSecrets`, a few milliseconds at a time. */
export async function refuseSecretsInTurns(fields: Parameters<typeof refuseSecrets>[0]): Promise<void> {
  for (const [field, value] of Object.entries(fields)) {
    for (const text of typeof value === 'string' ? [value] : (value ?? [])) {
      if (text.length <= partChars) refuseSecrets({ [field]: text });
      else await refuseInParts(field, text);
    }
  }
}

async function refuseInParts(field: string, text: string): Promise<void> {
  for (let from = 0; from < text.length; from += partChars - overlapChars) {
    const found = findSecrets(text.slice(from, from + partChars));
    // what begins in the lead was seen, with more before it, in the part before
    const [secret] = from === 0 ? found : found.filter(({ start }) => start >= leadChars);
    if (secret !== undefined) refuseFound(field, secret);
    await letOthers();
  }
}
