// What an administrator's policy remarked about a change that was made all the same.
import { z } from 'zod';

export const pluginWarning = z.object({
  outcome: z.literal('warn'),
  message: z.string(),
  code: z.string().optional(),
});

export type PluginWarning = z.output<typeof pluginWarning>;

/** The output field; absent when no policy remarked anything. */
export const pluginWarnings = { plugin_warnings: z.array(pluginWarning).optional() };
