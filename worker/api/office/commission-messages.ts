import { z } from "zod";
import { sumCents, toAmount } from "#domain/money.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";
import {
  civilDateSchema,
  createRefineOptions,
  decimalAmountSchema,
  integerTextSchema,
  MAX_ID,
} from "#worker/api/primitives.ts";
import { idCursorField } from "./cursor-messages.ts";
import { amountText, expectedVersion } from "./request-messages.ts";

const MAX_COMMISSIONS_PER_CALL = 200;
const id = integerTextSchema(MAX_ID, 1);

export const commissionsQuery = z.object({
  agent_id: id.optional(),
  settled: z
    .enum(["true", "false"], "must be true or false")
    .transform((value) => value === "true")
    .default(false)
    .meta({ type: "boolean" }),
  date_from: civilDateSchema.optional().meta({ description: "Date of the return" }),
  date_to: civilDateSchema.optional(),
  page_size: integerTextSchema(200, 1).default(50),
  after: idCursorField.optional(),
});

/** Converts the filters of the list of commissions. */
export function toCommissionSearch(query: Omit<z.output<typeof commissionsQuery>, "page_size" | "after">) {
  const { agent_id: agentId, settled: isSettled, date_from: dateFrom, date_to: dateTo } = query;
  return { agentId, isSettled, dateFrom, dateTo };
}

const sums = {
  agent_comission_base_amount: decimalAmountSchema,
  agent_comission_total: decimalAmountSchema,
  agent_comission_prepaid_amount: decimalAmountSchema.meta({ description: "Amount withheld by the agent" }),
  due: decimalAmountSchema.meta({
    description: "Amount to pay: earned less withheld. Negative if the agent owes money",
  }),
};

const commission = z
  .object({
    reservation_id: z.int(),
    kind: z.enum(["rental", "transfer"]),
    status: z.string(),
    customer_fullname: z.string(),
    date_from: z.string(),
    date_to: z.string(),
    rental_location_code: z.string(),
    agent_id: z.int().nullable(),
    agent_name: z.string(),
    ...sums,
    agent_comission_paid: z.boolean(),
    agent_comission_payment_date: z.string().nullable(),
  })
  .meta({ id: "Commission" });

export const commissionList = z.object({
  data: z.array(commission),
  sums: z.object(sums).meta({ description: "Sums of all matches" }),
  total: z.int(),
  next: z.string().nullable().meta({ description: "`after` of the next page" }),
});
export type CommissionListMessage = z.output<typeof commissionList>;
export const commissionsAnswer = z.object({ data: z.array(commission), sums: z.object(sums) });

const reservationIds = z
  .array(z.int("must be a whole number").min(1, "must be at least 1"), "must be a list of ids")
  .min(1, "must name at least one")
  .max(MAX_COMMISSIONS_PER_CALL, `must name at most ${MAX_COMMISSIONS_PER_CALL}`)
  .refine((ids) => new Set(ids).size === ids.length, createRefineOptions("twice"));

export const settleCommissionsBody = z.strictObject({
  agent_id: z.int("must be a whole number").min(1, "must be at least 1"),
  reservation_ids: reservationIds,
  date: civilDateSchema.optional().meta({ description: "Payment date, today by default" }),
});
export type SettleCommissionsRequest = z.input<typeof settleCommissionsBody>;
export const unsettleCommissionsBody = z.strictObject({ reservation_ids: reservationIds });
export type UnsettleCommissionsRequest = z.input<typeof unsettleCommissionsBody>;

export const reservationAgentBody = z.strictObject({
  expected_version: expectedVersion,
  agent_id: z.int().min(1).nullable().meta({ description: "null removes the agent", example: 1 }),
  agent_comission_prepaid_amount: amountText
    .default("0")
    .meta({ description: "Amount withheld by the agent. The customer no longer owes it" }),
});
export type ReservationAgentRequest = z.input<typeof reservationAgentBody>;

interface Sums {
  readonly baseCents: number;
  readonly totalCents: number;
  readonly prepaidCents: number;
}

interface StoredCommission extends Sums {
  readonly bookingId: number;
  readonly kind: "rental" | "transfer";
  readonly status: string;
  readonly customerName: string;
  readonly customerSurname: string;
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly branchCode: string;
  readonly agentId: number | null;
  readonly agentName: string;
  readonly isSettled: boolean;
  readonly settledOn: string | null;
}

function toCommissionSumsMessage({ baseCents, totalCents, prepaidCents }: Sums, { decimals }: MessageFormat) {
  return {
    agent_comission_base_amount: toAmount(baseCents, decimals),
    agent_comission_total: toAmount(totalCents, decimals),
    agent_comission_prepaid_amount: toAmount(prepaidCents, decimals),
    due: toAmount(totalCents - prepaidCents, decimals),
  };
}

export function toCommissionMessage(row: StoredCommission, messageFormat: MessageFormat): z.output<typeof commission> {
  return {
    reservation_id: row.bookingId,
    kind: row.kind,
    status: row.status,
    customer_fullname: `${row.customerName} ${row.customerSurname}`.trim(),
    date_from: row.dateFrom,
    date_to: row.dateTo,
    rental_location_code: row.branchCode,
    agent_id: row.agentId,
    agent_name: row.agentName,
    ...toCommissionSumsMessage(row, messageFormat),
    agent_comission_paid: row.isSettled,
    agent_comission_payment_date: row.settledOn,
  };
}

interface CommissionPageData {
  readonly rows: readonly StoredCommission[];
  readonly count: number;
  readonly sums: Sums;
  readonly next: number | undefined;
}

export function toCommissionPageMessage(
  { rows, count, sums: totals, next }: CommissionPageData,
  messageFormat: MessageFormat,
) {
  return {
    data: rows.map((row) => toCommissionMessage(row, messageFormat)),
    sums: toCommissionSumsMessage(totals, messageFormat),
    total: count,
    next: next === undefined ? null : String(next),
  };
}

export function toCommissionsMessage(rows: readonly StoredCommission[], messageFormat: MessageFormat) {
  const sums = {
    baseCents: sumCents(rows.map(({ baseCents }) => baseCents)),
    totalCents: sumCents(rows.map(({ totalCents }) => totalCents)),
    prepaidCents: sumCents(rows.map(({ prepaidCents }) => prepaidCents)),
  };
  return {
    data: rows.map((row) => toCommissionMessage(row, messageFormat)),
    sums: toCommissionSumsMessage(sums, messageFormat),
  };
}
