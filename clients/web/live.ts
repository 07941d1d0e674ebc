// The stream of events. Read by hand, because the browser's own reader can send no header, and the header is what opens it.
// A stream that breaks is opened again from the last event that was seen.
import { signal } from '@preact/signals';
import type { ActivityEvent } from '#shared/contract/knowledge/activity.ts';
import { agentName, openEvents } from './api.ts';
import { noteEvent } from './changes.ts';
import { has } from './session.ts';

export type LiveState = 'off' | 'open' | 'broken';

export const liveState = signal<LiveState>('off');

type Listener = (event: ActivityEvent) => void;

const listeners = new Set<Listener>();

/** Hears every change from now on, until the answer is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/** Follows what happens until the answer is called. */
export function followEvents(): () => void {
  if (!has('list_activity')) return () => undefined;
  const leaving = new AbortController();
  void follow(leaving.signal);
  return () => leaving.abort();
}

async function follow(leaving: AbortSignal): Promise<void> {
  let lastId: string | null = null;
  let pauseMs = firstPauseMs;
  while (!leaving.aborted) {
    try {
      const reply = await openEvents(lastId, leaving);
      if (!reply.ok || reply.body === null) throw new Error(`the stream answered ${reply.status}`);
      liveState.value = 'open';
      pauseMs = firstPauseMs;
      for await (const frame of framesOf(reply.body)) {
        lastId = frame.id ?? lastId;
        if (frame.event === 'activity') take(JSON.parse(frame.data) as ActivityEvent);
        else if (frame.event === 'gap') noteEvent(null, false);
      }
    } catch {
      if (leaving.aborted) return;
    }
    liveState.value = 'broken';
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

function take(event: ActivityEvent): void {
  if (event.action === 'read' || event.action === 'queried') return;
  for (const listener of listeners) listener(event);
  noteEvent(event.entity_type === 'memory' ? event.entity_id : null, event.actor_id === agentName);
}

type Frame = { readonly id: string | null; readonly event: string; readonly data: string };

async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield blockToFrame(block);
  }
}

function blockToFrame(block: string): Frame {
  const fields = new Map<string, string[]>();
  for (const line of block.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name !== undefined) fields.set(name, [...(fields.get(name) ?? []), value ?? '']);
  }
  return {
    id: fields.get('id')?.at(-1) ?? null,
    event: fields.get('event')?.at(-1) ?? 'message',
    data: (fields.get('data') ?? []).join('\n'),
  };
}
