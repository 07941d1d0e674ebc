import { existsSync } from 'node:fs';

/** Rows of a LanceDB table; null where the table is missing or cannot be opened. Loads LanceDB. */
export async function countLanceRows(folder: string, table: string): Promise<number | null> {
  if (!existsSync(folder)) return null;
  process.env.LANCE_CPU_THREADS ??= '4'; // on two cores LanceDB's own default can wait for itself for ever; read at import
  try {
    const { connect } = await import('@lancedb/lancedb');
    const connection = await connect(folder);
    return await (await connection.openTable(table)).countRows();
  } catch {
    return null;
  }
}
