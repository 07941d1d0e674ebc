/** JSON with sorted keys: equal for values that say the same. Absent and null are one. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : member,
  );
}

/** Of two canonical texts: none loses, else the one that sorts first. */
export function isLess(one: string, other: string): boolean {
  if (one === 'null' || other === 'null') return one === 'null' && other !== 'null';
  return one < other;
}
