import { describe, expect, it } from 'vitest';
import { cleanName, foldName } from '#daemon/projects/project-name.ts';

describe('foldName', () => {
  it.each([
    ['Loci', 'LOCI'],
    [' loci ', 'Loci'],
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['ﬁle', 'FILE'],
    ['café', 'CAFE\u0301'],
    ['Ｌｏｃｉ', 'loci'],
  ])('%s and %s are one name', (a, b) => {
    expect(foldName(a)).toBe(foldName(b));
  });

  it.each([
    ['a_b', 'axb'],
    ['a b', 'ab'],
    ["it's", 'its'],
  ])('%s and %s are two', (a, b) => {
    expect(foldName(a)).not.toBe(foldName(b));
  });
});

describe('cleanName', () => {
  it('trims a name and keeps quotes and letters of any script', () => {
    expect(cleanName("  it's 猫 ")).toBe("it's 猫");
  });

  it.each([
    ['a number', 7],
    ['nothing visible', ' \u200B '],
    ['two lines', 'a\nb'],
    ['a direction mark', 'a\u202Eb'],
    ['invisible tags', 'a\u{E0041}'],
    ['half a pair', 'a\uD800'],
    ['more than 500 characters', 'x'.repeat(501)],
  ])('%s is no name', (_what, given) => {
    expect(cleanName(given)).toBeNull();
  });

  it('500 characters outside the basic plane are a name', () => {
    expect(cleanName('🏛'.repeat(500))).toBe('🏛'.repeat(500));
  });
});
