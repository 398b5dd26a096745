import { z } from "zod";
import { type Cents, parseAmount, sumCents, toAmount } from "#domain/money.ts";
import { PAYMENT_METHODS } from "#domain/payments/charges.ts";
import { CHARGE_METHOD_BY_ONLINE_METHOD, type OnlineMethod } from "#domain/payments/gateway-notices.ts";
import { integrationChargeDocumentSchema, toChargeDocumentMessage } from "#worker/api/integration/charge-messages.ts";
import { paymentMethodCode } from "#worker/api/integration/document-messages.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "#worker/api/integration/messages.ts";
import { createRefineOptions, decimalAmountSchema, integerTextSchema, textLineSchema } from "#worker/api/primitives.ts";
import type {
  BranchErpCodes,
  ChargeForIntegration,
  OfficeDocumentRow,
} from "#worker/usecases/reporting/read-models.ts";
import {
  createCursorField,
  createMultiValueCursorParser,
  idCursorField,
  parseCursorId,
  parseCursorNumber,
} from "./cursor-messages.ts";
import { officeDocumentSchema, toOfficeDocumentMessage } from "./document-messages.ts";
import { idParams } from "./money-messages.ts";
import { amountText } from "./request-messages.ts";

const positive = amountText.refine((value) => (parseAmount(value, 3) ?? 0) > 0, createRefineOptions("positive"));

export const refundBody = z
  .strictObject(
    {
      amount: positive.optional().meta({ description: "Amount, by default the whole refund due" }),
      payment_method_id: z
        .enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(", ")}`)
        .optional()
        .meta({ description: "Method, by default that of the payment" }),
      reason: textLineSchema(500),
      external_operation_number: textLineSchema(60)
        .optional()
        .meta({ description: "Reference of a refund already made. No gateway is called" }),
      by_hand: z.boolean("must be true or false").optional().meta({
        description: "A person gives it back: no gateway is asked",
      }),
    },
    "must be an object",
  )
  .meta({ id: "WantedRefund" });
export type ReservationRefundRequest = z.input<typeof refundBody>;

const gatewayRefund = z
  .object({
    id: z.int(),
    reservation_id: z.int(),
    payment_method_id: paymentMethodCode,
    order: z.string().meta({ description: "Gateway reference of the payment" }),
    amount: decimalAmountSchema,
    state: z.enum(["waiting", "sent", "done", "refused", "by_hand", "dropped"]),
    problem: nullableText.meta({ description: "Error of the gateway, or no_answer" }),
    reason: z.string(),
    requested_by: nullableText,
    requested_at: timestampTextSchema,
    sent_at: timestampTextSchema.nullable(),
    ended_at: timestampTextSchema.nullable(),
  })
  .meta({ id: "GatewayRefund" });

export const gatewayRefundAnswer = z.object({ gateway_refund: gatewayRefund });
const next = z.string().nullable().meta({ description: "`after` of the next page" });
const amount = decimalAmountSchema.meta({ description: "Total of all matches, on all pages" });
export const gatewayRefundList = z.object({ data: z.array(gatewayRefund), total: z.int(), amount, next });
export type GatewayRefundListMessage = z.output<typeof gatewayRefundList>;
export const gatewayRefundsQuery = z.object({
  reservation_id: idParams.shape.id
    .optional()
    .meta({ description: "Refunds of this reservation. Without it, all that are not settled" }),
  page_size: integerTextSchema(200, 1).default(50),
  after: idCursorField.optional(),
});
export const pendingRefundsQuery = z.object({
  page_size: integerTextSchema(200, 1).default(50),
  after: createCursorField(createMultiValueCursorParser({ at: parseCursorNumber, id: parseCursorId })).optional(),
});

export const manualRefundBody = z
  .strictObject(
    {
      payment_method_id: z
        .enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(", ")}`)
        .optional()
        .meta({ description: "Method of the refund, by default on the gateway's own pages" }),
      external_operation_number: textLineSchema(60).optional(),
    },
    "must be an object",
  )
  .meta({ id: "RefundByHand" });

const refund = z
  .object({
    id: z.int().nullable().meta({ description: "Refund that needs approval" }),
    reservation_id: z.int(),
    state: z.enum(["done", "waiting", "approved", "declined", "at_gateway", "refused"]).meta({
      description: "`at_gateway`: requested, result unknown. `refused`: refused by the gateway",
    }),
    amount: decimalAmountSchema,
    payment_method_id: paymentMethodCode,
    reason: nullableText,
    requested_by: nullableText,
    requested_at: timestampTextSchema.nullable(),
    decided_by: nullableText,
    decided_at: timestampTextSchema.nullable(),
    at_gateways: z.array(gatewayRefund).meta({ description: "Refunds requested at gateways" }),
  })
  .meta({ id: "Refund" });

export const refundAnswer = z
  .object({ refund, documents: z.array(officeDocumentSchema), charges: z.array(integrationChargeDocumentSchema) })
  .meta({ id: "RefundWithDocuments" });
export const refundList = z.object({ data: z.array(refund), total: z.int(), amount, next });
export type RefundListMessage = z.output<typeof refundList>;

interface StoredRefund {
  readonly request: {
    readonly id: number;
    readonly bookingId: number;
    readonly state: "waiting" | "approved" | "declined";
    readonly amountCents: Cents;
    readonly paymentMethodId: string;
    readonly reason: string | null;
    readonly requestedAt: number;
    readonly decidedAt: number | null;
  };
  readonly requestedByName: string | null;
  readonly decidedByName: string | null;
  readonly atGateways?: readonly StoredGatewayRefund[];
}

interface StoredGatewayRefund {
  readonly refund: {
    readonly id: number;
    readonly bookingId: number;
    readonly amountCents: Cents;
    readonly state: z.output<typeof gatewayRefund>["state"];
    readonly problem: string | null;
    readonly reason: string;
    readonly requestedAt: number;
    readonly sentAt: number | null;
    readonly endedAt: number | null;
  };
  readonly method: OnlineMethod;
  readonly order: string;
  readonly requestedByName: string | null;
}

export function toGatewayRefundMessage({ refund: item, ...kept }: StoredGatewayRefund, messageFormat: MessageFormat) {
  const moment = (at: number | null) => (at === null ? null : messageFormat.timestamp(at));
  return {
    id: item.id,
    reservation_id: item.bookingId,
    payment_method_id: CHARGE_METHOD_BY_ONLINE_METHOD[kept.method],
    order: kept.order,
    amount: toAmount(item.amountCents, messageFormat.decimals),
    state: item.state,
    problem: item.problem,
    reason: item.reason,
    requested_by: kept.requestedByName,
    requested_at: messageFormat.timestamp(item.requestedAt),
    sent_at: moment(item.sentAt),
    ended_at: moment(item.endedAt),
  };
}

export function toRefundMessage(
  { request, ...kept }: StoredRefund,
  messageFormat: MessageFormat,
): z.output<typeof refund> {
  return {
    id: request.id,
    reservation_id: request.bookingId,
    state: request.state,
    amount: toAmount(request.amountCents, messageFormat.decimals),
    payment_method_id: request.paymentMethodId as z.output<typeof paymentMethodCode>,
    reason: request.reason,
    requested_by: kept.requestedByName,
    requested_at: messageFormat.timestamp(request.requestedAt),
    decided_by: kept.decidedByName,
    decided_at: request.decidedAt === null ? null : messageFormat.timestamp(request.decidedAt),
    at_gateways: (kept.atGateways ?? []).map((keptGatewayRefund) =>
      toGatewayRefundMessage(keptGatewayRefund, messageFormat),
    ),
  };
}

interface RefundWithDocuments {
  readonly bookingId: number;
  readonly request: StoredRefund["request"] | undefined;
  readonly requestedByName: string | null;
  readonly decidedByName: string | null;
  readonly atGateways: readonly StoredGatewayRefund[];
  readonly documents: readonly OfficeDocumentRow[];
  readonly charges: readonly ChargeForIntegration[];
  readonly codes: ReadonlyMap<string, BranchErpCodes>;
}

/**
 * Converts a refund and its resulting documents. A refund without a request was made at once or is being processed by
 * its gateways.
 */
export function toRefundWithDocumentsMessage(
  storedRefund: RefundWithDocuments,
  messageFormat: MessageFormat,
): z.output<typeof refundAnswer> {
  const { request, documents, charges, codes, atGateways } = storedRefund;
  const formatRefund = () =>
    atGateways.length > 0
      ? toRequestedRefundMessage(storedRefund, messageFormat)
      : toCompletedRefundMessage(storedRefund, messageFormat);
  return {
    refund: request ? toRefundMessage({ ...storedRefund, request }, messageFormat) : formatRefund(),
    documents: documents.map((document) => toOfficeDocumentMessage(document, codes, messageFormat)),
    charges: charges.map((charge) => toChargeDocumentMessage(charge, messageFormat)),
  };
}

const UNDECIDED = { id: null, requested_by: null, decided_by: null, decided_at: null };

function toRequestedRefundMessage(
  { bookingId, atGateways }: RefundWithDocuments,
  messageFormat: MessageFormat,
): z.output<typeof refund> {
  const at_gateways = atGateways.map((atGateway) => toGatewayRefundMessage(atGateway, messageFormat));
  const [first] = at_gateways;
  const cents = sumCents(atGateways.map((atGateway) => atGateway.refund.amountCents));
  return {
    ...UNDECIDED,
    reservation_id: bookingId,
    state: combineRefundStates(at_gateways.map(({ state }) => state)),
    amount: toAmount(cents, messageFormat.decimals),
    payment_method_id: first?.payment_method_id ?? "cash",
    reason: first?.reason ?? null,
    requested_at: first?.requested_at ?? null,
    at_gateways,
  };
}

function combineRefundStates(
  states: readonly z.output<typeof gatewayRefund>["state"][],
): z.output<typeof refund>["state"] {
  if (states.some((state) => state === "refused" || state === "dropped")) return "refused";
  return states.every((state) => state === "done" || state === "by_hand") ? "done" : "at_gateway";
}

function toCompletedRefundMessage(
  { bookingId, charges }: RefundWithDocuments,
  messageFormat: MessageFormat,
): z.output<typeof refund> {
  const refundCharge = charges.findLast((charge) => charge.paymentType === "payment" && charge.virtual !== true);
  return {
    ...UNDECIDED,
    reservation_id: bookingId,
    state: "done",
    amount: toAmount(refundCharge?.amountCents ?? 0, messageFormat.decimals),
    payment_method_id: (refundCharge?.paymentMethodId ?? "cash") as z.output<typeof paymentMethodCode>,
    reason: null,
    requested_at: refundCharge ? messageFormat.timestamp(refundCharge.date) : null,
    at_gateways: [],
  };
}
