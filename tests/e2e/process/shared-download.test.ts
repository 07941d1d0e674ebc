// A model that is fetched by two daemons at once into one folder, from a source that sends slowly and breaks off.
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundledModel } from '#daemon/embeddings/bundled.ts';
import { bundledModelsFolder } from '#daemon/embeddings/installed-files.ts';
import { homeIn, startProcess, untilUp } from '../../support/daemon-process.ts';
import { connectTo, locid, untilEmbedded } from '../../support/real-daemon.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const model = `stub/${bundledModel}`;

/** Serves the bundled model as the hub does; the weights take `weightsMs`, and are cut short as long as `isBroken`. */
async function startHub() {
  const hub = { isBroken: false, weightsMs: 3_000, asked: [] as string[], url: '' };
  const folder = join(bundledModelsFolder(), bundledModel);
  const server = createServer(async (request, response) => {
    const file = /\/resolve\/main\/([^?]+)/.exec(request.url ?? '')?.[1] ?? '';
    const path = join(folder, file);
    if (request.url?.startsWith(`/${model}/`) !== true || !existsSync(path)) return void response.writeHead(404).end();
    if (request.method === 'GET') hub.asked.push(file);
    response.writeHead(200, { 'content-length': statSync(path).size });
    if (request.method === 'HEAD') return void response.end();
    if (!file.endsWith('.onnx')) return void createReadStream(path).pipe(response);
    const bytes = readFileSync(path);
    const step = Math.ceil(bytes.length / 30);
    for (let at = 0; at < bytes.length; at += step) {
      if (hub.isBroken && at > bytes.length / 2) return void response.destroy();
      response.write(bytes.subarray(at, at + step));
      await sleep(hub.weightsMs / 30);
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  hub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return hub;
}

/** Homes whose models lie in one folder. */
function homesSharing(count: number, url: string) {
  const models = tempFolder();
  const homes = Array.from({ length: count }, () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 });
    symlinkSync(models, join(folder, 'data', 'models'));
    return homeIn(folder, {
      LOCI_EMBEDDING_PROVIDER: 'huggingface',
      LOCI_EMBEDDING_MODEL: model,
      LOCI_EMBEDDING_BASE_URL: url,
    });
  });
  return { models, homes };
}

describe('a model that is fetched', () => {
  it('B47 by two processes at once, slowly: saves go on meanwhile and are embedded later, both find by meaning, nothing half is left', async () => {
    const hub = await startHub();
    const { models, homes } = homesSharing(2, hub.url);
    const connections = [];
    for (const home of homes) {
      startProcess(locid, home.env);
      await untilUp(home);
      connections.push(connectTo(home));
    }
    const saved = await Promise.all(
      connections.map(async (connection) => {
        const startMs = Date.now();
        const answer = (await connection.call('memory_save', { content: 'Deploys go through Argo' })) as object;
        return { ...answer, isQuick: Date.now() - startMs < 5_000 };
      }),
    );
    for (const answer of saved)
      expect(answer).toMatchObject({ outcome: 'created', warnings: ['embedding_pending'], isQuick: true });
    for (const connection of connections) {
      const deadlineMs = Date.now() + 60_000;
      let found: { results: object[]; degraded: string[] } = { results: [], degraded: ['vector'] };
      while (found.results.length === 0 && Date.now() < deadlineMs) {
        await sleep(500);
        await connection.call('run_job', { name: 'reembed' });
        found = (await connection.call('memory_search', { query: 'how do we ship', mode: 'vector' })) as typeof found;
      }
      expect(found).toMatchObject({ results: [{ id: 1 }], degraded: [] });
      await untilEmbedded(connection);
    }
    const files = readdirSync(models, { recursive: true }).map(String);
    expect(files).toContain(join(model, 'onnx', 'model_quantized.onnx'));
    expect(files.filter((file) => file.includes('.tmp.'))).toEqual([]);
    const weights = join('onnx', 'model_quantized.onnx');
    const fetched = readFileSync(join(models, model, weights));
    expect(fetched.equals(readFileSync(join(bundledModelsFolder(), bundledModel, weights)))).toBe(true);
  }, 180_000);

  it('B47 from a source that breaks off: it is said, the half is not taken for the whole, and a later start fetches it anew', async () => {
    const hub = await startHub();
    hub.isBroken = true;
    hub.weightsMs = 300;
    const { models, homes } = homesSharing(1, hub.url);
    const [home] = homes;
    if (home === undefined) throw new Error('no home');
    const first = startProcess(locid, home.env);
    await untilUp(home);
    const connection = connectTo(home);
    expect(await connection.call('memory_save', { content: 'Deploys go through Argo' })).toMatchObject({
      outcome: 'created',
    });
    await expect
      .poll(async () => (await connection.call('memory_health', {})) as object, { timeout: 90_000, interval: 300 })
      .toMatchObject({ embedder: { status: 'down', why: expect.stringMatching(/could not be fetched/) } });
    expect(existsSync(join(models, model, 'onnx', 'model_quantized.onnx'))).toBe(false);
    const asked = hub.asked.filter((file) => file.endsWith('.onnx')).length;
    await sleep(2_000);
    expect(hub.asked.filter((file) => file.endsWith('.onnx')).length - asked).toBeLessThanOrEqual(2);
    first.child.kill('SIGTERM');
    await first.exited;
    hub.isBroken = false;
    startProcess(locid, home.env);
    await untilUp(home);
    const later = connectTo(home);
    await expect
      .poll(
        async () =>
          ((await later.call('memory_search', { query: 'how do we ship', mode: 'vector' })) as { results: object[] })
            .results,
        {
          timeout: 60_000,
          interval: 500,
        },
      )
      .toMatchObject([{ id: 1 }]);
  }, 180_000);
});
