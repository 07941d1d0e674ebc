// An issuer of JWTs on a free port: keys of its own, a JWKS document, and tokens with whatever claims a test wants.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

export type Issuer = {
  readonly url: string;
  readonly jwksUrl: string;
  /** How often the keys were asked for. */
  asked(): number;
  /** From now on other keys are told and used. */
  rotate(): Promise<void>;
  /** From now on the keys cannot be read. */
  fail(): void;
  /** A token that is valid for an hour of `nowMs`, changed by `claims`. */
  sign(claims: JWTPayload, nowMs: number): Promise<string>;
};

export const audience = 'loci-of-a-team';

export async function startIssuer(algorithm = 'ES256'): Promise<Issuer> {
  let keyNumber = 0;
  let signing: CryptoKey;
  let jwks = '';
  let asked = 0;
  let isFailing = false;
  const rotate = async (): Promise<void> => {
    keyNumber += 1;
    const pair = await generateKeyPair(algorithm, { extractable: true });
    signing = pair.privateKey;
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: `key-${keyNumber}`, alg: algorithm, use: 'sig' };
    jwks = JSON.stringify({ keys: [jwk] });
  };
  await rotate();
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(isFailing ? 500 : 200, { 'content-type': 'application/json' }).end(isFailing ? '{}' : jwks);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    jwksUrl: `${url}/keys`,
    asked: () => asked,
    rotate,
    fail: () => {
      isFailing = true;
    },
    sign: (claims, nowMs) =>
      new SignJWT({ iss: url, aud: audience, sub: 'ana-1', exp: Math.floor(nowMs / 1000) + 3600, ...claims })
        .setProtectedHeader({ alg: algorithm, kid: `key-${keyNumber}` })
        .sign(signing),
  };
}

export function issuerEnv(issuer: Issuer, more: Record<string, string> = {}): Record<string, string> {
  return {
    LOCI_AUTH_JWT_ISSUER: issuer.url,
    LOCI_AUTH_JWT_AUDIENCE: audience,
    LOCI_AUTH_JWT_JWKS_URL: issuer.jwksUrl,
    ...more,
  };
}
