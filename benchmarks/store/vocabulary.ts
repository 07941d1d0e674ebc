import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledModel } from '#daemon/embeddings/bundled.ts';
import { bundledModelsFolder } from '#daemon/embeddings/installed-files.ts';

/** How many words a store of notes draws from. */
const vocabularySize = 8_000;

let known: readonly string[] | undefined;

/** English words of 4 to 11 letters, the commonest first: the bundled tokenizer's own list, which its makers sorted so. */
export function wordsByFrequency(): readonly string[] {
  if (known !== undefined) return known;
  const file = join(bundledModelsFolder(), bundledModel, 'tokenizer.json');
  const { model } = JSON.parse(readFileSync(file, 'utf8')) as { model: { vocab: Record<string, number> } };
  known = Object.entries(model.vocab)
    .filter(([word]) => /^[a-z]{4,11}$/.test(word))
    .sort(([, a], [, b]) => a - b)
    .map(([word]) => word)
    .slice(0, vocabularySize);
  return known;
}
