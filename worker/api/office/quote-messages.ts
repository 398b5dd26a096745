import { z } from "zod";
import type { ContractData } from "#domain/bookings/bookings.ts";
import { addDiscountAuthorName } from "#domain/bookings/discounts.ts";
import type { StorableDraft } from "#domain/bookings/draft.ts";
import type { RequestedPayerAndInvoicing } from "#domain/contracts/requests.ts";
import { parseCivilDate, parseTimestamp, parseTimeText, toCivilMinute } from "#domain/dates.ts";
import { parseAmount, toAmount } from "#domain/money.ts";
import {
  formatQuoteNumber,
  QUOTE_ACTIONS,
  QUOTE_STATUSES,
  type QuoteAction,
  type QuoteChange,
  type QuoteStatus,
} from "#domain/quotes/quotes.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "#worker/api/integration/messages.ts";
import {
  createProblemIssue,
  emailAddressSchema,
  integerTextSchema,
  MAX_ID,
  noteText,
  reasonText,
  searchedTextSchema,
} from "#worker/api/primitives.ts";
import { totalIsExactSchema } from "./list-messages.ts";
import {
  billingCustomerId,
  billingPeriod,
  customerChangeFields,
  expectedVersion,
  hasSinglePriceReductionOrNone,
  pickDefined,
  rentalChangeShape,
  rentalRequestShape,
  SINGLE_PRICE_REDUCTION,
  saleCustomerSchema,
  saleShape,
  toAddressContractData,
  toBilling,
  toRequestedDiscount,
  totalPriceOverrideSchema,
} from "./request-messages.ts";
import {
  payerShape,
  reservationQuoteSchema as quotedParts,
  reservationHistoryEntrySchema,
  toDraftQuoteMessage,
  toHistoryEntryMessage,
} from "./reservation-messages.ts";
import { checkCursorMatchesSort, createSortFields, sortedIdCursorField } from "./sort-messages.ts";

const CIVIL_MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?$/;

/** Date and time, on the account's clock unless it has an offset. */
const moment = z
  .string("must be a date and time")
  .transform((value, context) => {
    const at = parseTimestamp(value);
    if (at !== undefined) return { at };
    const [, day = "", clock = ""] = CIVIL_MOMENT.exec(value) ?? [];
    const [date, time] = [parseCivilDate(day), parseTimeText(clock)];
    if (date && time) return { minute: toCivilMinute(date, time) };
    context.addIssue(createProblemIssue("moment"));
    return z.NEVER;
  })
  .meta({
    type: "string",
    example: "2030-06-01T18:00",
    description: "Date and time, on the account's clock unless it has an offset",
  });

const hold = z.boolean("must be true or false").meta({ description: "Whether it reserves stock until it expires" });

export const quoteParams = z.object({ id: integerTextSchema(MAX_ID, 1).meta({ type: "integer", example: 1 }) });

// A quote can't offer more than is free, so it has no members to accept a shortage.
const { accept_shortage: _shortage, reason: _shortageReason, ...quotedRental } = rentalRequestShape;

export const newQuoteBody = z
  .strictObject({
    ...quotedRental,
    customer: saleCustomerSchema,
    valid_until: moment,
    hold: hold.default(false),
  })
  .refine(hasSinglePriceReductionOrNone, SINGLE_PRICE_REDUCTION);
export type NewQuoteRequest = z.input<typeof newQuoteBody>;

const { transfer: _transfer, ...rentalChanges } = rentalChangeShape;
const changes = {
  ...rentalChanges,
  sales_channel_code: rentalRequestShape.sales_channel_code,
  customer_language: saleShape.customer_language,
  status: saleShape.status.unwrap().optional(),
  price_override: totalPriceOverrideSchema.nullish().meta({ description: "null: none any more" }),
  agent_id: saleShape.agent_id,
  notes: noteText(2000).nullish().meta({ description: "null: none any more" }),
  rule_reason: rentalRequestShape.rule_reason,
  billing_customer_id: billingCustomerId,
  billing_period: billingPeriod,
  confirm_do_not_rent: saleShape.confirm_do_not_rent,
  confirm_new: saleShape.confirm_new,
  customer: z
    .strictObject({ id: z.int().min(1).optional(), ...customerChangeFields }, "must be an object")
    .optional()
    .meta({ description: "Another customer by id, or the changed fields" }),
  valid_until: moment.optional(),
  hold: hold.optional(),
};

export const quoteChangeBody = z
  .strictObject({ expected_version: expectedVersion, ...changes })
  .refine(hasSinglePriceReductionOrNone, SINGLE_PRICE_REDUCTION);
export type QuoteChangeRequest = z.input<typeof quoteChangeBody>;
export const quoteDuplicateBody = z.strictObject(changes).refine(hasSinglePriceReductionOrNone, SINGLE_PRICE_REDUCTION);
export type QuoteDuplicateRequest = z.input<typeof quoteDuplicateBody>;
export const quoteSendBody = z.strictObject({
  expected_version: expectedVersion.optional(),
  email: emailAddressSchema().optional().meta({ description: "Another address than the customer's, for this mail" }),
});
export type QuoteSendRequest = z.input<typeof quoteSendBody>;
export const quoteDeclineBody = z.strictObject({
  expected_version: expectedVersion.optional(),
  reason: reasonText(500),
});
export type QuoteDeclineRequest = z.input<typeof quoteDeclineBody>;

/** Filters of the list of quotes and of its table. */
export const quoteFilters = z.object({
  status: z.enum(QUOTE_STATUSES, `must be one of ${QUOTE_STATUSES.join(", ")}`).optional(),
  q: searchedTextSchema(100).optional().meta({ description: "Any part of the number, name, mail, phone or document" }),
  customer_id: integerTextSchema(MAX_ID, 1).meta({ type: "integer" }).optional(),
  ...createSortFields("quotes"),
});
export const quotesQuery = quoteFilters
  .extend({ page_size: integerTextSchema(200, 1).default(50), after: sortedIdCursorField.optional() })
  .superRefine(checkCursorMatchesSort);

type Changes = Omit<z.output<typeof quoteChangeBody>, "expected_version">;

/** Converts the changes of a quote, or returns the field with excessive precision. */
export function toQuoteChange(body: Changes, decimals: number): QuoteChange | { readonly field: string } {
  const discount = toRequestedDiscount(body.discount, decimals);
  if ("field" in discount) return discount;
  const { price_override: by } = body;
  const totalCents = by ? parseAmount(by.total_cost, decimals) : undefined;
  if (by && totalCents === undefined) return { field: "price_override.total_cost" };
  const billing = toBilling(body);
  return pickDefined({
    period: pickDefined({
      dateFrom: body.date_from,
      timeFrom: body.time_from,
      dateTo: body.date_to,
      timeTo: body.time_to,
    }),
    ...toRentalChange(body),
    customer: body.customer && toCustomerChange(body.customer),
    sale: pickSet(
      { ...body, billing },
      {
        billing: ["billing", billing],
        confirm_do_not_rent: ["isDoNotRentConfirmed", body.confirm_do_not_rent],
        confirm_new: ["isNewConfirmed", body.confirm_new],
        discount: ["discount", discount.discount],
        price_override: [
          "priceOverride",
          by && totalCents !== undefined ? { totalCents, reason: by.reason } : undefined,
        ],
        customer_language: ["language", body.customer_language],
        status: ["status", body.status],
        agent_id: ["agentId", body.agent_id],
        notes: ["comments", body.notes ?? undefined],
        rule_reason: ["ruleReason", body.rule_reason],
        customer: ["contractData", toAddressContractData(body.customer?.address)],
      },
    ),
  }) as QuoteChange;
}

function toRentalChange(body: Changes) {
  const rental = pickSet(body, {
    pickup_place: ["pickupPlaceId", body.pickup_place],
    return_place: ["returnPlaceId", body.return_place],
    sales_channel_code: ["salesChannel", body.sales_channel_code],
    driver_age: ["driverAge", body.driver_age],
    promotion_code: ["promotionCode", body.promotion_code || undefined],
  });
  return pickDefined({ rental, categoryCode: body.category_code, quantity: body.quantity, extras: body.extras });
}

function toCustomerChange(item: NonNullable<Changes["customer"]>): QuoteChange["customer"] {
  const { id, name, surname, email, phone, document_id: documentId } = item;
  return pickSet(item, {
    id: ["id", id],
    name: ["name", name],
    surname: ["surname", surname],
    email: ["email", email ?? undefined],
    phone: ["phone", phone ?? undefined],
    document_id: ["documentId", documentId ?? undefined],
  });
}

// Returns the members that the body contains, including those set to `null`. Undefined if there are none.
function pickSet(
  body: object,
  members: Readonly<Record<string, readonly [name: string, value: unknown]>>,
): Record<string, unknown> | undefined {
  const set = Object.entries(members).filter(([field]) => (body as Record<string, unknown>)[field] !== undefined);
  return set.length === 0 ? undefined : Object.fromEntries(set.map(([, member]) => member));
}

const quoteMessage = quotedParts
  .extend({
    id: z.int(),
    number: z.string().meta({ example: "Q2026-0042" }),
    status: z.enum(QUOTE_STATUSES),
    version: z.int(),
    link: z.string().meta({ description: "Page for the customer" }),
    valid_until: timestampTextSchema,
    hold: z.boolean(),
    reservation_id: z.int().nullable().meta({ description: "Reservation made from it" }),
    pickup_place_id: z.int(),
    return_place_id: z.int(),
    rental_location_code: z.string(),
    return_rental_location_code: z.string(),
    customer: z.object({
      id: z.int().nullable(),
      name: z.string(),
      surname: z.string(),
      email: nullableText,
      phone: nullableText,
      document_id: nullableText,
    }),
    customer_language: z.string(),
    ...payerShape,
    driver_age: z.int().nullable(),
    notes: nullableText,
    sent: timestampTextSchema.nullable(),
    sent_to: nullableText,
    decided: timestampTextSchema.nullable().meta({ description: "When it was accepted or declined" }),
    decline_reason: nullableText,
    sold_out: timestampTextSchema
      .nullable()
      .meta({ description: "When an acceptance failed because the vehicle was no longer available" }),
    created: timestampTextSchema,
    created_by: nullableText,
    allowed: z.array(z.enum(QUOTE_ACTIONS)),
  })
  .meta({ id: "CustomerQuote" });

export const quoteAnswer = z
  .object({ quote: quoteMessage, history: z.array(reservationHistoryEntrySchema) })
  .meta({ id: "QuoteWithHistory" });
export type QuoteDetailMessage = z.output<typeof quoteAnswer>;

export const quoteList = z.object({
  data: z.array(quoteMessage),
  total: z.int(),
  total_is_exact: totalIsExactSchema,
  next: z.string().nullable().meta({ description: "`after` of the next page" }),
});

export type QuoteListMessage = z.output<typeof quoteList>;

/** Stored quote with the data that its API messages need. */
interface StoredQuote {
  readonly status: QuoteStatus;
  readonly allowed: readonly QuoteAction[];
  readonly link: string;
  readonly row: {
    readonly id: number;
    readonly year: number;
    readonly sequence: number;
    readonly version: number;
    readonly validUntil: number;
    readonly holds: boolean;
    readonly bookingId: number | null;
    readonly offer: StorableDraft;
    readonly request: {
      readonly comments?: string | undefined;
      readonly contractData: ContractData;
      readonly billing?: RequestedPayerAndInvoicing | undefined;
    };
    readonly customerId: number | null;
    readonly customerName: string;
    readonly customerSurname: string;
    readonly customerEmail: string | null;
    readonly customerPhone: string | null;
    readonly customerDocumentId: string | null;
    readonly customerLanguage: string;
    readonly sentAt: number | null;
    readonly sentTo: string | null;
    readonly decidedAt: number | null;
    readonly declineReason: string | null;
    readonly soldOutAt: number | null;
    readonly createdAt: number;
    readonly createdBy: string;
    readonly createdByName: string | null;
    readonly discountByName: string | null;
  };
}

/** Converts a quote. */
export function toQuoteMessage(
  { row, status, allowed, link }: StoredQuote,
  messageFormat: MessageFormat,
): z.output<typeof quoteMessage> {
  const instant = (at: number | null) => (at === null ? null : messageFormat.timestamp(at));
  const { terms, discount } = row.offer;
  const offer = discount ? addDiscountAuthorName(row.offer, { [discount.by]: row.discountByName }) : row.offer;
  return {
    id: row.id,
    number: formatQuoteNumber(row),
    status,
    version: row.version,
    link,
    ...toDraftQuoteMessage(offer, messageFormat),
    valid_until: messageFormat.timestamp(row.validUntil),
    hold: row.holds,
    reservation_id: row.bookingId,
    pickup_place_id: terms.pickupPlace.id,
    return_place_id: terms.returnPlace.id,
    rental_location_code: terms.pickupBranch.code,
    return_rental_location_code: terms.returnBranch.code,
    customer: {
      id: row.customerId,
      name: row.customerName,
      surname: row.customerSurname,
      email: row.customerEmail,
      phone: row.customerPhone,
      document_id: row.customerDocumentId,
    },
    customer_language: row.customerLanguage,
    billing_customer_id: row.request.billing?.customerId ?? null,
    billing_period: row.request.billing?.period ?? null,
    driver_age: terms.driverAge ?? null,
    notes: row.request.comments ?? null,
    sent: instant(row.sentAt),
    sent_to: row.sentTo,
    decided: instant(row.decidedAt),
    decline_reason: row.declineReason,
    sold_out: instant(row.soldOutAt),
    created: messageFormat.timestamp(row.createdAt),
    created_by: row.createdByName ?? row.createdBy,
    allowed: [...allowed],
  };
}

interface StoredQuoteHistory {
  readonly at: number;
  readonly actor: string;
  readonly staffName: string | null;
  readonly event: string;
  readonly detail: string;
}

const MOMENTS: ReadonlySet<string> = new Set(["validUntil"]);

/** Converts a history entry of a quote. Amounts and times are stored as numbers. */
export function toQuoteHistoryMessage(
  entry: StoredQuoteHistory,
  messageFormat: MessageFormat,
): z.output<typeof reservationHistoryEntrySchema> {
  const formattedDetail = JSON.parse(entry.detail, (name: string, value: unknown) => {
    if (typeof value !== "number") return value;
    if (name === "total") return toAmount(value, messageFormat.decimals);
    return MOMENTS.has(name) ? messageFormat.timestamp(value) : value;
  }) as object;
  return toHistoryEntryMessage({ ...entry, detail: JSON.stringify(formattedDetail) }, messageFormat);
}

/** Converts a quote with its history. */
export function toQuoteDetailMessage(
  answer: StoredQuote & { readonly history: readonly StoredQuoteHistory[] },
  messageFormat: MessageFormat,
): QuoteDetailMessage {
  return {
    quote: toQuoteMessage(answer, messageFormat),
    history: answer.history.map((entry) => toQuoteHistoryMessage(entry, messageFormat)),
  };
}

/** Converts a query to the filter of quotes. */
export function toQuoteFilter(query: Omit<z.output<typeof quoteFilters>, "sort">) {
  return { status: query.status ?? query.view, text: query.q, customerId: query.customer_id };
}
