// Whatever comes over the line, the daemon goes on: every request that can be told gets one answer, and the next one is served.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { connectRaw } from '../../support/mcp-client.ts';
import { serveMcp } from '../../support/serve-mcp.ts';
import { initialize } from '../../support/shim.ts';

const json = fc.jsonValue({ maxDepth: 3 });
const anyMessage = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant('2.0'), json),
    id: fc.oneof(fc.integer(), fc.string({ maxLength: 5 }), json),
    method: fc.oneof(
      fc.constantFrom('tools/call', 'tools/list', 'ping', 'notifications/cancelled', 'initialize'),
      json,
    ),
    params: json,
    result: json,
  },
  { requiredKeys: [] },
);
const callOfAnything = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.string({ maxLength: 4 }).map((text) => `noise-${text}`),
  method: fc.constant('tools/call'),
  params: fc.record({
    name: fc.oneof(fc.constantFrom('memory_save', 'memory_search', 'execute_tool'), json),
    arguments: json,
  }),
});
const line: fc.Arbitrary<Buffer> = fc.oneof(
  anyMessage.map((message) => Buffer.from(JSON.stringify(message))),
  callOfAnything.map((message) => Buffer.from(JSON.stringify(message))),
  fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10))),
  fc.tuple(anyMessage, fc.nat(200)).map(([message, cut]) => Buffer.from(JSON.stringify(message).slice(0, cut))),
);

it('any lines between two requests leave both answered, in one connection', async () => {
  const { path } = await serveMcp();
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.nat(64), async (lines, cut) => {
      number += 1;
      const client = await connectRaw(path);
      client.send(initialize(`first-${number}`));
      expect(await client.answer(`first-${number}`)).toHaveProperty('result');
      const bytes = Buffer.concat(lines.map((each) => Buffer.concat([each, Buffer.from('\n')])));
      client.write(bytes.subarray(0, cut));
      client.write(bytes.subarray(cut));
      client.send({ jsonrpc: '2.0', id: `last-${number}`, method: 'ping' });
      expect(await client.answer(`last-${number}`)).toHaveProperty('result');
      client.socket.end();
    }),
    { numRuns: 120 },
  );
});
