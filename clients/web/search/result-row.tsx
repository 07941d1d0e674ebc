import { Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';
import type { Hit, Row } from './find.ts';

export type ResultRowProps = {
  readonly row: Row | null;
  readonly query: string;
  readonly href: string;
  readonly isOpen: boolean;
  /** Where the keys are. */
  readonly isMarked: boolean;
  readonly isPicked: boolean;
  readonly explains: boolean;
  readonly onPick: () => void;
};

export function ResultRow({ row, query, href, isOpen, isMarked, isPicked, explains, onPick }: ResultRowProps) {
  if (row === null) return <div class="result waiting" />;
  const { line, hit } = row;
  const excerpt = beyondTitle(row);
  return (
    <div class={`result${isOpen ? ' open' : ''}${isMarked ? ' marked' : ''}`} data-id={row.id}>
      <input type="checkbox" checked={isPicked} onChange={onPick} aria-label={`Select memory ${row.id}`} />
      <a href={href} aria-current={isOpen ? 'true' : undefined}>
        <span class={excerpt === '' ? 'title whole' : 'title'}>
          {line?.pinned === true && <span class="pin">pinned </span>}
          <Text of={row.title} query={query} />
        </span>
        {excerpt !== '' && (
          <span class="excerpt">
            <Text of={excerpt} query={query} />
          </span>
        )}
        <span class="facts">
          <span class="kind">{row.type}</span>
          {row.project !== null && (
            <span>
              <Text of={row.project} />
            </span>
          )}
          {line !== null && line.status !== 'active' && <span class="state">{line.status}</span>}
          {line?.tier === 'core' && <span>core</span>}
          <span>#{row.id}</span>
          <Ago at={row.updated_at} />
          {hit !== null && <span class="score">score {hit.score.toFixed(3)}</span>}
        </span>
        {explains && <span class="why">{hit === null ? 'Scores come with a search.' : explained(hit)}</span>}
      </a>
    </div>
  );
}

/** The excerpt without what the title says already: a title that nobody gave is its first sentence. */
function beyondTitle({ title, excerpt }: Row): string {
  return excerpt.startsWith(title) ? excerpt.slice(title.length).trim() : excerpt;
}

const factors = ['relevance', 'similarity', 'keyword', 'decay', 'frequency', 'trust'] as const;

/** The factors of a score in one line. */
function explained(hit: Hit): string {
  const values = hit.explain ?? {};
  return factors
    .filter((name) => typeof values[name] === 'number')
    .map((name) => `${name} ${(values[name] as number).toFixed(2)}`)
    .join(' · ');
}
