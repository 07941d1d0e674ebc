import { describe, expect, it } from 'vitest';
import { internalContext } from '#daemon/kernel/context.ts';
import {
  contentHash,
  cutAtWord,
  defaultTier,
  embeddedText,
  expiryOf,
  isLive,
  shownTitle,
} from '#daemon/memories/memory.ts';
import { emptyDraft } from '#daemon/memories/new-draft.ts';

const draft = { ...emptyDraft(internalContext, 0), content: 'Auth is Clerk. It replaced our own sessions.' };

describe('a title', () => {
  it('is derived from the first sentence where none is given', () => {
    expect(shownTitle(draft)).toBe('Auth is Clerk.');
  });

  it('is cut at a word, at most 200 code points', () => {
    const title = shownTitle({ title: null, content: 'word '.repeat(100) });
    expect([...title].length).toBeLessThanOrEqual(200);
    expect(title.endsWith('word…')).toBe(true);
  });

  it.each([199, 200, 201])('B12 never splits an emoji at the limit (%i letters before it)', (letters) => {
    const title = cutAtWord(`${'a'.repeat(letters)}😀 and more`, 200);
    expect(title.isWellFormed()).toBe(true);
    expect([...title].length).toBeLessThanOrEqual(200);
  });

  it('never splits a family emoji, which is one grapheme of several code points', () => {
    const title = cutAtWord(`${'a'.repeat(197)}👨‍👩‍👧‍👦 b`, 200);
    expect(title).toBe(`${'a'.repeat(197)}…`);
  });

  it('is not embedded when it was derived', () => {
    expect(embeddedText(draft)).toBe(draft.content);
  });
});

describe('equal text', () => {
  it('has an equal hash whatever is not text', () => {
    expect(contentHash({ ...draft, concepts: ['a'] })).not.toBe(contentHash(draft));
    expect(contentHash({ ...draft })).toBe(contentHash(draft));
  });
});

describe('trust and life', () => {
  it('makes a memory core from debate, from human or from confidence 0.85 up', () => {
    expect(defaultTier('save', 0.84)).toBe('regular');
    expect(defaultTier('save', 0.85)).toBe('core');
    expect(defaultTier('debate', 0.1)).toBe('core');
    expect(defaultTier('human', 0.1)).toBe('core');
  });

  it('expires exactly so many days later, fractions included', () => {
    expect(expiryOf({ expires_days: 0.5 }, 1_000)).toBe(1_000 + 12 * 60 * 60 * 1000);
  });

  it('refuses two expiries at once, naming the field', () => {
    expect(() => expiryOf({ expires_days: 1, expires_at: '2026-01-01' }, 0)).toThrow(/expires_days/);
  });

  it('is dead at the very millisecond of its expiry', () => {
    expect(isLive({ status: 'active', expiresAtMs: 10 }, 9)).toBe(true);
    expect(isLive({ status: 'active', expiresAtMs: 10 }, 10)).toBe(false);
    expect(isLive({ status: 'archived', expiresAtMs: null }, 10)).toBe(false);
  });
});
