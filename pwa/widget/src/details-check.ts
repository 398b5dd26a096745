import { fieldLabel } from "./problems.ts";
import { fill, type Texts } from "./texts.ts";

/** The fields of who books and who drives, in their order, with what a form and its browser have to know. */
export const FIELDS = [
  { name: "customer_name", autocomplete: "given-name", longest: 40, isRequired: true },
  { name: "customer_surname", autocomplete: "family-name", longest: 40, isRequired: true },
  { name: "customer_email", autocomplete: "email", inputMode: "email", longest: 40, isRequired: true },
  { name: "customer_phone", autocomplete: "tel", inputMode: "tel", longest: 40, isRequired: false },
  { name: "flight_number", autocomplete: "off", longest: 10, isRequired: false },
] as const;

export const DRIVER_FIELDS = [
  { name: "driver_name", autocomplete: "off", longest: 40, isRequired: true },
  { name: "driver_surname", autocomplete: "off", longest: 40, isRequired: true },
] as const;

export type DetailField = (typeof FIELDS)[number] | (typeof DRIVER_FIELDS)[number];

/** What an e-mail looks like; whether it exists shows its mail. */
export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;

/** What is wrong with each field, in the visitor's words; empty where all is well. */
export function checkDetails(
  details: Readonly<Record<string, string>>,
  fields: readonly DetailField[],
  texts: Texts,
): Readonly<Record<string, string>> {
  const wrong: Record<string, string> = {};
  for (const { name, isRequired } of fields) {
    const value = details[name]?.trim() ?? "";
    if (isRequired && !value) wrong[name] = fill(texts.required, { field: fieldLabel(name, texts) ?? name });
    else if (name === "customer_email" && !EMAIL.test(value)) wrong[name] = texts.wrongEmail;
  }
  return wrong;
}
