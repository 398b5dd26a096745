/** Returns the changed fields of a driver. An emptied field is null, which clears it. */
export function toDriverChange<Name extends string>(
  known: Readonly<Record<Name, string>>,
  values: Readonly<Partial<Record<Name, string>>>,
): Partial<Record<Name, string | null>> {
  const names = Object.keys(known) as Name[];
  const changed = names.flatMap((name) => {
    const value = values[name]?.trim() ?? known[name];
    return value === known[name] ? [] : [[name, value || null] as const];
  });
  return Object.fromEntries(changed) as Partial<Record<Name, string | null>>;
}
