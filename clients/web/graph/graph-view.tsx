// Memories, people, projects and documents, and what ties them. The drawing is for the eye and the mouse; the panel beside it holds
// the same in words: whatever is drawn can be found, opened and expanded there by keyboard.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type NodeType, nodeTypes } from '#shared/contract/knowledge/node-types.ts';
import { Empty, Waiting } from '../parts/loaded.tsx';
import { tell } from '../parts/messages.tsx';
import { theme } from '../parts/theme.ts';
import { hrefOf, replaceRoute, route } from '../route.ts';
import { noticeEnd } from '../session.ts';
import { drawnEdges, drawnNodes, graphColours } from './drawing.ts';
import type { Canvas, CanvasOptions } from './graph-canvas.ts';
import { type GraphData, readAround, readGraph, unite } from './graph-data.ts';
import { NodePanel } from './node-panel.tsx';
import { TypeFilter } from './type-filter.tsx';

export function GraphView() {
  const center = route.value.query.get('node');
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<Canvas | null>(null);
  const data = useSignal<GraphData | null>(null);
  const failed = useSignal<string | null>(null);
  const chosen = useSignal<string | null>(null);
  const hidden = useSignal<ReadonlySet<NodeType>>(new Set());
  const isDrawn = useSignal(false);
  const isSettled = useSignal(false);
  const round = useSignal(0);

  useEffect(() => {
    const leaving = new AbortController();
    data.value = null;
    failed.value = null;
    chosen.value = center;
    readGraph(center, leaving.signal).then(
      (found) => {
        data.value = found;
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        noticeEnd(error);
        failed.value = error instanceof Error ? error.message : String(error);
      },
    );
    return () => leaving.abort();
  }, [center, round.value]);

  useEffect(() => {
    let isGone = false;
    if (data.value === null || box.current === null || data.value.nodes.size === 0) return;
    const draw = async (): Promise<void> => {
      canvas.current ??= await openCanvas(
        box.current,
        {
          onChoose: choose,
          onOpen: (id) => void expand(id),
          onSettled: () => {
            isSettled.value = true;
          },
        },
        () => isGone,
      );
      isSettled.value = false;
      if (canvas.current === null || data.value === null) return;
      canvas.current.show(drawnNodes(data.value, hidden.value), drawnEdges(data.value));
      canvas.current.choose(chosen.value);
      isDrawn.value = true;
    };
    void draw().catch((error: unknown) => {
      tell(
        `The graph cannot be drawn here (${error instanceof Error ? error.message : error}); its list still works.`,
        {
          isFailure: true,
        },
      );
    });
    return () => {
      isGone = true;
    };
  }, [data.value, hidden.value]);

  useEffect(() => canvas.current?.paint(graphColours()), [theme.value]);
  useEffect(
    () => () => {
      canvas.current?.close();
      canvas.current = null;
    },
    [],
  );

  function choose(id: string | null): void {
    chosen.value = id;
    canvas.current?.choose(id);
  }

  async function expand(id: string): Promise<void> {
    try {
      const more = await readAround(id, 1);
      const before = data.peek();
      data.value = before === null ? more : unite(before, more);
      const added = data.value.nodes.size - (before?.nodes.size ?? 0);
      tell(added === 0 ? 'Nothing more is tied to it.' : `${added} more ${added === 1 ? 'node' : 'nodes'}.`);
    } catch (error) {
      noticeEnd(error);
      tell(error instanceof Error ? error.message : String(error), { isFailure: true });
    }
  }

  const now = data.value;
  return (
    <div class="graph">
      <div class="view-head">
        <h1>Graph</h1>
        <p class="muted" role="status">
          {now !== null && `${now.nodes.size.toLocaleString()} nodes, ${now.edges.size.toLocaleString()} edges`}
          {now?.isPartial === true && ', the newest of more'}
        </p>
        {center !== null && <a href={hrefOf('graph')}>Show everything</a>}
        <div class="actions">
          <button type="button" onClick={() => canvas.current?.zoom(1.5)}>
            Zoom in
          </button>
          <button type="button" onClick={() => canvas.current?.zoom(1 / 1.5)}>
            Zoom out
          </button>
          <button type="button" onClick={() => canvas.current?.fit()}>
            Fit
          </button>
        </div>
      </div>
      <div
        class="drawing"
        ref={box}
        data-drawn={isDrawn.value ? 'yes' : 'no'}
        data-settled={isSettled.value ? 'yes' : 'no'}
        aria-hidden="true"
      />
      <section class="graph-side" aria-label="What is drawn">
        {failed.value !== null && (
          <Waiting
            loaded={{ state: 'failed', why: failed.value }}
            again={() => {
              round.value += 1;
            }}
          />
        )}
        {now === null && failed.value === null && <Waiting loaded={{ state: 'loading' }} again={() => undefined} />}
        {now !== null && now.nodes.size === 0 && (
          <Empty>
            <p>There is nothing to draw yet.</p>
            <p class="muted">Memories, people, projects and documents stand here once they are saved.</p>
          </Empty>
        )}
        {now !== null && now.nodes.size > 0 && (
          <>
            <TypeFilter
              data={now}
              hidden={hidden.value}
              onChange={(next) => {
                hidden.value = next;
              }}
            />
            <NodePanel
              data={now}
              types={nodeTypes.filter((type) => !hidden.value.has(type))}
              chosen={chosen.value}
              onChoose={(id) => {
                choose(id);
                if (id !== null) canvas.current?.centre(id);
              }}
              onExpand={(id) => void expand(id)}
              onAround={(id) => replaceRoute(hrefOf('graph', null, { node: id }))}
            />
          </>
        )}
      </section>
    </div>
  );
}

async function openCanvas(
  box: HTMLElement | null,
  told: Pick<CanvasOptions, 'onChoose' | 'onOpen' | 'onSettled'>,
  isGone: () => boolean,
): Promise<Canvas | null> {
  const { createCanvas } = await import('./graph-canvas.ts');
  if (box === null || isGone()) return null;
  return createCanvas({
    box,
    colours: graphColours(),
    ...told,
    isStill: matchMedia('(prefers-reduced-motion: reduce)').matches,
  });
}
