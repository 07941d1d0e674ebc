/** JSON with sorted keys: equal for values that say the same. Absent and null are one. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : member,
  );
}
