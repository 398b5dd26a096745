import { addDays, type CivilDate, parseCivilDate, toDayNumber } from "#domain/dates.ts";
import {
  emptySale,
  FOR_CUSTOMER,
  FOR_PRICE,
  listEmptyFields,
  omitEmptyValues,
  parseWholeNumber,
  type SaleText,
  toNewCustomer,
  toRentalRequest,
} from "#shared/sale.ts";
import { toValue } from "../../desk/move-forms.ts";
import { plainAmount } from "../../desk/typed-amount.ts";

/** Typed values of a new reservation. */
export interface Sale extends SaleText {
  readonly quantity: string;
  readonly extras: Readonly<Record<string, number>>;
  readonly customer_id: number | null;
  readonly customer_name: string;
  readonly sales_channel_code: string;
  /** Agent id. */
  readonly agent_id: string;
  readonly promotion_code: string;
  readonly rule_reason: string;
  readonly other_price: string;
  readonly other_price_reason: string;
  readonly status: "confirmed" | "pending_confirmation";
}

/** Customer of a rental or transfer. */
export type Buyer = Pick<
  Sale,
  "customer_id" | "customer_name" | "name" | "surname" | "email" | "phone" | "document_id"
>;

/** Manual price and hold status. */
export type SaleTerms = Pick<Sale, "other_price" | "other_price_reason" | "notes" | "status">;

const USUAL_DAYS = 3;
const MORNING = "10:00";

/** Returns the initial values: tomorrow morning, for a few days. */
export function newSale(today: CivilDate): Sale {
  const [date_from, date_to] = [addDays(today, 1), addDays(today, 1 + USUAL_DAYS)];
  return {
    ...emptySale({ date_from, time_from: MORNING, date_to, time_to: MORNING }),
    ...{ quantity: "1", extras: {}, customer_id: null, customer_name: "" },
    ...{
      sales_channel_code: "",
      agent_id: "",
      promotion_code: "",
      rule_reason: "",
      other_price: "",
      other_price_reason: "",
    },
    status: "confirmed",
  };
}

/** Returns a sale with a changed value. Another pickup date moves the return, so that the rental keeps its length. */
export function withSaleValue<Name extends keyof Sale>(sale: Sale, name: Name, value: Sale[Name]): Sale {
  const next = { ...sale, [name]: value };
  const from = parseCivilDate(next.date_from);
  if (name !== "date_from" || !from) return next;
  const [before, to] = [parseCivilDate(sale.date_from), parseCivilDate(sale.date_to)];
  const length = before && to ? toDayNumber(to) - toDayNumber(before) : 0;
  return { ...next, date_to: addDays(from, length > 0 ? length : USUAL_DAYS) };
}

/** Creates the quote request, optionally for another category. Undefined if values are missing. */
export function toQuoteRequest(sale: Sale, category = sale.category_code): object | undefined {
  const quotedSale = { ...sale, category_code: category };
  if (listEmptyFields(quotedSale, FOR_PRICE).length > 0) return undefined;
  const { sales_channel_code, promotion_code, rule_reason } = sale;
  return {
    ...toRentalRequest(quotedSale),
    quantity: parseWholeNumber(sale.quantity || "1"),
    extras: toValue({ name: "extras", kind: "extras" }, sale.extras),
    ...omitEmptyValues({ sales_channel_code, promotion_code, rule_reason }),
    ...otherPrice(sale),
  };
}

/** Returns the manual price, if any. */
export function otherPrice({ other_price, other_price_reason }: SaleTerms) {
  if (!other_price) return {};
  const total_cost = plainAmount(other_price);
  return { price_override: { total_cost, reason: other_price_reason.trim() || "-" } };
}

/** Converts the customer to the API format. */
export const toBuyerRequest = (sale: Buyer) =>
  sale.customer_id === null ? toNewCustomer(sale) : { id: sale.customer_id };

/** Creates the reservation request. Undefined if dates, place or category are missing. */
export function saleBody(sale: Sale): object | undefined {
  const quote = toQuoteRequest(sale);
  const agent = sale.agent_id && { agent_id: Number(sale.agent_id) };
  return (
    quote && {
      ...quote,
      customer: toBuyerRequest(sale),
      status: sale.status,
      ...agent,
      ...omitEmptyValues({ notes: sale.notes }),
    }
  );
}

/** Lists required fields without a value. */
export function listMissingSaleFields(sale: Sale): readonly string[] {
  return listEmptyFields(sale, [
    ...FOR_PRICE,
    ...(sale.customer_id === null ? FOR_CUSTOMER : []),
    ...(sale.other_price ? (["other_price_reason"] as const) : []),
  ]);
}
