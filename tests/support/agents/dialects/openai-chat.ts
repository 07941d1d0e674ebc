// Chat completions, which OpenCode speaks to a provider of its `openai-compatible` kind.
import type { Reply } from '../script.ts';
import { type Dialect, listOf, type StreamEvent, textOf } from './dialect.ts';

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

export const openaiChat: Dialect = {
  name: 'OpenAI chat completions',
  accepts: (path) => path.startsWith('/v1/chat/completions'),
  isStream: (_path, body) => body.stream === true,
  read(body) {
    const messages = listOf(body.messages);
    return {
      tools: listOf(body.tools).map((tool) => ({
        name: String((tool.function as Record<string, unknown>).name),
        namespace: null,
      })),
      prompts: messages.filter(({ role }) => role === 'user').map(textOf),
      results: messages.filter(({ role }) => role === 'tool').map(textOf),
    };
  },
  whole: (reply, { model }) => ({
    ...completion('chat.completion', model),
    choices: [{ index: 0, message: messageOf(reply), finish_reason: finishReason(reply) }],
    usage,
  }),
  stream(reply, { model }) {
    const chunk = (delta: object, finish_reason: string | null): StreamEvent => ({
      type: null,
      data: { ...completion('chat.completion.chunk', model), choices: [{ index: 0, delta, finish_reason }] },
    });
    return [
      chunk(messageOf(reply), null),
      chunk({}, finishReason(reply)),
      { type: null, data: { ...completion('chat.completion.chunk', model), choices: [], usage } },
      { type: null, data: '[DONE]' },
    ];
  },
};

const completion = (object: string, model: unknown) => ({ id: 'chat_scripted', object, created: 1, model });

function messageOf(reply: Reply) {
  if ('text' in reply) return { role: 'assistant', content: reply.text };
  const { tool, args, index } = reply.call;
  const call = { name: tool.name, arguments: JSON.stringify(args) };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ index: 0, id: `call_scripted_${index}`, type: 'function', function: call }],
  };
}

const finishReason = (reply: Reply): string => ('call' in reply ? 'tool_calls' : 'stop');
