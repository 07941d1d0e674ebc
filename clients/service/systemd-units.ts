// The two unit files. systemd reads quotes, backslashes, `%` and `$` in its own ways, each of which has broken somebody's unit.
import { join } from 'node:path';
import { systemdText } from '#clients/connect/unit-quoting.ts';
import { fillTemplate } from './fill-template.ts';
import type { ServicePlan } from './service-plan.ts';

export type SystemdUnits = { readonly service: string; readonly socket: string };

export function systemdUnits(plan: ServicePlan, templates: string): SystemdUnits {
  const [node, ...rest] = throughEnv(plan.command);
  // a `$` begins a variable in arguments, but not in the path of the program
  const command = [quoted(node), ...rest.map((word) => quoted(word).replaceAll('$', '$$$$'))].join(' ');
  const folder = plan.socketFolder === null ? '%t/loci' : plan.socketFolder.replaceAll('%', '%%');
  return {
    service: fillTemplate(join(templates, 'loci.service'), {
      command,
      environment: ['HOME=%h', 'XDG_RUNTIME_DIR=%t', ...environmentWords(plan)]
        .map((assignment) => `Environment="${assignment}"`)
        .join('\n'),
    }),
    socket: fillTemplate(join(templates, 'loci.socket'), {
      http_socket: socketPath(folder, 'loci.sock'),
      mcp_socket: socketPath(folder, 'mcp.sock'),
    }),
  };
}

/** The words of `ExecStart=` in a unit of ours; empty where there is none. */
export function commandOfUnit(service: string): string[] {
  const line = /^ExecStart=(.*)$/m.exec(service)?.[1] ?? '';
  const words = line.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
  const plain = words.map((word, index) => {
    const text = word
      .replace(/^"(.*)"$/s, '$1')
      .replace(/\\(.)/g, '$1')
      .replaceAll('%%', '%');
    return index === 0 ? text : text.replaceAll('$$', '$');
  });
  return plain[0] === env ? plain.slice(1) : plain;
}

const env = '/usr/bin/env';

/** systemd takes no program whose path holds a quote or a backslash; as an argument it takes any. */
function throughEnv(command: ServicePlan['command']): ServicePlan['command'] {
  return /["'\\]/.test(command[0]) ? [env, ...command] : command;
}

function environmentWords({ environment }: ServicePlan): string[] {
  return Object.entries(environment).map(([name, value]) => `${name}=${systemdText(value)}`);
}

function quoted(word: string): string {
  return /^[\w/.,:=@+-]+$/.test(word) && !word.startsWith('/') ? word : `"${systemdText(word)}"`;
}

/** A path of a socket stands unquoted up to the end of the line. */
function socketPath(folder: string, name: string): string {
  return `${folder}/${name}`;
}
