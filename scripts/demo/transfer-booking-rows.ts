import type { CivilMinute } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
import { charges } from "#worker/store/schema/documents.ts";
import {
  transferBookingExtras,
  transferBookingSupplements,
  transferBookings,
  transferTrips,
} from "#worker/store/schema/transfers.ts";
import {
  newTransferRow,
  toExtraRows,
  toSupplementRows,
  toTransferRow,
  toTripRows,
} from "#worker/store/transfers/transfers.ts";
import { operationNumber } from "./charge-rows.ts";
import type { Clock } from "./clock.ts";
import { branchNamed, type Company } from "./company.ts";
import { customerLanguage } from "./customers.ts";
import { type BookingEvent, historyRows } from "./history.ts";
import { rowsOf, type TableRows } from "./insert.ts";
import type { ReservedTransfer } from "./transfer-bookings.ts";

interface RowContext {
  readonly company: Company;
  readonly clock: Clock;
  /** The charges that are there already. */
  readonly lastCharge: number;
}

const MS_PER_MINUTE = 60_000;

/** Transfers with their trips, extras, supplements, history and charges. */
export function transferBookingRows(context: RowContext, transfers: readonly ReservedTransfer[]): TableRows[] {
  const ofEach = <T>(rowsFor: (draft: ReservedTransfer["draft"]) => readonly T[]) =>
    transfers.flatMap(({ id, draft }) => rowsFor(draft).map((row) => ({ ...row, bookingId: id })));
  return [
    rowsOf(
      bookings,
      transfers.map((transfer) => bookingRow(context, transfer)),
    ),
    rowsOf(
      transferBookings,
      ofEach((draft) => [toTransferRow(draft)]),
    ),
    rowsOf(transferTrips, ofEach(toTripRows)),
    rowsOf(transferBookingExtras, ofEach(toExtraRows)),
    rowsOf(transferBookingSupplements, ofEach(toSupplementRows)),
    rowsOf(
      bookingHistory,
      transfers.flatMap((transfer) => historyRows(context.clock, transfer.id, eventsOf(transfer))),
    ),
    chargeRows(context, transfers),
  ];
}

function bookingRow({ company, clock }: RowContext, transfer: ReservedTransfer): typeof bookings.$inferInsert {
  const { draft, outcome, customer } = transfer;
  const at = clock.toEpochMs(transfer.createdAt);
  const isPending = outcome.status === "pending_confirmation";
  const events = eventsOf(transfer);
  const paidCents = outcome.status === "paid" ? outcome.cents : 0;
  const ofPaid = paidCents >= draft.totals.totalCents ? ("total" as const) : ("deposit" as const);
  const reservation = {
    ...transfer,
    status: isPending ? ("pending_confirmation" as const) : ("confirmed" as const),
    createdBy: "engine" as const,
    actor: "visitor",
    agency: undefined,
    requestFingerprint: undefined,
    customer: {
      ...customer,
      id: undefined,
      documentId: undefined,
      phone: customer.phoneNumber,
      phonePrefix: customer.phoneNumberPrefix,
    },
    customerLanguage: customerLanguage(company, customer),
    expiresAt: isPending ? at + company.settings.holdMinutes * MS_PER_MINUTE : undefined,
    contractData: flightOf(transfer),
    at,
  };
  return {
    ...newTransferRow(reservation, branchNamed(company, draft.vehicle.branchCode)),
    id: transfer.id,
    status: outcome.status === "paid" ? "confirmed" : outcome.status,
    version: events.length,
    totalPaidCents: paidCents,
    paymentStatus: paidCents === 0 ? "none" : ofPaid,
    lastUpdate: clock.toEpochMs(Math.max(...events.map((event) => event.at))),
    cancelledAt: outcome.status === "cancelled" ? clock.toEpochMs(outcome.at) : undefined,
  };
}

// Who lands at the airport says with which flight; who is taken there, with which they leave.
function flightOf({ flight, draft }: ReservedTransfer): Readonly<Record<string, string>> {
  const [{ origin }] = draft.terms.trips;
  const company = flight.slice(0, 2);
  return origin.pointType === "airport"
    ? { flight_company: company, flight_number: flight }
    : { flight_company_departure: company, flight_number_departure: flight };
}

function eventsOf({ createdAt, outcome }: ReservedTransfer): readonly BookingEvent[] {
  const created = { at: createdAt, actor: "visitor", event: "created", detail: {} } as const;
  switch (outcome.status) {
    case "pending_confirmation":
      return [created];
    case "paid": {
      const detail = { amount: toAmount(outcome.cents), payment_method_id: outcome.method };
      return [created, { at: outcome.at, actor: "gateway", event: "paid", detail }];
    }
    case "confirmed":
    case "cancelled":
      return [created, { at: outcome.at, actor: `staff:${outcome.staffId}`, event: outcome.status, detail: {} }];
  }
}

function chargeRows({ company, clock, lastCharge }: RowContext, transfers: readonly ReservedTransfer[]): TableRows {
  const paid = transfers.flatMap(({ id, draft, outcome }) =>
    outcome.status === "paid" ? [{ ...outcome, bookingId: id, branchCode: draft.vehicle.branchCode }] : [],
  );
  const byTime = (one: { readonly at: CivilMinute }, other: { readonly at: CivilMinute }) => one.at - other.at;
  return rowsOf(
    charges,
    paid.toSorted(byTime).map(({ bookingId, branchCode, method, cents, ...payment }, index) => {
      const id = lastCharge + index + 1;
      const at = clock.toEpochMs(payment.at);
      return {
        id,
        bookingId,
        sourceDoc: "order" as const,
        paymentType: "charge" as const,
        paymentMethodId: method,
        date: at,
        amountCents: cents,
        currency: company.settings.currency,
        branchCode: branchCode,
        externalOperationNumber: operationNumber(id),
        origin: "web",
        createdAt: at,
        lastUpdate: at,
      };
    }),
  );
}
