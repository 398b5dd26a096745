/** Returns the fields that differ from the present values. */
export function pickChanged<Input extends object>(input: Input, current: Readonly<Record<string, unknown>>): Input {
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(value ?? null) !== JSON.stringify(current[name] ?? null);
  return Object.fromEntries(Object.entries(input).filter(isOther)) as Input;
}

/** Whether all objects are empty. */
export const areAllObjectsEmpty = (...objects: readonly object[]): boolean =>
  objects.every((item) => Object.keys(item).length === 0);
