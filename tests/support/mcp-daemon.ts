// A daemon of MCP alone, started by the shim as the real one is: lock, socket, SQLite. Tests kill it as often as they like.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createMcpSocket } from '#daemon/mcp/mcp-socket.ts';
import { resolvePaths } from '#shared/paths.ts';
import { createTestOperations, mcpDefaults } from './mcp-operations.ts';

const paths = resolvePaths(process.env);
for (const folder of [paths.data, dirname(paths.mcpSocket)]) mkdirSync(folder, { recursive: true, mode: 0o700 });
const lock = new Sqlite(paths.lock, { timeout: 0 });
try {
  lock.exec('BEGIN EXCLUSIVE');
} catch {
  process.exit(0); // another one serves
}
const operations = await createTestOperations(paths.database);
const mcp = createMcpSocket({ ...operations, ...mcpDefaults, pid: process.pid });
rmSync(paths.mcpSocket, { force: true });
await mcp.listen(paths.mcpSocket);
writeFileSync(
  paths.card,
  JSON.stringify({
    pid: process.pid,
    host: hostname(),
    node_path: process.execPath,
    mcp_socket: paths.mcpSocket,
    env: Object.keys(process.env),
    cwd: process.cwd(),
  }),
);
process.on('SIGTERM', async () => {
  await mcp.stop();
  process.exit(0);
});
