// The door of the policies room: an administrator's modules that judge writes.
export { noPolicy, type Policy, type PolicyWrite } from './policy.ts';
