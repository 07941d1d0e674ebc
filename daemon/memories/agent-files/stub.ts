// What stands in a memory file once its text is a memory: three lines that name it. Hooks know a stub by its first line and do not
// take it for a new memory.
import { createHash } from 'node:crypto';
import { cutAtWord, type Memory, shownTitle } from '../memory.ts';

const firstLine = '<!-- loci:stub';

export function stubOf(memory: Memory): Buffer {
  const title = shownTitle(memory)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[<>]/g, '');
  const lines = [
    `${firstLine} memory=${memory.id} -->`,
    `${cutAtWord(title, 100)} (Loci memory #${memory.id}: \`memory_get\` with id ${memory.id} reads it.)`,
  ];
  return Buffer.from(`${lines.join('\n')}\n`);
}

export function isStub(bytes: Buffer): boolean {
  return bytes.subarray(0, firstLine.length).toString('latin1') === firstLine;
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The texts by which a memory file may be stored: its body behind the front matter, and the file as a whole. */
export function textsOf(bytes: Buffer): string[] {
  const whole = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const body = whole.replace(/^---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/, '');
  return [...new Set([body, whole])].filter((text) => text.trim() !== '');
}
