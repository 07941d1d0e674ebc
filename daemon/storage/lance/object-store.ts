// How LanceDB reaches a bucket, and what its failures mean to a person. Everything secret stays in the environment, under the names that
// the tools of object stores use. LanceDB tells a failure in prose, with the store's own error code in it: what is known of that becomes a
// sentence that says what to change; whatever is not known is not the store's fault, and the caller treats it as a damaged table.
import type { ConnectionOptions } from '@lancedb/lancedb';
import { LociError } from '#shared/errors.ts';
import { objectStoreNames } from '#shared/object-store-env.ts';

/** Where a team's vector table lies: `s3://bucket/folder`, and the environment that says how it is reached. */
export type ObjectStore = { readonly url: string; readonly env: Readonly<Record<string, string>> };

/** Some stores want a region and have none; without one LanceDB would ask the network of a cloud that may not be there. */
const usualRegion = 'us-east-1';
/** LanceDB's own patience is minutes: a search cannot wait so long, and what waits in the outbox is tried again anyway. */
const patience = { connect_timeout: '3s', timeout: '15s', client_max_retries: '2', client_retry_timeout: '10' };

export function isBucket(place: string): boolean {
  return place.startsWith('s3://');
}

/** Throws `unavailable` where the environment contradicts itself; asks nothing of the network. */
export function readObjectStore(url: string, env: NodeJS.ProcessEnv): ObjectStore {
  const given = Object.fromEntries(objectStoreNames.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const endpoint = endpointOf(given);
  if (endpoint !== undefined && !/^https?:\/\/[^\s@]+$/u.test(endpoint)) {
    throw unusable('AWS_ENDPOINT_URL must be an address that begins with https:// and holds no password.');
  }
  if (endpoint?.startsWith('http:') && !isTrue(given.AWS_ALLOW_HTTP)) {
    throw unusable(
      'AWS_ENDPOINT_URL is not encrypted: use https://, or set AWS_ALLOW_HTTP=true if the network is safe.',
    );
  }
  if ((given.AWS_ACCESS_KEY_ID === undefined) !== (given.AWS_SECRET_ACCESS_KEY === undefined)) {
    throw unusable('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together.');
  }
  return { url, env: given };
}

/** For LanceDB's `connect`: every read asks for the newest version, so that no daemon searches a table that another has replaced. */
export function bucketOptions(env: NodeJS.ProcessEnv): Partial<ConnectionOptions> {
  const endpoint = endpointOf(env);
  const given = {
    aws_access_key_id: env.AWS_ACCESS_KEY_ID,
    aws_secret_access_key: env.AWS_SECRET_ACCESS_KEY,
    aws_session_token: env.AWS_SESSION_TOKEN,
    aws_region: env.AWS_REGION || env.AWS_DEFAULT_REGION || usualRegion,
    aws_endpoint: endpoint,
    aws_virtual_hosted_style_request: env.AWS_VIRTUAL_HOSTED_STYLE_REQUEST,
    allow_http: isTrue(env.AWS_ALLOW_HTTP) ? 'true' : undefined,
  };
  const storageOptions: Record<string, string> = { ...patience };
  for (const [name, value] of Object.entries(given)) if (value) storageOptions[name] = value;
  return { storageOptions, readConsistencyInterval: 0 };
}

const causes: readonly (readonly [RegExp, string])[] = [
  [/NoSuchBucket/, 'The bucket that `vectors.url` names does not exist: create it, or mend the setting.'],
  [
    /SignatureDoesNotMatch|InvalidAccessKeyId|ExpiredToken|InvalidToken|status code: 401/,
    'The object store of `vectors.url` refuses the keys: mend AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment of the daemon.',
  ],
  [
    /Failed to get AWS credentials|CredentialsNotLoaded|no providers in chain/i,
    'There are no keys for the object store of `vectors.url`: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment of the daemon.',
  ],
  [
    /AccessDenied|status code: 403|Forbidden/,
    'The keys may not do this in the bucket of `vectors.url`: allow them to list, read, write and delete there.',
  ],
  [
    /PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraint/,
    'The bucket of `vectors.url` is in another region: set AWS_REGION in the environment of the daemon.',
  ],
  [
    /error sending request|HTTP error|dns error|Connection (refused|reset)|status code: (5\d\d|429)|timed? ?out|SlowDown/i,
    'The object store of `vectors.url` cannot be reached; searches go on, and what is missing there is written when it is back. Check AWS_ENDPOINT_URL and AWS_REGION if it never was.',
  ],
];

/** What LanceDB's failure says of the store, as a sentence; null where it says nothing of it. */
export function objectStoreTrouble(failure: string): string | null {
  return causes.find(([words]) => words.test(failure))?.[1] ?? null;
}

function endpointOf(env: NodeJS.ProcessEnv): string | undefined {
  return env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL;
}

function isTrue(value: string | undefined): boolean {
  return /^(true|1|on|yes)$/i.test(value ?? '');
}

function unusable(message: string): LociError {
  return new LociError('unavailable', message, { cause: 'object_store' });
}
