import { fieldLabel } from "./problems.ts";
import { fill, type Texts } from "./texts.ts";

/** Fields of customer and driver in order, with their attributes. */
export const FIELDS = [
  { name: "customer_name", autocomplete: "given-name", longest: 40, isRequired: true },
  { name: "customer_surname", autocomplete: "family-name", longest: 40, isRequired: true },
  { name: "customer_email", autocomplete: "email", inputMode: "email", longest: 254, isRequired: true },
  { name: "customer_phone", autocomplete: "tel", inputMode: "tel", longest: 40, isRequired: false },
  { name: "flight_number", autocomplete: "off", longest: 10, isRequired: false },
] as const;

export const DRIVER_FIELDS = [
  { name: "driver_name", autocomplete: "off", longest: 40, isRequired: true },
  { name: "driver_surname", autocomplete: "off", longest: 40, isRequired: true },
] as const;

export const COMMENTS = { name: "comments", longest: 2000, isRequired: false } as const;

export type DetailField = (typeof FIELDS)[number] | (typeof DRIVER_FIELDS)[number];

/** Basic email format. Only a sent email proves that it exists. */
export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;

/** Validates the fields. Returns error texts by field, empty if valid. */
export function checkDetails(
  details: Readonly<Record<string, string>>,
  fields: readonly (DetailField | typeof COMMENTS)[],
  texts: Texts,
): Readonly<Record<string, string>> {
  const wrong: Record<string, string> = {};
  for (const { name, isRequired, longest } of fields) {
    const value = details[name]?.trim() ?? "";
    if (isRequired && !value) wrong[name] = fill(texts.required, { field: fieldLabel(name, texts) ?? name });
    else if (value.length > longest) wrong[name] = fill(texts.tooLong, { n: longest });
    else if (name === "customer_email" && !EMAIL.test(value)) wrong[name] = texts.wrongEmail;
  }
  return wrong;
}
