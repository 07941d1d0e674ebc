// The Messages API, which Claude Code speaks: tool results come back as blocks of a user message.
import type { Reply } from '../script.ts';
import { type Dialect, listOf, type StreamEvent, textOf } from './dialect.ts';

const usage = { input_tokens: 10, output_tokens: 10 };

export const anthropicMessages: Dialect = {
  name: 'Anthropic messages',
  accepts: (path) => /^\/v1\/messages(\?|$)/.test(path),
  isStream: (_path, body) => body.stream === true,
  read(body) {
    const blocks = listOf(body.messages)
      .filter(({ role }) => role === 'user')
      .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)));
    return {
      tools: listOf(body.tools).map(({ name }) => ({ name: String(name), namespace: null })),
      prompts: blocks.filter(({ type }) => type === 'text').map(textOf),
      results: blocks.filter(({ type }) => type === 'tool_result').map(textOf),
    };
  },
  whole: (reply, body) => ({ ...message(body), content: [blockOf(reply)], stop_reason: stopReason(reply) }),
  stream(reply, body) {
    const block = blockOf(reply);
    const [start, delta] =
      'input' in block
        ? [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
          ]
        : [
            { ...block, text: '' },
            { type: 'text_delta', text: block.text },
          ];
    return [
      event('message_start', { message: { ...message(body), content: [], stop_reason: null } }),
      event('content_block_start', { index: 0, content_block: start }),
      event('content_block_delta', { index: 0, delta }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: stopReason(reply), stop_sequence: null }, usage }),
      event('message_stop', {}),
    ];
  },
};

const event = (type: string, rest: object): StreamEvent => ({ type, data: { type, ...rest } });

const message = ({ model }: Readonly<Record<string, unknown>>) => ({
  id: 'msg_scripted',
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
  usage,
});

function blockOf(reply: Reply) {
  if ('text' in reply) return { type: 'text', text: reply.text };
  const { tool, args, index } = reply.call;
  return { type: 'tool_use', id: `toolu_scripted_${index}`, name: tool.name, input: args };
}

const stopReason = (reply: Reply): string => ('call' in reply ? 'tool_use' : 'end_turn');
