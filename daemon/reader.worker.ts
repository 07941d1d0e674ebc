// The entry of the reader thread, and its composition root: storage's questions and those of the rooms that work on many rows.
import { retrievalQueries } from './retrieval/retrieve-in-reader.ts';
import { serveReader } from './storage/serve-reader.ts';

serveReader(retrievalQueries);
