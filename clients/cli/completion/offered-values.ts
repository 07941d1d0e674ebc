import type { Argument, Option } from 'commander';

type Offering = { readonly offered?: readonly string[] };

/** Lets a shell complete these words where `thing` takes a value. Commander's own choices would also check them, which is the daemon's to do, and repeat them in `--help`. */
export function offerValues<T extends Argument | Option>(thing: T, values: readonly string[]): T {
  return Object.assign(thing, { offered: values });
}

/** What was offered for it, or what it is limited to. */
export function offeredValues(thing: Argument | Option): readonly string[] {
  return (thing as Offering).offered ?? thing.argChoices ?? [];
}
