// What the environment says of an object store, and what its failures mean.
import { describe, expect, it } from 'vitest';
import { daemonEnvironment } from '#clients/connect/spawn-daemon.ts';
import { bucketOptions, objectStoreTrouble, readObjectStore } from '#daemon/storage/lance/object-store.ts';
import { readSettings } from '#shared/read-settings.ts';

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'word' };
const url = 's3://team-vectors/loci';

describe('`vectors.url`', () => {
  it('with a password in it is refused by a sentence that does not repeat it', () => {
    const env = { LOCI_VECTORS_URL: 's3://id:hidden-word@team-vectors/loci', LOCI_STORAGE_URL: 'postgres://a@b/c' };
    const refused = (): unknown => readSettings({ file: null, env });
    expect(refused).toThrow(/without user, password or options: those are given in the environment/);
    expect(refused).not.toThrow(/hidden-word/);
  });

  it('without `storage.url` is refused: the table would have no team', () => {
    expect(() => readSettings({ file: null, env: { LOCI_VECTORS_URL: url } })).toThrow(/set `storage.url` too/);
  });
});

describe('the environment of an object store', () => {
  it('must allow what is not encrypted, and holds both keys or none', () => {
    const open = { ...keys, AWS_ENDPOINT_URL: 'http://127.0.0.1:9' };
    expect(() => readObjectStore(url, open)).toThrow(/not encrypted/);
    expect(readObjectStore(url, { ...open, AWS_ALLOW_HTTP: 'true', HOME: 'x' }).env).not.toHaveProperty('HOME');
    expect(() => readObjectStore(url, { AWS_ACCESS_KEY_ID: 'id' })).toThrow(/must be set together/);
    expect(() => readObjectStore(url, { AWS_ENDPOINT_URL: 'https://id:word@store.test' })).toThrow(/no password/);
  });

  it('names the region and the address, the one for this protocol first', () => {
    const env = {
      ...keys,
      AWS_DEFAULT_REGION: 'eu-1',
      AWS_ENDPOINT_URL: 'https://a.test',
      AWS_ENDPOINT_URL_S3: 'https://b.test',
    };
    expect(bucketOptions(env)).toMatchObject({
      readConsistencyInterval: 0,
      storageOptions: { aws_region: 'eu-1', aws_endpoint: 'https://b.test', aws_secret_access_key: 'word' },
    });
    expect(bucketOptions(keys).storageOptions).not.toHaveProperty('allow_http');
  });

  it('reaches a daemon that a client starts only where the settings name a bucket', () => {
    expect(daemonEnvironment(keys, '')).not.toHaveProperty('AWS_ACCESS_KEY_ID');
    expect(daemonEnvironment({ ...keys, LOCI_VECTORS_URL: url }, '')).toMatchObject(keys);
    expect(daemonEnvironment(keys, `[vectors]\nurl = "${url}"`)).toMatchObject(keys);
  });
});

describe('a failure of LanceDB', () => {
  it.each([
    ['status code: 404 Not Found: <Code>NoSuchBucket</Code>', /create it, or mend the setting/],
    ['status code: 403 Forbidden: <Code>SignatureDoesNotMatch</Code>', /refuses the keys/],
    ['status code: 403 Forbidden: <Code>AccessDenied</Code>', /allow them to list, read, write and delete/],
    ['Failed to get AWS credentials: ProviderError', /There are no keys/],
    ['<Code>AuthorizationHeaderMalformed</Code>', /set AWS_REGION/],
    ['after 2 retries - HTTP error: error sending request', /cannot be reached/],
    ['status code: 503 Service Unavailable', /cannot be reached/],
  ])('that says "%s" becomes a sentence that says what to change', (failure, sentence) => {
    expect(objectStoreTrouble(failure)).toMatch(sentence);
  });

  it('that says nothing of the store is not blamed on it', () => {
    expect(objectStoreTrouble('Not found: vectors_1.lance/data/1.lance')).toBeNull();
    expect(objectStoreTrouble('Invalid user input: no column named rev')).toBeNull();
  });
});
