// The entry of the thread that holds the reader's connection to PostgreSQL.
import { serveConnection } from './storage/postgres/serve-connection.ts';

serveConnection();
