import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type CivilMinute, fromCivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { PaymentMethod } from "#domain/payments/charges.ts";
import {
  countFreeForTrips,
  draftTransfer,
  type TakenTrip,
  type TransferDraft,
  takenBy,
} from "#domain/transfers/draft.ts";
import type { TransferTerms, Trip } from "#domain/transfers/terms.ts";
import { fits, listDestinations, type People, type TransferVehicle } from "#domain/transfers/transfers.ts";
import { toCatalogue } from "./company.ts";
import type { Customer } from "./customers.ts";
import { onlineMethod, type SettlementContext } from "./payment-methods.ts";
import type { Random } from "./random.ts";

/** A transfer that was reserved: all that its rows are written from. */
export interface ReservedTransfer {
  readonly id: number;
  readonly freeAccessId: string;
  readonly customer: Customer;
  readonly draft: TransferDraft & { readonly vehicle: TransferVehicle };
  readonly createdAt: CivilMinute;
  readonly flight: string;
  readonly comments: string | undefined;
  readonly outcome: TransferOutcome;
}

/** What became of it. */
export type TransferOutcome =
  | { readonly status: "pending_confirmation" }
  | { readonly status: "confirmed"; readonly at: CivilMinute; readonly staffId: number }
  | { readonly status: "paid"; readonly at: CivilMinute; readonly method: PaymentMethod; readonly cents: Cents }
  | { readonly status: "cancelled"; readonly at: CivilMinute; readonly staffId: number };

interface TransferContext extends SettlementContext {
  readonly catalogue: Catalogue;
  readonly customers: readonly Customer[];
}

const MINUTES_PER_DAY = 1440;
const TODAY = 7;
const DAYS_BEFORE = 14;
const DAYS_AHEAD = 28;
const CANCELLED_EVERY = 9;
const PENDING_EVERY = 13;
const ROUND_TRIP_SHARE = 0.35;
const MOST_TRIES = 100;
const AIRLINES = ["IB", "VY", "FR", "EW", "LH", "U2", "BA", "TO"];

/**
 * Transfers of the last two weeks and the next four, several of them today; each drives a vehicle that is free for it.
 */
export function reserveTransfers(
  given: Omit<TransferContext, "catalogue">,
  count: number,
  lastId: number,
): readonly ReservedTransfer[] {
  const context = { ...given, catalogue: toCatalogue(given.company) };
  const taken = new Map<number, readonly TakenTrip[]>();
  const reserved: ReservedTransfer[] = [];
  for (let tries = 0; reserved.length < count && tries < count * MOST_TRIES; tries++) {
    const index = reserved.length;
    const draft = drawDraft(context, index, taken);
    if (!draft) continue;
    const transfer = reserve(context, draft, index, lastId + index + 1);
    reserved.push(transfer);
    if (transfer.outcome.status === "cancelled") continue;
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
  const { company, catalogue, random } = context;
  const terms = drawTerms(context, index);
  const chosen = terms.people.children > 0 ? [{ code: "SEAT", quantity: terms.people.children }] : [];
  const extras = random.chance(0.1) ? [...chosen, { code: "BIKE", quantity: random.between(1, 2) }] : chosen;
  const drafts = company.transfers.vehicles
    .filter((vehicle) => fits(terms.people, vehicle))
    .map((vehicle) => ({ ...draftTransfer(catalogue, terms, vehicle.id, extras), vehicle }));
  return drafts.find(
    ({ vehicle, trips }) =>
      trips.length > 0 && countFreeForTrips(catalogue.transfers, vehicle, trips, taken.get(vehicle.id) ?? []) > 0,
  );
}

function drawTerms({ company, catalogue, now, random }: TransferContext, index: number): TransferTerms {
  const airport = random.pick(company.transfers.points.filter(({ pointType }) => pointType === "airport"));
  const hotel = random.pick(listDestinations(catalogue.transfers, airport));
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
  const adults = random.pickWeighted([
    [1, 2],
    [2, 6],
    [4, 3],
    [6, 1],
    [11, 1],
  ] as const);
  return { adults, children: random.chance(0.3) ? random.between(1, 2) : 0, infants: random.chance(0.15) ? 1 : 0 };
}

function reserve(
  context: TransferContext,
  draft: ReservedTransfer["draft"],
  index: number,
  id: number,
): ReservedTransfer {
  const { company, customers, now, random } = context;
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
    comments: random.chance(0.15) ? random.pick(company.words.comments) : undefined,
    outcome: isPending ? { status: "pending_confirmation" } : drawOutcome(context, draft, index, createdAt),
  };
}

function drawOutcome(
  { company, now, random }: TransferContext,
  { totals, terms }: TransferDraft,
  index: number,
  createdAt: CivilMinute,
): TransferOutcome {
  const staffId = random.pick(company.users.filter(({ role }) => role === "administrator")).id;
  if (index % CANCELLED_EVERY === CANCELLED_EVERY - 3) {
    const latest = Math.min(now, terms.trips[0].startsAt) - 1;
    return { status: "cancelled", at: random.between(createdAt + 10, latest), staffId };
  }
  if (random.chance(0.3)) return { status: "confirmed", at: createdAt + random.between(5, 30), staffId };
  const method = onlineMethod({ company, now, random }, createdAt);
  const cents = random.chance(0.5) ? totals.totalCents : totals.bookingAmountCents;
  return { status: "paid", at: createdAt + 4, method, cents };
}
