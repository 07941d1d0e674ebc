// What hooks ask for, on every surface. Files are read by the daemon, so the transcripts lie where all of them can be read.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';
import { claudeLines, session1, writeLines } from '../support/transcripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'loci-contract-hooks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const transcript = writeLines(join(folder, 'session.jsonl'), claudeLines(session1));
const memoryFolder = join(folder, '.claude', 'projects', '-srv-shop', 'memory');
mkdirSync(memoryFolder, { recursive: true });
const note = join(memoryFolder, 'coffee.md');
writeFileSync(
  note,
  '---\nname: Coffee\ndescription: asked: twice\ntype: user\nmood: calm\n---\nThe user drinks tea.\n',
);

const silent = (reason: string) => ({
  output: { text: '', memories: [], tokens: 0, silent: reason, degraded: [], took_ms: expect.any(Number) },
});
const save = (content: string, more: object = {}) => ({
  operation: 'memory_save',
  input: { content, ...more },
  gives: { output: expect.objectContaining({ outcome: 'created' }) },
});

const cases: SurfaceCase[] = [
  {
    name: 'a recall gives what fits the prompt, framed, once in a session, and nothing where nothing fits',
    steps: [
      save('The staging database listens on port 5433', { project: 'shop', type: 'fact', agent: 'an-agent' }),
      save('Our office dog is called Bruno'),
      {
        operation: 'memory_recall',
        input: { prompt: 'which port does the staging database listen on', session: 's-1' },
        gives: {
          output: {
            text: expect.stringMatching(
              /^<(loci-memory-[a-p]+)>\nRecalled [^\n]+\n\[1\] fact · project shop · 2026-01-05 · from an-agent \(save\)\n\| The staging database listens on port 5433\n<\/\1>$/,
            ),
            memories: [
              {
                id: 1,
                title: 'The staging database listens on port 5433',
                type: 'fact',
                project: 'shop',
                cross_project: false,
                similarity: expect.any(Number),
                whole: true,
              },
            ],
            tokens: expect.any(Number),
            silent: null,
            degraded: [],
            took_ms: expect.any(Number),
          },
        },
      },
      {
        operation: 'memory_recall',
        input: { prompt: 'which port does the staging database listen on', session: 's-1' },
        gives: silent('already_shown'),
      },
      {
        operation: 'memory_recall',
        input: { prompt: 'bake a sourdough loaf tonight' },
        gives: silent('nothing_relevant'),
      },
      { operation: 'memory_recall', input: { prompt: '...' }, gives: silent('no_words') },
      {
        operation: 'memory_recall',
        input: { prompt: 'staging database port', limit: 51 },
        gives: { refused: 'invalid_input', field: 'limit' },
      },
    ],
  },
  {
    name: 'a recap tells of the project, and nothing without one',
    steps: [
      save('Deploys happen on Tuesdays', { project: 'shop', type: 'decision' }),
      {
        operation: 'memory_recap',
        input: { project: 'shop', session: 's-1' },
        gives: {
          output: {
            text: expect.stringMatching(
              /project "shop"[^\n]+\n\[1\] decision, 2026-01-05: Deploys happen on Tuesdays\n<\//,
            ),
            memories: [expect.objectContaining({ id: 1, whole: true })],
            tokens: expect.any(Number),
            silent: null,
            degraded: [],
            took_ms: expect.any(Number),
            project: 'shop',
          },
        },
      },
      {
        operation: 'memory_recap',
        input: {},
        gives: { output: { ...silent('no_project').output, project: null } },
      },
    ],
  },
  {
    name: 'a sweep saves the best statements of a transcript, each once',
    steps: [
      {
        operation: 'memory_sweep',
        input: { transcript_path: transcript, dry_run: true, limit: 2 },
        gives: {
          output: expect.objectContaining({
            format: 'claude-code',
            saved: [],
            found: [expect.objectContaining({ type: 'decision', line: 4 }), expect.objectContaining({ line: 3 })],
            messages: 8,
            dry_run: true,
          }),
        },
      },
      {
        operation: 'memory_sweep',
        input: { transcript_path: transcript, project: 'shop' },
        gives: {
          output: expect.objectContaining({
            project: 'shop',
            saved: [
              expect.objectContaining({ id: 1, outcome: 'created', type: 'decision' }),
              expect.objectContaining({ id: 2, type: 'fact', line: 3 }),
              expect.objectContaining({ id: 3 }),
              expect.objectContaining({ id: 4 }),
            ],
            skipped: 0,
            skipped_lines: [],
            redactions: 0,
          }),
        },
      },
      {
        operation: 'memory_sweep',
        input: { transcript_path: transcript, project: 'shop' },
        gives: { output: expect.objectContaining({ saved: [], messages: 0 }) },
      },
      {
        operation: 'memory_sweep',
        input: { transcript_path: 'session.jsonl' },
        gives: { refused: 'invalid_input', field: 'transcript_path' },
      },
      {
        operation: 'memory_sweep',
        input: { transcript_path: join(folder, 'nowhere.jsonl') },
        gives: { refused: 'not_found' },
      },
    ],
  },
  {
    name: 'a memory file becomes a memory, and no other file does',
    steps: [
      {
        operation: 'memory_take_file',
        input: { path: note, agent: 'claude-code' },
        gives: { output: { id: 1, outcome: 'created', why: null, project: null } },
      },
      {
        operation: 'memory_get',
        input: { id: 1 },
        gives: {
          output: expect.objectContaining({
            title: 'Coffee',
            context: 'asked: twice',
            content: 'The user drinks tea.',
            type: 'preference',
            metadata: { mood: 'calm', memory_file: note },
          }),
        },
      },
      {
        operation: 'memory_take_file',
        input: { path: note },
        gives: { output: { id: 1, outcome: 'unchanged', why: null, project: null } },
      },
      {
        operation: 'memory_take_file',
        input: { path: join(folder, 'README.md') },
        gives: { refused: 'invalid_input', field: 'path' },
      },
    ],
  },
  {
    name: 'an empty spool is taken in at once',
    steps: [
      {
        operation: 'memory_take_spool',
        input: { wait: true },
        gives: { output: { waiting: 0, taken: 0, failed: 0 } },
      },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
