import type { Choice } from "#domain/bookings/draft.ts";
import type { InvalidTransfer, TransferField } from "#domain/bookings/refusals.ts";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type CivilMinute, fromCivilMinute, type Period, toCivilMinute } from "#domain/dates.ts";
import { applyRate, type Cents, sumCents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { AgreedTransfer, AgreedTransferExtra, AgreedTrip, ContractTransfer } from "./agreed.ts";
import { findTransferExtra, getExtraUnitPrice, getSupplementCost, isDue, type TransferTotals } from "./draft.ts";
import { getVehicleBranch, type RequestedTrip } from "./terms.ts";
import {
  findWay,
  fits,
  type TransferExtra,
  type TransferSupplement,
  type Transfers,
  type TransferVehicle,
  type Travellers,
} from "./transfers.ts";

/** What somebody wants otherwise of a transfer; what is absent stays as it was agreed. */
export interface TransferChangeRequest {
  readonly outward?: Partial<RequestedTrip> | undefined;
  /** Null: one way from now on. */
  readonly back?: Partial<RequestedTrip> | null | undefined;
  readonly vehicleId?: number | undefined;
  readonly people?: Partial<Travellers> | undefined;
  /** All of them: what is left out goes. */
  readonly extras?: readonly Choice[] | undefined;
}

/** A transfer as it will be agreed, with every sum and the stretch that it is on the road. */
export interface ChangedTransfer extends AgreedTransfer {
  readonly totals: TransferTotals;
  readonly period: Period;
  readonly branchCode: string;
  readonly branchGroupId: number;
}

/** What of a booking its transfer does not say itself. */
export interface BookedSums {
  readonly totals: { readonly itemCents: Cents };
  readonly branchCode: string;
  readonly branchGroupId: number;
}

interface Changing {
  readonly catalogue: Pick<Catalogue, "transfers" | "settings" | "branches">;
  readonly before: ContractTransfer;
  readonly wish: TransferChangeRequest;
  readonly now: CivilMinute;
  readonly isStaff: boolean;
}

const NAMES = [
  { date: "tripDate", origin: "origin", destination: "destination" },
  { date: "returnDate", origin: "returnOrigin", destination: "returnDestination" },
] as const satisfies readonly Readonly<Record<string, TransferField>>[];

/**
 * A transfer with something changed: priced by today's catalogue for what changes and as agreed for the rest
 * (docs/interfaces/rules.md#changing-a-contract). A trip keeps its price while its way and its vehicle are the same,
 * whenever it departs; what was driven stays as it is.
 */
export function changeTransfer(
  catalogue: Changing["catalogue"],
  booking: BookedSums,
  { transfer: before, wish }: { readonly transfer: ContractTransfer; readonly wish: TransferChangeRequest },
  { now, isStaff }: { readonly now: CivilNow; readonly isStaff: boolean },
): Result<ChangedTransfer, InvalidTransfer> {
  const changing = { catalogue, before, wish, now: toCivilMinute(now.date, now.time), isStaff };
  const travellers = { ...toTravellers(before), ...wish.people };
  const vehicle = agreeVehicle(changing, travellers);
  if (!vehicle.ok) return vehicle;
  const trips = agreeTrips(changing, vehicle.value);
  if (!trips.ok) return trips;
  const extras = agreeExtras(changing, trips.value);
  if (!extras.ok) return extras;
  const supplements = agreeSupplements(changing, trips.value);
  const { vehicle: agreed, branch } = vehicle.value;
  const parts = {
    // What was agreed beside the prices of its trips stays beside them.
    itemCents: Math.max(0, booking.totals.itemCents - sumTripPrices(before.trips) + sumTripPrices(trips.value)),
    extrasCents: sumCents(extras.value.map(({ extraCents }) => extraCents)),
    supplementsCents: sumCents(supplements.map(({ cents }) => cents)),
  };
  const totalCents = sumCents(Object.values(parts));
  return ok({
    vehicle: agreed,
    people: travellers,
    trips: trips.value,
    extras: extras.value,
    supplements,
    totals: { ...parts, totalCents, bookingAmountCents: applyRate(totalCents, catalogue.settings.depositShare) },
    period: getPeriod(trips.value),
    branchCode: branch?.code ?? booking.branchCode,
    branchGroupId: branch?.branchGroupId ?? booking.branchGroupId,
  });
}

const toTravellers = ({ people: { adults, children, infants } }: AgreedTransfer): Travellers => ({
  adults,
  children,
  infants,
});
const sumTripPrices = (trips: readonly AgreedTrip[]) => sumCents(trips.map(({ priceCents }) => priceCents));

/** When a trip departs. */
export const getDepartureTime = ({ date, time }: Pick<AgreedTrip, "date" | "time">): CivilMinute =>
  toCivilMinute(date, time);
const getArrivalTime = (trip: AgreedTrip) => getDepartureTime(trip) + trip.minutes;

function getPeriod(trips: readonly AgreedTrip[]): Period {
  const [outward] = trips;
  if (!outward) throw new Error("a transfer without a trip");
  const arrival = fromCivilMinute(Math.max(...trips.map(getArrivalTime)));
  return { dateFrom: outward.date, timeFrom: outward.time, dateTo: arrival.date, timeTo: arrival.time };
}

interface AgreedVehicle {
  readonly vehicle: AgreedTransfer["vehicle"];
  readonly inCatalogue: TransferVehicle | undefined;
  /** Of another vehicle than before. */
  readonly branch: ReturnType<typeof getVehicleBranch> | undefined;
}

function agreeVehicle(changing: Changing, travellers: Travellers): Result<AgreedVehicle, InvalidTransfer> {
  const { catalogue, before, wish } = changing;
  const id = wish.vehicleId ?? before.vehicle.id;
  const isOther = id !== before.vehicle.id;
  const inCatalogue = catalogue.transfers.vehicles.get(id);
  if (isOther && before.trips.some((_, index) => isOver(changing, index)))
    return err(invalid("transferVehicle", WAS_DRIVEN));
  if (isOther && !inCatalogue) return err(invalid("transferVehicle", `there is no vehicle ${id}`));
  if (travellers.adults + travellers.children < 1)
    return err(invalid("adults", "at least one adult or child must travel"));
  const isFuller = wish.people !== undefined || isOther;
  if (isFuller && inCatalogue && !fits(travellers, inCatalogue))
    return err(invalid("adults", `vehicle ${id} has no places for so many people`));
  if (!isOther || !inCatalogue) return ok({ vehicle: before.vehicle, inCatalogue, branch: undefined });
  const { name, vat } = inCatalogue;
  return ok({ vehicle: { id, name, vat }, inCatalogue, branch: getVehicleBranch(catalogue, inCatalogue) });
}

const WAS_DRIVEN = "stays as it is: the trip was driven already";
const MINUTES_PER_DAY = 1440;

// Who drove said so, or it is a day ago: a flight that is late moves its trip, but not into another week's. Customers
// move theirs before it departs.
function isOver({ before, now, isStaff }: Changing, index: number): boolean {
  const trip = before.trips[index];
  if (!trip) return false;
  if (before.driven.includes(index + 1)) return true;
  return isStaff ? getArrivalTime(trip) + MINUTES_PER_DAY <= now : getDepartureTime(trip) <= now;
}

function agreeTrips(changing: Changing, vehicle: AgreedVehicle): Result<readonly AgreedTrip[], InvalidTransfer> {
  const { before, wish, catalogue } = changing;
  const outward = agreeTrip(changing, vehicle, 0, wish.outward);
  if (!outward.ok) return outward;
  const known = before.trips[1];
  if (wish.back === null && known && isOver(changing, 1)) return err(invalid("returnDate", WAS_DRIVEN));
  if (wish.back === null || (!known && wish.back === undefined)) return ok([outward.value]);
  const { originId, destinationId } = outward.value;
  // A return that is new leads back, where nothing else is said.
  const opposite = known ? {} : { originId: destinationId, destinationId: originId };
  const back = agreeTrip(changing, vehicle, 1, { ...opposite, ...wish.back });
  if (!back.ok) return back;
  const isAsBefore = outward.value === before.trips[0] && back.value === known;
  if (!isAsBefore && getDepartureTime(back.value) < getArrivalTime(outward.value) + catalogue.transfers.stopOverMinutes)
    return err(invalid("returnDate", "the return must depart after the outward trip has arrived, and its stop-over"));
  return ok([outward.value, back.value]);
}

// The trip itself, where nothing of it changes.
function agreeTrip(
  changing: Changing,
  { vehicle, inCatalogue }: AgreedVehicle,
  index: 0 | 1,
  requestedTrip: Partial<RequestedTrip> = {},
): Result<AgreedTrip, InvalidTransfer> {
  const { catalogue, before, now } = changing;
  const names = NAMES[index];
  const known = before.trips[index];
  const { date = known?.date, time = known?.time } = requestedTrip;
  const { originId = known?.originId, destinationId = known?.destinationId } = requestedTrip;
  if (date === undefined || time === undefined)
    return err(invalid(names.date, "is required, with its time, of a trip that is new"));
  const hasSameWay =
    known !== undefined &&
    known.originId === originId &&
    known.destinationId === destinationId &&
    before.vehicle.id === vehicle.id;
  if (hasSameWay && known.date === date && known.time === time) return ok(known);
  if (isOver(changing, index)) return err(invalid(names.date, WAS_DRIVEN));
  if (toCivilMinute(date, time) < now) return err(invalid(names.date, "the trip is in the past"));
  if (!inCatalogue) return err(invalid("transferVehicle", `vehicle ${vehicle.id} is not sold any more`));
  if (hasSameWay) return ok({ ...known, date, time });
  const way = agreeWay(catalogue.transfers, inCatalogue, { originId, destinationId }, names);
  return way.ok ? ok({ date, time, ...way.value }) : way;
}

function agreeWay(
  transfers: Transfers,
  vehicle: TransferVehicle,
  { originId, destinationId }: { readonly originId: number | undefined; readonly destinationId: number | undefined },
  names: (typeof NAMES)[number],
): Result<Omit<AgreedTrip, "date" | "time">, InvalidTransfer> {
  const origin = transfers.points.get(originId ?? 0);
  if (!origin) return err(invalid(names.origin, `there is no point ${originId}`));
  const destination = transfers.points.get(destinationId ?? 0);
  if (!destination) return err(invalid(names.destination, `there is no point ${destinationId}`));
  const way = findWay(transfers, vehicle.id, origin, destination);
  if (!way)
    return err(
      invalid(names.destination, `vehicle ${vehicle.id} does not drive from ${origin.name} to ${destination.name}`),
    );
  return ok({
    originId: origin.id,
    originName: origin.name,
    destinationId: destination.id,
    destinationName: destination.name,
    minutes: way.minutes,
    priceCents: way.priceCents,
  });
}

// An extra keeps what one costs, unless it is paid for each trip and there are more of them or fewer.
function agreeExtras(
  { catalogue, before, wish }: Changing,
  trips: readonly AgreedTrip[],
): Result<readonly AgreedTransferExtra[], InvalidTransfer> {
  const { transfers } = catalogue;
  const wished = wish.extras ?? before.extras.map(({ id, quantity }) => ({ code: String(id), quantity }));
  const agreed: AgreedTransferExtra[] = [];
  for (const { code, quantity } of wished.filter((choice) => choice.quantity > 0)) {
    const extra = findTransferExtra(transfers, code);
    const known = before.extras.find(({ id }) => id === (extra?.id ?? Number(code)));
    const isForEach = extra?.pricePer === "trip" && trips.length !== before.trips.length;
    const agreedTransferExtra = extra && (!known || isForEach) ? asExtra(extra, trips) : known;
    const wrong = findWrongExtra(code, quantity, { one: agreedTransferExtra, agreed, most: extra?.maxQuantity, known });
    if (!agreedTransferExtra || wrong !== undefined) return err(invalid("transferExtras", wrong ?? ""));
    agreed.push({ ...agreedTransferExtra, quantity, extraCents: agreedTransferExtra.unitCents * quantity });
  }
  return ok(agreed);
}

function asExtra(extra: TransferExtra, trips: readonly AgreedTrip[]): AgreedTransferExtra {
  const { id, code, name, vat } = extra;
  return { id, code, name, vat, quantity: 0, unitCents: getExtraUnitPrice(extra, { trips }), extraCents: 0 };
}

interface SelectedExtra {
  readonly one: AgreedTransferExtra | undefined;
  readonly known: AgreedTransferExtra | undefined;
  readonly agreed: readonly AgreedTransferExtra[];
  readonly most: number | undefined;
}

// As many as were agreed are no more than the catalogue gives today.
function findWrongExtra(
  code: string,
  quantity: number,
  { one, known, agreed, most = 0 }: SelectedExtra,
): string | undefined {
  if (!one) return `there is no extra ${code}`;
  if (agreed.some(({ id }) => id === one.id)) return `extra ${code} is said twice`;
  const limit = Math.max(most, known?.quantity ?? 0);
  return quantity > limit ? `extra ${code} can be taken ${limit} times at most` : undefined;
}

// A supplement stays as agreed while the trips that it is for are the same at the same price.
function agreeSupplements(
  { catalogue: { transfers }, before }: Changing,
  trips: readonly AgreedTrip[],
): AgreedTransfer["supplements"] {
  const isAsBefore = trips.length === before.trips.length && trips.every((trip, index) => trip === before.trips[index]);
  if (isAsBefore) return before.supplements;
  return transfers.supplements.flatMap((supplement) => {
    const due = trips.filter((trip) => isDueOn(supplement, trip));
    const dueBefore = before.trips.filter((trip) => isDueOn(supplement, trip));
    const known = before.supplements.find(({ id }) => id === supplement.id);
    const isSame =
      due.length === dueBefore.length &&
      due.every(({ priceCents }, index) => priceCents === dueBefore[index]?.priceCents);
    if (isSame && due.length > 0) return known ?? [];
    const cents = sumCents(due.map((trip) => getSupplementCost(supplement, trip)));
    return due.length > 0 ? [{ id: supplement.id, name: supplement.name, cents }] : [];
  });
}

function isDueOn(supplement: TransferSupplement, { date, time, originId, destinationId }: AgreedTrip): boolean {
  return isDue(supplement, { date, time, origin: { id: originId }, destination: { id: destinationId } });
}

function invalid(field: TransferField, reason: string): InvalidTransfer {
  return { kind: "invalid", field, reason };
}
