import { useSignal } from '@preact/signals';
import { Text } from '../parts/text.tsx';
import { type FacetName, type Facets, facetNames } from './local-facets.ts';
import type { Wanted } from './wanted.ts';

const titles: Readonly<Record<FacetName, string>> = {
  project: 'Project',
  type: 'Type',
  tier: 'Tier',
  status: 'Status',
  agent: 'Agent',
  age: 'Age',
};

const ageNames: Readonly<Record<string, string>> = {
  day: 'a day',
  week: 'a week',
  month: 'a month',
  quarter: 'three months',
  year: 'a year',
  older: 'older',
};

const ages = Object.keys(ageNames);

/** Values of a facet that stand there before "more". */
const shownValues = 7;

export type FacetListProps = {
  readonly wanted: Wanted;
  readonly facets: Facets | null;
  readonly onChoose: (name: FacetName, value: string | null) => void;
};

export function FacetList({ wanted, facets, onChoose }: FacetListProps) {
  const chosen = facetNames.filter((name) => wanted[name] !== null);
  const isWide = matchMedia('(min-width: 60rem)').matches;
  return (
    <details class="facets" open={isWide}>
      <summary>Filters{chosen.length > 0 && ` (${chosen.length})`}</summary>
      {facetNames.map((name) => (
        <Facet key={name} name={name} wanted={wanted} values={facets?.[name] ?? []} onChoose={onChoose} />
      ))}
      <label class="sort">
        Order
        <select
          value={wanted.sort ?? 'updated'}
          disabled={wanted.query !== ''}
          onChange={(event) => onChoose('sort' as FacetName, event.currentTarget.value)}
        >
          <option value="updated">last changed first</option>
          <option value="created">newest first</option>
          <option value="importance">most important first</option>
        </select>
      </label>
    </details>
  );
}

type FacetProps = Omit<FacetListProps, 'facets'> & { readonly name: FacetName; readonly values: Facets[FacetName] };

function Facet({ name, wanted, values, onChoose }: FacetProps) {
  const isLong = useSignal(false);
  const named = values.filter((one): one is { value: string; count: number } => one.value !== null);
  const sorted = name === 'age' ? named.sort((a, b) => ages.indexOf(a.value) - ages.indexOf(b.value)) : named;
  const shown = isLong.value ? sorted : sorted.slice(0, shownValues);
  const chosen = name === 'status' ? (wanted.status ?? 'active') : wanted[name];
  if (sorted.length === 0 && wanted[name] === null) return null;
  return (
    <fieldset class="facet">
      <legend>{titles[name]}</legend>
      <ul>
        {shown.map(({ value, count }) => (
          <li key={value}>
            <button
              type="button"
              aria-pressed={value === chosen}
              onClick={() => onChoose(name, value === wanted[name] ? null : value)}
            >
              <span class="value">
                <Text of={name === 'age' ? (ageNames[value] ?? value) : value} />
              </span>
              <span class="count">{count.toLocaleString()}</span>
            </button>
          </li>
        ))}
        {wanted[name] !== null && !shown.some(({ value }) => value === wanted[name]) && (
          <li>
            <button type="button" aria-pressed={true} onClick={() => onChoose(name, null)}>
              <span class="value">
                <Text of={wanted[name] ?? ''} />
              </span>
              <span class="count">0</span>
            </button>
          </li>
        )}
      </ul>
      {sorted.length > shownValues && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            isLong.value = !isLong.value;
          }}
        >
          {isLong.value ? 'fewer' : `${sorted.length - shownValues} more`}
        </button>
      )}
    </fieldset>
  );
}
