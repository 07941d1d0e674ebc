// The door of the MCP room: what the composition root builds from.
export { createMcpSocket, type McpSocket } from './mcp-socket.ts';
export { createMcpHttpHandler, type McpHttpHandler } from './streamable-http.ts';
