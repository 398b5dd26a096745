import type { Problem } from "#domain/catalogue/resources/problems.ts";
import { t, tOr } from "../texts.ts";

/** What is wrong with a field, in the person's language: fields and choices by the names that the forms give them. */
export function sentence({ code, about = [] }: Problem): string {
  return t(`problem.${code}`, Object.fromEntries(about.map((item, index) => [String(index), namesIn(String(item))])));
}

// The rules name fields and choices as the interface does, several with a comma between them.
function namesIn(about: string): string {
  return about
    .split(", ")
    .map((text) => text.replace(/^role: /, ""))
    .map((text) => tOr(`field.${text}`, tOr(`option.${text}`, text)))
    .join(", ");
}
