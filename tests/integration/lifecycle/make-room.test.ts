import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '#daemon/kernel/logger.ts';
import { createRoomMaker } from '#daemon/lifecycle/make-room.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A daemon of version 1.4.0 whose installation says `installed` of itself, and how often it was looked at. */
function setUp(installed: string) {
  const folder = tempFolder();
  const script = join(folder, 'locid.mjs');
  const looks = join(folder, 'looks');
  writeFileSync(looks, '');
  const count = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(looks)}, '.');`;
  const renew = (version: string) => writeFileSync(script, `${count} console.log('locid ${version}');\n`);
  renew(installed);
  const clock = createFakeClock();
  const seen = { stops: 0, said: [] as string[] };
  const logger = Object.assign(Object.create(silentLogger), {
    info: (_: unknown, text: string) => seen.said.push(text),
  });
  const requestStop = () => {
    seen.stops += 1;
  };
  const greet = createRoomMaker({ version: '1.4.0', script, node: process.execPath, clock, logger, requestStop });
  return { clock, greet, renew, seen };
}

const settled = (seen: { said: string[] }, looks: number) => expect.poll(() => seen.said.length).toBe(looks);

describe('a daemon that is greeted', () => {
  it('by a newer client ends when its own installation was renewed', async () => {
    const { greet, seen } = setUp('1.5.0');
    greet('1.5.0');
    await expect.poll(() => seen.stops).toBe(1);
  });

  it('by a newer client of another installation stays, and looks again after ten minutes', async () => {
    const { clock, greet, renew, seen } = setUp('1.4.0');
    greet('2.0.0');
    greet('2.0.0');
    await settled(seen, 1);
    renew('2.0.0');
    clock.advance(9 * 60_000);
    greet('2.0.0');
    expect(seen).toMatchObject({ stops: 0, said: ['a newer client'] });
    clock.advance(60_000);
    greet('2.0.0');
    await expect.poll(() => seen.stops).toBe(1);
  });

  it.each(['1.4.0', '1.3.9', '0.9.10', null])('by a client of version %s looks at nothing', async (version) => {
    const { greet, seen } = setUp('9.0.0');
    greet(version);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(seen).toEqual({ stops: 0, said: [] });
  });

  it('stays when its installation is gone', async () => {
    const { greet, renew, seen } = setUp('1.5.0');
    renew("'); process.exit(1); ('");
    greet('1.5.0');
    await settled(seen, 1);
    expect(seen.stops).toBe(0);
  });
});
