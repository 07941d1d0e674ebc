import { describe, expect, it } from 'vitest';
import { sectionsOf } from '#daemon/documents/sections.ts';

const shown = (text: string) =>
  sectionsOf(text).map(({ startAt, endAt, headings }) => [headings.join(' > '), text.slice(startAt, endAt).trim()]);

describe('the sections of a document', () => {
  it('a text without a heading is one', () => {
    expect(shown('no # heading\n#nor this\n####### nor this')).toEqual([
      ['', 'no # heading\n#nor this\n####### nor this'],
    ]);
    expect(sectionsOf('')).toEqual([{ startAt: 0, endAt: 0, headings: [] }]);
  });

  it('each knows the headings above it, whatever level they begin at, and a blank one is left out', () => {
    expect(shown('intro\n## A\n### B ###\nb\n#### C\nc\n## D\nd\n# E\r\ne\r\n### F\r\nf')).toEqual([
      ['', 'intro'],
      ['A > B', 'b'],
      ['A > B > C', 'c'],
      ['D', 'd'],
      ['E', 'e'],
      ['E > F', 'f'],
    ]);
  });

  it('a comment in fenced code is no heading, nor in a longer fence that holds a shorter one', () => {
    expect(shown('# A\n````\n# x\n```\n# y\n````\n# B\nb\n~~~ sh\n# z\n')).toEqual([
      ['', ''],
      ['A', '````\n# x\n```\n# y\n````'],
      ['B', 'b\n~~~ sh\n# z'],
    ]);
  });

  it('thousands of headings are cut at the higher ones alone', () => {
    const text = Array.from({ length: 300 }, (_, at) => `# ${at}\n${'## x\ny\n'.repeat(9)}`).join('');
    const sections = sectionsOf(text);
    expect(sections).toHaveLength(301);
    expect(sections.at(-1)?.headings).toEqual(['299']);
    expect(sectionsOf('# x\ny\n'.repeat(2_001))).toHaveLength(1);
  });

  it('covers the text but for heading lines, in time that grows with it', () => {
    const text = `${'#'.repeat(200_000)}\n# ${'a '.repeat(200_000)}#\nend`;
    const [, last] = sectionsOf(text);
    expect(text.slice(last?.startAt)).toBe('end');
    expect(last?.headings[0]?.length).toBeLessThanOrEqual(200);
  });
});
