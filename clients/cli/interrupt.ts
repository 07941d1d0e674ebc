// What Ctrl-C still has to do before the program ends: a command that has begun something elsewhere takes it back, or says what becomes of it.
// A second Ctrl-C ends at once.

type Ending = () => Promise<void> | void;

const endings = new Set<Ending>();
let isEnding = false;

/** Runs `ending` when the program is interrupted, until what is answered here is called. */
export function whenInterrupted(ending: Ending): () => void {
  endings.add(ending);
  return () => void endings.delete(ending);
}

/** Does what is left to do, for `withinMs` at most. At a second call nothing. */
export async function endInterrupted(withinMs: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs));
  await Promise.race([Promise.allSettled([...endings].map(async (ending) => ending())), late]);
}
