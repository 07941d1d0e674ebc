// The door of the policies room: an administrator's modules that judge writes.
export { createPolicies, type Policies } from './create-policies.ts';
export { type Policy, type PolicyWrite, withRemarks } from './policy.ts';
