import { addDays, type CivilDate, parseCivilDate } from "#domain/dates.ts";
import { toValue } from "../../desk/move-forms.ts";

/** What somebody at the desk types of a reservation that is to be made. */
export interface Sale {
  readonly date_from: string;
  readonly time_from: string;
  readonly date_to: string;
  readonly time_to: string;
  readonly pickup_place: string;
  /** Empty: where it was picked up. */
  readonly return_place: string;
  readonly category_code: string;
  readonly quantity: string;
  readonly extras: Readonly<Record<string, number>>;
  readonly customer_id: number | null;
  readonly customer_name: string;
  readonly name: string;
  readonly surname: string;
  readonly email: string;
  readonly phone: string;
  readonly document_id: string;
  readonly driver_age: string;
  readonly sales_channel_code: string;
  readonly promotion_code: string;
  readonly rule_reason: string;
  readonly other_price: string;
  readonly other_price_reason: string;
  readonly notes: string;
  readonly status: "confirmed" | "pending_confirmation";
}

const USUAL_DAYS = 3;
const MORNING = "10:00";

/** What the form begins with: tomorrow morning, for some days. */
export function newSale(today: CivilDate): Sale {
  return {
    date_from: addDays(today, 1),
    time_from: MORNING,
    date_to: addDays(today, 1 + USUAL_DAYS),
    time_to: MORNING,
    pickup_place: "",
    return_place: "",
    category_code: "",
    quantity: "1",
    extras: {},
    customer_id: null,
    customer_name: "",
    name: "",
    surname: "",
    email: "",
    phone: "",
    document_id: "",
    driver_age: "",
    sales_channel_code: "",
    promotion_code: "",
    rule_reason: "",
    other_price: "",
    other_price_reason: "",
    notes: "",
    status: "confirmed",
  };
}

/** A sale with one thing said otherwise: a pickup after the return takes the return with it. */
export function withSaid<Name extends keyof Sale>(sale: Sale, name: Name, value: Sale[Name]): Sale {
  const next = { ...sale, [name]: value };
  const from = parseCivilDate(next.date_from);
  if (name !== "date_from" || !from || next.date_to > next.date_from) return next;
  return { ...next, date_to: addDays(from, USUAL_DAYS) };
}

const whole = (name: string, value: string) => toValue({ name, kind: "whole" }, value);

/** What is asked of a quote; a category of one's own where one is named. Undefined while something is missing. */
export function quoteOf(sale: Sale, category = sale.category_code): object | undefined {
  const { date_from, time_from, date_to, time_to, pickup_place } = sale;
  if (!(date_from && time_from && date_to && time_to && pickup_place && category)) return undefined;
  return {
    date_from,
    time_from,
    date_to,
    time_to,
    pickup_place: Number(pickup_place),
    return_place: Number(sale.return_place || pickup_place),
    category_code: category,
    quantity: whole("quantity", sale.quantity) ?? 1,
    extras: toValue({ name: "extras", kind: "extras" }, sale.extras),
    ...given(sale, ["sales_channel_code", "promotion_code", "rule_reason"]),
    ...(sale.driver_age && { driver_age: whole("driver_age", sale.driver_age) }),
    ...(sale.other_price && {
      price_override: {
        total_cost: sale.other_price.trim().replace(",", "."),
        reason: sale.other_price_reason.trim() || "-",
      },
    }),
  };
}

/** The reservation that is to be made; undefined while its dates, place or category are missing. */
export function saleBody(sale: Sale): object | undefined {
  const quote = quoteOf(sale);
  const customer =
    sale.customer_id === null
      ? given(sale, ["name", "surname", "email", "phone", "document_id"])
      : { id: sale.customer_id };
  return quote && { ...quote, customer, status: sale.status, ...given(sale, ["notes"]) };
}

/** The fields that are needed and not said. */
export function missingOfSale(sale: Sale): readonly string[] {
  const needed: readonly (keyof Sale)[] = [
    "date_from",
    "time_from",
    "date_to",
    "time_to",
    "pickup_place",
    "category_code",
    ...(sale.customer_id === null ? (["name", "surname"] as const) : []),
    ...(sale.other_price ? (["other_price_reason"] as const) : []),
  ];
  return needed.filter((name) => String(sale[name] ?? "").trim() === "");
}

function given(sale: Sale, names: readonly (keyof Sale)[]): object {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = String(sale[name] ?? "").trim();
      return text === "" ? [] : [[name, text]];
    }),
  );
}
