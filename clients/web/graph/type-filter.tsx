import { type NodeType, nodeTypes } from '#shared/contract/knowledge/node-types.ts';
import { colourOf, looks } from './drawing.ts';
import type { GraphData } from './graph-data.ts';

const shapes = { circle: '●', square: '■', diamond: '◆', triangle: '▲' } as const;

/** Which kinds are drawn; it is the legend too. */
export function TypeFilter({
  data,
  hidden,
  onChange,
}: {
  data: GraphData;
  hidden: ReadonlySet<NodeType>;
  onChange: (hidden: ReadonlySet<NodeType>) => void;
}) {
  const counts = new Map<NodeType, number>();
  for (const { type } of data.nodes.values()) counts.set(type, (counts.get(type) ?? 0) + 1);
  const flip = (type: NodeType): void => {
    const next = new Set(hidden);
    if (!next.delete(type)) next.add(type);
    onChange(next);
  };
  return (
    <fieldset class="legend">
      <legend>Kinds</legend>
      {nodeTypes
        .filter((type) => counts.has(type))
        .map((type) => (
          <label key={type} class="check">
            <input type="checkbox" checked={!hidden.has(type)} onChange={() => flip(type)} />
            <span aria-hidden="true" style={{ color: colourOf(type) }}>
              {shapes[looks[type].shape]}
            </span>
            {type.replace('_', ' ')} <span class="count">{counts.get(type)?.toLocaleString()}</span>
          </label>
        ))}
    </fieldset>
  );
}
