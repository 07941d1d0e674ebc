// The Responses API, which Codex speaks: one flat list of items, tools of an MCP server in a namespace.
import type { OfferedTool, Reply } from '../script.ts';
import { type Dialect, listOf, type StreamEvent, textOf } from './dialect.ts';

export const openaiResponses: Dialect = {
  name: 'OpenAI responses',
  accepts: (path) => path.startsWith('/v1/responses'),
  isStream: (_path, body) => body.stream === true,
  read(body) {
    const items = listOf(body.input);
    return {
      tools: listOf(body.tools).flatMap(offered),
      prompts: items.filter(({ role }) => role === 'user').map(textOf),
      results: items.filter(({ type }) => type === 'function_call_output').map(textOf),
    };
  },
  whole: (reply) => response('completed', [itemOf(reply)]),
  stream: (reply) => [
    event('response.created', { response: response('in_progress', []) }),
    event('response.output_item.done', { output_index: 0, item: itemOf(reply) }),
    event('response.completed', { response: response('completed', [itemOf(reply)]) }),
  ],
};

function offered(tool: Record<string, unknown>): OfferedTool[] {
  if (tool.type === 'namespace') {
    return listOf(tool.tools).map(({ name }) => ({ name: String(name), namespace: String(tool.name) }));
  }
  return tool.type === 'function' ? [{ name: String(tool.name), namespace: null }] : [];
}

const event = (type: string, rest: object): StreamEvent => ({ type, data: { type, ...rest } });

const response = (status: string, output: unknown[]) => ({
  id: 'resp_scripted',
  object: 'response',
  status,
  output,
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 20,
  },
});

function itemOf(reply: Reply) {
  if ('text' in reply) {
    const content = [{ type: 'output_text', text: reply.text, annotations: [] }];
    return { type: 'message', id: 'msg_scripted', role: 'assistant', status: 'completed', content };
  }
  const { tool, args, index } = reply.call;
  return {
    type: 'function_call',
    id: `fc_scripted_${index}`,
    call_id: `call_scripted_${index}`,
    name: tool.name,
    ...(tool.namespace === null ? {} : { namespace: tool.namespace }),
    arguments: JSON.stringify(args),
    status: 'completed',
  };
}
