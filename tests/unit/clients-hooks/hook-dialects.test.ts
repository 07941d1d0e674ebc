// Each agent tells its hooks in words of its own, and is answered in them.
import { describe, expect, it } from 'vitest';
import { readHookInput } from '#clients/hooks/hook-input.ts';
import { hookOutput } from '#clients/hooks/hook-output.ts';
import { readHookOptions } from '#clients/hooks/options.ts';
import { hookSettings, printableAgents } from '#shared/hook-settings.ts';
import { isMemoryFile } from '#shared/memory-files.ts';
import { maxSpoolEntryBytes, parseSpoolEntry, spoolEntryToText, spoolNameOf } from '#shared/spool-entry.ts';

const read = (fields: unknown, env: NodeJS.ProcessEnv = {}) => readHookInput(fields, undefined, env);

describe('what an agent tells', () => {
  it.each([
    [
      'claude-code',
      { session_id: 's', cwd: '/p', hook_event_name: 'UserPromptSubmit', prompt: 'hi', transcript_path: '/t.jsonl' },
    ],
    ['codex', { session_id: 's', cwd: '/p', turn_id: 't', prompt: 'hi', transcript_path: '/x/rollout-1.jsonl' }],
    [
      'gemini-cli',
      { session_id: 's', cwd: '/p', hook_event_name: 'BeforeAgent', prompt: 'hi', transcript_path: '/t.jsonl' },
    ],
    [
      'cursor',
      { conversation_id: 's', workspace_roots: ['/p'], cursor_version: '3', prompt: 'hi', transcript_path: '/t.jsonl' },
    ],
    ['copilot-cli', { sessionId: 's', cwd: '/p', prompt: 'hi', transcriptPath: '/t.jsonl' }],
  ])('%s is known by its fields', (agent, fields) => {
    expect(read(fields)).toMatchObject({
      agent,
      session: 's',
      folder: '/p',
      prompt: 'hi',
      transcript: expect.stringMatching(/jsonl$/),
    });
  });

  it('Copilot CLI names its session alone: its log is found by it, and by no name that leaves the folder', () => {
    const end = { sessionId: 'a-1', cwd: '/p', reason: 'complete' };
    expect(read(end, { HOME: '/home/me' }).transcript).toBe('/home/me/.copilot/session-state/a-1/events.jsonl');
    expect(read(end, { HOME: '/home/me', COPILOT_HOME: '/c' }).transcript).toBe('/c/session-state/a-1/events.jsonl');
    expect(read({ ...end, sessionId: '../../x' }, { HOME: '/home/me' }).transcript).toBeNull();
    expect(read({ session_id: 'a-1' }, { HOME: '/home/me' }).transcript).toBeNull();
  });

  it('is less where fields are missing or of another type, and never a failure', () => {
    for (const fields of [null, 7, 'x', [], {}, { cwd: 5, prompt: {}, session_id: [], tool_input: 'x' }]) {
      expect(read(fields)).toMatchObject({
        agent: 'claude-code',
        session: null,
        folder: null,
        prompt: '',
        transcript: null,
        files: [],
      });
    }
    expect(read({}, { CLAUDE_PROJECT_DIR: '/q' }).folder).toBe('/q');
    expect(readHookInput({ cursor_version: '1' }, 'mine', {}).agent).toBe('mine');
  });

  it('names the files of a write, an edit and a patch', () => {
    expect(read({ tool_input: { file_path: '/a.md', content: 'x' } }).files).toEqual(['/a.md']);
    expect(
      read({ tool_input: { command: '*** Begin Patch\n*** Update File: b.md\n@@\n*** Add File: c.md\n' } }).files,
    ).toEqual(['b.md', 'c.md']);
  });
});

describe('what it is told', () => {
  const input = read({ session_id: 's' });
  it('is nothing where there is nothing to say, or nobody listens', () => {
    expect(hookOutput('user-prompt', input, '')).toBe('');
    expect(hookOutput('session-end', input, 'x')).toBe('');
    expect(hookOutput('user-prompt', { ...input, agent: 'windsurf' }, 'x')).toBe('');
  });

  it('has the keys that a strict agent knows and no other', () => {
    expect(JSON.parse(hookOutput('session-start', { ...input, agent: 'codex' }, 'x'))).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'x' },
    });
  });
});

describe('the settings of an agent', () => {
  it.each(printableAgents)('%s has a command for every event', (agent) => {
    const settings = JSON.stringify(
      hookSettings(agent, { node: '/usr/bin/node', program: '/o pt/loci.cjs', home: undefined }),
    );
    for (const event of ['session-start', 'user-prompt', 'post-tool-use', 'pre-compact', 'session-end'])
      expect(settings).toContain(`/usr/bin/node '/o pt/loci.cjs' hook ${event} --agent ${agent}`);
  });

  it('are none for an agent that is not known', () => {
    expect(hookSettings('nobody', { node: 'n', program: 'p', home: undefined })).toBeNull();
  });
});

describe('the words of the command', () => {
  it('are read wherever they stand, and what is unknown is passed over', () => {
    expect(
      readHookOptions(['--home', '/h', 'hook', 'user-prompt', '--agent=codex', '--socket', '/s', '--what']),
    ).toEqual({
      event: 'user-prompt',
      agent: 'codex',
      print: undefined,
      home: '/h',
      socket: '/s',
    });
  });
});

describe('a memory file', () => {
  it.each([
    ['/home/a/.claude/projects/-srv-shop/memory/tea.md', true],
    ['/home/a/claude-work/projects/-srv-shop/memory/deep/tea.MD', true],
    ['/home/a/.codex/memories/tea.md', true],
    ['/home/a/.claude/projects/-srv-shop/memory/MEMORY.md', false],
    ['/home/a/.claude/projects/-srv-shop/memory/tea.txt', false],
    ['/srv/shop/src/memory/README.md', false],
    ['/srv/shop/.git/memory/tea.md', false],
    ['/home/a/.claude/projects/../memory/tea.md', false],
    ['/home/a/.claude/memory.md', false],
  ])('%s: %s', (path, is) => {
    expect(isMemoryFile(path)).toBe(is);
  });
});

describe('an entry of the spool', () => {
  const entry = { kind: 'transcript', path: '/t.jsonl', agent: null, session: 's', folder: '/p' } as const;

  it('is read back as it was left, and anything else is none', () => {
    expect(parseSpoolEntry(spoolEntryToText(entry))).toEqual(entry);
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"v":2}',
      '{"v":1,"kind":"x","path":"/t"}',
      '{"v":1,"kind":"file","path":""}',
    ])
      expect(parseSpoolEntry(text)).toBeNull();
    expect(spoolEntryToText(entry).length).toBeLessThan(maxSpoolEntryBytes);
  });

  it('has one name for one thing', () => {
    expect(spoolNameOf(entry)).toBe(spoolNameOf({ ...entry }));
    expect(spoolNameOf(entry)).not.toBe(spoolNameOf({ ...entry, kind: 'file' }));
    expect(spoolNameOf(entry)).not.toBe(spoolNameOf({ ...entry, path: '/u.jsonl' }));
    expect(spoolNameOf(entry)).toMatch(/^transcript-[0-9a-f]{16}\.json$/);
  });
});
