import type { SaleQuoteRequest } from "#worker/api/office/request-messages.ts";
import type { Typed } from "./typed-requests.ts";

/** Typed values of a rental sold at the desk or on the device. */
export interface RentalFormValues {
  readonly date_from: string;
  readonly time_from: string;
  readonly date_to: string;
  readonly time_to: string;
  readonly pickup_place: string;
  /** Place of return. Empty if it's the pickup place. */
  readonly return_place: string;
  readonly category_code: string;
  readonly driver_age: string;
  readonly name: string;
  readonly surname: string;
  readonly phone: string;
  readonly email: string;
  readonly document_id: string;
  readonly notes: string;
}

/** Required fields of a price in form order, and those of a new customer. */
export const REQUIRED_PRICE_FIELDS = [
  "date_from",
  "time_from",
  "date_to",
  "time_to",
  "pickup_place",
  "category_code",
] as const;
export const REQUIRED_CUSTOMER_FIELDS = ["name", "surname"] as const;

/** Creates a sale with only a period. */
export function createEmptySale<Time extends Pick<RentalFormValues, "date_from" | "time_from" | "date_to" | "time_to">>(
  time: Time,
) {
  return {
    ...time,
    ...{ pickup_place: "", return_place: "", category_code: "", driver_age: "" },
    ...{ name: "", surname: "", phone: "", email: "", document_id: "", notes: "" },
  };
}

/** Lists the given fields that are empty. */
export function listEmptyFields<Name extends string>(
  formValues: Readonly<Record<NoInfer<Name>, string>>,
  names: readonly Name[],
): Name[] {
  return names.filter((name) => formValues[name].trim() === "");
}

/** Creates the quote request. The server validates it. */
export function toRentalRequest(formValues: RentalFormValues): Typed<SaleQuoteRequest> {
  const { date_from, time_from, date_to, time_to, pickup_place, return_place, category_code, driver_age } = formValues;
  return {
    date_from,
    time_from,
    date_to,
    time_to,
    category_code,
    pickup_place: Number(pickup_place),
    return_place: Number(return_place || pickup_place),
    driver_age: driver_age.trim() === "" ? undefined : parseWholeNumber(driver_age),
  };
}

type NewCustomer = Pick<
  NonNullable<SaleQuoteRequest["customer"]>,
  "name" | "surname" | "phone" | "email" | "document_id"
>;

/** Creates a new customer from the filled fields. */
export function toNewCustomer({
  name,
  surname,
  phone,
  email,
  document_id,
}: Pick<RentalFormValues, "name" | "surname" | "phone" | "email" | "document_id">) {
  return omitEmptyValues<keyof NewCustomer>({ name, surname, phone, email, document_id });
}

/** Parses a whole number. Returns invalid text unchanged, so that the error message can name it. */
export function parseWholeNumber(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text;
}

/** Trims the values and omits the empty ones. */
export function omitEmptyValues<Name extends string>(
  fields: Readonly<Partial<Record<Name, string>>>,
): Readonly<Partial<Record<Name, string>>> {
  const texts = Object.entries<string | undefined>(fields).map(([name, text = ""]) => [name, text.trim()]);
  return Object.fromEntries(texts.filter(([, text]) => text !== "")) as Partial<Record<Name, string>>;
}
