// The door of the HTTP room: what the composition root builds from.
export { createSingleCaller } from './auth.ts';
export type { HealthStatus, HttpApp, HttpDeps, McpHandler, Transport } from './http-deps.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { createHttpApp, createHttpServer } from './server.ts';
