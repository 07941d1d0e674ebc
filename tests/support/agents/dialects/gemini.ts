// generateContent, which Gemini CLI speaks: calls and results are parts of the contents, and the path says whether to stream.
import type { Reply } from '../script.ts';
import { type Dialect, listOf, textOf } from './dialect.ts';

export const gemini: Dialect = {
  name: 'Gemini generateContent',
  accepts: (path) => /:(stream)?generateContent/i.test(path),
  isStream: (path) => /:streamGenerateContent/.test(path),
  read(body) {
    const parts = listOf(body.contents)
      .filter(({ role }) => role !== 'model')
      .flatMap((content) => listOf(content.parts));
    return {
      tools: listOf(body.tools)
        .flatMap(({ functionDeclarations }) => listOf(functionDeclarations))
        .map(({ name }) => ({ name: String(name), namespace: null })),
      prompts: parts.map(textOf).filter((text) => text !== ''),
      results: parts.flatMap(({ functionResponse }) =>
        functionResponse === undefined ? [] : [textOf((functionResponse as Record<string, unknown>).response)],
      ),
    };
  },
  whole: answerOf,
  stream: (reply) => [{ type: null, data: answerOf(reply) }],
};

function answerOf(reply: Reply) {
  const part = 'text' in reply ? { text: reply.text } : { functionCall: callOf(reply) };
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
  };
}

const callOf = ({ call }: Extract<Reply, { call: unknown }>) => ({ name: call.tool.name, args: call.args });
