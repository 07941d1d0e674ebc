// The smallest cross-encoder there can be, in the layout of transformers.js: a vocabulary of ten words and a graph of four nodes, written byte by
// byte. It scores a pair by the numbers of the words of its second text, so that a test can say what must come out.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Words by their number: the later, the better a text that has it. */
const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'poor', 'fair', 'good', 'better', 'best', 'question'];

/** Writes the model into a folder. */
export function writeTinyCrossEncoder(folder: string): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
  write('config.json', { model_type: 'bert', architectures: ['BertForSequenceClassification'], hidden_size: 1 });
  write('tokenizer_config.json', { tokenizer_class: 'BertTokenizer', model_max_length: 512 });
  write('tokenizer.json', tokenizer());
  writeFileSync(join(folder, 'onnx', 'model.onnx'), graph());
}

function tokenizer() {
  const special = ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [vocabulary.indexOf(id)], tokens: [id] }]);
  const token = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } });
  const text = (id: string, type_id: number) => ({ Sequence: { id, type_id } });
  return {
    version: '1.0',
    added_tokens: vocabulary.slice(0, 4).map((content, id) => ({ id, content, special: true })),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [token('[CLS]', 0), text('A', 0), token('[SEP]', 0)],
      pair: [token('[CLS]', 0), text('A', 0), token('[SEP]', 0), text('B', 1), token('[SEP]', 1)],
      special_tokens: Object.fromEntries(special),
    },
    decoder: { type: 'WordPiece', prefix: '##' },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  };
}

/** logits = .1 × Σ (input_ids × token_type_ids), as a model of ONNX. */
function graph(): Buffer {
  const node = (inputs: string[], output: string, type: string, attributes: Buffer[] = []) =>
    field(1, Buffer.concat([...inputs.map((input) => text(1, input)), text(2, output), text(4, type), ...attributes]));
  const attribute = (name: string, type: number, value: Buffer) =>
    field(5, Buffer.concat([text(1, name), value, number(20, type)]));
  const [float, int64, ofInt, ofInts] = [1, 7, 2, 7];
  const nodes = [
    node(['input_ids', 'token_type_ids'], 'second', 'Mul'),
    node(['second'], 'numbers', 'Cast', [attribute('to', ofInt, number(3, float))]),
    node(['numbers'], 'sum', 'ReduceSum', [
      attribute('axes', ofInts, number(8, 1)),
      attribute('keepdims', ofInt, number(3, 1)),
    ]),
    node(['sum', 'scale'], 'logits', 'Mul'),
  ];
  const scale = Buffer.alloc(4);
  scale.writeFloatLE(0.1);
  const initializer = field(5, Buffer.concat([number(2, float), field(9, scale), text(8, 'scale')]));
  const dimension = (name: string) => field(1, text(2, name));
  const value = (at: number, name: string, type: number, dimensions: string[]) => {
    const tensor = Buffer.concat([number(1, type), field(2, Buffer.concat(dimensions.map(dimension)))]);
    return field(at, Buffer.concat([text(1, name), field(2, field(1, tensor))]));
  };
  const body = Buffer.concat([
    ...nodes,
    text(2, 'tiny'),
    initializer,
    value(11, 'input_ids', int64, ['batch', 'length']),
    value(11, 'token_type_ids', int64, ['batch', 'length']),
    value(12, 'logits', float, ['batch', 'one']),
  ]);
  return Buffer.concat([number(1, 6), field(7, body), field(8, Buffer.concat([text(1, ''), number(2, 11)]))]);
}

/** Protocol buffers: a field of bytes, of text, of a small number. */
function field(at: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(at * 8 + 2), varint(bytes.length), bytes]);
}

function text(at: number, value: string): Buffer {
  return field(at, Buffer.from(value));
}

function number(at: number, value: number): Buffer {
  return Buffer.concat([varint(at * 8), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  return Buffer.from([...bytes, rest]);
}
