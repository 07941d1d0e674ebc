import type { Contract, OutputOf } from '#shared/contract/operation.ts';
import type { View } from './style.ts';

/** What a person sees: the result for stdout (may be empty), and remarks about it for stderr. */
export type Rendered = { readonly result: string; readonly notices?: readonly string[] };

export type Renderer = (output: unknown, view: View) => Rendered;

/** Ties a renderer to the output of its contract; the daemon has already checked that output against the schema. */
export function rendererFor<C extends Contract>(
  contract: C,
  render: (output: OutputOf<C>, view: View) => Rendered,
): readonly [string, Renderer] {
  return [contract.name, render as Renderer];
}
