// Setting 4 of the catalogue: a category that is turned off is not there, on any surface.
import { expect, it } from 'vitest';
import { contracts } from '#shared/contract/index.ts';
import { createNamedRestSurface, createRestSurface } from '../../support/contract-surfaces.ts';
import { startTestDaemon } from '../../support/test-daemon.ts';

it('skills that are turned off have no operation, no route and no place in the API description', async () => {
  const { paths } = await startTestDaemon({ env: { LOCI_CATEGORIES_SKILLS: 'false' } });
  const surfaces = [createNamedRestSurface(paths.httpSocket), createRestSurface(paths.httpSocket, contracts)];
  for (const surface of surfaces) {
    expect(await surface.call('list_skills', {}), surface.name).toMatchObject({ ok: false, code: 'not_found' });
    expect(await surface.call('list_entities', {}), surface.name).toMatchObject({ ok: true });
  }
});
