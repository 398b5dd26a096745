/** Returns the fields that differ from the present values. */
export function pickChanged<Said extends object>(input: Said, present: Readonly<Record<string, unknown>>): Said {
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(value ?? null) !== JSON.stringify(present[name] ?? null);
  return Object.fromEntries(Object.entries(input).filter(isOther)) as Said;
}

/** Whether all objects are empty. */
export const areAllEmpty = (...input: readonly object[]): boolean =>
  input.every((item) => Object.keys(item).length === 0);
