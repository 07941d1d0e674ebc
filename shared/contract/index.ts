// Every operation, in the order in which discovery, docs and `--help` show them.
import { adminContracts } from './admin.ts';
import { memoryTool } from './facts.ts';
import { activityContracts } from './knowledge/activity.ts';
import { noteContracts } from './knowledge/memories.ts';
import { planContracts } from './knowledge/plans.ts';
import { taskContracts } from './knowledge/tasks.ts';
import { lifecycleContracts } from './lifecycle.ts';
import type { Contract } from './operation.ts';
import { projectContracts } from './projects.ts';

export const contracts: readonly Contract[] = [
  memoryTool,
  ...lifecycleContracts,
  ...noteContracts,
  ...projectContracts,
  ...planContracts,
  ...taskContracts,
  ...activityContracts,
  ...adminContracts,
];

export function contractByName(name: string): Contract | undefined {
  return contracts.find((contract) => contract.name === name);
}
