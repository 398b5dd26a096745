import type { CustomerMergeRequest } from "#worker/api/office/customer-messages.ts";
import { formatDay } from "../../account.ts";
import { type FormField, formatFieldValue, getFieldLabel } from "../../desk/fields.ts";
import { getCountryName } from "../../desk/names.ts";
import { t } from "../../texts.ts";
import { type Customer, formatPhone, listCustomerFields } from "./customer.ts";

/** The customer whose page is open, or the one found. */
export type MergeSide = "this" | "other";

/** Fields whose value was chosen, by name. */
export type ChosenMergeSides = Readonly<Record<string, MergeSide>>;

/** Data of both customers with one choice: a field, or fields that belong together. */
export interface MergeRow {
  /** API name of the field, or of the first one. */
  readonly name: NonNullable<CustomerMergeRequest["take"]>[number];
  readonly label: string;
  /** Text of each customer. Empty if missing. */
  readonly texts: Readonly<Record<MergeSide, string>>;
  readonly isSame: boolean;
}

/** Fields that are shown and chosen with another one. */
const PARTS: ReadonlySet<string> = new Set([
  ...["document_id_expiration_date", "phone_number_prefix"],
  ...["address_number", "address_complement", "address_zip", "address_city", "address_state", "address_country"],
]);

const WHOLES: Readonly<Record<string, (of: Customer) => string>> = {
  document_id: ({ document_id: number, document_id_expiration_date: until }) =>
    [number, until && formatDay(until)].filter(Boolean).join(" · "),
  phone_number: formatPhone,
  address_street: formatAddress,
};

function formatAddress(of: Customer): string {
  const street = [of.address_street, of.address_number, of.address_complement].filter(Boolean).join(" ");
  const city = [of.address_zip, of.address_city].filter(Boolean).join(" ");
  return [street, city, of.address_state, of.address_country && getCountryName(of.address_country)]
    .filter(Boolean)
    .join(", ");
}

function formatData(field: FormField<keyof Customer>, of: Customer): string {
  const formatFieldGroup = WHOLES[field.name];
  if (formatFieldGroup) return formatFieldGroup(of);
  const value = of[field.name];
  return value === null || value === undefined || value === "" ? "" : formatFieldValue(field, value);
}

// Payment terms and discount aren't shown in the comparison if both customers have the same.
const isCompared = ({ kind }: FormField, isSame: boolean) => !isSame || (kind !== "whole" && kind !== "percent");

/** Lists the data that either of two customers has. */
export function listMergeRows(customer: Customer, other: Customer): readonly MergeRow[] {
  return listCustomerFields()
    .filter(({ name }) => !PARTS.has(name))
    .map((field) => {
      const texts = { this: formatData(field, customer), other: formatData(field, other) };
      const label = field.name === "address_street" ? t("mergeAddress") : getFieldLabel(field);
      return { field, name: field.name, label, texts, isSame: texts.this === texts.other };
    })
    .filter(({ field, texts, isSame }) => (texts.this !== "" || texts.other !== "") && isCompared(field, isSame));
}

/** Returns whose value a row keeps: the chosen one, otherwise that of the remaining customer if it has one. */
export function pickMergeSide(
  { name, texts }: MergeRow,
  chosen: ChosenMergeSides,
  remainingSide: MergeSide,
): MergeSide {
  const side = chosen[name] ?? remainingSide;
  return texts[side] === "" ? (side === "this" ? "other" : "this") : side;
}

/** Lists the fields to copy from the customer that the merge removes. */
export function listFieldsToCopy(
  rows: readonly MergeRow[],
  chosen: ChosenMergeSides,
  remainingSide: MergeSide,
): readonly MergeRow["name"][] {
  return rows
    .filter((row) => !row.isSame && pickMergeSide(row, chosen, remainingSide) !== remainingSide)
    .map(({ name }) => name);
}
