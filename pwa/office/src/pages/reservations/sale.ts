import { addDays, type CivilDate, parseCivilDate } from "#domain/dates.ts";
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

/** What somebody at the desk types of a reservation that is to be made. */
export interface Sale extends SaleText {
  readonly quantity: string;
  readonly extras: Readonly<Record<string, number>>;
  readonly customer_id: number | null;
  readonly customer_name: string;
  readonly sales_channel_code: string;
  /** By its id. */
  readonly agent_id: string;
  readonly promotion_code: string;
  readonly rule_reason: string;
  readonly other_price: string;
  readonly other_price_reason: string;
  readonly status: "confirmed" | "pending_confirmation";
}

/** Who it is for, of a rental or a transfer. */
export type Buyer = Pick<
  Sale,
  "customer_id" | "customer_name" | "name" | "surname" | "email" | "phone" | "document_id"
>;

/** Another price, and whether it is only held. */
export type SaleTerms = Pick<Sale, "other_price" | "other_price_reason" | "notes" | "status">;

const USUAL_DAYS = 3;
const MORNING = "10:00";

/** What the form begins with: tomorrow morning, for some days. */
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

/** A sale with one thing said otherwise: a pickup after the return takes the return with it. */
export function withSaleValue<Name extends keyof Sale>(sale: Sale, name: Name, value: Sale[Name]): Sale {
  const next = { ...sale, [name]: value };
  const from = parseCivilDate(next.date_from);
  if (name !== "date_from" || !from || next.date_to > next.date_from) return next;
  return { ...next, date_to: addDays(from, USUAL_DAYS) };
}

/** What is asked of a quote; a category of one's own where one is named. Undefined while something is missing. */
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

/** The price by hand, where there is one. */
export function otherPrice({ other_price, other_price_reason }: SaleTerms) {
  if (!other_price) return {};
  const total_cost = plainAmount(other_price);
  return { price_override: { total_cost, reason: other_price_reason.trim() || "-" } };
}

/** Who it is for, as the interface takes it. */
export const toBuyerRequest = (sale: Buyer) =>
  sale.customer_id === null ? toNewCustomer(sale) : { id: sale.customer_id };

/** The reservation that is to be made; undefined while its dates, place or category are missing. */
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

/** The fields that are needed and not said. */
export function listMissingSaleFields(sale: Sale): readonly string[] {
  return listEmptyFields(sale, [
    ...FOR_PRICE,
    ...(sale.customer_id === null ? FOR_CUSTOMER : []),
    ...(sale.other_price ? (["other_price_reason"] as const) : []),
  ]);
}
