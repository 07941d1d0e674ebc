// A stand-in for the thread of the model that does what a text tells it to: crash, crash once, hang, or answer.
// Each start leaves a line in the file `starts`, so that tests can count the lives of the thread.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const place = (name) => join(workerData.config.modelsFolder, name);

appendFileSync(place('starts'), 'start\n');
if (existsSync(place('never-load'))) process.exit(1);

parentPort.on('message', (request) => {
  if (request.kind === 'end') process.exit(0);
  if (request.text === 'hang') return;
  if (request.text === 'crash') process.exit(1);
  if (request.text === 'crash once' && !existsSync(place('crashed'))) {
    writeFileSync(place('crashed'), '');
    process.exit(1);
  }
  if (request.text === 'fail') parentPort.postMessage({ kind: 'failed', id: request.id });
  else parentPort.postMessage({ kind: 'vector', id: request.id, vector: vectorFor(request.text) });
});
parentPort.postMessage({ kind: 'ready' });

function vectorFor(text) {
  if (text === 'zeros') return new Float32Array(4);
  if (text === 'not finite') return Float32Array.of(1, Number.NaN, 0, 0);
  if (text === 'too long') return new Float32Array(5).fill(1);
  return Float32Array.of(text.length, 1, 0, 0);
}
