// The door of the skills room: procedures in the Agent Skills format.
import type { Operation } from '#daemon/kernel/operation.ts';
import type { SkillDeps } from './deps.ts';
import { skillLinkOperations } from './skill-links.operations.ts';
import { skillOperations } from './skills.operations.ts';

export type { SkillDeps } from './deps.ts';
export { skillKind } from './skill.ts';

export function skillRoomOperations(deps: SkillDeps): Operation[] {
  return [...skillOperations(deps), ...skillLinkOperations(deps)];
}
