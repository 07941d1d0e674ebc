// How the daemon is: each part with the reason when it is not well, what the store holds, the jobs, the backups, and who writes.
import type { ComponentChildren } from 'preact';
import type { listJobs } from '#shared/contract/admin.ts';
import type { listBackups } from '#shared/contract/backups.ts';
import type { OutputOf } from '#shared/contract/operation.ts';
import type { memoryHealth, memoryStats } from '#shared/contract/overview.ts';
import type { listAgents } from '#shared/contract/page.ts';
import { call } from '../api.ts';
import { type Loaded, useLoaded, Waiting } from '../parts/loaded.tsx';
import { Text } from '../parts/text.tsx';
import { Ago } from '../parts/time.tsx';
import { hrefOf } from '../route.ts';
import { has } from '../session.ts';
import { Backups } from './backups.tsx';
import { Jobs } from './jobs.tsx';
import { durationText, sizeText } from './quantities.ts';

type Health = OutputOf<typeof memoryHealth>;
type Stats = OutputOf<typeof memoryStats>;
type Agents = OutputOf<typeof listAgents>['agents'];

const parts = ['daemon', 'database', 'vector_index', 'embedder', 'jobs', 'disk'] as const;

export function HealthView() {
  const health = useLoaded((signal) => call<typeof memoryHealth>('memory_health', {}, signal), []);
  const stats = useLoaded((signal) => call<typeof memoryStats>('memory_stats', {}, signal), []);
  const jobs = useLoaded((signal) => call<typeof listJobs>('list_jobs', {}, signal), []);
  const backups = useLoaded((signal) => call<typeof listBackups>('list_backups', {}, signal), []);
  const agents = useLoaded((signal) => call<typeof listAgents>('list_agents', {}, signal), []);
  return (
    <div class="stack scroll">
      <div class="view-head">
        <h1>Health</h1>
      </div>
      <div class="panels">
        <Panel title="Parts" {...health}>
          {(value) => <Parts health={value} />}
        </Panel>
        <Panel title="What is stored" {...stats}>
          {(value) => <Counts stats={value} />}
        </Panel>
        <Panel title="Backups" {...backups}>
          {(value) => <Backups kept={value} />}
        </Panel>
        <Panel title="Agents" {...agents}>
          {(value) => <AgentTable agents={value.agents} />}
        </Panel>
        <Panel title="Jobs" isWide {...jobs}>
          {(value) => <Jobs jobs={value.jobs} />}
        </Panel>
      </div>
    </div>
  );
}

function Panel<Value>({
  title,
  loaded,
  again,
  isWide = false,
  children,
}: {
  title: string;
  loaded: { readonly value: Loaded<Value> };
  again: () => void;
  isWide?: boolean;
  children: (value: Value) => ComponentChildren;
}) {
  const now = loaded.value;
  return (
    <section class={isWide ? 'panel wide' : 'panel'} aria-label={title}>
      <h2>{title}</h2>
      {now.state === 'ready' ? children(now.value) : <Waiting loaded={now} again={again} />}
    </section>
  );
}

function Parts({ health }: { health: Health }) {
  return (
    <>
      <p class="muted">
        Version {health.version}, up for {durationText(health.uptime_s)}
      </p>
      <dl class="pairs">
        {parts.map((name) => (
          <div key={name}>
            <dt>{name.replace('_', ' ')}</dt>
            <dd>
              <span class={`health ${health[name].status}`}>{health[name].status}</span>{' '}
              {name === 'embedder' && health.embedder.model !== null && (
                <span class="muted">
                  <Text of={health.embedder.model} />
                </span>
              )}
              {health[name].why !== undefined && (
                <p>
                  <Text of={health[name].why ?? ''} />
                </p>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Counts({ stats }: { stats: Stats }) {
  const { memories, decay, vectors, bytes } = stats;
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    ['active', <a href={hrefOf('search')}>{memories.active.toLocaleString()}</a>],
    ['archived', <a href={hrefOf('search', null, { status: 'archived' })}>{memories.archived.toLocaleString()}</a>],
    ['obsolete', <a href={hrefOf('search', null, { status: 'obsolete' })}>{memories.obsolete.toLocaleString()}</a>],
    ['strength', `${decay.fresh} fresh, ${decay.aging} aging, ${decay.fading} fading`],
    ['fade in 30 days', stats.fading_in_30_days.toLocaleString()],
    ['reads', stats.accesses.toLocaleString()],
    ['vectors', `${vectors.rows.toLocaleString()}, ${vectors.pending.toLocaleString()} to be made`],
    ['database', sizeText(bytes.database)],
    ['vector table', sizeText(bytes.vectors)],
    ['backups', sizeText(bytes.backups)],
  ];
  return (
    <dl class="pairs">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function AgentTable({ agents }: { agents: Agents }) {
  if (!has('list_agents') || agents.length === 0) {
    return (
      <p class="muted">
        No agent has written yet. <code>loci setup</code> connects them.
      </p>
    );
  }
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">Memories</th>
          <th scope="col">Last seen</th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <tr key={agent.agent}>
            <th scope="row">
              <a href={hrefOf('search', null, { agent: agent.agent })}>
                <Text of={agent.agent} />
              </a>
            </th>
            <td class="number">{agent.memories.toLocaleString()}</td>
            <td>{agent.last_seen_at === null ? 'never' : <Ago at={agent.last_seen_at} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
