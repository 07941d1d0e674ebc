import { describe, expect, it } from 'vitest';
import { inheritedSockets } from '#daemon/lifecycle/activation.ts';

const pid = 42;

describe('sockets from the service manager', () => {
  it('are taken by name, in any order', () => {
    const env = { LISTEN_PID: '42', LISTEN_FDS: '2', LISTEN_FDNAMES: 'mcp.sock:loci.sock' };
    expect([...inheritedSockets(env, pid)]).toEqual([
      ['mcp.sock', 3],
      ['loci.sock', 4],
    ]);
  });

  it('without names are the HTTP socket and then the MCP socket', () => {
    const sockets = inheritedSockets({ LISTEN_PID: '42', LISTEN_FDS: '2' }, pid);
    expect(sockets.get('loci.sock')).toBe(3);
    expect(sockets.get('mcp.sock')).toBe(4);
  });

  it('of our unit bear its name, and are told apart by their order', () => {
    const env = { LISTEN_PID: '42', LISTEN_FDS: '2', LISTEN_FDNAMES: 'loci.socket:loci.socket' };
    expect([...inheritedSockets(env, pid)]).toEqual([
      ['loci.sock', 3],
      ['mcp.sock', 4],
    ]);
  });

  it('meant for another process are left alone', () => {
    expect(inheritedSockets({ LISTEN_PID: '43', LISTEN_FDS: '1' }, pid).size).toBe(0);
  });

  it('of unknown names are left alone', () => {
    const env = { LISTEN_PID: '42', LISTEN_FDS: '1', LISTEN_FDNAMES: 'other.socket' };
    expect(inheritedSockets(env, pid).size).toBe(0);
  });

  it('are not announced to the children of the daemon', () => {
    const env: NodeJS.ProcessEnv = { LISTEN_PID: '42', LISTEN_FDS: '1', LISTEN_FDNAMES: 'loci.sock', PATH: '/bin' };
    inheritedSockets(env, pid);
    expect(Object.keys(env)).toEqual(['PATH']);
  });
});
