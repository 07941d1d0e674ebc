import {
  listInjections,
  listQuarantined,
  rejectQuarantined,
  releaseQuarantined,
  scrub,
} from '#shared/contract/trust.ts';
import { ageOf } from './age.ts';
import { escapeBlock, escapeLine } from './escape.ts';
import { type Renderer, rendererFor } from './rendered.ts';
import { table } from './table.ts';

export const trustRenderers: readonly (readonly [string, Renderer])[] = [
  rendererFor(listQuarantined, ({ memories, total }, view) => ({
    result:
      memories.length === 0
        ? 'nothing is held'
        : memories
            .map(({ id, agent, author, reasons, content, found_at }) =>
              [
                `${view.style.cyan(String(id))}  ${ageOf(found_at, view.nowMs)}  from ${escapeLine(author ?? agent ?? 'an unnamed client')}`,
                ...reasons.map((reason) => `    ${reason}`),
                ...escapeBlock(content)
                  .split('\n')
                  .map((line) => `  | ${line}`),
              ].join('\n'),
            )
            .join('\n\n'),
    notices: [
      ...(memories.length < total ? [`${memories.length} of ${total}.`] : []),
      ...(memories.length === 0 ? [] : ['`loci quarantine release ID` or `loci quarantine reject ID` judges one.']),
    ],
  })),
  rendererFor(releaseQuarantined, ({ id }) => ({ result: `released ${id}: it may be put into contexts` })),
  rendererFor(rejectQuarantined, ({ id }) => ({ result: `rejected ${id}: archived, and kept out of contexts` })),
  rendererFor(listInjections, ({ injections, total }, view) => ({
    result:
      injections.length === 0
        ? 'nothing was injected'
        : table(
            [
              { head: 'ID', align: 'right', paint: view.style.cyan },
              { head: 'AGE', align: 'right' },
              { head: 'BY' },
              { head: 'AGENT' },
              { head: 'SESSION' },
              { head: 'FOLDER' },
              { head: 'TITLE' },
            ],
            injections.map((one) => [
              String(one.memory_id),
              ageOf(one.injected_at, view.nowMs),
              one.occasion,
              one.agent ?? '',
              one.session ?? '',
              one.folder ?? '',
              one.title,
            ]),
            view,
          ),
    notices: injections.length < total ? [`${injections.length} of ${total}.`] : [],
  })),
  rendererFor(scrub, ({ scanned, found, places, quarantined, dry_run }, view) => ({
    result: [
      `${found} of ${scanned} texts ${dry_run ? 'hold' : 'held'} a secret${dry_run || found === 0 ? '' : ', which is taken out'}`,
      ...(places.length === 0
        ? []
        : [
            table(
              [{ head: 'TABLE' }, { head: 'ID', align: 'right' }, { head: 'FIELD' }, { head: 'KIND' }],
              places.map((place) => [place.table, String(place.id ?? ''), place.field, place.kinds.join(', ')]),
              view,
            ),
          ]),
    ].join('\n'),
    notices: [
      ...(found > 0
        ? ['A secret that was stored has to be replaced where it is used. Backups from before still hold it.']
        : []),
      ...(quarantined > 0 ? [`${quarantined} memories are held: \`loci quarantine list\`.`] : []),
    ],
  })),
];
