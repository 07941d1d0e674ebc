import type { Hit } from '../search/find.ts';

const meanings: Readonly<Record<string, string>> = {
  relevance: 'how well it fits, all told',
  similarity: 'nearness in meaning',
  keyword: 'the words it shares',
  fused: 'both together',
  decay: 'what is left after time without use',
  frequency: 'how often it was used',
  trust: 'how sure it is',
  score: 'what it is ranked by',
};

/** What the score of a search is made of. */
export function Score({ hit }: { hit: Hit }) {
  const values = Object.entries(hit.explain ?? {}).filter(
    (pair): pair is [string, number] => typeof pair[1] === 'number' && pair[0] in meanings,
  );
  if (values.length === 0) return null;
  return (
    <details class="part">
      <summary>Why it was found: score {hit.score.toFixed(3)}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Factor</th>
            <th scope="col">Value</th>
            <th scope="col">Means</th>
          </tr>
        </thead>
        <tbody>
          {values.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{value.toFixed(3)}</td>
              <td>{meanings[name]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
