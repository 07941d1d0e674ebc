// Query parameters are fields of the operation, under their own name or a route's alias. They are decoded strictly: a value
// that is no valid percent-encoding would otherwise be searched for, or stored, as something the caller never wrote.
import type { HttpRoute } from '#shared/contract/operation.ts';
import { invalidField } from '#shared/errors.ts';

export type Query = ReadonlyMap<string, readonly string[]>;

/** Every parameter of a URL with all its values, in order. */
export function readQuery(url: string): Query {
  const start = url.indexOf('?');
  const query = new Map<string, string[]>();
  if (start === -1) return query;
  const end = url.indexOf('#', start);
  for (const pair of url.slice(start + 1, end === -1 ? undefined : end).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals), null);
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1), name);
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

/**
 * The fields that a query gives: aliases resolved, csv parameters split, repeated list parameters collected.
 * Throws `invalid_input` for a parameter that is given twice where one value is asked for.
 */
export function queryToFields(
  query: Query,
  route: Pick<HttpRoute, 'aliases' | 'csv'>,
  isList: (field: string) => boolean,
): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, values] of query) {
    const field = Object.hasOwn(route.aliases ?? {}, name) ? (route.aliases?.[name] ?? name) : name;
    if (fields.has(field)) throw invalidField(field, `\`${name}\` is another name of \`${field}\`: give one of them.`);
    if (values.length > 1 && !isList(field))
      throw invalidField(field, `\`${name}\` is given ${values.length} times: give it once.`);
    const split = route.csv?.includes(field) === true ? values.flatMap(splitAtCommas) : values;
    fields.set(field, split.length === 1 ? split[0] : split);
  }
  return fields;
}

/** A JSON array stays whole: it is read as a list further on. */
function splitAtCommas(value: string): string[] {
  return value.trim().startsWith('[') ? [value] : value.split(',');
}

function decode(text: string, name: string | null): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    const field = name ?? 'query';
    throw invalidField(field, `\`${field}\` is not valid percent-encoding in UTF-8.`);
  }
}
