// Which kinds of things a caller may see: those that no setting has turned off and that the caller's scopes cover.
import type { CallContext } from '#daemon/kernel/context.ts';
import { isAllowed } from '#daemon/kernel/scopes.ts';
import { type NodeType, nodeTypes } from '#shared/contract/knowledge/node-types.ts';
import type { ThingScope } from '#shared/contract/scopes.ts';
import { invalidField, LociError } from '#shared/errors.ts';
import type { GraphDeps } from './deps.ts';

const scopes: Readonly<Record<NodeType, ThingScope>> = {
  memory: 'memories',
  entity: 'entities',
  project: 'projects',
  document: 'documents',
  code_artifact: 'code_artifacts',
  file: 'files',
  skill: 'skills',
  plan: 'plans',
  task: 'tasks',
};

/** The kinds that are asked for, or all; less what a setting turned off and what the caller may not read. Throws where such a kind is asked for by name. */
export function visibleKinds(
  deps: Pick<GraphDeps, 'turnedOff'>,
  asked: readonly NodeType[] | undefined,
  context: CallContext,
): NodeType[] {
  for (const kind of asked ?? []) {
    const setting = deps.turnedOff.get(kind);
    if (setting !== undefined) {
      throw invalidField('node_types', `The kind ${kind} is turned off: set ${setting} to true to use it.`);
    }
    if (!isAllowed(context.scopes, `read:${scopes[kind]}`)) {
      throw new LociError('forbidden', `The kind ${kind} needs the scope 'read:${scopes[kind]}'.`);
    }
  }
  return nodeTypes.filter(
    (kind) =>
      (asked === undefined || asked.length === 0 || asked.includes(kind)) &&
      !deps.turnedOff.has(kind) &&
      isAllowed(context.scopes, `read:${scopes[kind]}`),
  );
}
