import { addDays, type CivilDate, parseCivilDate, toDayNumber } from "#domain/dates.ts";
import {
  createEmptySale,
  listEmptyFields,
  omitEmptyValues,
  parseWholeNumber,
  REQUIRED_CUSTOMER_FIELDS,
  REQUIRED_PRICE_FIELDS,
  type RentalFormValues,
  toNewCustomer,
  toRentalRequest,
} from "#shared/sale-form.ts";
import { omitUndefined, type Typed } from "#shared/typed-requests.ts";
import type { NewQuoteRequest, QuoteChangeRequest } from "#worker/api/office/quote-messages.ts";
import type { NewReservationRequest, SaleQuoteRequest } from "#worker/api/office/request-messages.ts";
import { toExtraQuantities } from "../../desk/action-forms.ts";
import { parseTypedAmount } from "../../desk/typed-amount.ts";
import type { TextKey } from "../../texts.ts";
import { type CustomerQuote, getQuoteCustomerName, toDateTimeInputValue } from "../quotes/quote.ts";

/** Typed values of a new reservation. */
export interface SaleFormValues extends RentalFormValues {
  readonly quantity: string;
  readonly extras: Readonly<Record<string, number>>;
  readonly customer_id: number | null;
  readonly customer_name: string;
  readonly sales_channel_code: string;
  /** Id of the agent as text. Empty for none. */
  readonly agent_id: string;
  readonly promotion_code: string;
  readonly rule_reason: string;
  readonly other_price: string;
  readonly other_price_reason: string;
  readonly discount_kind: "percentage" | "amount";
  readonly discount_value: string;
  readonly discount_reason: string;
  /** Language of the mails and the contract. Empty for that of the customer's record or the company. */
  readonly customer_language: string;
  /** Whether a manager sells more than there is, and why. */
  readonly accept_shortage: boolean;
  readonly shortage_reason: string;
  /** Last known length in days, also while a date is incomplete. */
  readonly length_days: number;
  readonly status: "confirmed" | "pending_confirmation";
  /** Customer who pays, or null for the reservation's customer. */
  readonly payer_id: number | null;
  readonly payer_name: string;
  readonly is_billed_monthly: boolean;
  /** Whether the sale is saved as a quote. */
  readonly is_quote: boolean;
  /** Local end of the quote's validity, `yyyy-mm-ddThh:mm`. */
  readonly valid_until: string;
  readonly is_held: boolean;
}

/** Customer of a rental or transfer. */
export type Buyer = Pick<
  SaleFormValues,
  "customer_id" | "customer_name" | "name" | "surname" | "email" | "phone" | "document_id"
>;

const BUYER_FIELDS = [
  "customer_id",
  "name",
  "surname",
  "email",
  "phone",
  "document_id",
] as const satisfies readonly (keyof Buyer)[];

/** Whether changes of a form concern the customer, so that confirmations about the previous one no longer count. */
export const isBuyerChanged = (changes: Partial<Buyer>): boolean => BUYER_FIELDS.some((name) => name in changes);

/** Manager's decision to sell more than there is. */
export type ShortageDecision = Pick<SaleFormValues, "accept_shortage" | "shortage_reason">;

/** Manual price and hold status. */
export type PriceOverrideAndStatus = Pick<SaleFormValues, "other_price" | "other_price_reason" | "notes" | "status">;

const USUAL_DAYS = 3;
const MORNING = "10:00";
const QUOTE_DAYS = 7;
const EVENING = "18:00";

/** Returns the initial form values of a sale: from tomorrow morning, for three days. */
export function getInitialSaleValues(today: CivilDate): SaleFormValues {
  const [date_from, date_to] = [addDays(today, 1), addDays(today, 1 + USUAL_DAYS)];
  return createSaleValues(
    { date_from, time_from: MORNING, date_to, time_to: MORNING },
    `${addDays(today, QUOTE_DAYS)}T${EVENING}`,
  );
}

function createSaleValues(period: Parameters<typeof createEmptySale>[0], valid_until: string): SaleFormValues {
  return {
    ...createEmptySale(period),
    ...{ quantity: "1", extras: {}, customer_id: null, customer_name: "" },
    ...{
      sales_channel_code: "",
      agent_id: "",
      promotion_code: "",
      rule_reason: "",
      other_price: "",
      other_price_reason: "",
    },
    ...{ discount_kind: "percentage", discount_value: "", discount_reason: "", customer_language: "" },
    ...{ accept_shortage: false, shortage_reason: "", length_days: USUAL_DAYS },
    status: "confirmed",
    ...{ payer_id: null, payer_name: "", is_billed_monthly: false },
    ...{ is_quote: false, valid_until, is_held: false },
  };
}

/** Returns the values of a quote, to change them. */
export function toSaleFormValues(quote: CustomerQuote): SaleFormValues {
  const { customer, date_from, time_from, date_to, time_to } = quote;
  const [product] = quote.products;
  return {
    ...createSaleValues({ date_from, time_from, date_to, time_to }, toDateTimeInputValue(quote.valid_until)),
    ...{ pickup_place: String(quote.pickup_place_id), return_place: String(quote.return_place_id) },
    ...{ category_code: product?.category_code ?? "", quantity: String(product?.quantity ?? 1) },
    extras: Object.fromEntries(quote.extras.map(({ code, quantity }) => [code, quantity])),
    driver_age: String(quote.driver_age ?? ""),
    notes: quote.notes ?? "",
    ...{ customer_id: customer.id, customer_name: customer.id === null ? "" : getQuoteCustomerName(quote) },
    ...{ name: customer.name, surname: customer.surname, email: customer.email ?? "", phone: customer.phone ?? "" },
    document_id: customer.document_id ?? "",
    ...{ is_quote: true, is_held: quote.hold },
  };
}

/**
 * Returns a sale with a changed value. Another pickup date or time moves the return, so that the rental keeps its
 * length.
 */
export function setSaleFormValue<Name extends keyof SaleFormValues>(
  sale: SaleFormValues,
  name: Name,
  value: SaleFormValues[Name],
): SaleFormValues {
  const length = countSaleDays(sale) ?? sale.length_days;
  const next = { ...sale, length_days: length, [name]: value };
  if (name === "time_from" && sale.time_to === sale.time_from) return { ...next, time_to: next.time_from };
  const from = parseCivilDate(next.date_from);
  return name === "date_from" && from ? { ...next, date_to: addDays(from, length) } : next;
}

// Returns the days between the dates. Undefined while a date is incomplete or the return isn't later.
function countSaleDays({ date_from, date_to }: SaleFormValues): number | undefined {
  const [from, to] = [parseCivilDate(date_from), parseCivilDate(date_to)];
  const days = from && to ? toDayNumber(to) - toDayNumber(from) : 0;
  return days > 0 ? days : undefined;
}

/** Creates the quote request, optionally for another category. Undefined if values are missing. */
export function toSaleQuoteRequest(
  sale: SaleFormValues,
  category = sale.category_code,
): Typed<SaleQuoteRequest> | undefined {
  const quotedSale = { ...sale, category_code: category };
  if (listEmptyFields(quotedSale, REQUIRED_PRICE_FIELDS).length > 0) return undefined;
  const { sales_channel_code, promotion_code, rule_reason } = sale;
  return {
    ...toRentalRequest(quotedSale),
    quantity: parseWholeNumber(sale.quantity || "1"),
    extras: toExtraQuantities(sale.extras),
    ...omitEmptyValues<keyof OptionalTexts>({ sales_channel_code, promotion_code, rule_reason }),
    ...toPriceOverride(sale),
    ...toDiscount(sale),
    ...(sale.is_quote ? {} : toShortageDecision(sale)),
  };
}

function toDiscount({ discount_kind: kind, discount_value: value, discount_reason: reason }: SaleFormValues) {
  return value ? { discount: { kind, value: parseTypedAmount(value), reason: reason.trim() || "-" } } : {};
}

/** Returns the request fields for selling more than the stock. Empty unless a manager accepted the shortage. */
export const toShortageDecision = ({ accept_shortage: isAccepted, shortage_reason: reason }: ShortageDecision) =>
  isAccepted ? { accept_shortage: true, reason: reason.trim() || "-" } : {};

/** Returns the manual price, if any. */
export function toPriceOverride({ other_price, other_price_reason }: PriceOverrideAndStatus) {
  if (!other_price) return {};
  const total_cost = parseTypedAmount(other_price);
  return { price_override: { total_cost, reason: other_price_reason.trim() || "-" } };
}

/** Converts the customer to the API format. */
export const toBuyerRequest = (sale: Buyer) =>
  sale.customer_id === null ? toNewCustomer(sale) : { id: sale.customer_id };

type OptionalTexts = Pick<SaleQuoteRequest, "sales_channel_code" | "promotion_code" | "rule_reason">;
type QuoteTerms = Partial<Pick<NewQuoteRequest, "valid_until" | "hold">>;

/** Request of a reservation, or of a quote. */
type SaleRequestBody = NewReservationRequest & QuoteTerms;

/** Creates the reservation request. Undefined if dates, place or category are missing. */
export function buildSaleBody(sale: SaleFormValues): Typed<SaleRequestBody> | undefined {
  const quote = toSaleQuoteRequest(sale);
  const offer: QuoteTerms = sale.is_quote ? { valid_until: sale.valid_until, hold: sale.is_held } : {};
  return (
    quote &&
    omitUndefined<Typed<SaleRequestBody>>({
      ...quote,
      customer: toBuyerRequest(sale),
      status: sale.status,
      agent_id: sale.agent_id ? Number(sale.agent_id) : undefined,
      billing_customer_id: sale.payer_id ?? undefined,
      customer_language: sale.customer_language || undefined,
      billing_period: sale.is_billed_monthly ? "month" : undefined,
      ...offer,
      notes: sale.notes.trim() || undefined,
    })
  );
}

// Values that clear a field. Sent if the field has a value in the quote but not in the form.
const CLEARED: Readonly<Record<string, unknown>> = {
  notes: null,
  promotion_code: "",
} satisfies Partial<QuoteChangeRequest>;

/** Creates the request that changes a quote: only values that differ, so that its price stays if possible. */
export function toQuoteChangeRequest(
  before: SaleFormValues,
  sale: SaleFormValues,
): Omit<Typed<QuoteChangeRequest>, "expected_version"> {
  const [old, next] = [buildSaleBody(before), buildSaleBody(sale)] as readonly (
    | Readonly<Record<string, unknown>>
    | undefined
  )[];
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(next ?? {})])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = next?.[name] ?? CLEARED[name];
      return value === undefined || JSON.stringify(value) === JSON.stringify(old?.[name]) ? [] : [[name, value]];
    }),
  );
}

/** Whether the price of a changed quote stays. */
export const isPriceUnchanged = (before: SaleFormValues, sale: SaleFormValues): boolean =>
  JSON.stringify(toSaleQuoteRequest(before)) === JSON.stringify(toSaleQuoteRequest(sale));

interface SaleRequest {
  readonly title: TextKey;
  readonly submit: TextKey;
  readonly method: "POST" | "PATCH";
  readonly path: string;
}

/** Returns how a sale is saved: as a reservation, as a new quote, or as a change of a quote. */
export function getSaleSubmission({ is_quote: isQuote, status }: SaleFormValues, quoteId?: number): SaleRequest {
  if (quoteId !== undefined)
    return { title: "changeQuote", submit: "saveQuote", method: "PATCH", path: `/quotes/${quoteId}` };
  if (isQuote) return { title: "newQuote", submit: "saveQuote", method: "POST", path: "/quotes" };
  const submit = status === "confirmed" ? "confirmSale" : "holdSale";
  return { title: "newReservation", submit, method: "POST", path: "/reservations" };
}

/** Lists required fields without a value. */
export function listMissingSaleFields(sale: SaleFormValues): readonly string[] {
  const missing = listEmptyFields(sale, [
    ...REQUIRED_PRICE_FIELDS,
    ...(sale.customer_id === null ? REQUIRED_CUSTOMER_FIELDS : []),
    ...(sale.other_price ? (["other_price_reason"] as const) : []),
    ...(sale.discount_value ? (["discount_reason"] as const) : []),
    ...(sale.is_quote ? (["valid_until"] as const) : listRequiredShortageFields(sale)),
  ]);
  return missing.map(toWireFieldName);
}

/** Returns the fields that the decision to sell more than there is requires. */
export const listRequiredShortageFields = ({ accept_shortage: isAccepted }: ShortageDecision) =>
  isAccepted ? (["shortage_reason"] as const) : [];

const WIRE_NAMES: Readonly<Record<string, string>> = {
  other_price: "price_override.total_cost",
  discount_value: "discount.value",
  discount_reason: "discount.reason",
  shortage_reason: "reason",
};

/** Returns the API name of a field. */
export const toWireFieldName = (name: string): string => WIRE_NAMES[name] ?? name;
