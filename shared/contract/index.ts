// Every operation, in the order in which discovery, docs and `--help` show them.
import { adminContracts } from './admin.ts';
import { memoryTool } from './facts.ts';
import { hookContracts } from './hooks.ts';
import { codeArtifactContracts } from './knowledge/code-artifacts.ts';
import { documentContracts } from './knowledge/documents.ts';
import { fileContracts } from './knowledge/files.ts';
import { noteContracts } from './knowledge/memories.ts';
import { userContracts } from './knowledge/users.ts';
import { lifecycleContracts } from './lifecycle.ts';
import type { Contract } from './operation.ts';
import { projectContracts } from './projects.ts';
import { upkeepContracts } from './upkeep.ts';

export const contracts: readonly Contract[] = [
  memoryTool,
  ...lifecycleContracts,
  ...upkeepContracts,
  ...hookContracts,
  ...userContracts,
  ...noteContracts,
  ...projectContracts,
  ...codeArtifactContracts,
  ...documentContracts,
  ...fileContracts,
  ...adminContracts,
];

export function contractByName(name: string): Contract | undefined {
  return contracts.find((contract) => contract.name === name);
}
