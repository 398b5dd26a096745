/** Whether two values are deeply equal. A missing member equals undefined. */
export function isDeepEqual(item: unknown, other: unknown): boolean {
  if (item === other) return true;
  if (!isComposed(item) || !isComposed(other) || Array.isArray(item) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(item), ...Object.keys(other)]);
  return [...names].every((name) => isDeepEqual(item[name], other[name]));
}

function isComposed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
