export type { HealthDeps } from './deps.ts';
export { healthOperations, overallHealth } from './health.operations.ts';
