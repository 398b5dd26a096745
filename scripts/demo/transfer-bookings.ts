import { type CivilMinute, fromCivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import {
  countFreeForTrips,
  draftTransfer,
  type TakenTrip,
  type TransferDraft,
  takenBy,
} from "#domain/transfers/draft.ts";
import type { TransferTerms, Trip } from "#domain/transfers/terms.ts";
import { fits, listDestinations, type People, type TransferVehicle } from "#domain/transfers/transfers.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
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
import type { Company } from "./company.ts";
import { AIRLINES } from "./contract-data.ts";
import { type Customer, customerLanguage } from "./customers.ts";
import { type BookingEvent, historyRows } from "./history.ts";
import { rowsOf, type TableRows } from "./insert.ts";
import { onlineMethod, type SettlementContext } from "./payment-methods.ts";
import type { Payment } from "./payments.ts";
import type { Random } from "./random.ts";

/** A transfer that was reserved, with what became of it: all that its rows are written from. */
export interface ReservedTransfer extends Outcome {
  readonly id: number;
  readonly freeAccessId: string;
  readonly customer: Customer;
  readonly draft: TransferDraft & { readonly vehicle: TransferVehicle };
  readonly createdAt: CivilMinute;
  readonly flight: string;
  readonly comments: string | undefined;
}

interface Outcome {
  readonly status: "pending_confirmation" | "confirmed" | "cancelled";
  /** What came after it was reserved. */
  readonly event?: BookingEvent;
  readonly paid?: Pick<Payment, "at" | "method" | "cents">;
}

interface TransferContext extends SettlementContext {
  readonly customers: readonly Customer[];
}

const TODAY = 7;
const DAYS_BEFORE = 14;
const DAYS_AHEAD = 28;
const CANCELLED_EVERY = 9;
const PENDING_EVERY = 13;
const ROUND_TRIP_SHARE = 0.35;
const MOST_TRIES = 100;

/** Transfers of the last two weeks and the next four, several of them today, each with a vehicle that is free. */
export function reserveTransfers(context: TransferContext, lastId: number): readonly ReservedTransfer[] {
  const { transfers: count } = context.company.volume;
  const taken = new Map<number, readonly TakenTrip[]>();
  const reserved: ReservedTransfer[] = [];
  for (let tries = 0; reserved.length < count && tries < count * MOST_TRIES; tries++) {
    const index = reserved.length;
    const draft = drawDraft(context, index, taken);
    if (!draft) continue;
    const transfer = reserve(context, draft, index, lastId + index + 1);
    reserved.push(transfer);
    if (transfer.status === "cancelled") continue;
    taken.set(draft.vehicle.id, [...(taken.get(draft.vehicle.id) ?? []), ...draft.trips.map(takenBy)]);
  }
  if (reserved.length < count) throw new Error(`only ${reserved.length} of ${count} transfers find a vehicle`);
  return reserved;
}

/** The smallest vehicle that has room and is free; none now and then. */
function drawDraft(
  context: TransferContext,
  index: number,
  taken: ReadonlyMap<number, readonly TakenTrip[]>,
): ReservedTransfer["draft"] | undefined {
  const { random } = context;
  const { catalogue } = context.company;
  const terms = drawTerms(context, index);
  const chosen = terms.people.children > 0 ? [{ code: "SEAT", quantity: terms.people.children }] : [];
  const extras = random.chance(0.1) ? [...chosen, { code: "BIKE", quantity: random.between(1, 2) }] : chosen;
  const drafts = [...catalogue.transfers.vehicles.values()]
    .filter((vehicle) => fits(terms.people, vehicle))
    .map((vehicle) => ({ ...draftTransfer(catalogue, terms, vehicle.id, extras), vehicle }));
  return drafts.find(
    ({ vehicle, trips }) =>
      trips.length > 0 && countFreeForTrips(catalogue.transfers, vehicle, trips, taken.get(vehicle.id) ?? []) > 0,
  );
}

function drawTerms({ company, random }: TransferContext, index: number): TransferTerms {
  const { catalogue, now } = company;
  const { transfers } = catalogue;
  const airport = random.pick([...transfers.points.values()].filter(({ pointType }) => pointType === "airport"));
  const hotel = random.pick(listDestinations(transfers, airport));
  const [origin, destination] = random.chance(0.6) ? [airport, hotel] : [hotel, airport];
  const day = index < TODAY ? 0 : random.between(-DAYS_BEFORE, DAYS_AHEAD);
  const midnight = now - (now % MINUTES_PER_DAY) + day * MINUTES_PER_DAY;
  const outward = tripAt(midnight + random.between(24, 92) * 15, origin, destination);
  const back = midnight + random.between(2, 7) * MINUTES_PER_DAY + random.between(24, 92) * 15;
  const people = drawPeople(random);
  return random.chance(ROUND_TRIP_SHARE)
    ? { trips: [outward, tripAt(back, destination, origin)], people }
    : { trips: [outward], people };
}

function tripAt(startsAt: CivilMinute, origin: Trip["origin"], destination: Trip["destination"]): Trip {
  return { ...fromCivilMinute(startsAt), startsAt, origin, destination };
}

function drawPeople(random: Random): People {
  const adults = Number(random.pickKey<string>({ 1: 2, 2: 6, 4: 3, 6: 1, 11: 1 }));
  return { adults, children: random.chance(0.3) ? random.between(1, 2) : 0, infants: random.chance(0.15) ? 1 : 0 };
}

function reserve(
  context: TransferContext,
  draft: ReservedTransfer["draft"],
  index: number,
  id: number,
): ReservedTransfer {
  const { company, customers, random } = context;
  const { now } = company;
  const [{ startsAt }] = draft.terms.trips;
  const isPending = index % PENDING_EVERY === PENDING_EVERY - 1 && startsAt > now + MINUTES_PER_DAY;
  const latest = now - (isPending ? 20 : random.between(40, 3 * MINUTES_PER_DAY));
  const createdAt = Math.min(startsAt - random.between(MINUTES_PER_DAY, 30 * MINUTES_PER_DAY), latest);
  const airline = random.pick(AIRLINES);
  return {
    id,
    freeAccessId: random.hex(32),
    customer: random.pick(customers.filter(({ customerType }) => customerType === "individual")),
    draft,
    // A hold is of today, however long ahead the trip.
    createdAt: isPending ? latest : createdAt,
    flight: `${airline}${random.between(1_000, 9_998)}`,
    comments: random.chance(0.15) ? random.pick(company.ownTexts.comments) : undefined,
    ...(isPending ? { status: "pending_confirmation" } : drawOutcome(context, draft, index, createdAt)),
  };
}

function drawOutcome(
  context: TransferContext,
  { totals, terms }: TransferDraft,
  index: number,
  createdAt: CivilMinute,
): Outcome {
  const { company, random } = context;
  const actor = `staff:${random.pick(company.rows.users.filter(({ role }) => role === "administrator")).id}`;
  if (index % CANCELLED_EVERY === CANCELLED_EVERY - 3) {
    const at = random.between(createdAt + 10, Math.min(company.now, terms.trips[0].startsAt) - 1);
    return { status: "cancelled", event: { at, actor, event: "cancelled", detail: {} } };
  }
  if (random.chance(0.3)) {
    const at = createdAt + random.between(5, 30);
    return { status: "confirmed", event: { at, actor, event: "confirmed", detail: {} } };
  }
  const method = onlineMethod(context, createdAt);
  const cents = random.chance(0.5) ? totals.totalCents : totals.bookingAmountCents;
  const at = createdAt + 4;
  const detail = { amount: toAmount(cents), payment_method_id: method };
  return { status: "confirmed", event: { at, actor: "gateway", event: "paid", detail }, paid: { at, method, cents } };
}

/** Transfers with their trips, extras, supplements and history. */
export function transferBookingRows(company: Company, transfers: readonly ReservedTransfer[]): TableRows[] {
  const ofEach = <T>(rowsFor: (draft: ReservedTransfer["draft"]) => readonly T[]) =>
    transfers.flatMap(({ id, draft }) => rowsFor(draft).map((row) => ({ ...row, bookingId: id })));
  return [
    rowsOf(
      bookings,
      transfers.map((transfer) => bookingRow(company, transfer)),
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
      transfers.flatMap((transfer) => historyRows(company, transfer.id, eventsOf(transfer))),
    ),
  ];
}

function bookingRow(company: Company, transfer: ReservedTransfer): typeof bookings.$inferInsert {
  const { toEpochMs } = company;
  const { draft, event, customer, status, paid } = transfer;
  const branch = company.catalogue.branches.get(draft.vehicle.branchCode);
  if (!branch) throw new Error(`there is no branch ${draft.vehicle.branchCode}`);
  const at = toEpochMs(transfer.createdAt);
  const isPending = status === "pending_confirmation";
  const reservation = {
    ...transfer,
    status: isPending ? status : ("confirmed" as const),
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
    expiresAt: isPending ? at + company.settings.holdMinutes * 60_000 : undefined,
    contractData: flightOf(transfer),
    at,
  };
  const ofPaid = paid && paid.cents >= draft.totals.totalCents ? ("total" as const) : ("deposit" as const);
  return {
    ...newTransferRow(reservation, branch),
    id: transfer.id,
    status,
    version: eventsOf(transfer).length,
    totalPaidCents: paid?.cents ?? 0,
    paymentStatus: paid ? ofPaid : "none",
    lastUpdate: event ? toEpochMs(event.at) : at,
    cancelledAt: event && status === "cancelled" ? toEpochMs(event.at) : undefined,
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

function eventsOf({ createdAt, event }: ReservedTransfer): readonly BookingEvent[] {
  const created = { at: createdAt, actor: "visitor", event: "created", detail: {} } as const;
  return event ? [created, event] : [created];
}

/** What was paid for transfers. */
export function transferPayments(transfers: readonly ReservedTransfer[]): Payment[] {
  return transfers.flatMap(({ id, draft, paid }) =>
    paid
      ? [
          {
            ...paid,
            bookingId: id,
            type: "charge",
            source: "order",
            branchCode: draft.vehicle.branchCode,
            isDepositKept: false,
            document: undefined,
            contract: undefined,
          },
        ]
      : [],
  );
}
