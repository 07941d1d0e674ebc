// The list of tools is read by every agent at the start of every session. A change of it is a change of the product, so it is looked at
// here word by word; `vitest -u` accepts it.
import { expect, it } from 'vitest';
import { listTools } from '#daemon/mcp/list-tools.ts';
import { profileOf } from '#daemon/mcp/surfaces.ts';
import { contracts } from '#shared/contract/index.ts';

it.each(['default', 'knowledge', 'lifecycle'])('tools/list of the profile %s is as it was', async (profile) => {
  const tools = listTools(contracts, profileOf(profile), ['*']);
  await expect(`${JSON.stringify({ tools }, null, 2)}\n`).toMatchFileSnapshot(`tools-list.${profile}.json`);
});
