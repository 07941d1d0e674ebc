import type { z } from 'zod';
import { getReEmbedding, reEmbed } from '#shared/contract/re-embedding.ts';
import { durationText, sizeText } from './age.ts';
import { escapeLine } from './escape.ts';
import { type Rendered, rendererFor } from './rendered.ts';

type Status = z.output<typeof getReEmbedding.output>;

export const getReEmbeddingRenderer = rendererFor(getReEmbedding, (status) => statusText(status));

export const reEmbedRenderer = rendererFor(reEmbed, ({ plan, ...status }) => {
  if (plan === null) return statusText(status);
  const { passages, dimensions, seconds, bytes, free_bytes } = plan;
  const to = status.next_model === null ? `${status.model}, the present model` : status.next_model;
  return {
    result: `Embedding ${thingsText(status.things)} (${passages} ${passages === 1 ? 'passage' : 'passages'}) with ${escapeLine(to)}, ${dimensions} dimensions, takes about ${durationText(seconds * 1_000)} and ${sizeText(bytes)} of the ${sizeText(free_bytes)} that are free.`,
    notices: ['Nothing was changed.'],
  };
});

function thingsText(things: number): string {
  return `${things} ${things === 1 ? 'thing' : 'things'}`;
}

function statusText({ state, model, next_model, things, done, why }: Status): Rendered {
  const of = `${done} of ${things}`;
  const notices = why === null ? [] : [escapeLine(why)];
  if (state === 'done')
    return { result: `Everything (${thingsText(things)}) is embedded with ${escapeLine(model)}.`, notices };
  const to = escapeLine(next_model ?? model);
  if (state === 'failed')
    return { result: `Searches still use ${escapeLine(model)}: the vectors of ${to} are not used.`, notices };
  return {
    result: `${of} are embedded with ${to}${next_model === null ? '' : `; until all are, searches use ${escapeLine(model)}`}.`,
    notices,
  };
}
