import { z } from "zod";
import { BOOKING_STATUSES } from "#domain/bookings/bookings.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { getPendingCents } from "#domain/payments/pending.ts";
import { createCostFields, toCostFieldValues } from "#worker/api/cost-messages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";
import type {
  ContractForIntegration,
  ContractReportNames,
  ContractReportRow,
} from "#worker/usecases/reporting/read-models.ts";
import {
  integrationChargeSchema,
  integrationExtraSchema,
  integrationLineSchema,
  toIntegrationChargeMessage,
  toIntegrationExtraMessage,
  toIntegrationLineMessage,
} from "./line-messages.ts";
import { formatPercentage, type MessageFormat, nullableText, timestampTextSchema } from "./messages.ts";

const costs = {
  ...createCostFields(decimalAmountSchema),
  supplement_1_cost: decimalAmountSchema,
  supplement_2_cost: decimalAmountSchema,
  supplement_3_cost: decimalAmountSchema,
  total_cost: decimalAmountSchema,
  product_deposit_cost: decimalAmountSchema,
  product_guarantee_cost: decimalAmountSchema,
  driver_age_deposit: decimalAmountSchema,
  product_deposit_reduction_amount: decimalAmountSchema,
  product_guarantee_reduction_amount: decimalAmountSchema,
  total_deposit: decimalAmountSchema,
  total_paid: decimalAmountSchema,
  total_pending: decimalAmountSchema,
};

const contractShape = {
  id: z.number(),
  object: z.literal("reservation"),
  status: z.enum(BOOKING_STATUSES),
  date_from: z.string(),
  time_from: z.string(),
  pickup_place: z.string(),
  pickup_place_id: z.int().nullable(),
  date_to: z.string(),
  time_to: z.string(),
  return_place: z.string(),
  return_place_id: z.int().nullable(),
  customer_type: z.string(),
  customer_id: z.number().nullable(),
  customer_fullname: z.string(),
  customer_email: nullableText,
  customer_phone: nullableText,
  customer_document_id: nullableText,
  rental_location_code: z.string(),
  rental_storage_id: z.number(),
  sales_channel_code: nullableText,
  agency_id: z.number().nullable(),
  agency_reservation_id: nullableText,
  agent_id: z.number().nullable(),
  agent_comission_calculation: nullableText, // sic
  agent_comission_fixed_amount: decimalAmountSchema,
  agent_comission_percentage: decimalAmountSchema,
  agent_comission_base_amount: decimalAmountSchema,
  agent_comission_total: decimalAmountSchema,
  agent_comission_prepaid_amount: decimalAmountSchema,
  agent_comission_paid: z.boolean(),
  agent_comission_payment_date: nullableText,
  customer_language: z.string(),
  creation_date: timestampTextSchema,
  last_update: timestampTextSchema,
  days: z.number(),
  hours: z.number(),
  minutes: z.number(),
  ...costs,
  reservation_lines: z.array(integrationLineSchema),
  reservation_extras: z.array(integrationExtraSchema),
  charges: z.array(integrationChargeSchema),
};

/** A booking or contract (docs/interfaces/integration.md#booking). */
export const integrationContractSchema = z.object(contractShape).meta({ id: "Booking" });

/** Converts a contract to the API format. */
export function toIntegrationContractMessage(
  row: ContractForIntegration,
  messageFormat: MessageFormat,
): z.output<typeof integrationContractSchema> {
  return {
    id: row.id,
    object: "reservation",
    status: row.status,
    date_from: row.dateFrom,
    time_from: row.timeFrom,
    pickup_place: row.pickupPlace,
    pickup_place_id: row.pickupPlaceId,
    date_to: row.dateTo,
    time_to: row.timeTo,
    return_place: row.returnPlace,
    return_place_id: row.returnPlaceId,
    customer_type: row.customerType,
    customer_id: row.customerId,
    customer_fullname: joinFullName(row.customerName, row.customerSurname),
    customer_email: row.customerEmail,
    customer_phone: formatPhone(row),
    customer_document_id: row.customerDocumentId,
    rental_location_code: row.branchCode,
    rental_storage_id: row.branchGroupId,
    sales_channel_code: row.salesChannelCode,
    agency_id: row.agencyId,
    agency_reservation_id: row.agencyReservationId,
    ...toCommission(row, messageFormat),
    customer_language: row.customerLanguage,
    creation_date: messageFormat.timestamp(row.createdAt),
    last_update: messageFormat.timestamp(row.lastUpdate),
    days: row.days,
    hours: row.hours,
    minutes: row.minutes,
    ...toContractCosts(row, messageFormat),
    reservation_lines: row.lines.map((line) => toIntegrationLineMessage(line, messageFormat)),
    reservation_extras: row.extras.map((extra) => toIntegrationExtraMessage(extra, messageFormat)),
    charges: row.charges.map((charge) => toIntegrationChargeMessage(charge, messageFormat)),
  };
}

// Joins name and surname.
function joinFullName(name: string, surname: string): string {
  return `${name} ${surname}`.trim();
}

function formatPhone({ customerPhonePrefix: prefix, customerPhone: phone }: ContractForIntegration): string | null {
  return phone && prefix ? `+${prefix.replace(/^\+/, "")} ${phone}` : phone;
}

function toCommission(row: ContractForIntegration, { decimals }: MessageFormat) {
  return {
    agent_id: row.agentId,
    agent_comission_calculation: row.agentCommissionCalculation,
    agent_comission_fixed_amount: toAmount(row.agentCommissionFixedCents, decimals),
    agent_comission_percentage: formatPercentage(row.agentCommissionBasisPoints),
    agent_comission_base_amount: toAmount(row.agentCommissionBaseCents, decimals),
    agent_comission_total: toAmount(row.agentCommissionTotalCents, decimals),
    agent_comission_prepaid_amount: toAmount(row.agentCommissionPrepaidCents, decimals),
    agent_comission_paid: row.agentCommissionPaid,
    agent_comission_payment_date: row.agentCommissionPaymentDate,
  };
}

function toContractCosts(row: ContractForIntegration, { decimals }: MessageFormat) {
  const { categorySupplement1Cents, categorySupplement2Cents, categorySupplement3Cents } = row;
  const supplements = [categorySupplement1Cents, categorySupplement2Cents, categorySupplement3Cents] as const;
  const cost = (cents: Cents) => toAmount(cents, decimals);
  return {
    ...toCostFieldValues(row, supplements, cost),
    supplement_1_cost: cost(row.supplement1Cents),
    supplement_2_cost: cost(row.supplement2Cents),
    supplement_3_cost: cost(row.supplement3Cents),
    total_cost: cost(row.totalCents),
    product_deposit_cost: cost(row.productDepositCents),
    product_guarantee_cost: cost(row.productGuaranteeCents),
    driver_age_deposit: cost(row.driverAgeDepositCents),
    product_deposit_reduction_amount: cost(row.productDepositReductionCents),
    product_guarantee_reduction_amount: cost(row.productGuaranteeReductionCents),
    total_deposit: cost(row.totalDepositCents),
    total_paid: cost(row.totalPaidCents),
    total_pending: cost(getPendingCents(row)),
  };
}

/** A contract with additional data for display. */
export const integrationReportedContractSchema = z
  .object({
    ...contractShape,
    payment_status: z.string(),
    rental_location_name: nullableText,
    return_rental_location_code: z.string(),
    return_rental_location_name: nullableText,
    rental_storage_name: nullableText,
    sales_channel_name: nullableText,
    agency_name: nullableText,
    agent_name: nullableText,
  })
  .meta({ id: "ReportedBooking" });

export function toReportedContractMessage(
  row: ContractReportRow,
  names: ContractReportNames,
  messageFormat: MessageFormat,
): z.output<typeof integrationReportedContractSchema> {
  return {
    ...toIntegrationContractMessage(row, messageFormat),
    payment_status: row.paymentStatus,
    rental_location_name: names.ofBranch(row.branchCode),
    return_rental_location_code: row.returnBranchCode,
    return_rental_location_name: names.ofBranch(row.returnBranchCode),
    rental_storage_name: names.ofGroup(row.branchGroupId),
    sales_channel_name: names.ofChannel(row.salesChannelCode),
    agency_name: row.agencyName,
    agent_name: row.agentName,
  };
}
