import { type CivilMinute, fromCivilMinute } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import { customerLanguage } from "./booking-rows.ts";
import { operationNumber } from "./charge-rows.ts";
import type { Clock } from "./clock.ts";
import type { Company } from "./company.ts";
import type { Row, TableRows } from "./insert.ts";
import type { ReservedTransfer } from "./transfer-bookings.ts";

interface Ledger {
  readonly company: Company;
  readonly clock: Clock;
  /** The charges that are there already. */
  readonly lastCharge: number;
}

/** Transfers with their trips, extras, supplements, history and charges. */
export function transferBookingRows(ledger: Ledger, transfers: readonly ReservedTransfer[]): TableRows[] {
  const { clock } = ledger;
  return [
    { table: "bookings", rows: transfers.map((transfer) => bookingRow(ledger, transfer)) },
    {
      table: "transfer_bookings",
      rows: transfers.map(({ id, draft: { vehicle, terms } }) => ({
        booking_id: id,
        transfer_vehicle_id: vehicle.id,
        vehicle_name: vehicle.name,
        ...terms.people,
        vat_basis_points: vehicle.vat,
      })),
    },
    { table: "transfer_trips", rows: transfers.flatMap(tripRows) },
    {
      table: "transfer_booking_extras",
      rows: transfers.flatMap(({ id, draft }) =>
        draft.extras.map(({ extra, quantity, unitCents, extraCents }) => ({
          booking_id: id,
          transfer_extra_id: extra.id,
          name: extra.name,
          quantity,
          unit_cents: unitCents,
          extra_cents: extraCents,
          vat_basis_points: extra.vat,
        })),
      ),
    },
    {
      table: "transfer_booking_supplements",
      rows: transfers.flatMap(({ id, draft }) =>
        draft.supplements.map(({ supplement, cents }) => ({
          booking_id: id,
          transfer_supplement_id: supplement.id,
          name: supplement.name,
          supplement_cents: cents,
        })),
      ),
    },
    {
      table: "booking_history",
      rows: transfers.flatMap((transfer) =>
        eventsOf(transfer).map(({ at, actor, event, detail }) => ({
          booking_id: transfer.id,
          at: clock.toEpochMs(at),
          actor,
          event,
          detail: JSON.stringify(detail),
        })),
      ),
    },
    { table: "charges", rows: chargeRows(ledger, transfers) },
  ];
}

// From the first departure to the last arrival.
function bookingRow({ company, clock }: Ledger, transfer: ReservedTransfer): Row {
  const { draft, outcome, customer } = transfer;
  const { totals, trips } = draft;
  const [outward] = draft.terms.trips;
  const arrival = fromCivilMinute(Math.max(...trips.map((trip) => trip.startsAt + trip.minutes)));
  const branch = company.branches.find(({ code }) => code === draft.vehicle.branchCode);
  const createdAt = clock.toEpochMs(transfer.createdAt);
  const events = eventsOf(transfer);
  const paidCents = outcome.status === "paid" ? outcome.cents : 0;
  return {
    id: transfer.id,
    kind: "transfer",
    free_access_id: transfer.freeAccessId,
    status: outcome.status === "paid" ? "confirmed" : outcome.status,
    version: events.length,
    created_by: "engine",
    expires_at:
      outcome.status === "pending_confirmation" ? createdAt + company.settings.holdMinutes * 60_000 : undefined,
    date_from: outward.date,
    time_from: outward.time,
    date_to: arrival.date,
    time_to: arrival.time,
    days: 1,
    pickup_place: outward.origin.name,
    return_place: outward.destination.name,
    branch_code: branch?.code,
    return_branch_code: branch?.code,
    branch_group_id: branch?.branchGroupId,
    customer_name: customer.name,
    customer_surname: customer.surname,
    customer_email: customer.email,
    customer_phone_prefix: customer.origin.phonePrefix,
    customer_phone: customer.phone,
    customer_language: customerLanguage(company, customer),
    contract_data: JSON.stringify(flightOf(transfer)),
    comments: transfer.comments,
    item_cents: totals.itemCents,
    extras_cents: totals.extrasCents,
    supplement_1_cents: totals.supplementsCents,
    total_cents: totals.totalCents,
    booking_amount_cents: totals.bookingAmountCents,
    total_paid_cents: paidCents,
    payment_status: paidCents === 0 ? "none" : paidCents >= totals.totalCents ? "total" : "deposit",
    created_at: createdAt,
    last_update: clock.toEpochMs(Math.max(...events.map(({ at }) => at))),
    cancelled_at: outcome.status === "cancelled" ? clock.toEpochMs(outcome.at) : undefined,
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

function tripRows({ id, draft }: ReservedTransfer): Row[] {
  return draft.trips.map(({ date, time, origin, destination, minutes, priceCents }, index) => ({
    booking_id: id,
    position: index + 1,
    date,
    time,
    origin_point_id: origin.id,
    destination_point_id: destination.id,
    origin_name: origin.name,
    destination_name: destination.name,
    minutes,
    price_cents: priceCents,
  }));
}

interface TransferEvent {
  readonly at: CivilMinute;
  readonly actor: string;
  readonly event: "created" | "confirmed" | "paid" | "cancelled";
  readonly detail: Readonly<Record<string, string>>;
}

function eventsOf({ createdAt, outcome }: ReservedTransfer): readonly TransferEvent[] {
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

function chargeRows({ company, clock, lastCharge }: Ledger, transfers: readonly ReservedTransfer[]): Row[] {
  const paid = transfers.flatMap(({ id, draft, outcome }) =>
    outcome.status === "paid" ? [{ ...outcome, bookingId: id, branchCode: draft.vehicle.branchCode }] : [],
  );
  return paid
    .toSorted((one, other) => one.at - other.at)
    .map(({ bookingId, branchCode, at, method, cents }, index) => ({
      id: lastCharge + index + 1,
      booking_id: bookingId,
      source_doc: "order",
      payment_type: "charge",
      payment_method_id: method,
      date: clock.toEpochMs(at),
      amount_cents: cents,
      currency: company.settings.currency,
      branch_code: branchCode,
      external_operation_number: operationNumber(lastCharge + index + 1),
      origin: "web",
      created_at: clock.toEpochMs(at),
      last_update: clock.toEpochMs(at),
    }));
}
