import type { Json } from './edits/edit.ts';
import { isObject } from './same.ts';

/** Whether a command line runs `loci hook`, from whichever place: how a hook of ours is told from those of others. */
export function isLociCommand(command: string): boolean {
  return /(?:^|[\s/\\'"])loci(?:\.cjs)?['"]?\s+hook\s+[\w-]+(?:\s|$)/.test(command);
}

/** Whether an element of an agent's list of hooks runs `loci hook`, alone or beside others. */
export function isLociHook(element: Json): boolean {
  if (!isObject(element)) return false;
  if (typeof element.command === 'string' && isLociCommand(element.command)) return true;
  return Array.isArray(element.hooks) && element.hooks.some(isLociHook);
}
