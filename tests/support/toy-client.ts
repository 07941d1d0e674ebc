// One client process: calls one operation and prints the answer, or the error, as one line of JSON.
import { createConnection } from '#clients/connect/connection.ts';
import { localDaemon } from '#clients/connect/local-daemon.ts';
import { LociError } from '#shared/errors.ts';

const [program = '', operation = '', input = '{}'] = process.argv.slice(2);
const { paths, env } = localDaemon(process.env);
const connection = createConnection({ paths, env, program, server: null, folder: process.cwd(), agent: 'toy' });
try {
  process.stdout.write(`${JSON.stringify(await connection.call(operation, JSON.parse(input)))}\n`);
} catch (error) {
  const { code, message, details } = error instanceof LociError ? error : new LociError('internal', String(error));
  process.stdout.write(`${JSON.stringify({ error: { code, message, details } })}\n`);
}
await connection.close();
