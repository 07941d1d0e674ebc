import { useSignal } from '@preact/signals';
import type { NodeType } from '#shared/contract/knowledge/node-types.ts';
import { Text } from '../parts/text.tsx';
import { hrefOf } from '../route.ts';
import { type GraphData, type GraphNode, neighboursOf } from './graph-data.ts';

export type NodePanelProps = {
  readonly data: GraphData;
  readonly types: readonly NodeType[];
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
  readonly onExpand: (id: string) => void;
  readonly onAround: (id: string) => void;
};

const maxListed = 100;

/** The chosen node with what it is tied to, else a list of all that is drawn. */
export function NodePanel({ data, types, chosen, onChoose, onExpand, onAround }: NodePanelProps) {
  const node = chosen === null ? undefined : data.nodes.get(chosen);
  if (node === undefined) return <NodeList data={data} types={types} onChoose={onChoose} />;
  const ties = neighboursOf(data, node.id);
  const open = addressOf(node);
  return (
    <section class="node" aria-label="Chosen node">
      <h2>
        <Text of={node.label} />
      </h2>
      <p class="muted">
        {node.type.replace('_', ' ')} {node.id.replace(/^.*_/, '#')}
      </p>
      <div class="actions">
        {open !== null && <a href={open}>Open</a>}
        <button type="button" onClick={() => onExpand(node.id)}>
          Expand
        </button>
        <button type="button" onClick={() => onAround(node.id)}>
          Only what is around it
        </button>
        <button type="button" class="quiet" onClick={() => onChoose(null)}>
          Choose none
        </button>
      </div>
      <h3>
        Tied to {ties.length} {ties.length === 1 ? 'node' : 'nodes'} that are shown
      </h3>
      <NodeLines nodes={ties} onChoose={onChoose} />
    </section>
  );
}

function NodeList({ data, types, onChoose }: Pick<NodePanelProps, 'data' | 'types' | 'onChoose'>) {
  const words = useSignal('');
  const wanted = words.value.trim().toLowerCase();
  const nodes = [...data.nodes.values()].filter(
    (node) => types.includes(node.type) && node.label.toLowerCase().includes(wanted),
  );
  return (
    <>
      <label>
        <span class="unseen">Find a node</span>
        <input
          type="search"
          placeholder="Find a node"
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
          }}
        />
      </label>
      <NodeLines nodes={nodes} onChoose={onChoose} />
    </>
  );
}

function NodeLines({ nodes, onChoose }: { nodes: readonly GraphNode[]; onChoose: (id: string) => void }) {
  return (
    <>
      <ul class="lines">
        {nodes.slice(0, maxListed).map((node) => (
          <li key={node.id}>
            <button type="button" class="quiet line" onClick={() => onChoose(node.id)}>
              <Text of={node.label} /> <span class="muted">{node.type.replace('_', ' ')}</span>
            </button>
          </li>
        ))}
      </ul>
      {nodes.length > maxListed && <p class="muted">and {(nodes.length - maxListed).toLocaleString()} more</p>}
    </>
  );
}

function addressOf({ id, type }: GraphNode): string | null {
  const number = Number(id.replace(/^.*_/, ''));
  if (type === 'memory') return hrefOf('memory', number);
  return type === 'plan' ? hrefOf('plans', number) : null;
}
