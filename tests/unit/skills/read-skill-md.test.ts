import { describe, expect, it } from 'vitest';
import { quoteLooseValues } from '#daemon/skills/quote-loose-values.ts';
import { readSkillMd } from '#daemon/skills/read-skill-md.ts';
import { LociError } from '#shared/errors.ts';

const file = (front: string, body = '# Steps\n\n1. Do it.\n') => `---\n${front}\n---\n\n${body}`;
const named = (front: string, body?: string) => file(`name: log-reader\ndescription: Reads logs\n${front}`, body);

function refusal(text: string): LociError {
  try {
    readSkillMd(text);
  } catch (error) {
    if (error instanceof LociError) return error;
    throw error;
  }
  throw new Error('it was read');
}

describe('a SKILL.md', () => {
  it('K140 gives name, description, licence, compatibility, tags, tools and body', () => {
    const { input } = readSkillMd(
      named('license: MIT\ncompatibility: Needs git\ntags: [logs, ops]\nallowed-tools:\n  - Read\n  - Bash(git:*)'),
    );
    expect(input).toMatchObject({
      name: 'log-reader',
      description: 'Reads logs',
      license: 'MIT',
      compatibility: 'Needs git',
      tags: ['logs', 'ops'],
      allowed_tools: ['Read', 'Bash(git:*)'],
      content: '# Steps\n\n1. Do it.',
      importance: 7,
    });
  });

  it.each([
    ['spaces', 'Read Grep Bash(git add:*)'],
    ['commas', 'Read, Grep, Bash(git add:*)'],
  ])('K140 takes allowed-tools as one text with %s; what stands in brackets stays together', (_name, tools) => {
    expect(readSkillMd(named(`allowed-tools: ${tools}`)).input.allowed_tools).toEqual([
      'Read',
      'Grep',
      'Bash(git add:*)',
    ]);
  });

  it.each([
    ['Use for logs. Keywords: tail, grep', 'description: Use for logs. Keywords: tail, grep'],
    ['Use when: always:', 'description: Use when: always:'],
    ['Use for logs. Keywords: tail and grep', 'description: Use for logs.\n  Keywords: tail\n  and grep'],
    ['@mentions of people', 'description: @mentions of people'],
    ['[WIP] read: logs', 'description: [WIP] read: logs'],
    ['It says "a: b"', 'description: "It says \\"a: b\\""'],
    ['a: b\nc: d\n', 'description: |\n  a: b\n  c: d'],
  ])('B31 K141 reads the description %j that nobody quoted', (description, line) => {
    expect(readSkillMd(file(`name: log-reader\n${line}`)).input.description).toBe(description);
  });

  it('B31 names the line of what cannot be read, and how to mend it', () => {
    const error = refusal(named('metadata:\n  note: a: b'));
    expect(error).toMatchObject({ code: 'invalid_input', details: { line: 5 } });
    expect(error.message).toMatch(/line 5: .*double quotes/);
  });

  it('B32 reads a file with a byte order mark and CRLF; the body has neither mark nor front matter', () => {
    const { input } = readSkillMd('\uFEFF---\r\nname: win-skill\r\ndescription: d\r\n---\r\n\r\n# Body\r\n');
    expect(input).toMatchObject({ name: 'win-skill', description: 'd', content: '# Body' });
  });

  it.each(['---js', '---javascript', '--- coffee', '---json'])('B33 refuses the fence %s and runs nothing', (fence) => {
    const error = refusal(`${fence}\nmodule.exports = { name: process.exit(1) }\n---\n\nbody`);
    expect(error.message).toMatch(/must be YAML between lines of ---/);
    expect(error.details.line).toBe(1);
  });

  it.each(['!!js/function "function () { return 1 }"', '!<tag:yaml.org,2002:js/function> x', '!ruby/object:Gem {}'])(
    'B33 refuses the tagged value %s',
    (value) => {
      expect(refusal(named(`metadata:\n  run: ${value}`)).message).toMatch(/tags .* are not read/);
    },
  );

  it.each([
    ['aliases', 'metadata:\n  a: &a [1]\n  b: *a', /aliases/],
    ['a name that reaches the prototype', 'metadata:\n  __proto__: {a: 1}', /no field may have/],
    ['a name twice', 'license: MIT\nlicense: Apache-2.0', /twice/],
    ['metadata that is no mapping', 'metadata: [1]', /mapping/],
    ['one name at the top and below metadata', 'version: "1"\nmetadata:\n  version: "2"', /keep one/],
    ['a hundred levels', `metadata: ${'['.repeat(100)}${']'.repeat(100)}`, /deeper than/],
    ['tens of thousands of levels', `metadata: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, /deeper than/],
    ['front matter of 70 KB', `metadata:\n  a: ${'x'.repeat(70_000)}`, /longer than 48 KB/],
    ['an importance that is too high', 'metadata:\n  loci:\n    importance: 11', /importance/],
    ['a tool that is no text', 'allowed-tools:\n  - Bash(run: x)', /allowed_tools/],
  ])('refuses %s', (_name, front, says) => {
    expect(refusal(named(front)).message).toMatch(says);
  });

  it.each([
    ['no front matter', '# Steps', /must begin with YAML front matter/],
    ['no end of it', '---\nname: a\ndescription: b\n', /no end/],
    ['no name', file('description: b'), /must say `name`/],
    ['no description', file('name: a'), /must say `description`/],
    ['a list for front matter', file('- a\n- b'), /mapping/],
    ['no body', '---\nname: a\ndescription: b\n---\n\n  \n', /nothing below/],
    ['K138 a name that is not kebab-case', file('name: Log Reader\ndescription: b'), /kebab-case/],
  ])('refuses a file with %s', (_name, text, says) => {
    expect(refusal(text).message).toMatch(says);
  });

  it('keeps fields that the format does not know below metadata', () => {
    const { input } = readSkillMd(named('version: 1.10\nmodel: opus\nmetadata:\n  author: Ada\n  stars: 3'));
    expect(input.metadata).toEqual({ author: 'Ada', stars: 3, version: '1.10', model: 'opus' });
  });

  it('takes later lines of --- as part of the body', () => {
    expect(readSkillMd(named('license: MIT', 'a\n---\nb\n')).input.content).toBe('a\n---\nb');
  });
});

describe('quoting what a person forgot to quote', () => {
  it('leaves every line at its number', () => {
    const front = 'name: a\ndescription: x: y\n  z\nlicense: MIT';
    expect(quoteLooseValues(front).split('\n')).toEqual(['name: a', 'description: "x: y z"', '', 'license: MIT']);
  });

  it('leaves quoted values, blocks, lists and nested mappings alone', () => {
    const front = 'a: "x: y"\nb: |\n  x: y\nc: [x, y]\nd:\n  e: f: g\nf: plain';
    expect(quoteLooseValues(front)).toBe(front);
  });
});
