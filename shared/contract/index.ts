// Every operation, in the order in which discovery, docs and `--help` show them.
import { adminContracts } from './admin.ts';
import { memoryTool } from './facts.ts';
import { hookContracts } from './hooks.ts';
import { noteContracts } from './knowledge/memories.ts';
import { lifecycleContracts } from './lifecycle.ts';
import type { Contract } from './operation.ts';
import { projectContracts } from './projects.ts';
import { upkeepContracts } from './upkeep.ts';

export const contracts: readonly Contract[] = [
  memoryTool,
  ...lifecycleContracts,
  ...hookContracts,
  ...upkeepContracts,
  ...noteContracts,
  ...projectContracts,
  ...adminContracts,
];

export function contractByName(name: string): Contract | undefined {
  return contracts.find((contract) => contract.name === name);
}
