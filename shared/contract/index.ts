// Every operation, in the order in which discovery, docs and `--help` show them.
import { accessContracts } from './access.ts';
import { adminContracts } from './admin.ts';
import { backupContracts } from './backups.ts';
import { browseContracts } from './browse.ts';
import { memoryTool } from './facts.ts';
import { hookContracts } from './hooks.ts';
import { activityContracts } from './knowledge/activity.ts';
import { codeArtifactContracts } from './knowledge/code-artifacts.ts';
import { documentContracts } from './knowledge/documents.ts';
import { entityContracts } from './knowledge/entities.ts';
import { fileContracts } from './knowledge/files.ts';
import { graphContracts } from './knowledge/graph.ts';
import { noteContracts } from './knowledge/memories.ts';
import { planContracts } from './knowledge/plans.ts';
import { relationshipContracts } from './knowledge/relationships.ts';
import { skillLinkContracts } from './knowledge/skill-links.ts';
import { skillContracts } from './knowledge/skills.ts';
import { taskContracts } from './knowledge/tasks.ts';
import { userContracts } from './knowledge/users.ts';
import { lifecycleContracts } from './lifecycle.ts';
import type { Contract } from './operation.ts';
import { pageContracts } from './page.ts';
import { projectContracts } from './projects.ts';
import { reEmbeddingContracts } from './re-embedding.ts';
import { transferContracts } from './transfer.ts';
import { trustContracts } from './trust.ts';
import { upkeepContracts } from './upkeep.ts';

export const contracts: readonly Contract[] = [
  memoryTool,
  ...lifecycleContracts,
  ...browseContracts,
  ...upkeepContracts,
  ...hookContracts,
  ...userContracts,
  ...noteContracts,
  ...projectContracts,
  ...codeArtifactContracts,
  ...documentContracts,
  ...fileContracts,
  ...entityContracts,
  ...relationshipContracts,
  ...skillContracts,
  ...skillLinkContracts,
  ...graphContracts,
  ...planContracts,
  ...taskContracts,
  ...activityContracts,
  ...adminContracts,
  ...pageContracts,
  ...transferContracts,
  ...accessContracts,
  ...trustContracts,
  ...backupContracts,
  ...reEmbeddingContracts,
];

export function contractByName(name: string): Contract | undefined {
  return contracts.find((contract) => contract.name === name);
}
