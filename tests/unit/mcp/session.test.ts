import { describe, expect, it } from 'vitest';
import { callContextOf, greetingToSession } from '#daemon/mcp/session.ts';

const caller = { userId: 1, scopes: ['*'] };
const facts = { requestId: 1, clientName: 'client', signal: new AbortController().signal };

const greeting = (env: Record<string, string>, cwd: string | null = '/home/me/cwd') => ({
  loci: 1,
  session: 's',
  version: '0.1.0',
  pid: 1,
  cwd,
  tools: null,
  resume: false,
  was: null,
  token: null,
  env,
});

const folderWith = (env: Record<string, string>, roots: string[], cwd?: string | null): string | null => {
  const session = greetingToSession(greeting(env, cwd), caller, 'f');
  session.roots = roots;
  return callContextOf(session, facts).folder;
};

describe('the folder of a call', () => {
  it('is what the environment says, before the roots, before the working folder', () => {
    expect(folderWith({ CLAUDE_PROJECT_DIR: '/p/claude', CURSOR_PROJECT_DIR: '/p/cursor' }, ['/p/root'])).toBe(
      '/p/claude',
    );
    expect(folderWith({ WORKSPACE_FOLDER_PATHS: '/p/one,/p/two' }, ['/p/root'])).toBe('/p/one');
    expect(folderWith({}, ['/p/root', '/p/other'])).toBe('/p/root');
    expect(folderWith({}, [])).toBe('/home/me/cwd');
  });

  it('is none when the working folder has been deleted and nothing else is known', () => {
    expect(folderWith({}, [], null)).toBeNull();
  });

  it('is never a relative path', () => {
    expect(folderWith({ CLAUDE_PROJECT_DIR: 'somewhere' }, ['else'], null)).toBeNull();
  });
});

describe('who calls', () => {
  it('is the client by its own name, unless the environment names the agent', () => {
    const plain = greetingToSession(greeting({}), caller, 'f');
    const named = greetingToSession(greeting({ AGENT_ID: 'claude-code', AGENT_MODEL: 'm' }), caller, 'f');
    expect(callContextOf(plain, facts).agent).toBe('client');
    expect(callContextOf(named, facts)).toMatchObject({ agent: 'claude-code', encoding: { agentModel: 'm' } });
  });

  it('has a key of its own for each request: the session, and an id whose type counts', () => {
    const session = greetingToSession(greeting({}), caller, 'f');
    expect(callContextOf(session, facts).idempotencyKey).toBe('s:number:1');
    expect(callContextOf(session, { ...facts, requestId: '1' }).idempotencyKey).toBe('s:string:1');
    expect(callContextOf(greetingToSession(null, caller, 'fresh'), facts).idempotencyKey).toBe('fresh:number:1');
  });
});
