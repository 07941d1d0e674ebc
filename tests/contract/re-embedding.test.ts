// Embedding everything anew, on every surface: what can be asked, what is refused.
import { expect } from 'vitest';
import { type SurfaceCase, testOnEverySurface } from '../support/contract-surfaces.ts';
import { daemonSurfaces } from '../support/daemon-surfaces.ts';

const status = (things: number) => ({
  state: 'done',
  model: 'fake-384',
  next_model: null,
  things,
  done: things,
  why: null,
  started_at: null,
});

const cases: SurfaceCase[] = [
  {
    name: 'the present model asked for again mends what lacks a vector, and a dry run says what it takes',
    volatile: ['seconds', 'free_bytes'],
    steps: [
      { operation: 'get_re_embedding', input: {}, gives: { output: status(0) } },
      {
        operation: 'memory_save',
        input: { content: 'the cart keeps prices in cents' },
        gives: { output: expect.objectContaining({ outcome: 'created' }) },
      },
      {
        operation: 're_embed',
        input: { dry_run: true },
        gives: { output: { ...status(1), plan: expect.objectContaining({ passages: 1, dimensions: 384 }) } },
      },
      { operation: 're_embed', input: {}, gives: { output: { ...status(1), plan: null } } },
      { operation: 'get_re_embedding', input: {}, gives: { output: status(1) } },
    ],
  },
  {
    name: 'a provider that is none, a batch out of range and a model without its name are refused',
    steps: [
      { operation: 're_embed', input: { provider: 'abacus' }, gives: { refused: 'invalid_input', field: 'provider' } },
      { operation: 're_embed', input: { batch_size: 0 }, gives: { refused: 'invalid_input', field: 'batch_size' } },
      {
        operation: 're_embed',
        input: { provider: 'huggingface' },
        gives: { refused: 'invalid_input', says: /embedding\.model/ },
      },
    ],
  },
];

testOnEverySurface(cases, daemonSurfaces);
