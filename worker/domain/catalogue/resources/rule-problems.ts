import type { Problem } from "#domain/problems.ts";
import type { ParsedResourceValues } from "./parse.ts";
import type { Resource, ResourceCheckContext } from "./resource.ts";

/** Returns the problems of the rules between valid fields. A rule that involves a refused field can't be decided. */
export function findResourceCheckProblems(
  { check }: Pick<Resource, "check">,
  { values, problems }: ParsedResourceValues,
  context: ResourceCheckContext,
): readonly Problem[] {
  const refused = listRefusedFields(problems);
  const validValues = Object.fromEntries(Object.entries(values).filter(([name]) => !refused.has(name)));
  return excludeFieldProblems(check?.(validValues, context) ?? [], refused);
}

/** Returns the names of the refused fields, without the paths below them. */
export function listRefusedFields(problems: readonly Problem[]): ReadonlySet<string> {
  return new Set(problems.map(({ field }) => field.split(".")[0] ?? field));
}

/** Removes the problems that involve one of the fields. */
export function excludeFieldProblems(problems: readonly Problem[], fields: ReadonlySet<string>): readonly Problem[] {
  return problems.filter(({ field, params = {} }) => {
    const names = [
      field.split(".")[0] ?? field,
      ...Object.values(params).flatMap((value) => String(value).split(", ")),
    ];
    return !names.some((name) => fields.has(name));
  });
}
