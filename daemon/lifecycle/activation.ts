// systemd socket activation: descriptors from 3 on, named by LISTEN_FDNAMES. All sockets of one unit bear the unit's name unless it says
// otherwise; then their order tells them apart. The variables are taken out of the environment, so that no child of the daemon believes
// the sockets to be its own.

export type SocketName = 'loci.sock' | 'mcp.sock';

const firstDescriptor = 3;
const inOrder: readonly SocketName[] = ['loci.sock', 'mcp.sock'];
const ownUnit = 'loci.socket';

/** The sockets that the service manager opened for this process, by name; without names of their own the first is `loci.sock`, the second `mcp.sock`. */
export function inheritedSockets(env: NodeJS.ProcessEnv, pid = process.pid): ReadonlyMap<SocketName, number> {
  const count = Number(env.LISTEN_FDS ?? 0);
  const ours = Number(env.LISTEN_PID) === pid && Number.isInteger(count) && count > 0;
  const names: readonly string[] = env.LISTEN_FDNAMES?.split(':') ?? inOrder;
  delete env.LISTEN_PID;
  delete env.LISTEN_FDS;
  delete env.LISTEN_FDNAMES;
  const sockets = new Map<SocketName, number>();
  if (!ours) return sockets;
  for (const [index, given] of names.slice(0, count).entries()) {
    const name = given === ownUnit ? inOrder[index] : given;
    if (name === 'loci.sock' || name === 'mcp.sock') sockets.set(name, firstDescriptor + index);
  }
  return sockets;
}
