import { describe, expect, it } from 'vitest';
import { createLogins } from '#daemon/users/logins.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

describe('a login that waits', () => {
  it('keeps its code while it waits, is taken once, however the code is typed', () => {
    const logins = createLogins(createFakeClock());
    const { code } = logins.offer('hash', 'peer');
    expect(code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
    expect(logins.offer('hash', 'peer').code).toBe(code);
    expect(logins.take(` ${code.toLowerCase().replace('-', ' ')}`)).toBe('hash');
    expect(() => logins.take(code)).toThrow(/ten minutes/);
  });

  it('is forgotten after ten minutes', () => {
    const clock = createFakeClock();
    const logins = createLogins(clock);
    const { code } = logins.offer('hash', 'peer');
    clock.advance(10 * 60_000);
    expect(() => logins.take(code)).toThrow(/ten minutes/);
  });

  it('one address pushes out its own alone, and all together are bounded', () => {
    const logins = createLogins(createFakeClock());
    const mine = logins.offer('mine', 'me').code;
    for (let index = 0; index < 50; index += 1) logins.offer(`noise-${index}`, 'noisy');
    expect(logins.take(mine)).toBe('mine');
    const codes = Array.from({ length: 300 }, (_, index) => logins.offer(`many-${index}`, `peer-${index}`).code);
    const left = codes.filter((code) => {
      try {
        return logins.take(code) !== '';
      } catch {
        return false;
      }
    });
    expect(left.length).toBeLessThanOrEqual(100);
  });
});
