/** Whether two values say the same, member by member; what is not there is what is undefined. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isComposed(one) || !isComposed(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSame(one[name], other[name]));
}

function isComposed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
