import { expect, it } from 'vitest';
import { refuseSecretsInTurns } from '#daemon/secrets/refuse-in-turns.ts';

const filler = 'Deploys go through the blue pipeline on Monday. ';
const secret = `${'gh'}p_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;

it('a secret is found wherever it stands in a long text, also where one part ends and the next begins', async () => {
  const long = filler.repeat(5_000);
  await expect(refuseSecretsInTurns({ content: long })).resolves.toBeUndefined();
  const step = 64 * 1024 - 8 * 1024;
  for (const at of [
    0,
    step - 20,
    step,
    step + 500,
    step + 530,
    64 * 1024 - 20,
    64 * 1024,
    3 * step + 10,
    long.length,
  ]) {
    const text = `${long.slice(0, at)} ${secret} ${long.slice(at)}`;
    await expect(refuseSecretsInTurns({ title: 'x', content: text }), String(at)).rejects.toMatchObject({
      code: 'rejected_by_policy',
      details: { content: expect.stringContaining('secret') },
    });
  }
});

it('others go between the parts of a long text', async () => {
  let turns = 0;
  const others = setInterval(() => {
    turns += 1;
  }, 1);
  await refuseSecretsInTurns({ data: filler.repeat(40_000) });
  clearInterval(others);
  expect(turns).toBeGreaterThan(5);
});
