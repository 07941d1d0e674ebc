// What the graph has nodes of. Apart from the contract, so that the page knows it without its schemas.
export const nodeTypes = [
  'memory',
  'entity',
  'project',
  'document',
  'code_artifact',
  'file',
  'skill',
  'plan',
  'task',
] as const;
export type NodeType = (typeof nodeTypes)[number];
