// The prompt is the script of the model that answers it, so a test reads as one text: what the user asks, what the model calls, what
// it says at the end. A line `CALL tool {json}` is one call, in order; `SAY words` is the answer after the last result.

/** A tool that the agent offers; Codex keeps those of one MCP server in a namespace. */
export type OfferedTool = { readonly name: string; readonly namespace: string | null };

/** A request of any wire format, as far as a scripted model must understand it. */
export type Conversation = {
  readonly tools: readonly OfferedTool[];
  /** What the user's side said, oldest first; agents add texts of their own. */
  readonly prompts: readonly string[];
  /** The text of each tool result, oldest first. */
  readonly results: readonly string[];
};

export type Call = {
  readonly tool: OfferedTool;
  readonly args: Readonly<Record<string, unknown>>;
  /** Which call of the conversation this is, from 0: ids are made of it. */
  readonly index: number;
};

export type Reply = { readonly call: Call } | { readonly text: string };

/** Answers as the script says: the call whose turn it is by the number of results, else the closing words. */
export function nextReply({ tools, prompts, results }: Conversation): Reply {
  const script = prompts.findLast((prompt) => callLine.test(prompt)) ?? '';
  const lines = [...script.matchAll(new RegExp(callLine, 'gm'))];
  const due = lines[results.length];
  if (due === undefined || tools.length === 0) return { text: closingWords(script) };
  const [, wanted = '', json = '{}'] = due;
  const tool = tools.find(({ name }) => name === wanted || name.endsWith(`_${wanted}`) || name === `loci-${wanted}`);
  if (tool === undefined) return { text: `No tool is named ${wanted}; offered: ${tools.map((t) => t.name).join(' ')}` };
  return { call: { tool, args: parseArguments(json), index: results.length } };
}

const callLine = /^\W*CALL (\w+) (\{.*\})/m;

function closingWords(script: string): string {
  return /^\s*SAY (.+?)"?$/m.exec(script)?.[1] ?? 'Done.';
}

/** OpenCode puts a prompt of several words in quotes, and escapes those inside. */
function parseArguments(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return JSON.parse(json.replaceAll('\\"', '"')) as Record<string, unknown>;
  }
}
