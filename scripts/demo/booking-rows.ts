import type { BookingStatus, NewReservation } from "#domain/bookings/bookings.ts";
import { type CivilMinute, fromCivilMinute, MILLISECONDS_PER_MINUTE, MINUTES_PER_DAY } from "#domain/dates.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import { createBookingRow, createExtraRow, createLineRow } from "#worker/store/bookings/booking-rows.ts";
import { createContractData } from "./contract-data.ts";
import { calculateContractTotal } from "./contracts.ts";
import type { DemoCustomer } from "./customers.ts";
import type { DemoCompany } from "./describe-company.ts";
import { type BookingEvent, createContractEvents, createHistoryRows } from "./history.ts";
import { getSignedCents, isDepositPayment } from "./payments.ts";
import { isRefundPending, type SettledContract } from "./settlement.ts";
import type { DemoTables, NewDemoRows } from "./tables.ts";

const DAYS_TO_COMMISSION = 45;

/** Creates bookings with lines, units, extras and history. Units are allocated in the given order. */
export function createBookingRows(company: DemoCompany, contracts: readonly SettledContract[]): NewDemoRows {
  const contractsWithEvents = contracts.map((contract) => ({
    ...contract,
    events: createContractEvents(company, contract),
  }));
  const toEpochMs = (at: CivilMinute | undefined) => (at === undefined ? undefined : company.toEpochMs(at));
  return {
    bookings: contractsWithEvents.map((contract) => bookingRow(company, contract)),
    bookingLines: contracts.flatMap(({ id, draft }) =>
      draft.lines.map((line, at) => ({ ...createLineRow(line), id: toLineId(id, at), bookingId: id })),
    ),
    bookingUnits: contracts.flatMap(({ id, units }) =>
      units.map(({ line, vehicle, delivery, collection }) => ({
        bookingLineId: toLineId(id, line),
        bookingId: id,
        vehicleReference: vehicle?.reference,
        deliveredAt: toEpochMs(delivery?.at),
        collectedAt: toEpochMs(collection?.at),
        deliveryUsageUnits: delivery?.usageUnits,
        collectionUsageUnits: collection?.usageUnits,
        deliveryFuel: delivery?.fuel,
        collectionFuel: collection?.fuel,
      })),
    ),
    bookingExtras: contracts.flatMap(({ id, draft }) =>
      draft.extras.map((extra) => ({ ...createExtraRow(extra), bookingId: id })),
    ),
    bookingHistory: contractsWithEvents.flatMap(({ id, events }) => createHistoryRows(company, id, events)),
  };
}

// Derives line ids from the contract id. A contract has at most two lines.
function toLineId(contractId: number, line: number): number {
  return contractId * 2 - 1 + line;
}

interface Reserved<Draft> {
  readonly freeAccessId: string;
  readonly status: BookingStatus;
  readonly draft: Draft;
  readonly customer: DemoCustomer;
  readonly createdAt: CivilMinute;
  readonly comments: string | undefined;
}

/** Creates an online reservation of a rental or transfer. */
export function toReservationRow<Draft>(company: DemoCompany, reserved: Reserved<Draft>): NewReservation<Draft> {
  const { settings, toEpochMs } = company;
  const { freeAccessId, status, draft, customer, createdAt, comments } = reserved;
  const { id, name, surname, email, phoneNumber: phone, phoneNumberPrefix: phonePrefix, customerType: type } = customer;
  const at = toEpochMs(createdAt);
  const isPending = status === "pending_confirmation";
  const ownLanguage = [customer.language, "en"].find((text) => settings.languages.includes(text));
  return {
    ...{ freeAccessId, draft, comments, at, actor: "visitor", createdBy: "engine" },
    status: isPending ? status : "confirmed",
    agency: undefined,
    requestFingerprint: undefined,
    customer: { id, name, surname, email, phone, phonePrefix, type, documentId: undefined },
    customerLanguage: ownLanguage ?? settings.defaultLanguage,
    expiresAt: isPending ? at + settings.holdMinutes * MILLISECONDS_PER_MINUTE : undefined,
  };
}

type ContractWithEvents = SettledContract & { readonly events: readonly BookingEvent[] };

function bookingRow(company: DemoCompany, contract: ContractWithEvents): DemoTables["bookings"]["$inferInsert"] {
  const { agency, customer, closing, events } = contract;
  const reservation = toReservationRow(company, contract);
  const paid = paymentColumns(contract);
  return {
    ...createBookingRow({
      ...reservation,
      createdBy: contract.origin,
      agency: agency && { id: agency.id, reference: `${agency.name.replace(/[^A-Z]/g, "")}-${700_000 + contract.id}` },
      customer: { ...reservation.customer, documentId: customer.documentId },
      contractData: createContractData(contract),
    }),
    id: contract.id,
    status: contract.status,
    version: events.length,
    ...agentColumns(company, contract),
    supplement1Cents: closing.supplementCents[0],
    supplement2Cents: closing.supplementCents[1],
    supplement3Cents: closing.supplementCents[2],
    totalCents: calculateContractTotal(contract),
    ...paid,
    ...cancellationColumns(company, contract, paid.totalPaidCents),
    lastUpdate: company.toEpochMs(Math.max(...events.map((event) => event.at))),
  };
}

function agentColumns({ now }: DemoCompany, { agent, collectedAt, status, commission }: SettledContract) {
  const paidAt = collectedAt + DAYS_TO_COMMISSION * MINUTES_PER_DAY;
  const isPaid = agent !== undefined && status === "done" && paidAt < now;
  return {
    agentId: agent?.id,
    agentCommissionCalculation: agent?.commissionCalculation,
    agentCommissionFixedCents: agent?.commissionFixedCents,
    agentCommissionBasisPoints: agent?.commissionBasisPoints,
    agentCommissionBaseCents: commission?.baseCents,
    agentCommissionTotalCents: commission?.totalCents,
    agentCommissionPrepaidCents: commission?.prepaidCents,
    agentCommissionPaid: isPaid,
    agentCommissionPaymentDate: isPaid ? fromCivilMinute(paidAt).date : undefined,
  };
}

function paymentColumns(contract: SettledContract) {
  const nonDepositPayments = contract.payments.filter((payment) => !isDepositPayment(payment));
  const totalPaidCents = sumCents(nonDepositPayments.map(getSignedCents));
  const coveredCents = totalPaidCents + (contract.commission?.prepaidCents ?? 0);
  const unpaidStatus = nonDepositPayments.length > 0 ? ("refunded" as const) : ("none" as const);
  const paidStatus = coveredCents >= calculateContractTotal(contract) ? ("total" as const) : ("deposit" as const);
  return { totalPaidCents, paymentStatus: totalPaidCents === 0 ? unpaidStatus : paidStatus };
}

// Payments of older cancellations were retained by the terms. Those of the last days are still to be refunded.
function cancellationColumns(company: DemoCompany, { cancelledAt, isExpired }: SettledContract, paidCents: Cents) {
  if (cancelledAt === undefined) return {};
  return {
    cancelledAt: company.toEpochMs(cancelledAt),
    cancellationReason: isExpired ? ("expired" as const) : ("cancelled" as const),
    cancellationFeeCents: isRefundPending(company, cancelledAt) ? 0 : Math.max(0, paidCents),
  };
}
