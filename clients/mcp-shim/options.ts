import { parseArgs } from 'node:util';

export type ShimOptions = {
  readonly tools: string | undefined;
  readonly token: string | undefined;
  readonly home: string | undefined;
  readonly socket: string | undefined;
};

const flags = { tools: {}, token: {}, home: {}, socket: {}, server: {} } as const;

/** Reads flags before environment. A server elsewhere is refused with the entry to use instead: ends the process with code 2. */
export function readShimOptions(argv: readonly string[], env: NodeJS.ProcessEnv): ShimOptions {
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'string' as const }])),
      local: { type: 'boolean' },
    },
  });
  const given = (name: keyof typeof flags): string | undefined =>
    typeof values[name] === 'string' && values[name] !== '' ? values[name] : undefined;
  const server = given('server') ?? (values.local === true ? undefined : env.LOCI_SERVER || undefined);
  if (server !== undefined) refuse(server);
  return {
    tools: given('tools') ?? (env.LOCI_TOOLS || undefined),
    token: given('token') ?? (env.LOCI_SERVER ? undefined : env.LOCI_TOKEN || undefined), // else it is the one for that server
    home: given('home'),
    socket: given('socket'),
  };
}

/** A pipe to another machine would add a process and nothing else: agents speak to a URL themselves. */
function refuse(server: string): never {
  const entry = {
    mcpServers: {
      loci: {
        type: 'http',
        url: `${server.replace(/\/+$/, '')}/mcp`,
        headers: { Authorization: 'Bearer TOKEN' },
      },
    },
  };
  process.stderr.write(
    `error: \`loci mcp\` serves the daemon of this machine. Put the server's own URL into the agent's configuration:\n${JSON.stringify(entry, null, 2)}\n`,
  );
  process.exit(2);
}
