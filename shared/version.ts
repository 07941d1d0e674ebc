/** The version of this package; the build and the tests hold it equal to `package.json`. */
export const version = '0.1.0';

/** The version of the greeting between shim and daemon. Compatible for ever: a new field may be added, none may change. */
export const greetingVersion = 1;
