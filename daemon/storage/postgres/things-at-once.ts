import { prepared } from '../prepared.ts';
import { selectVectorRows, type ThingsReader, type VectorRow } from '../vectors/held-vectors.ts';

/** The present rows of a few hundred things by one statement: each for itself would cost a round trip. */
export const readThingsAtOnce: ThingsReader = (db, modelId, things) => {
  if (things.length === 0) return [];
  const rows = prepared<[string, string], VectorRow>(
    db,
    `${selectVectorRows} JOIN json_each(?) AS j ON v.kind = substr(j.value, instr(j.value, '_') + 1)
        AND v.thing_id = CAST(substr(j.value, 1, instr(j.value, '_') - 1) AS BIGINT)
      WHERE v.model_id = ?`,
  ).all(JSON.stringify(things.map(({ kind, id }) => `${id}_${kind}`)), modelId);
  const byKey = new Map<string, VectorRow[]>();
  for (const row of rows) {
    const name = `${row.kind}:${row.id}`;
    const known = byKey.get(name);
    if (known === undefined) byKey.set(name, [row]);
    else known.push(row);
  }
  return things.map(({ kind, id }) => {
    const found = byKey.get(`${kind}:${id}`) ?? [];
    const [first] = found;
    if (first === undefined) return null;
    return { ...first, passages: found.map(({ passage, blob }) => ({ passage, bytes: blob })) };
  });
};
