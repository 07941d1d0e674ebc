import { it } from 'vitest';
import { openTestStore } from '../../support/test-store.ts';
import { madeUp } from '../../support/made-up-secrets.ts';
it('x', async () => {
  const s = await openTestStore();
  const tok = `gh${'p_'}${madeUp(36)}`;
  const tries: [string, any][] = [
    ['create_project', { name: 'p', description: 'd', metadata: { data: tok } }],
    ['create_project', { name: 'p2', description: 'd', metadata: { data: `the token ${tok} is here, ü` } }],
    ['create_project', { name: 'p3', description: 'd', metadata: { deep: { data: `the token ${tok} is here` } } }],
    ['create_project', { name: 'p4', description: 'd', metadata: { deep: { data: [`the token ${tok} is here`] } } }],
    ['create_entity', { name: 'e', entity_type: 'Other', custom_type: 'data', custom_fields: { data: tok } }],
    ['create_entity', { name: 'e', entity_type: 'Other', custom_type: 'data', metadata: { data: tok } }],
    ['create_document', { title: 't', description: 'd', content: 'x '.repeat(40000) + tok }],
    ['create_skill', { name: 'sk', description: 'd', content: 'x '.repeat(40000) + tok }],
    ['create_code_artifact', { title: 't', description: 'd', code: 'x '.repeat(40000) + tok, language: 'js' }],
    ['create_file', { filename: 'a.bin', description: 'd', mime_type: 'application/octet-stream', data: Buffer.concat([Buffer.from(tok), Buffer.from([0, 1, 2])]).toString('base64') }],
    ['create_file', { filename: 'a.env', description: 'd', mime_type: 'text/plain', data: Buffer.from('\ufeff' + tok, 'utf16le').toString('base64') }],
    ['create_file', { filename: 'b.env', description: 'd', mime_type: 'text/plain', data: Buffer.from(tok + ' \xe9', 'latin1').toString('base64') }],
    ['create_file', { filename: 'c.env', description: 'd', mime_type: 'text/plain', data: Buffer.from('x '.repeat(60000) + tok).toString('base64') }],
    ['create_plan', { title: 'p', goal: 'g', context: tok, project_id: 1 }],
  ];
  for (const [n, i] of tries) {
    try { const r = await s.call(n, i); console.log('STORED', n, JSON.stringify(i).slice(0, 120), JSON.stringify(r).includes(tok)); }
    catch (e: any) { console.log('no', n, e.code, e.message.slice(0, 100)); }
  }
  const w = (scopes: string[]) => ({ scopes } as any);
  const m = await s.call<{ id: number }>('memory_save', { content: 'We deploy the okapi on Tuesdays at noon' });
  for (const [n, i, sc] of [
    ['memory', { action: 'search', query: 'okapi' }, ['write:memories']], ['memory', { action: 'list' }, ['read']], ['memory', { action: 'search', query: 'okapi' }, ['read']],
    ['memory_save', { content: 'We deploy the okapi on Tuesdays at noon!' }, ['write:memories']],
    ['create_memory', { title: 'okapi', content: 'We deploy the okapi on Tuesdays at one', context: 'c', keywords: ['a'], tags: ['b'], importance: 7 }, ['write:memories']],
    ['memory_update', { id: m.id, confidence: 0.5 }, ['write:memories']],
    ['memory_checkpoint', { summary: 'okapi deployed' }, ['write:memories']],
    ['get_entity_memories', { entity_id: 1 }, ['read:entities']],
  ] as any) {
    try { const r = await s.call(n, i, w(sc)); console.log('ok', n, sc, JSON.stringify(r).slice(0, 900)); }
    catch (e: any) { console.log('no', n, sc, e.code, e.message.slice(0, 200)); }
  }
});
