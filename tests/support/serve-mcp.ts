import { join } from 'node:path';
import { createMcpSocket, type McpSocketDeps } from '#daemon/mcp/mcp-socket.ts';
import { atEnd } from './at-end.ts';
import { createTestOperations, mcpDefaults, type TestOperations } from './mcp-operations.ts';
import { tempFolder } from './temp-folder.ts';

export type ServedMcp = TestOperations & {
  readonly path: string;
  connections(): number;
  stop(graceMs?: number): Promise<void>;
};

/** Serves MCP on a socket in a new folder until the end of the test, over a real SQLite file. */
export async function serveMcp(options: Partial<McpSocketDeps> = {}): Promise<ServedMcp> {
  const folder = tempFolder();
  const operations = await createTestOperations(join(folder, 'loci.db'));
  const mcp = createMcpSocket({ ...mcpDefaults, invoke: operations.invoke, pid: process.pid, ...options });
  const path = join(folder, 'mcp.sock');
  await mcp.listen(path);
  atEnd(async () => {
    await mcp.stop(0);
    await operations.database.close();
  });
  return { ...operations, path, connections: mcp.connections, stop: mcp.stop };
}
