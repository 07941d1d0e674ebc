// K143: whatever a skill says, its SKILL.md says too.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noEncodingAgent } from '#daemon/kernel/context.ts';
import { readSkillMd } from '#daemon/skills/read-skill-md.ts';
import type { SkillRow } from '#daemon/skills/skill.ts';
import { inputToSkill, type SkillInput } from '#daemon/skills/skill-input.ts';
import { writeSkillMd } from '#daemon/skills/write-skill-md.ts';

const context = { encoding: noEncodingAgent };

function rowOf(input: SkillInput): SkillRow {
  return { ...inputToSkill(input, context), id: 1, uid: 'u', user_id: 1, created_at: 0, updated_at: 0 };
}

/** Text that the API accepts: well-formed, without NUL and Tags-block characters, and with something to see in it. */
const text = (max: number) =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: max }),
      fc.constantFrom(
        'yes',
        '1.10',
        'null',
        '---',
        'a: b',
        '# x',
        '- x',
        '"',
        "'",
        ' lead',
        'a\nb',
        '{a}',
        '*a',
        '@a',
        '~',
      ),
    )
    .filter((value) => /[\p{L}\p{N}]/u.test(value) && !value.includes('\0'))
    .map((value) => value.replace(/[\u{E0000}-\u{E007F}]/gu, ''));

const json = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z0-9_ :-]{0,8}$/).filter((key) => !['loci', 'constructor', 'prototype'].includes(key)),
  fc.oneof(
    text(20),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
    fc.array(text(8), { maxLength: 3 }),
  ),
  { maxKeys: 4 },
);

const labels = (max: number) =>
  fc.uniqueArray(
    text(12)
      .map((value) => value.trim())
      .filter((value) => /[\p{L}\p{N}]/u.test(value)),
    { maxLength: max, selector: (value) => value.normalize('NFKC').trim().toLowerCase() },
  );

const skill = fc.record({
  name: fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}$/),
  description: text(60),
  content: text(120),
  importance: fc.integer({ min: 1, max: 10 }),
  license: fc.option(text(20)),
  compatibility: fc.option(text(40)),
  allowed_tools: labels(4),
  tags: labels(4),
  metadata: json,
  confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  source_repo: fc.option(text(30)),
  source_files: labels(3),
  encoding_agent: fc.option(text(10)),
});

it('K143 export and import give the same skill, every field of it', () => {
  fc.assert(
    fc.property(skill, (input) => {
      const row = rowOf(input as SkillInput);
      const again = rowOf(readSkillMd(writeSkillMd(row, null, {})).input);
      expect(again).toEqual(row);
    }),
    { numRuns: 300 },
  );
});

it('K143 a plain file comes back as it was, byte for byte', () => {
  const plain =
    '---\nname: log-reader\ndescription: Reads logs\nlicense: MIT\nmetadata:\n  author: Ada\ntags:\n  - logs\nallowed-tools:\n  - Read\n---\n\n# Steps\n\n1. Tail them.\n';
  expect(writeSkillMd(rowOf(readSkillMd(plain).input), null, {})).toBe(plain);
});

it('B32 a Windows file is exported with one block of front matter', () => {
  const row = rowOf(readSkillMd('\uFEFF---\r\nname: win-skill\r\ndescription: d\r\n---\r\n\r\n# Body\r\n').input);
  const text = writeSkillMd(row, null, {});
  expect(text).toBe('---\nname: win-skill\ndescription: d\n---\n\n# Body\n');
});

it('K142 the project and links that a plain SKILL.md has no field for stand below metadata', () => {
  const row = rowOf({ name: 'a', description: 'b', content: 'c', importance: 9, source_repo: 'o/r' } as SkillInput);
  const { kept } = readSkillMd(writeSkillMd(row, 'shop', { memory: ['u1'] }));
  expect(kept).toMatchObject({
    project: 'shop',
    links: { memory: ['u1'] },
    fields: { importance: 9, source_repo: 'o/r' },
  });
});
