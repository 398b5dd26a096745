import type { TransferDraft } from "#domain/transfers/draft.ts";
import * as store from "#worker/store/transfers/transfers.ts";
import { toReservationRow } from "./booking-rows.ts";
import type { DemoCompany } from "./describe-company.ts";
import { type BookingEvent, createHistoryRows } from "./history.ts";
import type { DemoTables, NewDemoRows } from "./tables.ts";
import type { ReservedTransfer } from "./transfer-bookings.ts";

/** Creates transfers with trips, extras, supplements and history. */
export function createTransferBookingRows(company: DemoCompany, transfers: readonly ReservedTransfer[]): NewDemoRows {
  const toTripRows = <T>(rowsFor: (draft: ReservedTransfer["draft"]) => readonly T[]) =>
    transfers.flatMap(({ id, draft }) => rowsFor(draft).map((row) => ({ ...row, bookingId: id })));
  return {
    bookings: transfers.map((transfer) => bookingRow(company, transfer)),
    transferBookings: toTripRows((draft) => [store.toTransferDetailsRow(draft)]),
    transferTrips: toTripRows(store.toTransferTripRows),
    transferBookingExtras: toTripRows(store.toTransferExtraRows),
    transferBookingSupplements: toTripRows(store.toTransferSupplementRows),
    bookingHistory: transfers.flatMap((transfer) =>
      createHistoryRows(company, transfer.id, createTransferEvents(transfer)),
    ),
  };
}

function bookingRow(company: DemoCompany, transfer: ReservedTransfer): DemoTables["bookings"]["$inferInsert"] {
  const { toEpochMs, catalogue } = company;
  const { id, draft, event, status, paid, flight } = transfer;
  const branch = catalogue.branches.get(draft.vehicle.branchCode);
  if (!branch) throw new Error(`there is no branch ${draft.vehicle.branchCode}`);
  const at = event && toEpochMs(event.at);
  const isPaid = paid && paid.cents >= draft.totals.totalCents;
  const reservation = { ...toReservationRow(company, transfer), contractData: toFlightFields(draft, flight) };
  return {
    ...store.createTransferBookingRow(reservation, branch),
    id,
    status,
    version: createTransferEvents(transfer).length,
    totalPaidCents: paid?.cents ?? 0,
    ...(paid && { paymentStatus: isPaid ? "total" : "deposit" }),
    ...(at !== undefined && { lastUpdate: at }),
    ...(status === "cancelled" && { cancelledAt: at }),
  };
}

// Returns the arrival flight of a trip from the airport, or the departure flight of a trip to it.
function toFlightFields({ terms }: TransferDraft, flight: string): Readonly<Record<string, string>> {
  const [{ origin }] = terms.trips;
  const company = flight.slice(0, 2);
  return origin.pointType === "airport"
    ? { flight_company: company, flight_number: flight }
    : { flight_company_departure: company, flight_number_departure: flight };
}

function createTransferEvents({ createdAt, event }: ReservedTransfer): readonly BookingEvent[] {
  const created = { at: createdAt, actor: "visitor", event: "created" } as const;
  return event ? [created, event] : [created];
}
