/** A rental that somebody sells, at the desk or with the phone, as it is typed. */
export interface SaleText {
  readonly date_from: string;
  readonly time_from: string;
  readonly date_to: string;
  readonly time_to: string;
  readonly pickup_place: string;
  /** Empty: where it was picked up. */
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

/** What a price needs, in the order of the forms, and a new customer. */
export const FOR_PRICE = ["date_from", "time_from", "date_to", "time_to", "pickup_place", "category_code"] as const;
export const FOR_CUSTOMER = ["name", "surname"] as const;

/** A sale of which nothing is known but its time. */
export function emptySale<Time extends Pick<SaleText, "date_from" | "time_from" | "date_to" | "time_to">>(time: Time) {
  return {
    ...time,
    ...{ pickup_place: "", return_place: "", category_code: "", driver_age: "" },
    ...{ name: "", surname: "", phone: "", email: "", document_id: "", notes: "" },
  };
}

/** Which of some fields are empty. */
export function listEmptyFields<Name extends string>(
  typed: Readonly<Record<NoInfer<Name>, string>>,
  names: readonly Name[],
): Name[] {
  return names.filter((name) => typed[name].trim() === "");
}

/** What a quote is asked for: the server says what is wrong with it. */
export function toRentalRequest(typed: SaleText) {
  const { date_from, time_from, date_to, time_to, pickup_place, return_place, category_code, driver_age } = typed;
  return {
    ...{ date_from, time_from, date_to, time_to, category_code },
    pickup_place: Number(pickup_place),
    return_place: Number(return_place || pickup_place),
    ...(driver_age.trim() !== "" && { driver_age: parseWholeNumber(driver_age) }),
  };
}

/** Somebody new, as far as they were typed. */
export function toNewCustomer({
  name,
  surname,
  phone,
  email,
  document_id,
}: Pick<SaleText, "name" | "surname" | "phone" | "email" | "document_id">) {
  return omitEmptyValues({ name, surname, phone, email, document_id });
}

/** A whole number, or the text where it is none: a refusal names what was typed. */
export function parseWholeNumber(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text;
}

/** What is not empty. */
export function omitEmptyValues(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, text]) => [name, text.trim()])
      .filter(([, text]) => text !== ""),
  );
}
