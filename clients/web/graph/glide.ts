// Moving the view where drawing is slow. A hand that pans wants the picture to follow it at once; where one drawing of the graph takes
// longer than a frame (many nodes, no graphics card), the picture that stands there is moved as it is, and drawn anew when the hand
// rests. Where drawing is fast, sigma draws each frame itself and nothing of this happens.
import type Sigma from 'sigma';

export type Glide = {
  /** Draws once and decides by the time that it took. */
  measure(): void;
  close(): void;
};

/** A drawing that takes longer leaves no time for sixty in a second. */
const slowMs = 14;
/** So many frames without a move, and the hand rests: what came into view meanwhile is drawn. Frames, because a busy machine has fewer. */
const restFrames = 15;

const clickTolerancePx = 4;

type Point = { readonly x: number; readonly y: number };

export function createGlide(sigma: Sigma, box: HTMLElement): Glide {
  const canvas = sigma.getStageCanvas();
  let isSlow = false;
  /** Where the picture was last drawn, as the place of the pointer then. */
  let from: Point | null = null;
  let waiting = 0;
  let hasMoved = false;

  const begin = (event: PointerEvent): void => {
    if (isSlow && event.isPrimary && event.button === 0) from = { x: event.clientX, y: event.clientY };
    hasMoved = false;
  };
  const move = (event: PointerEvent): void => {
    if (from === null || !event.isPrimary) return;
    const at = { x: event.clientX, y: event.clientY };
    event.stopPropagation(); // sigma would draw for each of them
    hasMoved ||= Math.abs(at.x - from.x) + Math.abs(at.y - from.y) > clickTolerancePx;
    canvas.style.transform = `translate(${at.x - from.x}px, ${at.y - from.y}px)`;
    cancelAnimationFrame(waiting);
    drawAfter(restFrames, at);
  };
  /** The click that ends a journey means nothing. */
  const click = (event: MouseEvent): void => {
    if (hasMoved) event.stopPropagation();
    hasMoved = false;
  };
  const end = (event: PointerEvent): void => {
    if (from === null || !event.isPrimary) return;
    drawAt({ x: event.clientX, y: event.clientY });
    from = null;
  };

  function drawAfter(frames: number, at: Point): void {
    waiting = requestAnimationFrame(() => (frames === 0 ? drawAt(at) : drawAfter(frames - 1, at)));
  }

  /** Moves the camera by what the picture was moved, and takes the picture back in the frame that draws the new one. */
  function drawAt(at: Point): void {
    cancelAnimationFrame(waiting);
    if (from === null || (at.x === from.x && at.y === from.y)) return;
    const [was, is] = [from, at].map((point) => sigma.viewportToFramedGraph(point)) as [Point, Point];
    const { x, y } = sigma.getCamera().getState();
    sigma.once('afterRender', () => {
      canvas.style.transform = '';
    });
    from = at;
    sigma.getCamera().setState({ x: x + was.x - is.x, y: y + was.y - is.y });
  }

  // before sigma, which lets nobody hear of a move after it
  box.addEventListener('pointerdown', begin, true);
  box.addEventListener('click', click, true);
  addEventListener('pointermove', move, true);
  addEventListener('pointerup', end, true);
  addEventListener('pointercancel', end, true);
  return {
    measure() {
      isSlow = drawingMs(sigma, canvas) > slowMs;
      sigma.setSetting('enableCameraPanning', !isSlow);
      box.dataset.drawing = isSlow ? 'slow' : 'fast';
    },
    close() {
      cancelAnimationFrame(waiting);
      box.removeEventListener('pointerdown', begin, true);
      box.removeEventListener('click', click, true);
      removeEventListener('pointermove', move, true);
      removeEventListener('pointerup', end, true);
      removeEventListener('pointercancel', end, true);
    },
  };
}

/** How long one drawing takes until its pixels are there: asking for one of them waits for all. */
function drawingMs(sigma: Sigma, canvas: HTMLCanvasElement): number {
  const gl = canvas.getContext('webgl2');
  const pixel = new Uint8Array(4);
  const wait = (): void => gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  wait();
  const startedMs = performance.now();
  sigma.refresh({ schedule: false, skipIndexation: true });
  wait();
  return performance.now() - startedMs;
}
