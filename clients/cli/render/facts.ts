import { memoryTool } from '#shared/contract/facts.ts';
import { ageOf } from './age.ts';
import { emphasise } from './emphasis.ts';
import { escapeLine } from './escape.ts';
import { type Rendered, rendererFor } from './rendered.ts';
import type { View } from './style.ts';
import { table } from './table.ts';

/** The four actions of the `memory` operation have four outputs; each tells itself by its own field. */
export const factRenderer = rendererFor(memoryTool, (output, view): Rendered => {
  if ('facts' in output) return foundFacts(output, view);
  if ('deleted' in output) return { result: `Forgot ${output.deleted === 1 ? '1 fact' : `${output.deleted} facts`}.` };
  if ('categories' in output) return categoryTable(output.categories, view);
  const name = view.style.cyan(`${output.category}/${output.key}`);
  const until = output.expires_at === null ? '' : ` until ${output.expires_at}`;
  return { result: `${output.created ? 'Saved' : 'Replaced'} ${name} (#${output.id})${escapeLine(until)}.` };
});

type Fact = {
  readonly category: string;
  readonly key: string;
  readonly value: string;
  readonly conf: number;
  readonly updated_at: string;
};

function foundFacts(
  output: { facts: readonly Fact[]; degraded?: readonly string[] | undefined },
  view: View,
): Rendered {
  const query = typeof view.input.query === 'string' ? view.input.query : '';
  const notices = output.degraded === undefined ? [] : [`This search did without: ${output.degraded.join(', ')}.`];
  if (output.facts.length === 0) return { result: '', notices: ['Nothing found.', ...notices] };
  const result = table(
    [
      { head: 'FACT', paint: view.style.cyan },
      { head: 'CONF', align: 'right' },
      { head: 'AGE', align: 'right', paint: view.style.dim },
      { head: 'VALUE', paint: emphasise(query, view.style.bold) },
    ],
    output.facts.map((fact) => [
      `${fact.category}/${fact.key}`,
      String(fact.conf),
      ageOf(fact.updated_at, view.nowMs),
      fact.value,
    ]),
    view,
  );
  return { result, notices };
}

function categoryTable(
  categories: readonly { category: string; facts: number; updated_at: string }[],
  view: View,
): Rendered {
  if (categories.length === 0) return { result: '', notices: ['No facts yet.'] };
  return {
    result: table(
      [{ head: 'CATEGORY', paint: view.style.cyan }, { head: 'FACTS', align: 'right' }, { head: 'UPDATED' }],
      categories.map((one) => [one.category, String(one.facts), ageOf(one.updated_at, view.nowMs)]),
      view,
    ),
  };
}
