import { atEnd } from '../at-end.ts';
import { tempFolder } from '../temp-folder.ts';
import { type SingleServer, serveObjectStore, type TestObjectStore } from './object-store.ts';

/** A server with an empty bucket; the end of the test ends it. */
export async function startObjectStore(name: SingleServer = 'gofakes3'): Promise<TestObjectStore> {
  const store = await serveObjectStore(name, tempFolder());
  atEnd(() => store.kill());
  return store;
}
