// The drawing of the graph, in a part of the page that is fetched when somebody first looks at a graph: sigma draws it by WebGL,
// a worker finds where the nodes stand. It knows nothing of the rest of the page.
import { MultiUndirectedGraph } from 'graphology';
import Sigma from 'sigma';
import { sdfCircle, sdfDiamond, sdfSquare, sdfTriangle } from 'sigma/rendering';
import { createGlide } from './glide.ts';
import type { LayoutAnswer, LayoutQuestion } from './layout.worker.ts';

export type DrawnNode = {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly shape: Shape;
};

export type Shape = 'circle' | 'square' | 'diamond' | 'triangle';

export type DrawnEdge = { readonly id: string; readonly source: string; readonly target: string };

export type Colours = {
  readonly ground: string;
  readonly label: string;
  readonly edge: string;
  readonly chosen: string;
};

export type Canvas = {
  /** Draws these; nodes that stood there stay where they are, and the rest finds its place. */
  show(nodes: readonly DrawnNode[], edges: readonly DrawnEdge[]): void;
  /** Marks a node with its neighbours, or none. */
  choose(id: string | null): void;
  /** Brings a node into the middle. */
  centre(id: string): void;
  paint(colours: Colours): void;
  zoom(by: number): void;
  fit(): void;
  close(): void;
};

export type CanvasOptions = {
  readonly box: HTMLElement;
  readonly colours: Colours;
  readonly onChoose: (id: string | null) => void;
  readonly onOpen: (id: string) => void;
  /** Told when every node has found its place. */
  readonly onSettled: () => void;
  /** True where things should not move by themselves. */
  readonly isStill: boolean;
};

/** Beyond this many edges they are drawn faintly, or they would hide what they tie. */
const crowdedEdges = 3_000;

/** Beyond this many edges they are left out while the view moves: a hand that pans looks for a place, not for a line. */
const edgesWhileMoving = 1_500;

export function createCanvas(options: CanvasOptions): Canvas {
  let graph = new MultiUndirectedGraph();
  let colours = options.colours;
  let chosen: string | null = null;
  let near: ReadonlySet<string> = new Set();
  const sigma = new Sigma(graph, options.box, {
    primitives: { nodes: { shapes: [sdfCircle(), sdfSquare(), sdfDiamond(), sdfTriangle()] } },
    styles: {
      nodes: [
        {
          x: { attribute: 'x' },
          y: { attribute: 'y' },
          size: { attribute: 'size', defaultValue: 4 },
          color: { attribute: 'colour', defaultValue: '#888888' },
          shape: { attribute: 'shape', defaultValue: 'circle' },
          label: { attribute: 'label', defaultValue: '' },
          labelColor: () => colours.label,
          labelSize: 12,
        },
      ],
      edges: [{ size: 0.8, color: { attribute: 'colour', defaultValue: '#999999' } }],
    },
    settings: {
      labelDensity: 0.3,
      labelGridCellSize: 180,
      labelRenderedSizeThreshold: 3,
      hideLabelsOnMove: true,
      enableEdgeEvents: false,
      renderEdgeLabels: false,
      itemSizesReference: 'screen',
      zoomToSizeRatioFunction: (ratio) => ratio ** 0.25,
      minCameraRatio: 0.02,
      maxCameraRatio: 4,
      allowInvalidContainer: true,
    },
  });
  const glide = createGlide(sigma, options.box);
  let worker: Worker | null = null;

  sigma.on('clickNode', ({ node }) => options.onChoose(node));
  sigma.on('doubleClickNode', ({ node, preventSigmaDefault }) => {
    preventSigmaDefault();
    options.onOpen(node);
  });
  sigma.on('clickStage', () => options.onChoose(null));

  function colourAll(): void {
    const edge = graph.size > crowdedEdges ? `${colours.edge}50` : colours.edge;
    graph.updateEachEdgeAttributes((_edge, attributes, source, target) => ({
      ...attributes,
      colour: chosen !== null && (source === chosen || target === chosen) ? colours.chosen : edge,
    }));
    graph.updateEachNodeAttributes((id, attributes) => ({
      ...attributes,
      colour: chosen === null || near.has(id) ? attributes.own : colours.edge,
      size: id === chosen ? attributes.ownSize * 1.6 : attributes.ownSize,
    }));
    sigma.refresh();
  }

  function layOut(): void {
    worker?.terminate();
    if (graph.order < 2) return;
    worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    const ids = graph.nodes();
    const places = new Map(ids.map((id, index) => [id, index]));
    worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => {
      if (data.isLast || !options.isStill) place(ids, data.positions);
      if (!data.isLast) return;
      worker?.terminate();
      glide.measure();
      options.onSettled();
    };
    const question: LayoutQuestion = {
      positions: Float32Array.from(
        ids.flatMap((id) => [graph.getNodeAttribute(id, 'x'), graph.getNodeAttribute(id, 'y')]),
      ),
      edges: Uint32Array.from(
        graph
          .mapEdges((_edge, _attributes, source, target) => [places.get(source) ?? 0, places.get(target) ?? 0])
          .flat(),
      ),
    };
    worker.postMessage(question);
  }

  function place(ids: readonly string[], positions: Float32Array): void {
    const at = new Map(ids.map((id, index) => [id, index]));
    graph.updateEachNodeAttributes(
      (id, attributes) => {
        const index = at.get(id);
        if (index === undefined) return attributes;
        return { ...attributes, x: positions[index * 2] ?? 0, y: positions[index * 2 + 1] ?? 0 };
      },
      { attributes: ['x', 'y'] },
    );
  }

  return {
    show(nodes, edges) {
      const before = graph;
      graph = toGraph(nodes, edges, before);
      sigma.setSetting('hideEdgesOnMove', graph.size > edgesWhileMoving);
      sigma.setGraph(graph);
      colourAll();
      if (!nodes.some((node) => before.hasNode(node.id)))
        sigma.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 });
      if (nodes.some((node) => !before.hasNode(node.id))) layOut();
    },
    choose(id) {
      chosen = id !== null && graph.hasNode(id) ? id : null;
      near = chosen === null ? new Set() : new Set([chosen, ...graph.neighbors(chosen)]);
      colourAll();
    },
    centre(id) {
      const at = sigma.getNodeDisplayData(id);
      if (at !== undefined)
        void sigma.getCamera().animate({ x: at.x, y: at.y, ratio: 0.4 }, { duration: options.isStill ? 0 : 300 });
    },
    paint(next) {
      colours = next;
      colourAll();
    },
    zoom: (by) => {
      const camera = sigma.getCamera();
      camera.setState({ ratio: camera.getBoundedRatio(camera.ratio / by) });
    },
    fit: () => sigma.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 }),
    close() {
      worker?.terminate();
      glide.close();
      sigma.kill();
    },
  };
}

/** The graph to draw. Who stood in the one before stays there; a new node begins beside one that it is tied to, else on a disc. */
function toGraph(
  nodes: readonly DrawnNode[],
  edges: readonly DrawnEdge[],
  before: MultiUndirectedGraph,
): MultiUndirectedGraph {
  const graph = new MultiUndirectedGraph();
  const beside = neighboursIn(before, edges);
  for (const { id, label, colour, shape } of nodes) {
    const at = before.hasNode(id) ? placeOf(before, id) : startOf(id, beside.get(id));
    graph.addNode(id, { ...at, label, shape, own: colour, colour });
  }
  for (const { id, source, target } of edges) {
    if (graph.hasNode(source) && graph.hasNode(target)) graph.addEdgeWithKey(id, source, target);
  }
  // smaller where there are more: a crowd has to stay a crowd of dots, and each pixel drawn twice costs time
  const scale = Math.max(0.4, Math.min(1, Math.sqrt(400 / Math.max(1, graph.order))));
  graph.forEachNode((id) => {
    graph.mergeNodeAttributes(id, { ownSize: scale * (4 + Math.min(8, Math.sqrt(graph.degree(id)))) });
  });
  return graph;
}

type Place = { readonly x: number; readonly y: number };

function placeOf(graph: MultiUndirectedGraph, id: string): Place {
  return { x: graph.getNodeAttribute(id, 'x'), y: graph.getNodeAttribute(id, 'y') };
}

/** For each node that is new, where one stands that it is tied to. */
function neighboursIn(before: MultiUndirectedGraph, edges: readonly DrawnEdge[]): Map<string, Place> {
  const places = new Map<string, Place>();
  if (before.order === 0) return places;
  for (const { source, target } of edges) {
    if (before.hasNode(source) && !before.hasNode(target)) places.set(target, placeOf(before, source));
    if (before.hasNode(target) && !before.hasNode(source)) places.set(source, placeOf(before, target));
  }
  return places;
}

/** Always the same place for the same id. */
function startOf(id: string, beside: Place | undefined): Place {
  const turn = hash(id) * Math.PI * 2;
  const distance = Math.sqrt(hash(`${id}~`)) * (beside === undefined ? 100 : 4);
  return { x: (beside?.x ?? 0) + Math.cos(turn) * distance, y: (beside?.y ?? 0) + Math.sin(turn) * distance };
}

/** 0 to 1, spread evenly over texts (FNV-1a, then mixed as in MurmurHash3). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32;
}
