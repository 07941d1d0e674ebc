// How things look on the drawing. Kinds differ by shape as well as by colour, for those who see no difference between two of these.

import type { NodeType } from '#shared/contract/knowledge/node-types.ts';
import { shown } from '../parts/text.tsx';
import { isDark } from '../parts/theme.ts';
import type { Colours, DrawnEdge, DrawnNode, Shape } from './graph-canvas.ts';
import type { GraphData } from './graph-data.ts';

export type Look = { readonly light: string; readonly dark: string; readonly shape: Shape };

export const looks: Readonly<Record<NodeType, Look>> = {
  memory: { light: '#2f63c8', dark: '#7fa9f5', shape: 'circle' },
  entity: { light: '#a8461f', dark: '#f0996f', shape: 'square' },
  project: { light: '#1d7a45', dark: '#71cf95', shape: 'diamond' },
  document: { light: '#7a3fa8', dark: '#c79bec', shape: 'triangle' },
  code_artifact: { light: '#0f7480', dark: '#66c9d4', shape: 'triangle' },
  file: { light: '#6b6b1a', dark: '#cfcf6e', shape: 'square' },
  skill: { light: '#a3296b', dark: '#ef8dbd', shape: 'diamond' },
  plan: { light: '#8a5a00', dark: '#e3b457', shape: 'square' },
  task: { light: '#5d6670', dark: '#a9b2bb', shape: 'circle' },
};

export function colourOf(type: NodeType): string {
  return isDark() ? looks[type].dark : looks[type].light;
}

export function graphColours(): Colours {
  return isDark()
    ? { ground: '#131518', label: '#e7e9eb', edge: '#3c434b', chosen: '#8db4ff' }
    : { ground: '#f7f7f5', label: '#1b1d20', edge: '#c9ccd0', chosen: '#1f4fb0' };
}

const maxLabel = 40;

export function drawnNodes(data: GraphData, hidden: ReadonlySet<NodeType>): DrawnNode[] {
  return [...data.nodes.values()]
    .filter((node) => !hidden.has(node.type))
    .map(({ id, type, label }) => ({
      id,
      label: shown(label.length > maxLabel ? `${label.slice(0, maxLabel)}…` : label),
      colour: colourOf(type),
      shape: looks[type].shape,
    }));
}

export function drawnEdges(data: GraphData): DrawnEdge[] {
  return [...data.edges.values()].map(({ id, source, target }) => ({ id, source, target }));
}
