/** The version of this package; the build and the tests hold it equal to `package.json`. */
export const version = '0.1.0';

/** The version of the greeting between shim and daemon. Compatible for ever: a new field may be added, none may change. */
export const greetingVersion = 1;

/** Below zero when `a` is older. Pre-releases count as the release they lead to. */
export function compareVersions(a: string, b: string): number {
  const numbers = (text: string) => text.split('-', 1).join('').split('.').map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (left[index] || 0) - (right[index] || 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
