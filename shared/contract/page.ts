// What a person wants to know of the daemon itself: its settings, who writes to it, and the page that shows them.
import { z } from 'zod';
import { utc } from './common.ts';
import { defineContract, readOnlyHints } from './operation.ts';

export const openPage = defineContract({
  name: 'open_page',
  title: 'Open the page',
  description:
    'Make an address that opens the page for the caller. It works once and for a minute. Refused to agents: the user runs `loci ui`.',
  category: 'admin',
  input: z.strictObject({}),
  output: z.object({ url: z.string(), expires_at: utc }),
  // nothing in the store changes, and an answer under a key would be kept there
  hints: readOnlyHints,
  scope: 'admin',
  http: [{ method: 'POST', path: '/api/v1/page' }],
});

export const listSettings = defineContract({
  name: 'list_settings',
  title: 'List settings',
  description:
    'List every setting of the running daemon with its value and where that came from. A secret is only said to be set.',
  category: 'admin',
  input: z.strictObject({}),
  output: z.object({
    settings: z.array(
      z.object({
        key: z.string(),
        /** Null where it is unset. */
        value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable(),
        /** `default`, `file`, `flag`, or the variable of the environment. */
        origin: z.string(),
        default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable(),
        allowed: z.string(),
        doc: z.string(),
      }),
    ),
  }),
  hints: readOnlyHints,
  scope: 'admin',
  http: [{ method: 'GET', path: '/api/v1/settings' }],
});

export const listAgents = defineContract({
  name: 'list_agents',
  title: 'List agents',
  description: 'List the clients that have written: how much, and when each was last seen in the activity log.',
  category: 'admin',
  input: z.strictObject({}),
  output: z.object({
    agents: z.array(
      z.object({
        agent: z.string(),
        /** Memories of any status that it wrote. */
        memories: z.int(),
        /** Its changes that the log still holds. */
        changes: z.int(),
        last_seen_at: utc.nullable(),
      }),
    ),
  }),
  hints: readOnlyHints,
  scope: 'admin',
  http: [{ method: 'GET', path: '/api/v1/agents' }],
  cli: { command: 'agents' },
});

export const pageContracts = [openPage, listSettings, listAgents] as const;
