import { hasRoomForTravellers, listTransferDestinations, type TransferVehicle } from "#domain/catalogue/transfers.ts";
import { type CivilMinute, fromCivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import {
  applyDiscountToTransferDraft,
  countFreeVehiclesForDraft,
  draftTransfer,
  type OccupiedTrip,
  toOccupiedTrip,
} from "#domain/transfers/draft.ts";
import type { TransferItinerary, Trip } from "#domain/transfers/terms.ts";
import type { DemoCompany, RandomContext } from "./describe-company.ts";
import habits from "./habits.json" with { type: "json" };
import type { BookingEvent } from "./history.ts";
import { chooseOnlinePaymentMethod, type DemoPayment } from "./payments.ts";
import { createDemoRandom, type Random } from "./random.ts";

/** A reserved transfer with its outcome and all data for its rows. */
export type ReservedTransfer = ReturnType<typeof reserve> & { readonly id: number };
type VehicleDraft = ReturnType<typeof draftTransfer> & { readonly vehicle: TransferVehicle };

interface Outcome {
  readonly status: "pending_confirmation" | "confirmed" | "cancelled";
  /** Event after the reservation. */
  readonly event?: BookingEvent;
  readonly paid?: Pick<DemoPayment, "at" | "method" | "cents">;
}

const PENDING: Outcome = { status: "pending_confirmation" };
const TODAY = 7;
const DAYS_BEFORE = 14;
const DAYS_AHEAD = 28;
const CANCELLED_EVERY = 9;
const PENDING_EVERY = 13;
const DISCOUNTED_EVERY = 11;
const DISCOUNT = { kind: "percentage", value: 1000, reason: "Regular customer", by: "staff:1" } as const;
const MAX_ATTEMPTS = 100;

/** Trips of each vehicle. */
type OccupiedTrips = Map<number, readonly OccupiedTrip[]>;

/** Reserves transfers in the last two weeks and the next four, several today, each with an available vehicle. */
export function reserveTransfers(company: DemoCompany, lastId: number): readonly ReservedTransfer[] {
  const { transfers: count } = company.volume;
  const drawing = { company, random: createDemoRandom(`${company.account} transfers`) };
  const occupiedTrips: OccupiedTrips = new Map();
  const reserved: ReservedTransfer[] = [];
  for (let tries = 0; reserved.length < count && tries < count * MAX_ATTEMPTS; tries++) {
    const index = reserved.length;
    const draft = drawDraft(drawing, index, occupiedTrips);
    if (!draft) continue;
    const transfer = { id: lastId + index + 1, ...reserve(drawing, draft, index) };
    reserved.push(transfer);
    if (transfer.status === "cancelled") continue;
    occupiedTrips.set(draft.vehicle.id, [
      ...(occupiedTrips.get(draft.vehicle.id) ?? []),
      ...draft.trips.map(toOccupiedTrip),
    ]);
  }
  if (reserved.length < count) throw new Error(`only ${reserved.length} of ${count} transfers find a vehicle`);
  return reserved;
}

/** Chooses the smallest available vehicle with enough seats. Sometimes there's none. */
function drawDraft(
  { company, random }: RandomContext,
  index: number,
  occupiedTrips: OccupiedTrips,
): VehicleDraft | undefined {
  const { catalogue, now } = company;
  const { transfers } = catalogue;
  const desiredTrips = drawTrips(random, transfers, now - (now % MINUTES_PER_DAY), index);
  const adults = Number(random.pickKey<string>(habits.transferAdults));
  const children = random.chance(0.3) ? random.between(1, 2) : 0;
  const travellers = { adults, children, infants: random.chance(0.15) ? 1 : 0 };
  const terms: TransferItinerary = {
    trips: random.chance(habits.shares.transferBack) ? desiredTrips : [desiredTrips[0]],
    people: travellers,
  };
  const chosen = children > 0 ? [{ code: "SEAT", quantity: children }] : [];
  const extras = random.chance(0.1) ? [...chosen, { code: "BIKE", quantity: random.between(1, 2) }] : chosen;
  const draft = [...transfers.vehicles.values()]
    .filter((vehicle) => hasRoomForTravellers(travellers, vehicle))
    .map((vehicle) => ({ ...draftTransfer(catalogue, terms, vehicle.id, extras), vehicle }))
    .filter(({ trips }) => trips.length > 0)
    .find(
      ({ vehicle, trips }) =>
        countFreeVehiclesForDraft(transfers, vehicle, trips, occupiedTrips.get(vehicle.id) ?? []) > 0,
    );
  const isDiscounted = index % DISCOUNTED_EVERY === 0;
  return draft && (isDiscounted ? applyDiscountToTransferDraft(catalogue.settings, draft, DISCOUNT) : draft);
}

// Creates trips between an airport and a hotel, and back some days later.
function drawTrips(
  random: Random,
  transfers: DemoCompany["catalogue"]["transfers"],
  today: CivilMinute,
  index: number,
) {
  const airport = random.pick([...transfers.points.values()].filter(({ pointType }) => pointType === "airport"));
  const hotel = random.pick(listTransferDestinations(transfers, airport));
  const [origin, destination] = random.chance(0.6) ? [airport, hotel] : [hotel, airport];
  const day = index < TODAY ? 0 : random.between(-DAYS_BEFORE, DAYS_AHEAD);
  const midnight = today + day * MINUTES_PER_DAY;
  const startsAt = midnight + random.between(24, 92) * 15;
  const outward: Trip = { ...fromCivilMinute(startsAt), startsAt, origin, destination };
  const backAt = midnight + random.between(2, 7) * MINUTES_PER_DAY + random.between(24, 92) * 15;
  const back: Trip = { ...fromCivilMinute(backAt), startsAt: backAt, origin: destination, destination: origin };
  return [outward, back] as const;
}

function reserve(drawing: RandomContext, draft: VehicleDraft, index: number) {
  const { company, random } = drawing;
  const { now } = company;
  const [{ startsAt }] = draft.terms.trips;
  const isPending = index % PENDING_EVERY === PENDING_EVERY - 1 && startsAt > now + MINUTES_PER_DAY;
  const latest = now - (isPending ? 20 : random.between(40, 3 * MINUTES_PER_DAY));
  const createdAt = Math.min(startsAt - random.between(MINUTES_PER_DAY, 30 * MINUTES_PER_DAY), latest);
  const airline = random.pick(habits.airlines);
  return {
    freeAccessId: random.hex(32),
    customer: random.pick(company.customersOf("individual")),
    draft,
    // A hold was made today, regardless of the trip date.
    createdAt: isPending ? latest : createdAt,
    flight: `${airline}${random.between(1_000, 9_998)}`,
    comments: random.chance(0.15) ? random.pick(company.ownTexts.comments) : undefined,
    ...(isPending ? PENDING : drawOutcome(drawing, draft, index, createdAt)),
  };
}

function drawOutcome(
  { company, random }: RandomContext,
  draft: VehicleDraft,
  index: number,
  createdAt: number,
): Outcome {
  const { totals, terms } = draft;
  const actor = `staff:${random.pick(company.rows.users.filter(({ role }) => role === "administrator")).id}`;
  if (index % CANCELLED_EVERY === CANCELLED_EVERY - 3) {
    const at = random.between(createdAt + 10, Math.min(company.now, terms.trips[0].startsAt) - 1);
    return { status: "cancelled", event: { at, actor, event: "cancelled" } };
  }
  if (random.chance(0.3))
    return { status: "confirmed", event: { at: createdAt + random.between(5, 30), actor, event: "confirmed" } };
  const method = chooseOnlinePaymentMethod(company, random, createdAt);
  const cents = random.chance(0.5) ? totals.totalCents : totals.bookingAmountCents;
  const at = createdAt + 4;
  const detail = { amount: toAmount(cents), payment_method_id: method };
  return { status: "confirmed", event: { at, actor: "gateway", event: "paid", detail }, paid: { at, method, cents } };
}

/** Lists the payments of transfers. */
export function createTransferPayments(transfers: readonly ReservedTransfer[]): DemoPayment[] {
  return transfers.flatMap(({ id, draft, paid }) => {
    const { branchCode } = draft.vehicle;
    return paid ? [{ ...paid, bookingId: id, type: "charge", source: "order", branchCode }] : [];
  });
}
