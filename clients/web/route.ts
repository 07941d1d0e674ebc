// Where one is, as the part of the address behind `#`: it is never sent to anybody, and Back and bookmarks work.
import { signal } from '@preact/signals';

export type Route = {
  /** `search`, `memory`, `timeline` … */
  readonly view: string;
  /** What follows the view: the id of a memory or a plan. */
  readonly id: number | null;
  readonly query: URLSearchParams;
};

export const route = signal<Route>(readRoute());

/** Follows the address; call once. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    route.value = readRoute();
  });
}

/** The address of a view. Empty parameters are left out. */
export function hrefOf(
  view: string,
  id: number | null = null,
  query: Readonly<Record<string, string | null>> = {},
): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null && pair[1] !== '');
  const text = new URLSearchParams(given).toString();
  return `#/${view}${id === null ? '' : `/${id}`}${text === '' ? '' : `?${text}`}`;
}

export function goTo(href: string): void {
  location.hash = href;
}

/** Changes the address without a step in the history: typing is no journey. */
export function replaceRoute(href: string): void {
  history.replaceState(null, '', href);
  route.value = readRoute();
}

function readRoute(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const [view = '', id = ''] = path.split('/');
  return {
    view: view === '' ? 'search' : view,
    id: /^\d{1,16}$/.test(id) ? Number(id) : null,
    query: new URLSearchParams(query),
  };
}
