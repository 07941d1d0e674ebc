// Steps that the cases of plans and tasks have in common.
import { expect } from 'vitest';
import type { ErrorCode } from '#shared/errors.ts';
import type { Step } from './contract-surfaces.ts';

export const has = (fields: object): Step['gives'] => ({ output: expect.objectContaining(fields) });

export const refused = (code: ErrorCode, field?: string, says?: RegExp): Step['gives'] => ({
  refused: code,
  ...(field === undefined ? {} : { field }),
  ...(says === undefined ? {} : { says }),
});

/** Makes project 1. */
export const project: Step = {
  operation: 'memory_save',
  input: { content: 'The cart keeps prices in cents', project: 'storefront' },
  gives: has({ outcome: 'created' }),
};

export const newPlan = (title: string, fields: object = {}): Step => ({
  operation: 'create_plan',
  input: { title, project_id: 1, ...fields },
  gives: has({ title }),
});

export const newTask = (plan_id: number, title: string, fields: object = {}): Step => ({
  operation: 'create_task',
  input: { title, plan_id, ...fields },
  gives: has({ title, version: 1, state: 'todo' }),
});
