// The policies of the settings. A rejection is a rejection in every mode; the mode says what a policy that gives no verdict does:
// `enforce` refuses the write, `warn` lets it through with a remark. After the write a policy can only remark.
import { isAbsolute, resolve } from 'node:path';
import type { Logger } from '#daemon/kernel/logger.ts';
import type { PluginWarning } from '#shared/contract/knowledge/plugin-warnings.ts';
import { LociError } from '#shared/errors.ts';
import type { SettingValues } from '#shared/settings.ts';
import { noPolicy, type Policy, type PolicyWrite } from './policy.ts';
import { createPolicyThread, PolicyFailure, type PolicyThread } from './policy-thread.ts';
import type { Phase } from './thread-messages.ts';
import { readVerdict, type Verdict } from './verdict.ts';

export type PolicyKind = 'memory' | 'entity' | 'plan';

export type Policies = Readonly<Record<PolicyKind, Policy>> & { close(): Promise<void> };

export type PoliciesDeps = {
  readonly settings: Pick<SettingValues, `policies.${PolicyKind | 'mode' | 'timeout_s'}`>;
  /** What a relative path of a module is relative to. */
  readonly configFolder: string;
  readonly logger: Logger;
};

export function createPolicies(deps: PoliciesDeps): Policies {
  const threads: PolicyThread[] = [];
  const policyOf = (kind: PolicyKind): Policy => {
    const file = deps.settings[`policies.${kind}`];
    if (file === null) return noPolicy;
    const logger = deps.logger;
    const path = isAbsolute(file) ? file : resolve(deps.configFolder, file);
    const thread = createPolicyThread({ file: path, timeoutMs: deps.settings['policies.timeout_s'] * 1_000, logger });
    threads.push(thread);
    return createPolicy(kind, thread, deps);
  };
  return {
    memory: policyOf('memory'),
    entity: policyOf('entity'),
    plan: policyOf('plan'),
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** What callers have always been told, by kind. */
const names = {
  memory: { code: 'WRITE_PLUGIN', words: 'Memory Write Plugin' },
  entity: { code: 'WRITE_PLUGIN', words: 'Entity Write Plugin' },
  plan: { code: 'PLAN_PLUGIN', words: 'Plan Plugin' },
} as const;

function createPolicy(kind: PolicyKind, thread: PolicyThread, { settings, logger }: PoliciesDeps): Policy {
  const { code, words } = names[kind];
  const ask = async (phase: Phase, write: PolicyWrite): Promise<Verdict | null> => {
    try {
      const copy = JSON.parse(JSON.stringify({ automatic: false, ...write, kind, phase })) as unknown;
      return readVerdict(await thread.ask(phase, copy));
    } catch (error) {
      if (!(error instanceof PolicyFailure)) throw error;
      logger.warn({ policy: kind, phase, why: error.message }, 'a policy gave no verdict');
      return null;
    }
  };
  return {
    isSet: true,
    async before(write) {
      const verdict = await ask('before', write);
      if (verdict === null) {
        if (settings['policies.mode'] === 'warn') return [warning(`${words} unavailable.`, `${code}_UNAVAILABLE`)];
        throw new LociError('unavailable', `${code}_UNAVAILABLE: ${words} unavailable.`, {
          policy: kind,
          outcome: `${code}_UNAVAILABLE`,
        });
      }
      if (verdict.rejection === null) return verdict.warnings;
      throw new LociError('rejected_by_policy', `${code}_REJECTED: ${verdict.rejection.message}`, {
        policy: kind,
        outcome: `${code}_REJECTED`,
        code: verdict.rejection.code,
      });
    },
    async after(write) {
      const verdict = await ask('after', write);
      if (verdict === null) {
        const late = `${kind.toUpperCase()}_PLUGIN_AFTER_SAVE_UNAVAILABLE`;
        return [warning(`${words} unavailable after the save; the save stands.`, late)];
      }
      const { rejection, warnings } = verdict;
      return rejection === null ? warnings : [...warnings, warning(rejection.message, rejection.code ?? undefined)];
    },
  };
}

function warning(message: string, code: string | undefined): PluginWarning {
  return { outcome: 'warn', message, ...(code === undefined ? {} : { code }) };
}
