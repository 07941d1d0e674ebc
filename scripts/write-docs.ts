// `npm run docs`: writes the pages that are made from the program. The registry test holds them fresh.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { operationsPage } from './operations-page.ts';

const docs = fileURLToPath(new URL('../docs', import.meta.url));
mkdirSync(docs, { recursive: true });
writeFileSync(`${docs}/operations.md`, operationsPage());
