import { z } from "zod";
import { BOOKING_STATUSES } from "#domain/bookings/bookings.ts";
import type { RequestedDiscount } from "#domain/bookings/discounts.ts";
import type { RentalRequest } from "#domain/bookings/rental-terms.ts";
import type { RequestedContractChange } from "#domain/contracts/change.ts";
import type { ActionRequest } from "#domain/contracts/plan.ts";
import type {
  RequestedPayerAndInvoicing,
  ReservationDetailsChange,
  ReservationRequest,
  StaffSale,
} from "#domain/contracts/requests.ts";
import { parseAmount } from "#domain/money.ts";
import { createProblem, type Problem } from "#domain/problems.ts";
import {
  birthDate,
  civilDateSchema,
  commaSeparatedIdsSchema,
  countryTextSchema,
  createCrossFieldRuleOptions,
  createRefineOptions,
  documentNumber,
  emailAddressSchema,
  integerTextSchema,
  isPercentage,
  languageCode,
  MAX_ID,
  mapNamesToSchemas,
  noteText,
  PERCENTAGE_RANGE,
  pastedCodeSchema,
  personName,
  phoneNumber,
  promotionCode,
  reasonText,
  searchedTextSchema,
  textLineSchema,
  timeTextSchema,
} from "#worker/api/primitives.ts";
import {
  type CursorParser,
  createMultiValueCursorParser,
  createSingleValueCursorParser,
  parseCursorId,
} from "./cursor-messages.ts";
import { checkCursorMatchesSort, createSortedCursorField, createSortFields } from "./sort-messages.ts";
import { toTransferChange, transferChangeSchema } from "./transfer-messages.ts";

const MAX_AGE_YEARS = 130;

const id = integerTextSchema(MAX_ID, 1).meta({ type: "integer", example: 1 });
export const reservationParams = z.object({ id });
export const paymentLinkParams = z.object({ id, link_id: id });

/** Place id, as a number or as decimal text. */
const place = z
  .union([z.int(), integerTextSchema(MAX_ID)], "must be a place identifier, a whole number")
  .meta({ type: "integer", example: 1 });

const quantity = z.int("must be a whole number").min(1, "must be at least 1").max(999, "must be at most 999");
const extra = z.strictObject(
  { code: textLineSchema(30), quantity: integerUpTo(999).default(1) },
  "must be an object with a code",
);
/** Extras with quantities, at most 50. */
export const rentalExtraChoices = z.array(extra, "must be an array").max(50, "must have at most 50 extras");
const age = integerUpTo(MAX_AGE_YEARS);

function integerUpTo(max: number) {
  return z.int("must be a whole number").min(0, "must be at least 0").max(max, `must be at most ${max}`);
}

export const reservationNotes = noteText(2000);
/** Amount that may be zero. Its precision is checked when it is parsed. */
export const amountText = z
  .string("must be a decimal number in a text")
  .refine((text) => parseAmount(text, 3) !== undefined, createRefineOptions("money"))
  .meta({ type: "string", pattern: "^\\d+(\\.\\d+)?$", example: "120.00" });

const ADDRESS_PARTS = ["street", "number", "complement", "city", "state", "country", "zip"] as const;
const address = createAddressSchema((schema) => schema.optional());

function createAddressSchema<Part extends z.ZodType>(toPart: (schema: z.ZodType<string, string>) => Part) {
  const kinds = { zip: pastedCodeSchema(100), country: countryTextSchema(100) };
  const parts = mapNamesToSchemas(ADDRESS_PARTS, (name) =>
    toPart(name === "zip" || name === "country" ? kinds[name] : textLineSchema(100)),
  );
  return z.strictObject(parts, "must be an object").meta({ description: ADDRESS_PARTS.join(", ") });
}

const customerFields = {
  name: personName(100).optional(),
  surname: personName(100).optional(),
  email: emailAddressSchema().optional(),
  phone: phoneNumber(30).optional(),
  document_id: documentNumber(50).optional(),
  address: address.optional(),
};
/** Fields of an existing person. Null empties an optional field. */
export const customerChangeFields = {
  ...customerFields,
  email: customerFields.email.nullable(),
  phone: customerFields.phone.nullable(),
  document_id: customerFields.document_id.nullable(),
  address: createAddressSchema((schema) => schema.nullish()).optional(),
};
/** Customer: an existing one by id, or a new person. */
export const saleCustomerSchema = z
  .strictObject({ id: z.int("must be a whole number").min(1).optional(), ...customerFields }, "must be an object")
  .refine(({ id, name }) => id !== undefined || name !== undefined, {
    ...createRefineOptions("missing"),
    ...createCrossFieldRuleOptions(["name", "id"]),
  })
  .refine(({ id, surname }) => id !== undefined || surname !== undefined, {
    ...createRefineOptions("missing"),
    ...createCrossFieldRuleOptions(["surname", "id"]),
  });

/** Total that staff agreed instead of the catalogue's price, with the reason. */
export const totalPriceOverrideSchema = z.strictObject(
  { total_cost: amountText, reason: reasonText(500) },
  "must be an object with total_cost and reason",
);

/** Discount of a reservation. The precision of an amount is checked when it is parsed. */
export const requestedDiscountSchema = z
  .strictObject(
    {
      kind: z.enum(["percentage", "amount"], "must be percentage or amount"),
      value: z
        .string("must be a decimal number in a text")
        .meta({ type: "string", pattern: "^\\d+(\\.\\d+)?$", example: "120.00" }),
      reason: reasonText(500),
    },
    "must be an object with kind, value and reason",
  )
  .refine(({ kind, value }) => kind === "percentage" || parseAmount(value, 3) !== undefined, {
    ...createRefineOptions("money"),
    ...createCrossFieldRuleOptions(["value"]),
  })
  .refine(({ kind, value }) => kind !== "percentage" || isPercentage(value), {
    ...PERCENTAGE_RANGE,
    ...createCrossFieldRuleOptions(["value", "kind"]),
  })
  .nullable()
  .meta({ description: "Taken from products and extras. null: none" });

/** Converts a discount, or returns the field with excessive precision. */
export function toRequestedDiscount(
  message: z.output<typeof requestedDiscountSchema> | undefined,
  decimals: number,
): { readonly discount: RequestedDiscount | null | undefined } | { readonly field: string } {
  if (!message) return { discount: message };
  const value = parseAmount(message.value, message.kind === "percentage" ? 2 : decimals);
  if (value === undefined) return { field: "discount.value" };
  return { discount: { kind: message.kind, value, reason: message.reason } };
}

/** Id of the customer who pays. */
export const billingCustomerId = z
  .int("must be a whole number")
  .min(1, "must be at least 1")
  .nullish()
  .meta({ description: "Customer who pays and is invoiced instead of the driver. null: the reservation's customer" });
/** Invoicing period. */
export const billingPeriod = z
  .enum(["month"], "must be month or null")
  .nullish()
  .meta({ description: "`month`: invoiced each month instead of at the end" });

/** Converts the payer and the invoicing period. Undefined if neither is given. */
export function toBilling(body: {
  readonly billing_customer_id?: number | null | undefined;
  readonly billing_period?: "month" | null | undefined;
}): RequestedPayerAndInvoicing | undefined {
  const { billing_customer_id: customerId, billing_period: period } = body;
  return customerId === undefined && period === undefined ? undefined : { customerId, period };
}

const acceptShortage = z
  .boolean("must be true or false")
  .optional()
  .meta({ description: "true: a manager sells more than there is. Needs a reason" });

/** Fields of a request that may sell more units than are free. */
interface ShortageFields {
  readonly accept_shortage?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** Whether a request to sell more units than are free has a reason. */
export const hasReasonIfShortageAccepted = ({ accept_shortage: accepted, reason: shortageReason }: ShortageFields) =>
  accepted !== true || shortageReason !== undefined;
/** Error options for a missing reason of an accepted shortage. */
export const SHORTAGE_REASON_REQUIRED = {
  ...createRefineOptions("missing"),
  ...createCrossFieldRuleOptions(["reason", "accept_shortage"]),
};

/** Returns the reason for selling more units than are free. Undefined if the request doesn't allow this. */
export function toShortageReason({
  accept_shortage: accepted,
  reason: shortageReason,
}: ShortageFields): string | undefined {
  return accepted ? shortageReason : undefined;
}

/** Whether a request gives a discount or a manual price, not both. `null` removes one. */
export const hasSinglePriceReductionOrNone = (body: {
  readonly discount?: object | null | undefined;
  readonly price_override?: object | null | undefined;
}) => !(body.discount && body.price_override);
/** Error options for a discount together with a manual price. */
export const SINGLE_PRICE_REDUCTION = {
  ...createRefineOptions("at_most_one_of", "discount, price_override"),
  ...createCrossFieldRuleOptions(["discount", "price_override"]),
};

/** Fields of a sold rental or transfer, in addition to the product and the customer. */
export const saleShape = {
  accept_shortage: acceptShortage,
  reason: reasonText(500).optional().meta({ description: "Why more is sold than there is" }),
  billing_customer_id: billingCustomerId,
  customer_language: languageCode.optional(),
  status: z
    .enum(["confirmed", "pending_confirmation"], "must be confirmed or pending_confirmation")
    .default("confirmed"),
  price_override: totalPriceOverrideSchema.optional(),
  agent_id: z.int().min(1).optional().meta({ description: "Agent who earns the commission" }),
  notes: reservationNotes.optional(),
  confirm_do_not_rent: z
    .boolean("must be true or false")
    .optional()
    .meta({ description: "Sells to a customer marked `do_not_rent`. For managers" }),
  confirm_new: z
    .boolean("must be true or false")
    .optional()
    .meta({ description: "Makes a new customer although others have the same document, email or phone number" }),
};

/** Members of a request for a rental. */
export const rentalRequestShape = {
  date_from: civilDateSchema,
  time_from: timeTextSchema,
  date_to: civilDateSchema,
  time_to: timeTextSchema,
  pickup_place: place,
  return_place: place,
  category_code: textLineSchema(30),
  quantity: quantity.default(1),
  extras: rentalExtraChoices.default([]),
  driver_age: age.optional(),
  sales_channel_code: textLineSchema(30).optional(),
  promotion_code: promotionCode(30).optional(),
  ...saleShape,
  rule_reason: reasonText(500).optional(),
  discount: requestedDiscountSchema.optional(),
  billing_period: billingPeriod,
};

export const reservationBody = z
  .strictObject({ ...rentalRequestShape, customer: saleCustomerSchema })
  .refine(hasReasonIfShortageAccepted, SHORTAGE_REASON_REQUIRED)
  .refine(hasSinglePriceReductionOrNone, SINGLE_PRICE_REDUCTION);
export type NewReservationRequest = z.input<typeof reservationBody>;
/** Reservation in which the customer is optional. */
export const reservationQuoteBody = z
  .strictObject({ ...rentalRequestShape, customer: saleCustomerSchema.optional() })
  .refine(hasSinglePriceReductionOrNone, SINGLE_PRICE_REDUCTION);
export type SaleQuoteRequest = z.input<typeof reservationQuoteBody>;

type QuoteBody = z.output<typeof reservationQuoteBody>;

/** Converts the body to a reservation request, or returns the field with excessive precision, if any. */
export function toReservationRequest(
  body: z.output<typeof reservationBody>,
  decimals: number,
): ReservationRequest | { readonly field: string } {
  const rentalRequest = toReservationQuoteRequest(body, decimals);
  return "field" in rentalRequest ? rentalRequest : { ...rentalRequest, customer: toSaleCustomer(body.customer) };
}

export function toReservationQuoteRequest(
  body: QuoteBody,
  decimals: number,
): Omit<ReservationRequest, "customer"> | { readonly field: string } {
  const sale = toStaffSaleRequest(body, decimals);
  if ("field" in sale) return sale;
  const converted = toRequestedDiscount(body.discount, decimals);
  if ("field" in converted) return converted;
  return {
    ...sale,
    ...converted,
    customerId: body.customer?.id,
    rental: toRental(body),
    products: [{ code: body.category_code, quantity: body.quantity }],
    extras: body.extras.filter((extra) => extra.quantity > 0),
    ruleReason: body.rule_reason,
  };
}

/** Converts the sale fields except the product, or returns the field with excessive precision, if any. */
export function toStaffSaleRequest(
  body: Pick<QuoteBody, keyof typeof saleShape | "customer"> & Partial<Pick<QuoteBody, "billing_period">>,
  decimals: number,
): Omit<StaffSale, "customer"> | { readonly field: string } {
  const { price_override: by } = body;
  const totalCents = by && parseAmount(by.total_cost, decimals);
  if (by && totalCents === undefined) return { field: "price_override.total_cost" };
  return {
    contractData: toAddressContractData(body.customer?.address),
    language: body.customer_language,
    status: body.status,
    priceOverride: by && totalCents !== undefined ? { totalCents, reason: by.reason } : undefined,
    comments: body.notes,
    agentId: body.agent_id,
    isDoNotRentConfirmed: body.confirm_do_not_rent,
    billing: toBilling(body),
    shortageReason: toShortageReason(body),
    isNewConfirmed: body.confirm_new,
  };
}

function toRental(body: QuoteBody): RentalRequest {
  return {
    period: { dateFrom: body.date_from, timeFrom: body.time_from, dateTo: body.date_to, timeTo: body.time_to },
    pickupPlaceId: body.pickup_place,
    returnPlaceId: body.return_place,
    salesChannel: body.sales_channel_code,
    driverAge: body.driver_age,
    promotionCode: body.promotion_code || undefined,
  };
}

/** Converts the customer of a sale. */
export function toSaleCustomer(item: z.output<typeof saleCustomerSchema>): StaffSale["customer"] {
  return {
    ...(item.id !== undefined && { id: item.id }),
    name: item.name ?? "",
    surname: item.surname ?? "",
    email: item.email,
    phone: item.phone,
    documentId: item.document_id,
  };
}

/** Converts an address to contract data. */
export function toAddressContractData(
  parts: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, string>> {
  const customerFields = Object.entries(parts ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(customerFields.map(([part, value]) => [`customer_address_${part}`, value]));
}

/** Converts changed contract data to its internal names. `null` empties a field. */
function toDataChange(prefix: string, parts: Readonly<Record<string, unknown>> | undefined) {
  const isTextEntry = (entry: [string, unknown]): entry is [string, string | null] =>
    entry[1] === null || typeof entry[1] === "string";
  const customerFields = Object.entries(parts ?? {}).filter(isTextEntry);
  return Object.fromEntries(customerFields.map(([part, value]) => [`${prefix}_${part}`, value]));
}

export const expectedVersion = z
  .int("must be the version that this was decided on")
  .min(1, "must be at least 1")
  .meta({ description: "Version that was read. 409 changed_meanwhile if outdated" });
/** Text that explains why staff act. */
export const reasonForActionSchema = reasonText(500);

const driver = z.strictObject(
  {
    name: personName(100).nullish(),
    surname: personName(100).nullish(),
    document_id: documentNumber(100).nullish(),
    date_of_birth: birthDate.nullish(),
    driving_license_number: pastedCodeSchema(100).nullish(),
    driving_license_date: civilDateSchema.nullish(),
  },
  "must be an object",
);

/** Members of a request to change a rental. */
export const rentalChangeShape = {
  date_from: civilDateSchema.optional(),
  time_from: timeTextSchema.optional(),
  date_to: civilDateSchema.optional(),
  time_to: timeTextSchema.optional(),
  pickup_place: place.optional(),
  return_place: place.optional(),
  category_code: textLineSchema(30).optional(),
  quantity: quantity.optional(),
  extras: rentalExtraChoices.optional().meta({ description: "Full list. Missing entries are removed" }),
  promotion_code: promotionCode(30).optional().meta({ description: "Empty: none any more" }),
  driver_age: age.optional(),
  transfer: transferChangeSchema.optional(),
  discount: requestedDiscountSchema.optional(),
};

const ruleReason = reasonText(500).optional().meta({ description: "Reason for overriding a selling rule" });

export const reservationChangeBody = z
  .strictObject({
    expected_version: expectedVersion,
    ...rentalChangeShape,
    customer: z
      .strictObject({ id: z.int().min(1).optional(), ...customerChangeFields }, "must be an object")
      .optional()
      .meta({ description: "Changed fields. null empties a field, except names" }),
    driver: driver.optional().meta({ description: "Same data of the driver" }),
    notes: reservationNotes.nullish().meta({ description: "null: none any more" }),
    billing_customer_id: billingCustomerId,
    billing_period: billingPeriod,
    confirm_do_not_rent: saleShape.confirm_do_not_rent,
    accept_shortage: acceptShortage,
    reason: reasonForActionSchema.optional(),
    rule_reason: ruleReason,
  })
  .refine(hasReasonIfShortageAccepted, SHORTAGE_REASON_REQUIRED);
export type ReservationChangeRequest = z.input<typeof reservationChangeBody>;

export const confirmBody = z.strictObject({
  expected_version: expectedVersion,
  reason: reasonForActionSchema.optional(),
});
export type ConfirmRequest = z.input<typeof confirmBody>;
export const cancelBody = z.strictObject({
  expected_version: expectedVersion,
  reason: reasonForActionSchema,
  fee: amountText.optional().meta({ description: "Another fee than that of the terms" }),
});
export type CancelRequest = z.input<typeof cancelBody>;
export const noShowBody = z.strictObject({
  expected_version: expectedVersion,
  reason: reasonForActionSchema.optional(),
  fee: amountText.optional().meta({ description: "Another fee than that of the terms" }),
});
export type NoShowRequest = z.input<typeof noShowBody>;
const returnShape = {
  expected_version: expectedVersion,
  date_to: civilDateSchema,
  time_to: timeTextSchema,
  reason: reasonForActionSchema.optional(),
};
export const earlyReturnBody = z
  .strictObject({
    ...returnShape,
    date_to: civilDateSchema.optional().meta({ description: "Day of the return. With `time_to`, or neither for now" }),
    time_to: timeTextSchema.optional(),
  })
  .refine(({ date_to, time_to }) => (date_to === undefined) === (time_to === undefined), {
    ...createRefineOptions("missing"),
    ...createCrossFieldRuleOptions(["time_to", "date_to"]),
  });
export type EarlyReturnRequest = z.input<typeof earlyReturnBody>;
export const extendBody = z
  .strictObject({ ...returnShape, accept_shortage: acceptShortage })
  .refine(hasReasonIfShortageAccepted, SHORTAGE_REASON_REQUIRED);
export type ExtendRequest = z.input<typeof extendBody>;
export const reopenBody = z.strictObject({ expected_version: expectedVersion, reason: reasonForActionSchema });
export type ReopenRequest = z.input<typeof reopenBody>;
/** Charge for damage or other costs found at the return or later. */
export const surchargeShape = {
  code: textLineSchema(30).meta({ description: "Code of the extra, sold or not" }),
  quantity: quantity.default(1),
  amount: amountText.optional().meta({ description: "Unit price, by default that of the extra" }),
  text: textLineSchema(200).optional().meta({ description: "Details, such as the number of a fine" }),
};
const damage = z.int().min(1).optional().meta({ description: "Number of the damage that it pays for" });
export const surchargeBody = z.strictObject({
  expected_version: expectedVersion,
  ...surchargeShape,
  damage,
  reason: reasonForActionSchema,
});
export type SurchargeRequest = z.input<typeof surchargeBody>;
export const vehicleAssignmentBody = z.strictObject({
  expected_version: expectedVersion,
  reference: z.union([textLineSchema(50), z.null()]),
  unit_id: z.int().min(1).optional(),
  reason: reasonForActionSchema.optional(),
});
export type VehicleAssignmentRequest = z.input<typeof vehicleAssignmentBody>;

/** Fields of an action that affect its quote. */
export const baseActionQuoteBody = z.object({
  move: z.enum(
    [
      ...["confirm", "change", "deliver", "collect", "extend", "early-return"],
      ...["exchange", "cancel", "no-show", "reopen", "surcharge"],
    ] as const,
    "must be confirm, change, deliver, collect, extend, early-return, exchange, cancel, no-show, reopen or surcharge",
  ),
  ...rentalChangeShape,
  fee: amountText.optional(),
  unit_id: z.int().min(1).optional(),
  upgrade_price: amountText.optional(),
  code: surchargeShape.code.optional(),
  amount: surchargeShape.amount,
  text: surchargeShape.text,
  rule_reason: ruleReason,
  accept_shortage: acceptShortage,
});

type ChangeBody = Omit<
  z.output<typeof reservationChangeBody>,
  | "expected_version"
  | "customer"
  | "driver"
  | "notes"
  | "reason"
  | "rule_reason"
  | "billing_customer_id"
  | "accept_shortage"
  | "billing_period"
  | "confirm_do_not_rent"
>;

/** Converts the requested changes of a reservation, or returns the field with excessive precision. */
export function toRequestedChange(body: ChangeBody, decimals: number): RequestedContractChange | Problem {
  const converted = toRequestedDiscount(body.discount, decimals);
  if ("field" in converted) return createProblem(converted.field, "too_fine");
  const period = pickDefined({
    dateFrom: body.date_from,
    timeFrom: body.time_from,
    dateTo: body.date_to,
    timeTo: body.time_to,
  });
  return pickDefined({
    period: Object.keys(period).length > 0 ? period : undefined,
    pickupPlaceId: body.pickup_place,
    returnPlaceId: body.return_place,
    categoryCode: body.category_code,
    quantity: body.quantity,
    extras: body.extras,
    promotionCode: body.promotion_code,
    driverAge: body.driver_age,
    discount: converted.discount,
  });
}

/** Removes undefined members. */
export function pickDefined<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}

/** Converts the changes that don't affect the price. */
export function toReservationDetailsChange({
  customer,
  driver: drives,
  notes: comments,
  ...terms
}: z.output<typeof reservationChangeBody>): ReservationDetailsChange {
  const { id: customerId, name, surname, email, phone, document_id: documentId } = customer ?? {};
  const customerChange = pickDefined({ id: customerId, name, surname, email, phone, documentId });
  const contractData = { ...toDataChange("customer_address", customer?.address), ...toDataChange("driver", drives) };
  return pickDefined({
    customer: Object.keys(customerChange).length > 0 ? customerChange : undefined,
    contractData: Object.keys(contractData).length > 0 ? contractData : undefined,
    comments,
    billing: toBilling(terms),
  });
}

/** Parses the fee. `isTooFine` if it has more decimals than the currency. */
export function parseFeeAmount(fee: string | undefined, decimals: number) {
  const feeCents = fee === undefined ? undefined : parseAmount(fee, decimals);
  return { feeCents, isTooFine: fee !== undefined && feeCents === undefined };
}

/** Converts a surcharge added after the end of a contract, or returns the field with excessive precision, if any. */
export function toSurcharge(
  { code, quantity: many, amount, text, damage }: Omit<z.output<typeof surchargeBody>, "expected_version" | "reason">,
  decimals: number,
): Extract<ActionRequest, { readonly action: "surcharge" }> | Problem {
  const { feeCents: unitCents, isTooFine } = parseFeeAmount(amount, decimals);
  if (isTooFine) return createProblem("amount", "too_fine");
  return { action: "surcharge", code, quantity: many, unitCents, text, damage };
}

function toQuotedSurcharge({ code, ...body }: Omit<z.output<typeof baseActionQuoteBody>, "move">, decimals: number) {
  if (code === undefined) return createProblem("code", "missing");
  return toSurcharge({ ...body, code, quantity: body.quantity ?? 1 }, decimals);
}

function toQuotedChange(
  body: Omit<z.output<typeof baseActionQuoteBody>, "move">,
  decimals: number,
): ActionRequest | Problem {
  const change = toRequestedChange(body, decimals);
  return "field" in change
    ? change
    : { action: "change", requestedChange: change, transfer: toTransferChange(body.transfer) };
}

// An early return without a time is one now.
function toQuotedReturnTime(
  action: "early-return" | "extend",
  { date_to: dateTo, time_to: timeTo }: Pick<z.output<typeof baseActionQuoteBody>, "date_to" | "time_to">,
): ActionRequest | Problem {
  if (dateTo && timeTo) return { action, to: { dateTo, timeTo } };
  if (action === "early-return" && !dateTo && !timeTo) return { action, to: undefined };
  return createProblem(dateTo ? "time_to" : "date_to", "missing");
}

/** Converts the action to quote, or returns the missing or invalid field, if any. */
export function toActionToQuote(
  body: Omit<z.output<typeof baseActionQuoteBody>, "move"> & {
    readonly move: Exclude<z.output<typeof baseActionQuoteBody>["move"], "deliver" | "collect">;
  },
  decimals: number,
): ActionRequest | Problem {
  const { move: action } = body;
  switch (action) {
    case "confirm":
    case "reopen":
      return { action };
    case "change":
      return toQuotedChange(body, decimals);
    case "early-return":
    case "extend":
      return toQuotedReturnTime(action, body);
    case "exchange": {
      const { feeCents: upgradeCents, isTooFine } = parseFeeAmount(body.upgrade_price, decimals);
      if (isTooFine) return createProblem("upgrade_price", "too_fine");
      return { action, unitId: body.unit_id, upgradeCents };
    }
    case "surcharge":
      return toQuotedSurcharge(body, decimals);
    case "cancel":
    case "no-show": {
      const { feeCents, isTooFine } = parseFeeAmount(body.fee, decimals);
      return isTooFine ? createProblem("fee", "too_fine") : { action, feeCents };
    }
  }
}

const flag = z.enum(["true", "false"], "must be true or false").transform((value) => value === "true");

/** Id filter. Has no example, because clients that follow the document would then request only one record. */
const anyId = integerTextSchema(MAX_ID, 1).meta({ type: "integer" });

/** Cursor of a page of reservations: an id, preceded by the pickup date and time in lists sorted by pickup. */
const parseReservationCursor: CursorParser<ReservationCursor> = (values) => {
  if (values.length > 1) return createMultiValueCursorParser({ pickup: cursorMinute, id: parseCursorId })(values);
  const id = createSingleValueCursorParser(parseCursorId)(values);
  return id === undefined ? undefined : { id, pickup: undefined };
};

interface ReservationCursor {
  readonly id: number;
  readonly pickup: string | undefined;
}

const cursorMinute = (text: string) => (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? text : undefined);

/** Filters of the list of reservations and of its table. */
export const reservationFilters = z.object({
  q: searchedTextSchema(100).optional(),
  status: z.enum(BOOKING_STATUSES, `must be one of ${BOOKING_STATUSES.join(", ")}`).optional(),
  date_from: civilDateSchema.optional(),
  date_to: civilDateSchema.meta({ example: "2030-06-30" }).optional(),
  return_from: civilDateSchema.optional().meta({ description: "First return date" }),
  return_to: civilDateSchema.optional().meta({ description: "Last return date" }),
  rental_location_code: textLineSchema(30).meta({ example: "PMI" }).optional(),
  category_code: textLineSchema(30).meta({ example: "ECON" }).optional(),
  customer_id: anyId.optional().meta({ description: "Branch of the contracts" }),
  ids: commaSeparatedIdsSchema,
  kind: z.enum(["rental", "transfer"], "must be rental or transfer").optional(),
  attention: flag.optional(),
  ...createSortFields("reservations"),
});
export const reservationsQuery = reservationFilters
  .extend({
    page_size: integerTextSchema(200, 1).default(50),
    after: createSortedCursorField(parseReservationCursor, parseCursorId).optional(),
  })
  .superRefine(checkCursorMatchesSort);

/** Converts a query to the filter of reservations. */
export function toReservationFilter(query: Omit<z.output<typeof reservationFilters>, "sort">) {
  return {
    text: query.q,
    status: query.status,
    kind: query.kind,
    dateFrom: query.date_from,
    dateTo: query.date_to,
    returnFrom: query.return_from,
    returnTo: query.return_to,
    branchCode: query.rental_location_code,
    categoryCode: query.category_code,
    customerId: query.customer_id,
    ids: query.ids,
    needsAttention: query.attention ?? query.view === "attention",
    view: query.view,
  };
}
