import { type CivilMinute, fromCivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import { sumOf } from "#domain/money.ts";
import { newBookingRow, newExtraRow, newLineRow } from "#worker/store/bookings/booking-rows.ts";
import { bookingExtras, bookingHistory, bookingLines, bookings, bookingUnits } from "#worker/store/schema/bookings.ts";
import { isToGiveBack } from "./advances.ts";
import type { Company } from "./company.ts";
import { contractData } from "./contract-data.ts";
import { type Contract, totalOfContract } from "./contracts.ts";
import { customerLanguage } from "./customers.ts";
import { eventsOf, historyRows } from "./history.ts";
import { rowsOf, type TableRows } from "./insert.ts";
import { isOwnMoney } from "./payments.ts";
import type { SettledContract } from "./settlement.ts";

const MS_PER_MINUTE = 60_000;
const DAYS_TO_COMMISSION = 45;

/** Bookings with their lines, units, extras and history. The order given is the order in which the units are taken. */
export function bookingRows(company: Company, contracts: readonly SettledContract[]): TableRows[] {
  const ofEach = <T>(rowsFor: (contract: Contract) => readonly T[]) =>
    contracts.flatMap(({ contract }) => rowsFor(contract));
  const toEpochMs = (at: CivilMinute | undefined) => (at === undefined ? undefined : company.toEpochMs(at));
  return [
    rowsOf(
      bookings,
      contracts.map((settled) => bookingRow(company, settled)),
    ),
    rowsOf(
      bookingLines,
      ofEach(({ id, draft }) =>
        draft.lines.map((line, at) => ({ ...newLineRow(line), id: lineIdOf(id, at), bookingId: id })),
      ),
    ),
    rowsOf(
      bookingUnits,
      ofEach(({ id, units }) =>
        units.map(({ line, vehicle, delivery, collection }) => ({
          bookingLineId: lineIdOf(id, line),
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
    ),
    rowsOf(
      bookingExtras,
      ofEach(({ id, draft }) => draft.extras.map((extra) => ({ ...newExtraRow(extra), bookingId: id }))),
    ),
    rowsOf(
      bookingHistory,
      contracts.flatMap((settled) => historyRows(company, settled.contract.id, eventsOf(company, settled))),
    ),
  ];
}

// A contract has two lines at most, so its lines' ids follow from its own.
function lineIdOf(contractId: number, line: number): number {
  return contractId * 2 - 1 + line;
}

function bookingRow(company: Company, settled: SettledContract): typeof bookings.$inferInsert {
  const { toEpochMs } = company;
  const { contract, settlement } = settled;
  const { agency, customer, draft, status, closing, cancelledAt } = contract;
  const at = toEpochMs(contract.createdAt);
  const isPending = status === "pending_confirmation";
  const events = eventsOf(company, settled);
  // An agency's guest becomes a customer of the house at the counter.
  const isKnown = agency === undefined || contract.units.some(({ delivery }) => delivery);
  const { documentId, name, surname, email, phoneNumber: phone, phoneNumberPrefix: phonePrefix } = customer;
  return {
    ...newBookingRow({
      ...contract,
      status: isPending ? "pending_confirmation" : "confirmed",
      createdBy: contract.origin,
      actor: "",
      agency: agency && { id: agency.id, reference: agencyReference(contract) },
      requestFingerprint: undefined,
      customer: {
        ...{ documentId, name, surname, email, phone, phonePrefix },
        id: isKnown ? customer.id : undefined,
      },
      customerLanguage: customerLanguage(company, customer),
      expiresAt: isPending ? at + company.settings.holdMinutes * MS_PER_MINUTE : undefined,
      contractData: contractData(contract),
      at,
    }),
    id: contract.id,
    status,
    version: events.length,
    customerType: customer.customerType,
    ...agentColumns(company, settled),
    promotionCode: draft.lines.find(({ promotionCode }) => promotionCode)?.promotionCode?.code,
    supplement1Cents: closing.supplementCents[0],
    supplement2Cents: closing.supplementCents[1],
    supplement3Cents: closing.supplementCents[2],
    totalCents: totalOfContract(contract),
    ...paymentColumns(settled),
    productDepositReductionCents: settlement.depositReductionCents,
    lastUpdate: toEpochMs(Math.max(...events.map((event) => event.at))),
    cancelledAt: cancelledAt === undefined ? undefined : toEpochMs(cancelledAt),
    ...cancellationColumns(company, settled),
  };
}

// What was paid of what was cancelled long ago was kept by the terms; of the last days it is still to be given back.
function cancellationColumns(company: Company, settled: SettledContract) {
  const { cancelledAt, isExpired } = settled.contract;
  if (cancelledAt === undefined) return {};
  const { totalPaidCents } = paymentColumns(settled);
  const isSettled = !isToGiveBack(company, cancelledAt);
  return {
    cancellationReason: isExpired ? ("expired" as const) : ("cancelled" as const),
    cancellationFeeCents: isSettled ? Math.max(0, totalPaidCents) : 0,
  };
}

// The agency's own number of a contract.
function agencyReference({ id, agency }: Contract): string {
  const initials = (agency?.name ?? "").replace(/[^A-Z]/g, "");
  return `${initials}-${700_000 + id}`;
}

function agentColumns({ now }: Company, { contract, settlement }: SettledContract) {
  const { agent, rental, status } = contract;
  const { commission } = settlement;
  const paidAt = rental.collectedAt + DAYS_TO_COMMISSION * MINUTES_PER_DAY;
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

function paymentColumns({ contract, settlement }: SettledContract) {
  const moved = settlement.payments.filter(isOwnMoney);
  const paidCents = sumOf(moved.map(({ type, cents }) => (type === "charge" ? cents : -cents)));
  const coveredCents = paidCents + (settlement.commission?.prepaidCents ?? 0);
  const ofUnpaid = moved.length > 0 ? ("refunded" as const) : ("none" as const);
  const ofPaid = coveredCents >= totalOfContract(contract) ? ("total" as const) : ("deposit" as const);
  return { totalPaidCents: paidCents, paymentStatus: paidCents === 0 ? ofUnpaid : ofPaid };
}
