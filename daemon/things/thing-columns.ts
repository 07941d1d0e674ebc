// How the columns that all kinds share are written and read.
import { labelKeys } from '#daemon/storage/label-keys.ts';

/** A JSON list of texts. */
export function listOf(json: string): string[] {
  return JSON.parse(json) as string[];
}

/** Tags as given and as they are compared. */
export function tagColumns(tags: readonly string[]) {
  return { tags: JSON.stringify(tags), tag_keys: labelKeys(tags) };
}

/** An empty text clears an optional field, as null does. */
export function emptyToNull(text: string | null | undefined): string | null | undefined {
  return text === '' ? null : text;
}

/** The value that is given, else the present one: null is a value. */
export function given<T>(value: T | undefined, present: T): T {
  return value === undefined ? present : value;
}
