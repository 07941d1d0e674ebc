// The door of the MCP adapter: what the composition root wires, and what others may know of its catalogue.
export { createMcpSocket, type McpSocket, type McpSocketDeps } from './mcp-socket.ts';
export { discoverTools, howToUseTool } from './meta-tools.ts';
export { createMcpHttpHandler, type McpHttpDeps, type McpHttpHandler } from './streamable-http.ts';
export { type ProfileName, profileNames } from './surfaces.ts';
