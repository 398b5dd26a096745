/** Of what is said of a thing, what is other than it is already: the rest changes nothing, and is no news. */
export function whatDiffers<Said extends object>(said: Said, present: Readonly<Record<string, unknown>>): Said {
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(value ?? null) !== JSON.stringify(present[name] ?? null);
  return Object.fromEntries(Object.entries(said).filter(isOther)) as Said;
}

/** Whether nothing is said. */
export const isNothingSaid = (...said: readonly object[]): boolean =>
  said.every((one) => Object.keys(one).length === 0);
