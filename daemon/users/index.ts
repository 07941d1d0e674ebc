// The door of the users room: whom a call is made for.
export { userOperations } from './users.operations.ts';
