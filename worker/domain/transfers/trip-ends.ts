import type { ContractData } from "#domain/bookings/bookings.ts";
import { formatFlightNumber } from "#domain/bookings/contract-data.ts";
import type { AgreedTrip } from "./agreed.ts";

/** Flight of a transfer's customer. Undefined parts weren't stated. */
export interface StatedFlight {
  readonly company: string | undefined;
  readonly number: string | undefined;
  /** Local time, as the customer typed it. */
  readonly time: string | undefined;
  readonly airport: string | undefined;
}

/** Exact address and flight at an end of a trip, as the customer stated them. */
export interface TripAddressAndFlight {
  readonly address: string | undefined;
  readonly flight: StatedFlight;
}

/** Fields of the customer's arrival and departure flights in the stored contract data. */
const ARRIVAL = ["flight_company", "flight_number", "flight_time", "fligth_airport_origin"] as const; // sic
const DEPARTURE = [
  "flight_company_departure",
  "flight_number_departure",
  "flight_time_departure",
  "fligth_airport_destination", // sic
] as const;

/**
 * Reads the addresses and flights of a trip from a transfer's contract data. The first end of the transfer has the
 * customer's arrival flight, and the last end the departure flight.
 */
export function getTripAddressesAndFlights(
  data: ContractData,
  { isReturn, isRoundTrip }: { readonly isReturn: boolean; readonly isRoundTrip: boolean },
): { readonly origin: TripAddressAndFlight; readonly destination: TripAddressAndFlight } {
  const way = isReturn ? "return_" : "";
  const isLast = isReturn || !isRoundTrip;
  return {
    origin: getEndDetails(data, `${way}origin`, isReturn ? undefined : ARRIVAL),
    destination: getEndDetails(data, `${way}destination`, isLast ? DEPARTURE : undefined),
  };
}

// A flight stated for the end itself takes precedence over the customer's arrival or departure flight.
function getEndDetails(
  data: ContractData,
  end: string,
  journey: typeof ARRIVAL | typeof DEPARTURE | undefined,
): TripAddressAndFlight {
  const [company, number, time, airport] = (journey ?? []).map((name) => data[name]);
  return {
    address: data[`detailed_${end}_address`],
    flight: {
      company,
      number: data[`detailed_${end}_flight_number`] ?? number,
      time: data[`detailed_${end}_flight_estimated_time`] ?? time,
      airport,
    },
  };
}

const ENDS = ["origin", "destination", "return_origin", "return_destination"] as const;
const END_FIELDS = ["address", "flight_number", "flight_estimated_time"] as const;

/** Changes of contract data by field. Null removes a field. */
export type ContractDataChange = Readonly<Record<string, string | null>>;

interface TripsBeforeAndAfter {
  readonly before: readonly AgreedTrip[];
  readonly after: readonly AgreedTrip[];
}

/**
 * Returns how the addresses and flights in a transfer's contract data change with its trips. An end that moves to
 * another point loses its address and flight. Requested values replace all others.
 */
export function changeTripDetails(
  data: ContractData,
  trips: TripsBeforeAndAfter,
  requested: ContractDataChange = {},
): ContractDataChange {
  const lost = [...listLostFields(trips), ...listReplacedFlightFields(requested, trips.after)];
  const lostEntries = lost.filter((name) => data[name] !== undefined).map((name) => [name, null] as const);
  const changes = { ...Object.fromEntries(lostEntries), ...findOutwardFlight(data, trips), ...requested };
  return { ...changes, ...listSharedAddresses(data, trips, { changes, requested }) };
}

function listLostFields({ before, after }: TripsBeforeAndAfter): readonly string[] {
  const [pointsBefore, pointsAfter] = [listEndPoints(before), listEndPoints(after)];
  const changedEnds = ENDS.filter((_, index) => pointsBefore[index] !== pointsAfter[index]);
  return [
    ...changedEnds.flatMap((end) => END_FIELDS.map((field) => `detailed_${end}_${field}`)),
    ...(changedEnds.includes("origin") ? ARRIVAL : []),
    ...(before.at(-1)?.destinationId === after.at(-1)?.destinationId ? [] : DEPARTURE),
  ];
}

const listEndPoints = ([outward, back]: readonly AgreedTrip[]) => [
  ...[outward?.originId, outward?.destinationId],
  ...[back?.originId, back?.destinationId],
];

// Lists the fields of the flights that take precedence over a requested arrival or departure flight, and their
// airlines.
function listReplacedFlightFields(requested: ContractDataChange, { length }: readonly AgreedTrip[]): readonly string[] {
  const last = length > 1 ? "return_destination" : "destination";
  const replacedFields = {
    flight_number: ["flight_company", "detailed_origin_flight_number"],
    flight_time: ["detailed_origin_flight_estimated_time"],
    flight_number_departure: ["flight_company_departure", `detailed_${last}_flight_number`],
    flight_time_departure: [`detailed_${last}_flight_estimated_time`],
  };
  return Object.entries(replacedFields).flatMap(([name, replaced]) => (name in requested ? replaced : []));
}

// The departure flight of a one-way transfer leaves from its destination, which isn't the last end of a round trip.
function findOutwardFlight(data: ContractData, { before, after }: TripsBeforeAndAfter): ContractDataChange {
  const isReturnNew = before.length < after.length && before[0]?.destinationId === after[0]?.destinationId;
  const number = formatFlightNumber(data["flight_company_departure"], data["flight_number_departure"]);
  const time = data["flight_time_departure"];
  return {
    ...(isReturnNew && number !== undefined && { detailed_destination_flight_number: number }),
    ...(isReturnNew && time !== undefined && { detailed_destination_flight_estimated_time: time }),
  };
}

// Ends of the return trip with the end of the outward trip whose address they share at the same point.
const SHARED_ENDS = [
  [2, 1],
  [3, 0],
] as const;

// Returns the addresses of the return trip that follow those of the outward trip, unless they were stated separately.
function listSharedAddresses(
  data: ContractData,
  { before, after }: TripsBeforeAndAfter,
  { changes, requested }: { readonly changes: ContractDataChange; readonly requested: ContractDataChange },
): ContractDataChange {
  const [pointsBefore, pointsAfter] = [listEndPoints(before), listEndPoints(after)];
  const shared = SHARED_ENDS.filter(([returnEnd, outwardEnd]) => {
    const [name, outwardName] = [getAddressField(returnEnd), getAddressField(outwardEnd)];
    const isMoved = pointsBefore[returnEnd] !== pointsAfter[returnEnd];
    const isSeparate = !isMoved && data[name] !== undefined && data[name] !== data[outwardName];
    const isAtSamePoint = pointsAfter[returnEnd] !== undefined && pointsAfter[returnEnd] === pointsAfter[outwardEnd];
    return isAtSamePoint && !isSeparate && !(name in requested) && (isMoved || outwardName in requested);
  });
  return Object.fromEntries(
    shared.flatMap(([returnEnd, outwardEnd]) => {
      const address = { ...data, ...changes }[getAddressField(outwardEnd)];
      return address === undefined ? [] : [[getAddressField(returnEnd), address]];
    }),
  );
}

const getAddressField = (index: number) => `detailed_${ENDS[index]}_address`;
