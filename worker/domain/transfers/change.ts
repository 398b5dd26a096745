import {
  type AppliedDiscount,
  applyRequestedDiscount,
  applyTransferDiscount,
  type RequestedDiscount,
} from "#domain/bookings/discounts.ts";
import type { Choice } from "#domain/bookings/draft.ts";
import type { InvalidTransfer, TransferField } from "#domain/bookings/refusals.ts";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import {
  findTransferConnection,
  hasRoomForTravellers,
  type TransferCatalogue,
  type TransferExtra,
  type TransferSupplement,
  type TransferVehicle,
  type Travellers,
} from "#domain/catalogue/transfers.ts";
import { type CivilMinute, fromCivilMinute, type Period, toCivilMinute } from "#domain/dates.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { AgreedTransfer, AgreedTransferExtra, AgreedTrip, ContractTransfer } from "./agreed.ts";
import {
  calculateTransferTotals,
  findTransferExtraByIdOrCode,
  getTransferExtraUnitPrice,
  getTransferSupplementPrice,
  isTransferSupplementDue,
  sumTripPrices,
  type TransferTotals,
} from "./draft.ts";
import { getTransferVehicleBranch, type RequestedTrip } from "./terms.ts";
import type { ContractDataChange } from "./trip-ends.ts";

/** Requested changes of a transfer. Absent fields stay as agreed. */
export interface TransferChangeRequest {
  readonly outward?: Partial<RequestedTrip> | undefined;
  /** Changes of the return trip. Null removes the return trip. */
  readonly back?: Partial<RequestedTrip> | null | undefined;
  readonly vehicleId?: number | undefined;
  readonly people?: Partial<Travellers> | undefined;
  /** Full list of extras. Missing ones are removed. */
  readonly extras?: readonly Choice[] | undefined;
  /** New discount. `null` removes the current one. */
  readonly discount?: RequestedDiscount | null | undefined;
  /** Changed addresses, flights and luggage by their fields of the contract data. */
  readonly details?: ContractDataChange | undefined;
}

/** Changed transfer with all sums and its period. */
export interface ChangedTransfer extends AgreedTransfer {
  readonly totals: TransferTotals;
  readonly discount: AppliedDiscount | undefined;
  readonly period: Period;
  readonly branchCode: string;
  readonly branchGroupId: number;
}

/** Booking data that isn't part of the transfer. */
export interface TransferTotalsAndBranch {
  readonly totals: { readonly itemCents: Cents };
  readonly discount?: AppliedDiscount | undefined;
  readonly branchCode: string;
  readonly branchGroupId: number;
}

interface Changing {
  readonly catalogue: Pick<Catalogue, "transfers" | "settings" | "branches">;
  readonly before: ContractTransfer;
  readonly requestedChange: TransferChangeRequest;
  readonly now: CivilMinute;
  readonly isStaff: boolean;
}

const NAMES = [
  { date: "tripDate", origin: "origin", destination: "destination" },
  { date: "returnDate", origin: "returnOrigin", destination: "returnDestination" },
] as const satisfies readonly Readonly<Record<string, TransferField>>[];

/**
 * Applies changes to a transfer. Changed parts use the current catalogue, others the agreed prices
 * (docs/interfaces/rules.md#changing-a-contract). A trip keeps its price with the same connection and vehicle,
 * regardless of its time. Completed trips stay unchanged.
 */
export function changeTransfer(
  catalogue: Changing["catalogue"],
  booking: TransferTotalsAndBranch,
  {
    transfer: before,
    requestedChange,
  }: { readonly transfer: ContractTransfer; readonly requestedChange: TransferChangeRequest },
  {
    now,
    isStaff,
    actor = "system",
  }: { readonly now: CivilNow; readonly isStaff: boolean; readonly actor?: string | undefined },
): Result<ChangedTransfer, InvalidTransfer> {
  const changing = { catalogue, before, requestedChange, now: toCivilMinute(now.date, now.time), isStaff };
  const travellers = { ...toTravellers(before), ...requestedChange.people };
  const vehicle = agreeVehicle(changing, travellers);
  if (!vehicle.ok) return vehicle;
  const trips = agreeTrips(changing, vehicle.value);
  if (!trips.ok) return trips;
  const extras = agreeExtras(changing, trips.value);
  if (!extras.ok) return extras;
  const supplements = agreeSupplements(changing, trips.value);
  const { vehicle: agreed, branch } = vehicle.value;
  // Agreed amounts in addition to the trip prices stay.
  const listCents = Math.max(
    0,
    getItemListPrice(booking, before) - sumTripPrices(before.trips) + sumTripPrices(trips.value),
  );
  const granted = applyRequestedDiscount(booking.discount, requestedChange.discount, actor);
  const discounted = applyTransferDiscount(listCents, extras.value, granted);
  return ok({
    vehicle: agreed,
    people: travellers,
    trips: trips.value,
    extras: discounted.extras,
    supplements,
    totals: calculateTransferTotals(catalogue.settings, discounted.itemCents, discounted.extras, supplements),
    discount: discounted.discount,
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

// Returns the price of the trips before the discount.
function getItemListPrice(
  { totals, discount }: Pick<TransferTotalsAndBranch, "totals" | "discount">,
  { extras }: { readonly extras: readonly { readonly discountCents: Cents }[] },
): Cents {
  const takenFromExtras = sumCents(extras.map(({ discountCents }) => discountCents));
  return totals.itemCents + (discount?.amountCents ?? 0) - takenFromExtras;
}

/** Returns the departure time of a trip. */
export const getDepartureTime = ({ date, time }: Pick<AgreedTrip, "date" | "time">): CivilMinute =>
  toCivilMinute(date, time);

/** Returns the parts of a transfer from which its discount is taken. */
export function getDiscountableTransferParts({ extras, totals, discount }: DiscountedTransfer) {
  return { lines: [{ quantity: 1, unitCents: getItemListPrice({ totals, discount }, { extras }) }], extras, discount };
}

interface DiscountedTransfer extends Pick<TransferTotalsAndBranch, "totals" | "discount"> {
  readonly extras: readonly Pick<AgreedTransferExtra, "quantity" | "unitCents" | "discountCents">[];
}

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
  /** Branch of the new vehicle, if the vehicle changes. */
  readonly branch: ReturnType<typeof getTransferVehicleBranch> | undefined;
}

function agreeVehicle(changing: Changing, travellers: Travellers): Result<AgreedVehicle, InvalidTransfer> {
  const { catalogue, before, requestedChange } = changing;
  const id = requestedChange.vehicleId ?? before.vehicle.id;
  const isOther = id !== before.vehicle.id;
  const inCatalogue = catalogue.transfers.vehicles.get(id);
  if (isOther && before.trips.some((_, index) => isOver(changing, index)))
    return err(invalid("transferVehicle", TRIP_OVER_REASON));
  if (isOther && !inCatalogue) return err(invalid("transferVehicle", createReason("no_transfer_vehicle", id)));
  if (travellers.adults + travellers.children < 1) return err(invalid("adults", createReason("no_passenger")));
  const isFuller = requestedChange.people !== undefined || isOther;
  if (isFuller && inCatalogue && !hasRoomForTravellers(travellers, inCatalogue))
    return err(invalid("adults", createReason("no_seats", id)));
  if (!isOther || !inCatalogue) return ok({ vehicle: before.vehicle, inCatalogue, branch: undefined });
  const { name, vat } = inCatalogue;
  return ok({ vehicle: { id, name, vat }, inCatalogue, branch: getTransferVehicleBranch(catalogue, inCatalogue) });
}

const TRIP_OVER_REASON = createReason("trip_done");
const MINUTES_PER_DAY = 1440;

// A trip is over after the driver's report, or after a day. A delayed flight moves a trip, but not to another week.
// Customers can only move trips before departure.
function isOver({ before, now, isStaff }: Changing, index: number): boolean {
  const trip = before.trips[index];
  if (!trip) return false;
  if (before.driven.includes(index + 1)) return true;
  return isStaff ? getArrivalTime(trip) + MINUTES_PER_DAY <= now : getDepartureTime(trip) <= now;
}

function agreeTrips(changing: Changing, vehicle: AgreedVehicle): Result<readonly AgreedTrip[], InvalidTransfer> {
  const { before, requestedChange, catalogue } = changing;
  const outward = agreeTrip(changing, vehicle, 0, requestedChange.outward);
  if (!outward.ok) return outward;
  const known = before.trips[1];
  if (requestedChange.back === null && known && isOver(changing, 1))
    return err(invalid("returnDate", TRIP_OVER_REASON));
  if (requestedChange.back === null || (!known && requestedChange.back === undefined)) return ok([outward.value]);
  const { originId, destinationId } = outward.value;
  // A new return trip uses the opposite direction unless specified.
  const opposite = known ? {} : { originId: destinationId, destinationId: originId };
  const back = agreeTrip(changing, vehicle, 1, { ...opposite, ...requestedChange.back });
  if (!back.ok) return back;
  const isAsBefore = outward.value === before.trips[0] && back.value === known;
  if (!isAsBefore && getDepartureTime(back.value) < getArrivalTime(outward.value) + catalogue.transfers.stopOverMinutes)
    return err(invalid("returnDate", createReason("trip_return_early")));
  return ok([outward.value, back.value]);
}

// Returns the trip itself if nothing changes.
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
  if (date === undefined || time === undefined) return err(invalid(names.date, createReason("trip_date_required")));
  const hasSameWay =
    known !== undefined &&
    known.originId === originId &&
    known.destinationId === destinationId &&
    before.vehicle.id === vehicle.id;
  if (hasSameWay && known.date === date && known.time === time) return ok(known);
  if (isOver(changing, index)) return err(invalid(names.date, TRIP_OVER_REASON));
  if (toCivilMinute(date, time) < now) return err(invalid(names.date, createReason("trip_in_past")));
  if (!inCatalogue) return err(invalid("transferVehicle", createReason("transfer_vehicle_gone", vehicle.id)));
  if (hasSameWay) return ok({ ...known, date, time });
  const way = agreeWay(catalogue.transfers, inCatalogue, { originId, destinationId }, names);
  return way.ok ? ok({ date, time, ...way.value }) : way;
}

function agreeWay(
  transfers: TransferCatalogue,
  vehicle: TransferVehicle,
  { originId, destinationId }: { readonly originId: number | undefined; readonly destinationId: number | undefined },
  names: (typeof NAMES)[number],
): Result<Omit<AgreedTrip, "date" | "time">, InvalidTransfer> {
  const origin = transfers.points.get(originId ?? 0);
  if (!origin) return err(invalid(names.origin, createReason("no_point", originId ?? 0)));
  const destination = transfers.points.get(destinationId ?? 0);
  if (!destination) return err(invalid(names.destination, createReason("no_point", destinationId ?? 0)));
  const way = findTransferConnection(transfers, vehicle.id, origin, destination);
  if (!way) return err(invalid(names.destination, createReason("no_route", vehicle.id, origin.name, destination.name)));
  return ok({
    originId: origin.id,
    originName: origin.name,
    destinationId: destination.id,
    destinationName: destination.name,
    minutes: way.minutes,
    priceCents: way.priceCents,
  });
}

// An extra keeps its unit price, unless it's charged per trip and the number of trips changes.
function agreeExtras(
  { catalogue, before, requestedChange }: Changing,
  trips: readonly AgreedTrip[],
): Result<readonly AgreedTransferExtra[], InvalidTransfer> {
  const { transfers } = catalogue;
  const choices = requestedChange.extras ?? before.extras.map(({ id, quantity }) => ({ code: String(id), quantity }));
  const agreed: AgreedTransferExtra[] = [];
  for (const { code, quantity } of choices.filter((choice) => choice.quantity > 0)) {
    const extra = findTransferExtraByIdOrCode(transfers, code);
    const known = before.extras.find(({ id }) => id === (extra?.id ?? Number(code)));
    const isForEach = extra?.pricePer === "trip" && trips.length !== before.trips.length;
    const agreedTransferExtra = extra && (!known || isForEach) ? toAgreedTransferExtra(extra, trips) : known;
    const refusalReason = findWrongExtra(code, quantity, {
      extra: agreedTransferExtra,
      agreed,
      maxQuantity: extra?.maxQuantity,
      known,
    });
    if (!agreedTransferExtra || refusalReason !== undefined)
      return err(invalid("transferExtras", refusalReason ?? createReason("no_extra", code)));
    const extraCents = agreedTransferExtra.unitCents * quantity;
    agreed.push({ ...agreedTransferExtra, quantity, discountCents: 0, extraCents });
  }
  return ok(agreed);
}

function toAgreedTransferExtra(extra: TransferExtra, trips: readonly AgreedTrip[]): AgreedTransferExtra {
  const { id, code, name, vat } = extra;
  const unitCents = getTransferExtraUnitPrice(extra, { trips });
  return { id, code, name, vat, quantity: 0, unitCents, discountCents: 0, extraCents: 0 };
}

interface SelectedExtra {
  readonly extra: AgreedTransferExtra | undefined;
  readonly known: AgreedTransferExtra | undefined;
  readonly agreed: readonly AgreedTransferExtra[];
  readonly maxQuantity: number | undefined;
}

// The agreed quantity is always allowed, even above the current catalogue's limit.
function findWrongExtra(
  code: string,
  quantity: number,
  { extra, known, agreed, maxQuantity = 0 }: SelectedExtra,
): Reason | undefined {
  if (!extra) return createReason("no_extra", code);
  if (agreed.some(({ id }) => id === extra.id)) return createReason("extra_twice", code);
  const limit = Math.max(maxQuantity, known?.quantity ?? 0);
  return quantity > limit ? createReason("max_extra", code, limit) : undefined;
}

// A supplement stays as agreed while its trips and their prices are unchanged.
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
    const cents = sumCents(due.map((trip) => getTransferSupplementPrice(supplement, trip)));
    return due.length > 0 ? [{ id: supplement.id, name: supplement.name, cents }] : [];
  });
}

function isDueOn(supplement: TransferSupplement, { date, time, originId, destinationId }: AgreedTrip): boolean {
  return isTransferSupplementDue(supplement, {
    date,
    time,
    origin: { id: originId },
    destination: { id: destinationId },
  });
}

function invalid(field: TransferField, reason: Reason): InvalidTransfer {
  return { kind: "invalid", field, reason };
}
