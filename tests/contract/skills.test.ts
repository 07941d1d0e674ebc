// Skills on every surface. K-numbers are the lines of the parity list, B-numbers the cases of the public reports.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const has = (fields: object) => ({ output: expect.objectContaining(fields) });
const some = (fields: object) => expect.objectContaining(fields);
const make = (name: string, description: string, more: object = {}) => ({
  operation: 'create_skill',
  input: { name, description, content: `# ${name}\n\n1. Do it.`, ...more },
});
const bring = (skill_md_content: string, more: object = {}) => ({
  operation: 'import_skill',
  input: { skill_md_content, ...more },
});

const windows = '\uFEFF---\r\nname: win-skill\r\ndescription: d\r\n---\r\n\r\n# Body\r\n';
const full = `---
name: full-skill
description: Knows everything
license: MIT
compatibility: Needs git
version: "1.10"
tags:
  - all
allowed-tools: Read Bash(git add:*)
---

# Full

a
---
b
`;

/** A skill and one of each kind that it can be linked to; all have the id 1. */
const linkable = [
  { ...make('a', 'First'), gives: has({ id: 1 }) },
  {
    operation: 'create_memory',
    input: { title: 'N', content: 'alpha one', context: '', keywords: [], tags: [], importance: 7 },
    gives: has({ id: 1 }),
  },
  {
    operation: 'create_file',
    input: { filename: 'a.txt', description: 'a text', data: 'aGVsbG8=', mime_type: 'text/plain' },
    gives: has({ id: 1 }),
  },
  {
    operation: 'create_document',
    input: { title: 'D', description: 'a document', content: 'long text' },
    gives: has({ id: 1 }),
  },
  {
    operation: 'create_code_artifact',
    input: { title: 'C', description: 'some code', code: 'x = 1', language: 'python' },
    gives: has({ id: 1 }),
  },
];

const cases: SurfaceCase[] = [
  {
    name: 'K136 a skill is stored, read, changed field by field and erased',
    steps: [
      {
        ...make('code-review', 'Review a pull request', {
          license: 'MIT',
          compatibility: 'Needs git',
          allowed_tools: ['Read', 'Bash(git:*)'],
          metadata: { author: 'Ada' },
          tags: ['review'],
        }),
        gives: has({
          id: 1,
          skill_id: 1,
          name: 'code-review',
          description: 'Review a pull request',
          content: '# code-review\n\n1. Do it.',
          license: 'MIT',
          compatibility: 'Needs git',
          allowed_tools: ['Read', 'Bash(git:*)'],
          metadata: { author: 'Ada' },
          tags: ['review'],
          importance: 7,
          project_id: null,
        }),
      },
      { operation: 'get_skill', input: { skill_id: 1 }, gives: has({ name: 'code-review' }) },
      {
        operation: 'update_skill',
        input: { skill_id: 1, description: 'Review it', importance: 9, license: null },
        gives: has({ description: 'Review it', importance: 9, license: null, tags: ['review'] }),
      },
      {
        operation: 'update_skill',
        input: { id: 1, importance: 11 },
        gives: { refused: 'invalid_input', field: 'importance' },
      },
      { operation: 'update_skill', input: { id: 9, importance: 1 }, gives: { refused: 'not_found' } },
      { operation: 'get_skill', input: {}, gives: { refused: 'invalid_input', field: 'skill_id' } },
      {
        operation: 'delete_skill',
        input: { skill_id: 1 },
        gives: { output: { success: true, deleted_id: 1, skill_id: 1 } },
      },
      { operation: 'get_skill', input: { id: 1 }, gives: { refused: 'not_found' } },
      { operation: 'delete_skill', input: { id: 1 }, gives: { refused: 'not_found' } },
    ],
  },
  {
    name: 'K137 a list has no content, and is filtered by tag, importance and project',
    steps: [
      { operation: 'create_project', input: { name: 'shop', description: 'a shop' }, gives: has({ id: 1 }) },
      { ...make('a', 'First', { tags: ['Ops'], importance: 3, project_id: 1 }), gives: has({ project_id: 1 }) },
      { ...make('b', 'Second', { tags: ['dev'] }), gives: has({ id: 2 }) },
      {
        operation: 'list_skills',
        input: {},
        gives: has({
          skills: [expect.not.objectContaining({ content: expect.anything() }), some({ name: 'a' })],
          total_count: 2,
          total: 2,
          has_more: false,
        }),
      },
      {
        operation: 'list_skills',
        input: { tags: ['ops', 'x'] },
        gives: has({ skills: [some({ name: 'a' })], total: 1 }),
      },
      { operation: 'list_skills', input: { importance_threshold: 5 }, gives: has({ skills: [some({ name: 'b' })] }) },
      { operation: 'list_skills', input: { project_id: 1 }, gives: has({ skills: [some({ name: 'a' })] }) },
      { operation: 'list_skills', input: { limit: 1 }, gives: has({ has_more: true }) },
      { operation: 'list_skills', input: { name: "z' OR 1=1" }, gives: has({ skills: [], total: 0 }) },
      { ...make('c', 'Third', { project_id: 9 }), gives: { refused: 'not_found' } },
    ],
  },
  {
    name: 'K138 a name is kebab-case and taken once, also when a skill is renamed',
    steps: [
      { ...make('code-review', 'First'), gives: has({ id: 1 }) },
      { ...make('code-review', 'Again'), gives: { refused: 'conflict', says: /'code-review' already exists/ } },
      { ...make('deploy', 'Second'), gives: has({ id: 2 }) },
      { operation: 'update_skill', input: { id: 2, name: 'code-review' }, gives: { refused: 'conflict' } },
      { operation: 'update_skill', input: { id: 2, name: 'deploy' }, gives: has({ name: 'deploy' }) },
      { operation: 'update_skill', input: { id: 2, name: 'deploy-2' }, gives: has({ name: 'deploy-2' }) },
      ...['Code-Review', 'code_review', '-a', 'a--b', 'a b', 'ä', 'a'.repeat(65)].map((name) => ({
        ...make(name, 'x'),
        gives: { refused: 'invalid_input' as const, field: 'name', says: /kebab/ },
      })),
    ],
  },
  {
    name: 'K139 a search by what is to be done finds the right skill first',
    steps: [
      { ...make('deploy-staging', 'Deploy the application to staging with docker and kubectl'), gives: has({ id: 1 }) },
      { ...make('write-unit-tests', 'Write unit tests with the pytest framework'), gives: has({ id: 2 }) },
      {
        operation: 'search_skills',
        input: { query: 'deploy to staging with docker' },
        gives: has({
          skills: expect.arrayContaining([some({ id: 1, name: 'deploy-staging', score: expect.any(Number) })]),
          search_query: 'deploy to staging with docker',
        }),
      },
      {
        operation: 'search_skills',
        input: { query: 'deploy to staging with docker', k: 1 },
        gives: has({ skills: [some({ id: 1 })], total_count: 1 }),
      },
      { operation: 'search_skills', input: { query: 'deploy', project_id: 9 }, gives: has({ skills: [] }) },
      { operation: 'search_skills', input: { query: 'deploy', k: 0 }, gives: { refused: 'invalid_input', field: 'k' } },
      { operation: 'search_skills', input: { query: ' ' }, gives: { refused: 'invalid_input', field: 'query' } },
    ],
  },
  {
    name: 'K140 K142 K143 a SKILL.md is imported with all it says, exported, and imported again without a difference',
    steps: [
      {
        ...bring(full, { importance: 9 }),
        gives: has({
          id: 1,
          outcome: 'created',
          name: 'full-skill',
          license: 'MIT',
          allowed_tools: ['Read', 'Bash(git add:*)'],
          tags: ['all'],
          importance: 9,
          metadata: { version: '1.10' },
          content: '# Full\n\na\n---\nb',
        }),
      },
      {
        operation: 'export_skill',
        input: { skill_id: 1 },
        gives: has({
          name: 'full-skill',
          skill_md: expect.stringMatching(
            /^---\nname: full-skill\ndescription: Knows everything\nlicense: MIT\n[\s\S]*\n---\n\n# Full\n\na\n---\nb\n$/,
          ),
        }),
      },
      { ...bring(full), gives: has({ id: 1, outcome: 'unchanged' }) },
      {
        operation: 'import_skill',
        input: (earlier: readonly unknown[]) => ({ skill_md: (earlier[1] as { skill_md: string }).skill_md }),
        gives: has({ id: 1, outcome: 'unchanged' }),
      },
      { ...bring(full.replace('everything', 'nothing')), gives: { refused: 'conflict', says: /already exists/ } },
      { operation: 'delete_skill', input: { id: 1 }, gives: has({ success: true }) },
      {
        operation: 'import_skill',
        input: (earlier: readonly unknown[]) => ({ skill_md: (earlier[1] as { skill_md: string }).skill_md }),
        gives: has({ id: 2, outcome: 'created', importance: 9, metadata: { version: '1.10' }, license: 'MIT' }),
      },
      { operation: 'list_skills', input: {}, gives: has({ total: 1 }) },
    ],
  },
  {
    name: 'K141 B31 a description with an unquoted colon is read whole; what cannot be read is named with its line',
    steps: [
      {
        ...bring('---\nname: log-reader\ndescription: Use for logs. Keywords: tail, grep\n---\n\nTail.\n'),
        gives: has({ description: 'Use for logs. Keywords: tail, grep' }),
      },
      {
        ...bring('---\nname: bad\ndescription: d\nmetadata:\n  a: b: c\n---\n\nx\n'),
        gives: { refused: 'invalid_input', field: 'skill_md_content', says: /line 5.*double quotes/ },
      },
      { operation: 'import_skill', input: {}, gives: { refused: 'invalid_input', field: 'skill_md_content' } },
    ],
  },
  {
    name: 'B32 a file from Windows is read without mark and front matter, exported with one block, and changes nothing when it comes back',
    steps: [
      { ...bring(windows), gives: has({ name: 'win-skill', description: 'd', content: '# Body' }) },
      {
        operation: 'export_skill',
        input: { id: 1 },
        gives: has({ skill_md: '---\nname: win-skill\ndescription: d\n---\n\n# Body\n' }),
      },
      { ...bring(windows), gives: has({ outcome: 'unchanged', id: 1 }) },
      { operation: 'list_skills', input: {}, gives: has({ total: 1 }) },
    ],
  },
  {
    name: 'B33 code in front matter is refused, whatever the fence or the tag',
    steps: [
      ...['---js', '---javascript', '---coffee'].map((fence) => ({
        ...bring(`${fence}\nrequire('node:fs').writeFileSync('pwned', '')\n---\n\nx\n`),
        gives: { refused: 'invalid_input' as const, says: /must be YAML/ },
      })),
      {
        ...bring('---\nname: a\ndescription: !!js/function "function () {}"\n---\n\nx\n'),
        gives: { refused: 'invalid_input', says: /tags/ },
      },
      { operation: 'list_skills', input: {}, gives: has({ total: 0 }) },
    ],
  },
  {
    name: 'B31 a folder is imported whole or not at all, and each refused file is named; the good ones alone on request',
    steps: [
      {
        operation: 'import_skills',
        input: {
          skills: [
            { path: 'a/SKILL.md', skill_md: '---\nname: a\ndescription: Use it. Keywords: x\n---\n\nA.\n' },
            { path: 'b/SKILL.md', skill_md: '---\nname: B B\ndescription: d\n---\n\nB.\n' },
            { path: 'c/SKILL.md', skill_md: 'no front matter' },
          ],
        },
        gives: { refused: 'invalid_input', field: 'b/SKILL.md', says: /2 of 3 files were refused/ },
      },
      { operation: 'list_skills', input: {}, gives: has({ total: 0 }) },
      {
        operation: 'import_skills',
        input: {
          skip_invalid: true,
          skills: [
            { path: 'a/SKILL.md', skill_md: '---\nname: a\ndescription: Use it. Keywords: x\n---\n\nA.\n' },
            { path: 'c/SKILL.md', skill_md: 'no front matter' },
            { path: 'd/SKILL.md', skill_md: '---\nname: a\ndescription: Another\n---\n\nD.\n' },
          ],
        },
        gives: has({
          created: [{ path: 'a/SKILL.md', id: 1, name: 'a' }],
          unchanged: [],
          skipped: [
            some({ path: 'c/SKILL.md', line: 1, problem: expect.stringMatching(/front matter/) }),
            some({ path: 'd/SKILL.md', line: null, problem: expect.stringMatching(/a\/SKILL.md/) }),
          ],
        }),
      },
      {
        operation: 'import_skills',
        input: {
          skills: [{ path: 'a/SKILL.md', skill_md: '---\nname: a\ndescription: Use it. Keywords: x\n---\n\nA.\n' }],
        },
        gives: has({ created: [], unchanged: [{ path: 'a/SKILL.md', id: 1, name: 'a' }] }),
      },
    ],
  },
  {
    name: 'K144 a skill is linked to notes, files, documents and code; unlinking twice says so',
    steps: [
      ...linkable,
      {
        operation: 'get_skill_links',
        input: { skill_id: 1 },
        gives: {
          output: {
            skill_id: 1,
            memory_ids: [],
            file_ids: [],
            code_artifact_ids: [],
            document_ids: [],
            total_count: 0,
          },
        },
      },
      {
        operation: 'link_skill_to_memory',
        input: { skill_id: 1, memory_id: 1 },
        gives: { output: { skill_id: 1, memory_id: 1, linked: true } },
      },
      { operation: 'link_skill_to_memory', input: { skill_id: 1, memory_id: 1 }, gives: has({ linked: true }) },
      { operation: 'link_skill_to_file', input: { skill_id: 1, file_id: 1 }, gives: has({ linked: true }) },
      { operation: 'link_skill_to_document', input: { skill_id: 1, document_id: 1 }, gives: has({ linked: true }) },
      {
        operation: 'link_skill_to_code_artifact',
        input: { skill_id: 1, code_artifact_id: 1 },
        gives: has({ linked: true }),
      },
      {
        operation: 'get_skill_links',
        input: { skill_id: 1 },
        gives: has({ memory_ids: [1], file_ids: [1], code_artifact_ids: [1], document_ids: [1], total_count: 4 }),
      },
      {
        operation: 'unlink_skill_from_memory',
        input: { skill_id: 1, memory_id: 1 },
        gives: { output: { skill_id: 1, memory_id: 1, unlinked: true } },
      },
      { operation: 'unlink_skill_from_memory', input: { skill_id: 1, memory_id: 1 }, gives: has({ unlinked: false }) },
      { operation: 'unlink_skill_from_file', input: { skill_id: 1, file_id: 1 }, gives: has({ unlinked: true }) },
      {
        operation: 'unlink_skill_from_document',
        input: { skill_id: 1, document_id: 1 },
        gives: has({ unlinked: true }),
      },
      {
        operation: 'unlink_skill_from_code_artifact',
        input: { skill_id: 1, code_artifact_id: 1 },
        gives: has({ unlinked: true }),
      },
      { operation: 'get_skill_links', input: { skill_id: 9 }, gives: { refused: 'not_found' } },
      { operation: 'link_skill_to_memory', input: { skill_id: 1, memory_id: 9 }, gives: { refused: 'not_found' } },
      { operation: 'link_skill_to_file', input: { skill_id: 9, file_id: 1 }, gives: { refused: 'not_found' } },
    ],
  },
  {
    name: 'K145 the skills of a note, file, document or piece of code: none, some, after unlinking, of an unknown one',
    steps: [
      ...linkable,
      {
        operation: 'get_linked_skills',
        input: { memory_id: 1 },
        gives: { output: { skill_ids: [], count: 0, skills: [] } },
      },
      { operation: 'link_skill_to_memory', input: { skill_id: 1, memory_id: 1 }, gives: has({ linked: true }) },
      { operation: 'link_skill_to_file', input: { skill_id: 1, file_id: 1 }, gives: has({ linked: true }) },
      { operation: 'link_skill_to_document', input: { skill_id: 1, document_id: 1 }, gives: has({ linked: true }) },
      {
        operation: 'link_skill_to_code_artifact',
        input: { skill_id: 1, code_artifact_id: 1 },
        gives: has({ linked: true }),
      },
      { operation: 'get_memory', input: { memory_id: 1 }, gives: has({ skill_ids: [1] }) },
      ...['memory_id', 'file_id', 'document_id', 'code_artifact_id'].map((field) => ({
        operation: 'get_linked_skills',
        input: { [field]: 1 },
        gives: { output: { skill_ids: [1], count: 1, skills: [{ id: 1, name: 'a', description: 'First' }] } },
      })),
      { operation: 'unlink_skill_from_memory', input: { skill_id: 1, memory_id: 1 }, gives: has({ unlinked: true }) },
      { operation: 'get_linked_skills', input: { memory_id: 1 }, gives: has({ count: 0 }) },
      { operation: 'get_linked_skills', input: { document_id: 9 }, gives: { refused: 'not_found' } },
      { operation: 'get_linked_skills', input: {}, gives: { refused: 'invalid_input', field: 'memory_id' } },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
