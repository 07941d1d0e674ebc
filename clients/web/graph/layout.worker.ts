// Finds where nodes stand, away from the thread that draws: five thousand of them take seconds, and the page goes on meanwhile.
import { MultiUndirectedGraph } from 'graphology';
import forceAtlas2Module from 'graphology-layout-forceatlas2';

export type LayoutQuestion = {
  /** x and y of each node. */
  readonly positions: Float32Array;
  /** Places of the two ends of each edge. */
  readonly edges: Uint32Array;
};

export type LayoutAnswer = { readonly positions: Float32Array; readonly isLast: boolean };

/** The package is a CommonJS function; its types call that its `default`. */
const forceAtlas2 = forceAtlas2Module as unknown as typeof forceAtlas2Module.default;

const rounds = 12;

addEventListener('message', ({ data }: MessageEvent<LayoutQuestion>) => {
  const graph = toGraph(data);
  // small graphs settle in many cheap steps, large ones must do with fewer
  const iterations = Math.max(4, Math.min(40, Math.round(20_000 / graph.order)));
  const settings = { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: graph.order > 400, gravity: 0.5 };
  for (let round = 1; round <= rounds; round += 1) {
    forceAtlas2.assign(graph, { iterations, settings });
    const answer: LayoutAnswer = { positions: positionsOf(graph), isLast: round === rounds };
    postMessage(answer);
  }
});

function toGraph({ positions, edges }: LayoutQuestion): MultiUndirectedGraph {
  const graph = new MultiUndirectedGraph();
  for (let index = 0; index < positions.length / 2; index += 1) {
    graph.addNode(index, { x: positions[index * 2], y: positions[index * 2 + 1] });
  }
  for (let index = 0; index < edges.length; index += 2) graph.addEdge(edges[index], edges[index + 1]);
  return graph;
}

function positionsOf(graph: MultiUndirectedGraph): Float32Array {
  const positions = new Float32Array(graph.order * 2);
  graph.forEachNode((id, { x, y }) => {
    positions[Number(id) * 2] = x;
    positions[Number(id) * 2 + 1] = y;
  });
  return positions;
}
