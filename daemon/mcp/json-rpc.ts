// What the SDK drops without a word (invalid JSON, an invalid request that has an id, a byte order mark) leaves the client waiting for
// a minute. So every line is judged here first, and whatever will not be served is answered.
import { isUtf8 } from 'node:buffer';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';

export type RpcId = string | number;
export type RpcError = { readonly id: RpcId | null; readonly code: number; readonly message: string };
/** `null` for a blank line. */
export type ReadLine = { readonly message: JSONRPCMessage } | { readonly error: RpcError } | null;

const parseErrorCode = -32700;
const invalidRequestCode = -32600;
export const invalidParamsCode = -32602;

export const notJson: RpcError = { id: null, code: parseErrorCode, message: 'The message is not JSON.' };

/** Reads one line as a JSON-RPC message, or says with which error to answer it. */
export function readLine(line: Buffer): ReadLine {
  const text = line
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  if (text === '') return null;
  const value = parseJson(text);
  if (value === undefined) return { error: notJson };
  if (!isUtf8(line)) return { error: { id: idOf(value), code: parseErrorCode, message: 'The line is not UTF-8.' } };
  return readMessage(value);
}

/** Judges a parsed value: one message of JSON-RPC 2.0 as MCP has it (no batches, ids are texts or whole numbers). */
export function readMessage(value: unknown): Exclude<ReadLine, null> {
  if (Array.isArray(value)) return invalid(null, 'Batches are not served: send one message a line.');
  if (typeof value !== 'object' || value === null) return invalid(null, 'A message must be a JSON object.');
  const { jsonrpc, id, method, params, result, error } = value as Record<string, unknown>;
  if (jsonrpc !== '2.0') return invalid(idOf(value), 'A message must have `jsonrpc` "2.0".');
  if (id !== undefined && idOf(value) === null) return invalid(null, '`id` must be a text or a whole number.');
  if (method !== undefined) return readCall({ jsonrpc, ...(id === undefined ? {} : { id }), method, params });
  const response = { jsonrpc, id, ...(error === undefined ? { result } : { error }) };
  if (isJSONRPCResponse(response)) return { message: response };
  return invalid(idOf(value), 'A message must have a `method`, or an `id` with a `result` or an `error`.');
}

function readCall(call: Record<string, unknown>): Exclude<ReadLine, null> {
  if (typeof call.method !== 'string') return invalid(idOf(call), '`method` must be a text.');
  if (call.params === undefined || call.params === null) delete call.params;
  if (isJSONRPCRequest(call) || isJSONRPCNotification(call)) return { message: call };
  return invalid(idOf(call), '`params` must be an object.');
}

/** The id of a line that was too long to parse: its first member or its last, where clients put it; null when it is neither. */
export function idOfLongLine(head: Buffer, tail: Buffer): RpcId | null {
  const found =
    /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*,/.exec(
      head.toString(),
    ) ?? /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail.toString());
  return found?.[1] === undefined ? null : idOf({ id: parseJson(found[1]) });
}

export function tooLong(id: RpcId | null, maxLineBytes: number): RpcError {
  return { id, code: invalidRequestCode, message: `The message is longer than ${maxLineBytes / 2 ** 20} MB.` };
}

export function repeatedId(id: RpcId): RpcError {
  return { id, code: invalidRequestCode, message: 'A request with this id is still under way.' };
}

function invalid(id: RpcId | null, message: string): { error: RpcError } {
  return { error: { id, code: invalidRequestCode, message } };
}

function idOf(value: unknown): RpcId | null {
  const id = (value as { id?: unknown } | null)?.id;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}

/** Undefined (which no JSON is) for what is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
