import type { ContractData } from "#domain/bookings/bookings.ts";

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
