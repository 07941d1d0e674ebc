import type { ComponentChildren } from 'preact';
import { Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';
import { hrefOf } from '../route.ts';
import type { MemoryRecord } from './memory-record.ts';

/** Where a memory comes from, how far it is trusted, and how it has been used. */
export function Provenance({ memory }: { memory: MemoryRecord }) {
  const lists = [
    ['Concepts', memory.concepts],
    ['Tags', memory.tags],
    ['Files', memory.files],
  ] as const;
  return (
    <details class="part" open>
      <summary>Where it comes from</summary>
      <dl class="pairs">
        {lists
          .filter(([, values]) => values.length > 0)
          .map(([name, values]) => (
            <Pair key={name} name={name}>
              <span class="labels">
                {values.map((value) => (
                  <span class="label" key={value}>
                    <Text of={value} />
                  </span>
                ))}
              </span>
            </Pair>
          ))}
        <Pair name="Written by">
          <Text of={[memory.agent, memory.author].filter(Boolean).join(', ') || 'unknown'} /> ({memory.provenance})
        </Pair>
        <Said name="Session" of={memory.session} />
        <Said name="Branch" of={memory.branch} />
        <Said name="Worktree" of={memory.worktree} />
        <Said name="Repository" of={memory.source_repo} />
        <Said name="Address" of={memory.source_url} />
        <Said name="Source" of={memory.source} />
        <Pair name="Learned">
          <Ago at={memory.created_at} />
        </Pair>
        {isApart(memory.occurred_at, memory.created_at) && (
          <Pair name="Happened">
            <Ago at={memory.occurred_at} />
          </Pair>
        )}
        <Pair name="Changed">
          <Ago at={memory.updated_at} />
        </Pair>
        {memory.expires_at !== null && (
          <Pair name="Expires">
            <Ago at={memory.expires_at} />
          </Pair>
        )}
        <Pair name="Trust">
          confidence {memory.confidence.toFixed(2)}, importance {memory.importance} of 10
        </Pair>
        <Pair name="Strength">
          {Math.round(memory.decay * 100)} % left, read {memory.access_count}{' '}
          {memory.access_count === 1 ? 'time' : 'times'}
          {memory.last_accessed_at !== null && (
            <>
              , last <Ago at={memory.last_accessed_at} />
            </>
          )}
        </Pair>
        <Said name="Why not active" of={memory.obsolete_reason} />
        {memory.superseded_by !== null && (
          <Pair name="Replaced by">
            <a href={hrefOf('memory', memory.superseded_by)}>#{memory.superseded_by}</a>
          </Pair>
        )}
        {memory.supersedes.length > 0 && (
          <Pair name="Replaces">
            {memory.supersedes.map((id) => (
              <a key={id} href={hrefOf('memory', id)}>
                #{id}{' '}
              </a>
            ))}
          </Pair>
        )}
      </dl>
    </details>
  );
}

/** Whether two instants differ by more than the time of a save. */
function isApart(a: string, b: string): boolean {
  return Math.abs(Date.parse(a) - Date.parse(b)) > 60_000;
}

function Pair({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Said({ name, of }: { name: string; of: string | null }) {
  if (of === null || of === '') return null;
  return (
    <Pair name={name}>
      <Text of={of} />
    </Pair>
  );
}
