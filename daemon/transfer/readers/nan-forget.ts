// NaN Forget: `nan-forget export` prints its memories as one JSON list. Its words are the ones of our lifecycle tools.
import { memoryTypes, provenances, tiers } from '#shared/contract/memory-record.ts';
import { itemsOfNote } from './foreign-notes.ts';
import { jsonItems } from './json-items.ts';
import { instantOf, numberOf, objectOf, textOf, textsOf } from './read-values.ts';
import type { Item, Reader } from './reader.ts';

export const nanForgetReader: Reader = {
  source: 'nan-forget',
  detects: ({ head }) =>
    /^\uFEFF?\s*[[{]/.test(head) &&
    /"content"\s*:/.test(head) &&
    /"(?:embedding_provider|last_accessed|consolidated_from|tier)"\s*:/.test(head),
  *read({ path }, tools): Generator<Item> {
    for (const item of jsonItems(path, ['memories', 'results', 'points'], tools.progress)) {
      if ('problem' in item) yield item;
      else {
        // a dump of its older store keeps everything but the id in a payload
        const given = { ...item.value, ...objectOf(item.value.payload) };
        const id = textOf(given.id) ?? (typeof given.id === 'number' ? String(given.id) : null);
        const content = textOf(given.content);
        if (id === null || content === null)
          yield { line: item.line, problem: 'the record has no `id` or no `content`' };
        else yield* itemsOfNote(tools, noteOf(given, id, content, item.line));
      }
    }
  },
};

function noteOf(given: Record<string, unknown>, id: string, content: string, line: number) {
  const summary = textOf(given.summary);
  const from = textsOf(given.consolidated_from);
  return {
    sourceId: [id],
    content,
    line,
    createdAt: instantOf(given.created_at),
    updatedAt: instantOf(given.updated_at),
    project: textOf(given.project) === '_global' ? null : textOf(given.project),
    tags: textsOf(given.tags),
    more: {
      status: given.status === 'archived' ? 'archived' : 'active',
      type: memoryTypes.find((type) => type === given.type) ?? 'fact',
      context:
        summary === content || (summary !== null && content.startsWith(summary.replace(/(?:…|\.\.\.)$/, '')))
          ? null
          : summary,
      problem: textOf(given.problem),
      solution: textOf(given.solution),
      concepts: textsOf(given.concepts),
      files: textsOf(given.files),
      confidence: numberOf(given.confidence, 0, 1) ?? 0.5,
      provenance: provenances.find((one) => one === given.provenance) ?? 'save',
      tier: tiers.find((tier) => tier === given.tier) ?? 'regular',
      source: textOf(given.source),
      access_count: Math.round(numberOf(given.access_count, 0, 1e9) ?? 0),
      last_accessed_at: instantOf(given.last_accessed),
      expires_at: instantOf(given.expires_at),
      metadata: from.length === 0 ? {} : { consolidated_from: from },
    },
  };
}
