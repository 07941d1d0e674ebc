import { join } from 'node:path';
import { plistText } from '#clients/connect/unit-quoting.ts';
import { fillTemplate } from './fill-template.ts';
import type { ServicePlan } from './service-plan.ts';

/** The property list of the launchd agent. */
export function launchdAgent(plan: ServicePlan, templates: string): string {
  return fillTemplate(join(templates, 'com.loci.locid.plist'), {
    command: plan.command.map((word) => `    <string>${plistText(word)}</string>`).join('\n'),
    environment: Object.entries(plan.environment)
      .map(([name, value]) => `    <key>${name}</key>\n    <string>${plistText(value)}</string>`)
      .join('\n'),
    log: plistText(plan.log),
  });
}

/** The words of `ProgramArguments` in a property list of ours. */
export function commandOfAgent(plist: string): string[] {
  const list = /<key>ProgramArguments<\/key>\s*<array>(.*?)<\/array>/s.exec(plist)?.[1] ?? '';
  return [...list.matchAll(/<string>(.*?)<\/string>/gs)].map(([, text = '']) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );
}
