// A section of ours in a Markdown file that people write, between two marker lines that no reader sees.
import { LociError } from '#shared/errors.ts';

export const beginMarker = '<!-- loci:begin -->';
export const endMarker = '<!-- loci:end -->';

/** Replaces our section, or appends it with a blank line before it. Throws `conflict` where a marker stands alone. */
export function placeSection(text: string, body: string): { text: string; trace: { after: string } } {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const section = `${beginMarker}\n${body.trim()}\n${endMarker}`.replaceAll('\n', eol);
  const found = find(text);
  if (found !== null) {
    return { text: `${text.slice(0, found.start)}${section}${text.slice(found.end)}`, trace: { after: section } };
  }
  const ended = text === '' || text.endsWith('\n') ? text : `${text}${eol}`;
  return { text: `${ended}${ended === '' ? '' : eol}${section}${eol}`, trace: { after: section } };
}

export function takeOutSection(text: string, { after }: { after: string }): { text: string; isOut: boolean } {
  const found = find(text);
  if (found === null) return { text, isOut: true };
  if (text.slice(found.start, found.end) !== after) return { text, isOut: false };
  const before = text.slice(0, found.start).replace(/(\n)\r?\n$/, '$1');
  return { text: `${before}${text.slice(found.end).replace(/^\r?\n/, '')}`, isOut: true };
}

function find(text: string): { start: number; end: number } | null {
  const start = text.indexOf(beginMarker);
  const end = text.indexOf(endMarker);
  if (start === -1 && end === -1) return null;
  if (start === -1 || end < start)
    throw new LociError('conflict', `has one of the markers ${beginMarker} and ${endMarker} without the other`);
  return { start, end: end + endMarker.length };
}
