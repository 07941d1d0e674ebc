// The door of the policies room: an administrator's modules that judge writes.
export { createPolicies, type Policies } from './create-policies.ts';
export { noPolicy, type Policy, type PolicyWrite } from './policy.ts';
