import { describe, expect, it } from 'vitest';
import { version } from '#shared/version.ts';
import { openHttpSurface } from '../../support/http-surface.ts';
import { noteOperations } from '../../support/note-operations.ts';

describe('routes of the registry', () => {
  it('a POST that creates answers 201, over the socket and over TCP', async () => {
    const surface = await openHttpSurface(noteOperations([]));
    const first = await surface.send({ method: 'POST', path: '/notes', body: { content: 'one' } });
    expect(first.status).toBe(201);
    expect(first.headers['loci-version']).toBe(version);
    expect(first.json).toEqual({ id: 1, content: 'one', tags: [], outcome: 'created' });
    const second = await surface.sendTcp({ method: 'POST', path: '/operations/note_save', body: { content: 'two' } });
    expect([second.status, second.json.id]).toEqual([201, 2]);
  });
});
