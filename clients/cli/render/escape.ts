// Memory text comes from anywhere: a web page an agent read, a file, another person. Printed raw, an escape sequence in it
// moves the cursor, renames the window or hides text, and a bidirectional override shows words in another order than they are stored.
// So human output shows every control character as its escape; `--json` is the exact form.

const controls = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
const controlsButLayout = /(?![\n\t])[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
const shortNames: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text for one line of output: line breaks and tabs are escaped too. */
export function escapeLine(text: string): string {
  return text.replace(controls, escapeOf);
}

/** Text of many lines: its line breaks and tabs stay, a CR before a line break goes. */
export function escapeBlock(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(controlsButLayout, escapeOf);
}

/** The same JSON document, spelled so that a terminal that prints it obeys nothing in it. */
export function escapeJson(json: string): string {
  return json.replace(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (char) => `\\u${hex(char, 4)}`);
}

function escapeOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${hex(char, 5)}}`;
  return shortNames[char] ?? (code < 0x100 ? `\\x${hex(char, 2)}` : `\\u${hex(char, 4)}`);
}

function hex(char: string, digits: number): string {
  return (char.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');
}
